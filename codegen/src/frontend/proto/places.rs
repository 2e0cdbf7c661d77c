//! From the paths of `SourceCodeInfo` to spans: one index per file.
//!
//! Lookups are by binary search over the sorted paths, so that converting a file stays linear (but
//! for a logarithm), whatever its size.

use prost_types::source_code_info::Location;

use crate::ir::{Doc, Position, SourceId, Span, TextIndex};

/// The locations of one file, by path.
pub(super) struct Places {
    source: SourceId,
    /// Knows how to turn bytes into characters; absent when only a descriptor set was given.
    text: Option<TextIndex>,
    locations: Vec<Location>,
    /// Indices into `locations`, sorted by path; equal paths in order of appearance.
    order: Vec<u32>,
}

impl Places {
    /// Indexes the locations of a file.
    pub(super) fn new(source: SourceId, text: Option<TextIndex>, locations: Vec<Location>) -> Self {
        let mut order: Vec<u32> = (0..locations.len() as u32).collect();
        order.sort_by(|a, b| locations[*a as usize].path.cmp(&locations[*b as usize].path));
        Self { source, text, locations, order }
    }

    /// The source the file was read from.
    pub(super) fn source(&self) -> SourceId {
        self.source
    }

    /// Gives the locations back.
    pub(super) fn into_locations(self) -> Vec<Location> {
        self.locations
    }

    /// The locations.
    pub(super) fn locations(&self) -> &[Location] {
        &self.locations
    }

    /// The text of the file.
    pub(super) fn text(&self) -> Option<&str> {
        self.text.as_ref().map(TextIndex::text)
    }

    /// The location of exactly this path.
    pub(super) fn location(&self, path: &[i32]) -> Option<&Location> {
        let at = |index: &u32| self.locations[*index as usize].path.as_slice();
        let first = self.order.partition_point(|index| at(index) < path);
        let index = self.order.get(first).filter(|index| at(index) == path)?;
        Some(&self.locations[*index as usize])
    }

    /// The span of exactly this path.
    pub(super) fn span(&self, path: &[i32]) -> Option<Span> {
        self.location(path).map(|location| self.convert(&location.span))
    }

    /// The span of this path, else of the nearest element around it, else the start of the file.
    pub(super) fn span_or_outer(&self, path: &[i32]) -> Span {
        let mut path = path;
        loop {
            if let Some(span) = self.span(path) {
                return span;
            }
            match path.split_last() {
                // The location of the empty path is the whole file: too much to underline.
                Some((_, outer)) if !outer.is_empty() => path = outer,
                _ => return self.start(),
            }
        }
    }

    /// The first position of the file.
    pub(super) fn start(&self) -> Span {
        let first = Position { line: 1, column: 1 };
        Span { source: self.source, start: first, end: first }
    }

    /// The span of a range of bytes of the text.
    pub(super) fn span_of_bytes(&self, start: usize, end: usize) -> Span {
        match &self.text {
            Some(text) => {
                Span { source: self.source, start: text.position(start), end: text.position(end) }
            }
            None => self.start(),
        }
    }

    /// The comments of this path.
    pub(super) fn doc(&self, path: &[i32]) -> Doc {
        self.location(path).map(doc_of).unwrap_or_default()
    }

    /// `[line, column, end line?, end column]`, counted from zero, columns in bytes.
    fn convert(&self, span: &[i32]) -> Span {
        let (start, end) = match *span {
            [line, from, to] => ((line, from), (line, to)),
            [line, from, end_line, to] => ((line, from), (end_line, to)),
            _ => return self.start(),
        };
        let start = self.position(start);
        // A hostile descriptor set may turn a span around.
        let end = self.position(end).max(start);
        Span { source: self.source, start, end }
    }

    fn position(&self, (line, column): (i32, i32)) -> Position {
        let line = u32::try_from(line).unwrap_or(0);
        let column = u32::try_from(column).unwrap_or(0);
        match &self.text {
            Some(text) => text.position_of_line_byte(line, column),
            None => Position { line: line.saturating_add(1), column: column.saturating_add(1) },
        }
    }
}

fn doc_of(location: &Location) -> Doc {
    Doc {
        detached: location.leading_detached_comments.clone(),
        leading: location.leading_comments.clone(),
        trailing: location.trailing_comments.clone(),
    }
}
