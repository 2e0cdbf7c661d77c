//! FlatBuffers messages: verified once, then read where they were received.
//!
//! The verifier's own limits let a message of some hundred bytes cost tens of milliseconds. Here they follow from
//! the length of the message, with room for tables and strings that an ordinary builder shares.

use crate::limits::Limits;
use bytes::Bytes;
use flatbuffers::{
    Follow, ForwardsUOffset, InvalidFlatbuffer, TableVerifier, VOffsetT, Vector, Verifiable,
    Verifier, VerifierOptions, root_with_opts,
};
use std::fmt;
use std::marker::PhantomData;

/// A table that can be the root of a message; generated code implements it for `GetReply<'static>`.
pub trait Table: 'static {
    /// The same table, borrowed from bytes.
    type Root<'bytes>: Follow<'bytes, Inner = Self::Root<'bytes>> + Verifiable + 'bytes;
}

/// A message that was verified and owns its bytes.
///
/// The bytes may stand at any address; they share the memory they were received in.
pub struct Verified<Message> {
    bytes: Bytes,
    message: PhantomData<fn() -> Message>,
}

impl<Message: Table> Verified<Message> {
    /// Verifies `bytes`.
    ///
    /// # Errors
    /// What is wrong with them, with the path of fields that leads there.
    pub fn new(bytes: Bytes, limits: &Limits) -> Result<Self, InvalidFlatbuffer> {
        root_with_opts::<Message::Root<'_>>(&verifier_options(bytes.len(), limits), &bytes)?;
        Ok(Self { bytes, message: PhantomData })
    }

    /// Takes `bytes` as verified.
    ///
    /// # Safety
    /// They must pass [`new`](Self::new): anything else lets safe code read out of bounds.
    #[allow(unsafe_code)]
    pub unsafe fn new_unchecked(bytes: Bytes) -> Self {
        Self { bytes, message: PhantomData }
    }

    /// The root table. Its accessors check nothing any more.
    #[allow(unsafe_code)]
    pub fn root(&self) -> Message::Root<'_> {
        // SAFETY: `new` verified these bytes as this very table, or the caller of `new_unchecked` vouched for that;
        // `Bytes` never change, and the result borrows them.
        unsafe { flatbuffers::root_unchecked::<Message::Root<'_>>(&self.bytes) }
    }

    /// The bytes of the message.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// Gives the bytes away.
    pub fn into_bytes(self) -> Bytes {
        self.bytes
    }
}

impl<Message> Clone for Verified<Message> {
    fn clone(&self) -> Self {
        Self { bytes: self.bytes.clone(), message: PhantomData }
    }
}

impl<Message> fmt::Debug for Verified<Message> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Verified({} bytes)", self.bytes.len())
    }
}

/// Verifier limits for a message of `len` bytes: as many tables and as much apparent size as it can hold several times
/// over, and an allowance.
pub fn verifier_options(len: usize, limits: &Limits) -> VerifierOptions {
    let times =
        |factor: usize, allowance: usize| len.saturating_mul(factor).saturating_add(allowance);
    VerifierOptions {
        max_depth: limits.max_table_depth,
        max_tables: (len / 4).saturating_add(limits.table_allowance),
        max_apparent_size: times(limits.apparent_size_factor, limits.apparent_size_allowance),
        ignore_missing_null_terminator: false,
    }
}

/// The bytes of a nested buffer, read in the middle of a verification.
struct NestedBytes;

impl<'buf> Follow<'buf> for NestedBytes {
    type Inner = &'buf [u8];
    #[allow(unsafe_code)]
    unsafe fn follow(bytes: &'buf [u8], position: usize) -> Self::Inner {
        // SAFETY: the caller verified a vector of bytes at this position, which is what follows here.
        unsafe { <ForwardsUOffset<Vector<'buf, u8>>>::follow(bytes, position) }.bytes()
    }
}

impl Verifiable for NestedBytes {
    fn run_verifier(
        verifier: &mut Verifier<'_, '_>,
        position: usize,
    ) -> Result<(), InvalidFlatbuffer> {
        <ForwardsUOffset<Vector<'_, u8>>>::run_verifier(verifier, position)
    }
}

/// Verifies a field that holds a buffer of its own, and the root in it. For generated code.
///
/// The limits follow from the nested buffer's own length. Their allowances are small: a small nested buffer that is
/// shared by many tables is verified as often as they name it.
///
/// # Errors
/// What is wrong with either buffer.
#[doc(hidden)]
pub fn visit_nested<'verifier, 'opts, 'buf, Message: Verifiable>(
    table: TableVerifier<'verifier, 'opts, 'buf>,
    name: &'static str,
    field: VOffsetT,
    required: bool,
) -> Result<TableVerifier<'verifier, 'opts, 'buf>, InvalidFlatbuffer> {
    // The one way to the bytes in the middle of a verification: a union whose discriminant is the vector.
    table.visit_union::<NestedBytes, _>(name, field, name, field, required, |bytes, _, _| {
        let options = VerifierOptions {
            max_tables: bytes.len() / 4 + NESTED_TABLE_ALLOWANCE,
            max_apparent_size: bytes.len().saturating_mul(16).saturating_add(NESTED_SIZE_ALLOWANCE),
            ..VerifierOptions::default()
        };
        <ForwardsUOffset<Message>>::run_verifier(&mut Verifier::new(&options, bytes), 0)
    })
}

/// A table of a type that this program does not know.
struct UnknownTable;

impl Verifiable for UnknownTable {
    fn run_verifier(
        verifier: &mut Verifier<'_, '_>,
        position: usize,
    ) -> Result<(), InvalidFlatbuffer> {
        verifier.visit_table(position)?.finish();
        Ok(())
    }
}

/// Verifies the value of a union that says it holds a variant of a newer schema, or none. For generated code.
///
/// Its fields are nobody's to read, but the accessor of the union follows the offset and hands a table out.
///
/// # Errors
/// There is no table.
#[doc(hidden)]
pub fn verify_unknown_variant(
    verifier: &mut Verifier<'_, '_>,
    position: usize,
) -> Result<(), InvalidFlatbuffer> {
    <ForwardsUOffset<UnknownTable>>::run_verifier(verifier, position)
}

/// Tables that a nested buffer may show beyond a fourth of its length.
const NESTED_TABLE_ALLOWANCE: usize = 8;
/// Bytes that a nested buffer may show beyond sixteen times its length.
const NESTED_SIZE_ALLOWANCE: usize = 4096;
