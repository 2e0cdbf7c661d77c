//! What one load collects on its way: the texts it read and what it found.

#[cfg(any(feature = "fbs", feature = "bfbs"))]
use std::collections::BTreeMap;
use std::{collections::BTreeSet, path::PathBuf, sync::Arc};

#[cfg(any(feature = "fbs", feature = "bfbs"))]
use crate::ir::{Code, Severity};
use crate::ir::{Diagnostic, Diagnostics, Position, Source, SourceId, Span};

/// State that outlives a stage, and a panic inside one.
#[derive(Default)]
pub(super) struct Session {
    pub(super) sources: Vec<Source>,
    pub(super) diagnostics: Diagnostics,
    /// Every file that was really read.
    pub(super) read_files: BTreeSet<PathBuf>,
    /// Findings by the text that they are about, those left out among them.
    #[cfg(any(feature = "fbs", feature = "bfbs"))]
    counts: BTreeMap<(SourceId, Severity), usize>,
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

    /// Adds a finding, unless its text has `most` of its severity already.
    #[cfg(any(feature = "fbs", feature = "bfbs"))]
    pub(super) fn report_at_most(&mut self, most: usize, diagnostic: Diagnostic) {
        let source = diagnostic.labels.first().map_or(SourceId(0), |label| label.span.source);
        let count = self.counts.entry((source, diagnostic.severity)).or_default();
        *count += 1;
        if *count <= most {
            self.report(diagnostic);
        }
    }

    /// Says how many findings [`report_at_most`](Self::report_at_most) left out.
    #[cfg(any(feature = "fbs", feature = "bfbs"))]
    pub(super) fn report_left_out(&mut self, code: Code, most: usize) {
        for ((source, severity), count) in std::mem::take(&mut self.counts) {
            if let Some(more) = count.checked_sub(most).filter(|more| *more > 0) {
                let path = self.sources.get(source.0 as usize).map_or("", |it| it.path.as_str());
                let message = format!("{more} more findings in `{path}` are left out");
                let start = Position { line: 1, column: 1 };
                let found = Diagnostic { severity, ..Diagnostic::error(code, message) };
                self.report(found.label(Span { source, start, end: start }, ""));
            }
        }
    }

    /// Adds findings.
    #[cfg(feature = "proto")]
    pub(super) fn report_all(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        self.diagnostics.0.extend(diagnostics);
    }
}
