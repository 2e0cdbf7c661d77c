//! What one load collects on its way: the texts it read and what it found.

use std::{collections::BTreeSet, path::PathBuf, sync::Arc};

use crate::ir::{Diagnostic, Diagnostics, Position, Source, SourceId, Span};

/// State that outlives a stage, and a panic inside one.
#[derive(Default)]
pub(super) struct Session {
    pub(super) sources: Vec<Source>,
    pub(super) diagnostics: Diagnostics,
    /// Every file that was really read.
    pub(super) read_files: BTreeSet<PathBuf>,
}

impl Session {
    /// Remembers a text, or the bare name of something that has none.
    pub(super) fn add_source(
        &mut self,
        path: impl Into<String>,
        text: Option<Arc<str>>,
    ) -> SourceId {
        let id = SourceId(self.sources.len() as u32);
        self.sources.push(Source { path: path.into(), text });
        id
    }

    /// The start of something without text, for diagnostics about a file or directory as a whole.
    pub(super) fn place_of(&mut self, path: impl Into<String>) -> Span {
        let source = self.add_source(path, None);
        let start = Position { line: 1, column: 1 };
        Span { source, start, end: start }
    }

    /// Adds a finding.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Adds findings.
    pub(super) fn report_all(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        self.diagnostics.0.extend(diagnostics);
    }
}
