//! What flatc says about a schema, as diagnostics with places.

use std::path::Path;

use crate::ir::{Diagnostic, FileId, Position, Schema, Severity, Span, TextIndex, code};

/// Lines of flatc's that are kept when none of them has a place.
const KEPT_LINES: usize = 5;

/// Reads `file:line: column: error: text`, line by line. There is at least one finding.
pub(super) fn parse(said: &str, folder: &Path, schema: &Schema, input: FileId) -> Vec<Diagnostic> {
    let said = said.replace(&format!("{}", folder.display()), "");
    let mut found: Vec<Diagnostic> = Vec::new();
    for line in said.lines() {
        let Some(diagnostic) = located(line.trim(), schema) else { continue };
        // flatc says some things twice.
        if !found.contains(&diagnostic) {
            found.push(diagnostic);
        }
    }
    if found.iter().all(|diagnostic| diagnostic.severity != Severity::Error) {
        let file = schema.file(input);
        let lines: Vec<&str> = said.lines().map(str::trim).filter(|it| !it.is_empty()).collect();
        let text = lines.into_iter().take(KEPT_LINES).collect::<Vec<_>>().join(" ");
        let text = if text.is_empty() { "it says nothing" } else { &text };
        let message = format!("flatc refuses `{}`: {text}", file.import_name);
        found.push(Diagnostic::error(code::FLATC_FAILED, message).label(file.package_span, ""));
    }
    found
}

/// One line, when it names a place.
fn located(line: &str, schema: &Schema) -> Option<Diagnostic> {
    let kinds = [("error", Severity::Error), ("warning", Severity::Warning)];
    let (place, text, severity) = kinds.into_iter().find_map(|(kind, severity)| {
        let (place, text) = line.split_once(&format!(": {kind}: "))?;
        Some((place, text, severity))
    })?;
    // From behind: a path may hold colons.
    let (place, column) = place.rsplit_once(':')?;
    let (path, line) = place.rsplit_once(':')?;
    let (line, column): (u32, u32) = (line.trim().parse().ok()?, column.trim().parse().ok()?);
    let path = path.trim().replace('\\', "/");
    let named = |name: &str| {
        path.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with('/'))
    };
    let files = schema.files.iter().filter(|file| named(&file.import_name));
    let file = files.max_by_key(|file| file.import_name.len())?;
    let span = match &schema.source(file.source).text {
        // Its columns count from 0, in bytes, and stand behind what it speaks of.
        Some(text) => {
            let index = TextIndex::new(text.clone());
            let byte = |at: u32| index.position_of_line_byte(line.saturating_sub(1), at);
            let start = byte(column.saturating_sub(1));
            Span { source: file.source, start, end: byte(column).max(start) }
        }
        None => {
            let start = Position { line: line.max(1), column: column.max(1) };
            Span { source: file.source, start, end: start }
        }
    };
    let message = format!("flatc: {text}");
    let found = Diagnostic { severity, ..Diagnostic::error(code::FLATC_FAILED, message) };
    Some(found.label(span, ""))
}
