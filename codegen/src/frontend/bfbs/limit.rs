//! Every bound on a binary schema, with its reason.
//!
//! All of them answer one question: what may a hostile file cost before it is refused? A verified
//! buffer may still name one table from many places, so that little text stands for much.

/// Bytes of a file. The largest schemas in public use are below 1 MB in this form.
pub(super) const FILE_BYTES: usize = 16 << 20;

/// Tables that the verifier visits: those of a request count again in every method that takes it,
/// so that the honest number grows faster than the file. A thousand methods over a table of a
/// thousand fields visit 25 for every byte.
pub(super) const fn verified_tables(bytes: usize) -> usize {
    let most = 64 * bytes + 4096;
    if most < 16 << 20 { most } else { 16 << 20 }
}

/// Bytes that the verifier reads, for the same reason; the name of a field has about 16.
pub(super) const fn verified_bytes(bytes: usize) -> usize {
    32 * verified_tables(bytes)
}

/// Tables in each other. A method, its request, a field, its type, and the schema itself are five.
pub(super) const DEPTH: usize = 16;

/// Elements that are converted. Each takes four bytes in the vector that lists it; a file of more
/// has one vector in several places, which flatc never does.
pub(super) const fn elements(bytes: usize) -> usize {
    bytes / 4
}

/// Bytes of text that are copied. flatc writes every text once or shares it; four times the file is
/// more than any sharing gave.
pub(super) const fn text(bytes: usize) -> usize {
    4 * bytes
}

/// Bytes of an identifier, as in a `.fbs`.
pub(super) const IDENTIFIER_BYTES: usize = 1024;

/// Segments of a full name, as in a `.fbs`.
pub(super) const SEGMENTS: usize = 513;

/// Bytes of the name of a file.
pub(super) const FILE_NAME_BYTES: usize = 4096;

/// Characters of a name that a message repeats.
pub(super) const SHOWN_CHARS: usize = 60;

/// Findings about one file.
pub(super) const FINDINGS: usize = 100;

/// Fields of a table, as in a `.fbs`.
pub(super) const TABLE_FIELDS: usize = (u16::MAX as usize - 4) / 2;

/// Bytes of a struct, as in a `.fbs`.
pub(super) const STRUCT_BYTES: u64 = i32::MAX as u64;

/// Places that one finding names.
pub(super) const NAMED: usize = 16;

/// Stack of the thread that loads: nothing recurses on the input.
pub(super) const STACK_BYTES: usize = 2 << 20;
