//! One line a finding, as editors and build logs expect it, with the source line below.

use std::fmt::Write;

use super::{
    escape,
    lines::{Excerpt, excerpts},
};
use crate::ir::{Diagnostic, Diagnostics, Label, Severity, Source};

/// Renders findings as `file:line:col: error[SW0107]: message`.
///
/// Further places follow as `file:line:col: note: …`, the help as `help: …`. There is never a
/// colour: the text goes through cargo, which may write it to a file.
pub fn compact(diagnostics: &Diagnostics, sources: &[Source]) -> String {
    let mut out = String::new();
    for diagnostic in &diagnostics.0 {
        // Writing to a string cannot fail.
        let _ = one(&mut out, diagnostic, sources);
    }
    out
}

fn one(out: &mut String, diagnostic: &Diagnostic, sources: &[Source]) -> std::fmt::Result {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let message = escape::message(&diagnostic.message);
    let head = format!("{severity}[{}]: {message}", diagnostic.code);
    match diagnostic.labels.first() {
        Some(label) => place(out, label, &head, '^', sources)?,
        None => writeln!(out, "{head}")?,
    }
    for label in diagnostic.labels.iter().skip(1) {
        let head = match label.text.as_str() {
            "" => "note: related".to_owned(),
            text => format!("note: {}", escape::message(text)),
        };
        place(out, label, &head, '-', sources)?;
    }
    match &diagnostic.help {
        Some(help) => writeln!(out, "  help: {}", escape::message(help)),
        None => Ok(()),
    }
}

fn place(
    out: &mut String,
    label: &Label,
    head: &str,
    mark: char,
    sources: &[Source],
) -> std::fmt::Result {
    let Some(source) = sources.get(label.span.source.0 as usize) else {
        return writeln!(out, "{head}");
    };
    let start = label.span.start;
    let path = escape::message(&source.path);
    writeln!(out, "{path}:{}:{}: {head}", start.line, start.column)?;
    match excerpts(source, &[label]).as_deref() {
        Some([excerpt]) => underlined(out, excerpt, label, mark),
        _ => Ok(()),
    }
}

fn underlined(
    out: &mut String,
    excerpt: &Excerpt<'_>,
    label: &Label,
    mark: char,
) -> std::fmt::Result {
    let span = label.span;
    let line = excerpt.line(span.start.line).replace('\t', " ");
    let chars = line.chars().count();
    let from = (span.start.column.max(1) as usize - 1).min(chars);
    let to = if span.end.line == span.start.line {
        (span.end.column.max(1) as usize - 1).min(chars)
    } else {
        chars
    };
    let marks = mark.to_string().repeat(to.saturating_sub(from).max(1));
    writeln!(out, "    {line}")?;
    write!(out, "    {}{marks}", " ".repeat(from))?;
    // A note already says what the place is.
    match (mark, label.text.as_str()) {
        ('^', text) if !text.is_empty() => writeln!(out, " {}", escape::message(text)),
        _ => writeln!(out),
    }
}
