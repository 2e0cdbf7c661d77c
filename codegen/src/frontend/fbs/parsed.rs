//! One file after parsing: its tree, where its parts stand, how it came in.

use super::syntax::{Extent, Finding, Tree};
use crate::ir::{Diagnostic, Doc, SourceId, Span, TextIndex};

/// A parsed file.
pub(super) struct Parsed {
    /// Its name below its include directory.
    pub(super) name: String,
    pub(super) tree: Tree,
    pub(super) source: SourceId,
    pub(super) index: TextIndex,
    /// True for a file the user named.
    pub(super) is_input: bool,
    /// What it includes: the file, and the string that names it.
    pub(super) includes: Vec<(usize, Extent)>,
}

impl Parsed {
    pub(super) fn span(&self, extent: Extent) -> Span {
        span(self.source, &self.index, extent)
    }

    /// The comments, one line each, without their marks.
    pub(super) fn doc(&self, docs: &[Extent]) -> Doc {
        let lines = docs.iter().map(|extent| {
            let line = self.tree.text_of(*extent);
            line.strip_prefix("///").unwrap_or(line)
        });
        let text: Vec<_> = lines.collect();
        let leading = (!text.is_empty()).then(|| text.join("\n"));
        Doc { leading, ..Doc::default() }
    }
}

pub(super) fn span(source: SourceId, index: &TextIndex, extent: Extent) -> Span {
    let start = index.position(extent.start as usize);
    Span { source, start, end: index.position(extent.end as usize) }
}

/// A finding of the parser as a diagnostic.
pub(super) fn diagnostic(source: SourceId, index: &TextIndex, found: Finding) -> Diagnostic {
    let span = span(source, index, found.extent);
    let diagnostic = Diagnostic::error(found.code, found.message).label(span, "");
    match found.help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}
