//! The ways in: every table that has `root` helpers, verified as the product verifies it, then walked.

use std::fmt::Debug;

use bytes::Bytes;
use flatbuffers::{InvalidFlatbuffer, VerifierOptions};
use stubwire::Limits;
use stubwire::flat::{Table, Verified};
use stubwire::payload::flat::verifier_options;

use crate::walk::{Walk, Walker};

/// A table that buffers can have as their root.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The full name of the table.
    pub table: &'static str,
    /// True when the buffer stands behind its size.
    pub prefixed: bool,
    /// Verifies and walks; `false` when verification refuses.
    pub(crate) check: fn(&Bytes, &mut Walker) -> bool,
}

impl Entry {
    /// Verifies a buffer as the edge of the product does, and walks what it accepts: `None` when it
    /// refuses. It is copied to an address that is so far from an aligned one, into memory that ends
    /// where it ends.
    ///
    /// # Panics
    /// When an accessor of a verified table does.
    pub fn check(&self, bytes: &[u8], misaligned: usize, mut walker: Walker) -> Option<Walker> {
        let mut memory = Vec::with_capacity(misaligned + bytes.len());
        memory.resize(misaligned, 0xee);
        memory.extend_from_slice(bytes);
        let placed = Bytes::from(memory.into_boxed_slice()).slice(misaligned..);
        (self.check)(&placed, &mut walker).then_some(walker)
    }
}

/// A message as the server and the client take it.
pub(crate) fn plain<Message>(
    bytes: &Bytes,
    walker: &mut Walker,
    root: for<'b> fn(&'b [u8]) -> Result<Message::Root<'b>, InvalidFlatbuffer>,
    with_opts: for<'b> fn(
        &VerifierOptions,
        &'b [u8],
    ) -> Result<Message::Root<'b>, InvalidFlatbuffer>,
) -> bool
where
    Message: Table,
    for<'b> Message::Root<'b>: Walk + Debug + PartialEq,
{
    let limits = Limits::default();
    let Ok(verified) = Verified::<Message>::new(bytes.clone(), &limits) else { return false };
    verified.root().walk(walker);
    walker.debug(&verified.root());
    // What the limits of the product let through, those of the crate let through as well.
    let options = verifier_options(bytes.len(), &limits);
    for again in [root(bytes), with_opts(&options, bytes)] {
        assert!(again.expect("verified before") == verified.root(), "another root");
    }
    true
}

/// A buffer behind its size; nothing of the product takes one, but its generated code does.
pub(crate) fn prefixed<Message>(
    bytes: &Bytes,
    walker: &mut Walker,
    root: for<'b> fn(&'b [u8]) -> Result<Message::Root<'b>, InvalidFlatbuffer>,
    with_opts: for<'b> fn(
        &VerifierOptions,
        &'b [u8],
    ) -> Result<Message::Root<'b>, InvalidFlatbuffer>,
) -> bool
where
    Message: Table,
    for<'b> Message::Root<'b>: Walk + Debug + PartialEq,
{
    let options = verifier_options(bytes.len(), &Limits::default());
    let Ok(verified) = with_opts(&options, bytes) else { return false };
    verified.walk(walker);
    walker.debug(&verified);
    assert!(root(bytes).expect("verified before") == verified, "another root");
    true
}

/// The entries, from what the build script says of the schemas.
macro_rules! entries {
    ($(
        root $module:ident $ty:ident $full_name:literal;
        plain $plain:ident $plain_opts:ident;
        prefixed $prefixed:ident $prefixed_opts:ident;
        $(identified $has:ident $prefixed_has:ident;)?
    )*) => {
        /// Every way in.
        pub const ENTRIES: &[crate::entry::Entry] = &[$(
            crate::entry::Entry {
                table: $full_name,
                prefixed: false,
                check: |bytes, walker| {
                    $(
                        walker.reach(concat!(stringify!($module), "::", stringify!($has)));
                        walker.fold(messages::$module::$has(bytes).into());
                    )?
                    walker.reach(concat!(stringify!($module), "::", stringify!($plain)));
                    walker.reach(concat!(stringify!($module), "::", stringify!($plain_opts)));
                    crate::entry::plain::<messages::$module::$ty<'static>>(
                        bytes,
                        walker,
                        |bytes| messages::$module::$plain(bytes),
                        |options, bytes| messages::$module::$plain_opts(options, bytes),
                    )
                },
            },
            crate::entry::Entry {
                table: $full_name,
                prefixed: true,
                check: |bytes, walker| {
                    $(
                        walker.reach(concat!(stringify!($module), "::", stringify!($prefixed_has)));
                        walker.fold(messages::$module::$prefixed_has(bytes).into());
                    )?
                    walker.reach(concat!(stringify!($module), "::", stringify!($prefixed)));
                    walker.reach(concat!(stringify!($module), "::", stringify!($prefixed_opts)));
                    crate::entry::prefixed::<messages::$module::$ty<'static>>(
                        bytes,
                        walker,
                        |bytes| messages::$module::$prefixed(bytes),
                        |options, bytes| messages::$module::$prefixed_opts(options, bytes),
                    )
                },
            },
        )*];
    };
}

pub(crate) use entries;
