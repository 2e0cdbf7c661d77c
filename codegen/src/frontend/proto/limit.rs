//! Every bound the Protobuf front end puts on its input, with its reason.
//!
//! All of them answer one question: what may a hostile or broken file cost before it is refused?

/// Bytes of a descriptor set: many files with their comments.
pub(super) const SET_BYTES: usize = 512 << 20;

/// Brackets of any kind that may be open at once. protoc allows 31 nested messages; that leaves 33
/// levels for a service, a oneof and the value of an option. prost decodes at most 100 nested
/// messages, so a deeper option value could not be read back.
pub(super) const BRACKET_DEPTH: usize = 64;

/// Nested messages, as protoc counts them (`kMaxMessageNesting`): 31 are fine, 32 are not.
pub(super) const MESSAGE_DEPTH: usize = 31;

/// Characters of one identifier. Every nested name repeats its parents', so that names without a
/// bound make a small file cost memory by the square.
pub(super) const IDENTIFIER_CHARS: usize = 1024;

/// Segments of a package name. protoc stops at 100 in its newest releases; older ones had no bound,
/// and three hundred are cheap.
pub(super) const PACKAGE_SEGMENTS: usize = 512;

/// Characters of a package name, for the reason given at [`IDENTIFIER_CHARS`].
pub(super) const PACKAGE_CHARS: usize = 4096;

/// Findings reported for one file: a broken file of megabytes has as many as it has lines.
pub(super) const FINDINGS_PER_FILE: usize = 100;

/// Stack of the thread that parses and links. The parsers recurse once per open bracket; measured
/// in a debug build, [`BRACKET_DEPTH`] levels need between 1 and 2 MiB. The rest is reserve for their
/// future releases: the pages are only reserved, not touched.
pub(super) const STACK_BYTES: usize = 64 << 20;
