//! Findings of protox and prost-reflect, in our words: code, labels, help.

use miette::Diagnostic as Foreign;

use super::limit;
use crate::ir::{Code, Diagnostic, Span, code};

/// Turns a foreign finding and its relatives into ours. `span_of` maps a range of bytes of the
/// text they belong to; `fallback` is the place of those that name none.
pub(super) fn convert(
    code: Code,
    found: &dyn Foreign,
    fallback: Span,
    span_of: &dyn Fn(usize, usize) -> Span,
) -> Vec<Diagnostic> {
    let mut all = vec![one(code, found, fallback, span_of)];
    all.extend(found.related().into_iter().flatten().map(|it| one(code, it, fallback, span_of)));
    all
}

fn one(
    code: Code,
    found: &dyn Foreign,
    fallback: Span,
    span_of: &dyn Fn(usize, usize) -> Span,
) -> Diagnostic {
    let (code, mut message) = correction(found).unwrap_or((code, wording(&found.to_string())));
    if let Some(reason) = found.diagnostic_source() {
        message = format!("{message}: {}", wording(&reason.to_string()));
    }
    let mut diagnostic = Diagnostic::error(code, message);
    for label in found.labels().into_iter().flatten() {
        let span = span_of(label.offset(), label.offset().saturating_add(label.len()));
        diagnostic = diagnostic.label(span, wording(label.label().unwrap_or_default()));
    }
    diagnostic.labels.sort_by_key(|label| rank(&label.text));
    if diagnostic.labels.is_empty() {
        diagnostic = diagnostic.label(fallback, "");
    }
    match found.help() {
        Some(help) => diagnostic.help(wording(&help.to_string())),
        None => diagnostic,
    }
}

/// Findings whose code or wording is another one here.
fn correction(found: &dyn Foreign) -> Option<(Code, String)> {
    if found.to_string().starts_with("reached maximum recursion limit for nested messages") {
        let message = format!("messages are nested more than {} deep", limit::MESSAGE_DEPTH);
        return Some((code::PROTO_NESTING, message));
    }
    // protox 0.10 calls it a group name.
    let help = found.help()?.to_string();
    help.starts_with("imports may not")
        .then(|| (code::PROTO_SYNTAX, "invalid import path".to_owned()))
}

/// The offending place comes first, what it clashes with after it. They have no fixed order; their
/// wording tells.
fn rank(label: &str) -> u8 {
    match label {
        "found here" => 0,
        label if label.contains("again") => 0,
        "defined here" => 1,
        _ => 2,
    }
}

/// They quote names with apostrophes and use an ellipsis; we use backquotes.
fn wording(text: &str) -> String {
    text.replace('\'', "`").replace('…', "")
}
