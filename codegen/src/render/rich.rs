//! The look of rustc, by annotate-snippets.

use annotate_snippets::{
    AnnotationKind, Element, Group, Level, Message, Origin, Renderer, Snippet,
};

use super::{
    escape,
    lines::{Excerpt, excerpts},
};
use crate::ir::{Diagnostic, Diagnostics, Label, Position, Severity, Source, SourceId};

/// Renders findings one below the other, each followed by an empty line.
///
/// `sources` are those that the spans of the findings point into.
pub fn rich(diagnostics: &Diagnostics, sources: &[Source], colors: bool) -> String {
    let renderer = if colors { Renderer::styled() } else { Renderer::plain() };
    let mut out = String::new();
    for diagnostic in &diagnostics.0 {
        out.push_str(&renderer.render(&[group(diagnostic, sources)]));
        out.push_str("\n\n");
    }
    out
}

fn group<'a>(diagnostic: &'a Diagnostic, sources: &'a [Source]) -> Group<'a> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(escape::message(&diagnostic.message)).id(diagnostic.code);
    let mut group = Group::with_title(title);
    for (source_id, labels) in by_source(&diagnostic.labels) {
        let Some(source) = sources.get(source_id.0 as usize) else { continue };
        for element in elements(source, &labels, diagnostic.labels.first()) {
            group = group.element(element);
        }
    }
    match &diagnostic.help {
        Some(help) => group.element(Level::HELP.message(escape::message(help))),
        None => group,
    }
}

/// Labels by source, the source of the first label first.
fn by_source(labels: &[Label]) -> Vec<(SourceId, Vec<&Label>)> {
    let mut groups: Vec<(SourceId, Vec<&Label>)> = Vec::new();
    for label in labels {
        match groups.iter_mut().find(|(source, _)| *source == label.span.source) {
            Some((_, group)) => group.push(label),
            None => groups.push((label.span.source, vec![label])),
        }
    }
    groups
}

fn elements<'a>(source: &Source, labels: &[&Label], primary: Option<&Label>) -> Vec<Element<'a>> {
    match excerpts(source, labels) {
        Some(mut excerpts) => {
            // The place named at the arrow is that of the primary label.
            let holds_primary = |excerpt: &Excerpt<'_>| {
                excerpt
                    .labels
                    .iter()
                    .any(|label| primary.is_some_and(|it| std::ptr::eq(it, *label)))
            };
            excerpts.sort_by_key(|excerpt| !holds_primary(excerpt));
            excerpts.iter().map(|excerpt| snippet(source, excerpt, primary).into()).collect()
        }
        None => labels.iter().flat_map(|label| without_text(source, label)).collect(),
    }
}

fn snippet<'a>(
    source: &Source,
    excerpt: &Excerpt<'_>,
    primary: Option<&Label>,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let text = excerpt.lines.join("\n");
    let annotations: Vec<_> = excerpt
        .labels
        .iter()
        .map(|label| {
            let start = offset(excerpt, label.span.start);
            let end = offset(excerpt, label.span.end).max(start);
            let is_primary = primary.is_some_and(|it| std::ptr::eq(it, *label));
            let kind = if is_primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            let annotation = kind.span(start..end);
            match label.text.as_str() {
                "" => annotation,
                text => annotation.label(escape::message(text)),
            }
        })
        .collect();
    Snippet::source(text)
        .line_start(excerpt.first_line as usize)
        .path(escape::message(&source.path))
        .fold(true)
        .annotations(annotations)
}

/// The byte offset of a position in the joined lines of an excerpt.
fn offset(excerpt: &Excerpt<'_>, position: Position) -> usize {
    let at = position.line.saturating_sub(excerpt.first_line) as usize;
    let at = at.min(excerpt.lines.len().saturating_sub(1));
    let before: usize = excerpt.lines[..at].iter().map(|line| line.len() + 1).sum();
    let line = &excerpt.lines[at];
    if position.line > excerpt.first_line + at as u32 {
        return before + line.len();
    }
    let column = position.column.saturating_sub(1) as usize;
    before + line.char_indices().nth(column).map_or(line.len(), |(byte, _)| byte)
}

/// A place whose text is not at hand: where it is, and what is there.
fn without_text<'a>(source: &Source, label: &Label) -> Vec<Element<'a>> {
    let origin = Origin::path(escape::message(&source.path));
    let start = label.span.start;
    // Line 1, column 1 of nothing stands for the file as a whole.
    let is_whole_file = source.text.is_none() && start == Position { line: 1, column: 1 };
    let origin = if is_whole_file {
        origin
    } else {
        origin.line(start.line as usize).char_column(start.column as usize)
    };
    let mut elements = vec![Element::from(origin)];
    if !label.text.is_empty() {
        let note: Message<'a> = Level::NOTE.message(escape::message(&label.text));
        elements.push(note.into());
    }
    elements
}
