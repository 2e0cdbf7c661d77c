//! What generated code says about the bytes of its messages, for people who read them.
//!
//! One text a package describes every type that its services send, wherever that is declared. No call looks at it;
//! the feature `golden` reads it to name every byte of a frame.
//!
//! ```text
//! message NAME               members: field number, name, TYPE
//! enum NAME                  members: number, name
//! table NAME                 members: vtable offset, name, TYPE, and the .NAME of the root in nested bytes
//! struct NAME SIZE ALIGN     members: offset, name, TYPE
//! enum NAME SCALAR           members: number, name
//! flags NAME SCALAR          members: bits, name
//! union NAME                 members: number, name, .NAME of the table
//!
//! TYPE is a scalar or `string` or `bytes` as the schema spells it, `.NAME` of a type of this text, `[TYPE]` where it
//! repeats, `[TYPE:COUNT]` for a fixed array, `@.NAME` for the number that says what a union holds.
//! ```
//!
//! Every line is one of these, words are parted by one space, types come in the order of their full names. The entry
//! of a map is a message. What a reader does not know it passes over, so that later generators may say more.

use std::fmt;

/// The layout text of one package.
pub struct Layout(&'static str);

impl Layout {
    /// Takes the text as it is; whoever reads it has to bear with what is not of its form.
    pub const fn new(text: &'static str) -> Self {
        Self(text)
    }

    /// The text.
    #[cfg_attr(not(feature = "golden"), allow(dead_code, reason = "read by golden alone"))]
    pub(crate) fn text(&self) -> &'static str {
        self.0
    }
}

impl fmt::Debug for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Layout({} bytes)", self.0.len())
    }
}
