//! Where an element stands: sources, positions and spans.

use std::sync::Arc;

/// Index of a [`Source`] in [`Schema::sources`](super::Schema::sources).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(pub u32);

/// One text that was read, kept for diagnostics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The path as diagnostics show it: relative where the user gave a relative path.
    pub path: String,
    /// The text; `None` when only a descriptor set was given.
    pub text: Option<Arc<str>>,
}

/// A place in a text. Both numbers count from 1; the column counts characters, not bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// A half-open stretch of one source; `end` is the position after the last character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The text that the span lies in.
    pub source: SourceId,
    /// First character.
    pub start: Position,
    /// One past the last character.
    pub end: Position,
}
