//! Every bound the FlatBuffers front end puts on its input, with its reason.
//!
//! All of them answer one question: what may a hostile or broken file cost before it is refused?
//! flatc has none of them but those of the format itself.

/// Bytes of one identifier: error messages and generated code repeat names.
pub(super) const IDENTIFIER_BYTES: usize = 1024;

/// Parts of a dotted name. Looking a name up costs one try for each part of the namespace around.
pub(super) const NAMESPACE_SEGMENTS: usize = 512;

/// Bytes of a dotted name; every declaration in a namespace repeats it in its full name.
pub(super) const NAMESPACE_BYTES: usize = 4096;

/// Brackets around a type. Only one pair has a meaning, more are there to be refused by name.
pub(super) const BRACKETS: usize = 64;

/// Functions in each other in a default: `rad(cos(…))`.
pub(super) const FUNCTIONS: usize = 64;

/// Characters of a token that an error message repeats.
pub(super) const SHOWN_CHARS: usize = 40;

/// Findings reported for one file: a broken file of megabytes has as many as it has lines.
pub(super) const FINDINGS_PER_FILE: usize = 100;

/// Files of one load. Which file sees which costs memory by the square.
pub(super) const FILES: usize = 4096;

/// Fields of a table: the vtable's size and its offsets are 16 bit numbers.
pub(super) const TABLE_FIELDS: usize = (u16::MAX as usize - 4) / 2;

/// Bytes of a struct: offsets in a buffer are signed 32 bit numbers.
pub(super) const STRUCT_BYTES: u64 = i32::MAX as u64;

/// Bytes of a struct in a table: offsets in a table are 16 bit numbers, and four bytes lead it.
pub(super) const INLINE_BYTES: u32 = u16::MAX as u32 - 4;

/// Variants of a union: their number is one byte, and 0 is `NONE`.
pub(super) const UNION_VARIANTS: usize = u8::MAX as usize;

/// Places that one finding names.
pub(super) const LABELS: usize = 32;

/// Stack of the thread that loads. Nothing here recurses on the input; this is what a thread needs.
pub(super) const STACK_BYTES: usize = 2 << 20;
