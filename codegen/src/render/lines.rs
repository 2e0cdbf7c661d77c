//! The lines of a source that findings point at.

use super::escape;
use crate::ir::{Label, Source, Span};

/// A longer line is not shown: it is machine-made, and cutting it would move the columns.
const LINE_CHARS: usize = 500;

/// Labels further apart than this are shown as two excerpts.
const GAP_LINES: u32 = 200;

/// A few lines of one source, safe to print, and the labels that point into them.
pub(super) struct Excerpt<'a> {
    /// The number of the first line, from 1.
    pub(super) first_line: u32,
    pub(super) lines: Vec<String>,
    pub(super) labels: Vec<&'a Label>,
}

impl Excerpt<'_> {
    /// The safe text of a line.
    pub(super) fn line(&self, number: u32) -> &str {
        let at = number.saturating_sub(self.first_line) as usize;
        self.lines.get(at).map_or("", String::as_str)
    }
}

/// Excerpts for `labels`, all of which point into `source`; `None` when there is nothing to show.
pub(super) fn excerpts<'a>(source: &Source, labels: &[&'a Label]) -> Option<Vec<Excerpt<'a>>> {
    let text = source.text.as_deref()?;
    let mut sorted = labels.to_vec();
    sorted.sort_by_key(|label| label.span.start);
    let mut excerpts: Vec<(u32, u32, Vec<&Label>)> = Vec::new();
    for label in sorted {
        let (first, last) = lines_of(label.span);
        match excerpts.last_mut() {
            Some((_, end, labels)) if first <= end.saturating_add(GAP_LINES) => {
                *end = last.max(*end);
                labels.push(label);
            }
            _ => excerpts.push((first, last, vec![label])),
        }
    }
    excerpts.into_iter().map(|(first, last, labels)| cut(text, first, last, labels)).collect()
}

fn cut<'a>(text: &str, first: u32, last: u32, labels: Vec<&'a Label>) -> Option<Excerpt<'a>> {
    let count = (last - first) as usize + 1;
    let all = text.split('\n').skip(first as usize - 1).take(count);
    let mut lines = Vec::new();
    for line in all {
        let line = line.strip_suffix('\r').unwrap_or(line);
        if line.len() > LINE_CHARS {
            return None;
        }
        lines.push(escape::source(line));
    }
    (!lines.is_empty()).then_some(Excerpt { first_line: first, lines, labels })
}

/// First and last line to show of a span: a declaration over many lines shows its first ones.
fn lines_of(span: Span) -> (u32, u32) {
    let first = span.start.line.max(1);
    (first, span.end.line.clamp(first, first.saturating_add(GAP_LINES)))
}
