//! Comments of a schema are hostile input: what becomes documentation here runs no doctest, adds
//! no item, and makes neither rustc nor rustdoc complain.
//!
//! Most Markdown survives. Code blocks become `text`, links and tags become the characters they
//! are written with, what cannot be seen is spelled out. The result is parsed again, the way
//! rustdoc parses it; what still does not look harmless is escaped character by character.

use std::fmt::Write as _;
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag};

/// Makes documentation of a comment: lines without a line break at the end, `""` for nothing.
pub(crate) fn sanitize(comment: &str) -> String {
    let visible = make_visible(comment);
    let lines = dedent(&visible);
    let framed = frame_code(&lines);
    let escaped = escape_inline(&framed);
    let text = if is_harmless(&escaped) { escaped } else { escape_all(&visible) };
    text.trim_matches('\n').trim_end().to_owned()
}

/// Ends lines with `\n` alone and spells out what an editor does not show.
fn make_visible(comment: &str) -> String {
    let mut out = String::with_capacity(comment.len());
    let unified = comment.replace("\r\n", "\n");
    for char in unified.chars() {
        match char {
            '\n' | '\r' => out.push('\n'),
            '\t' => out.push_str("    "),
            '\u{0}'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{61c}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}' => {
                // Writing to a string does not fail.
                let _ = write!(out, "\\u{{{:x}}}", u32::from(char));
            }
            _ => out.push(char),
        }
    }
    out
}

/// The lines without the indentation that all of them share.
fn dedent(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.split('\n').map(str::trim_end).collect();
    let indent = |line: &&str| line.len() - line.trim_start_matches(' ').len();
    // The first line follows the comment marker, so it says nothing about a block's indentation.
    let shared = lines.iter().filter(|line| !line.is_empty()).map(indent).min().unwrap_or(0);
    lines.into_iter().map(|line| line.get(shared..).unwrap_or("")).collect()
}

/// The marker of a fence that the line opens or closes.
fn fence(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let length = line.len() - line.trim_start_matches(mark).len();
    (length >= 3).then(|| &line[..length])
}

/// Gives every fenced block the language `text`, and lets no line be indented code.
fn frame_code(lines: &[&str]) -> String {
    let mut out = String::new();
    let mut rest = lines.iter();
    while let Some(line) = rest.next() {
        let Some(open) = fence(line) else {
            let start = line.len() - line.trim_start().len();
            // Four spaces would make code of it.
            out.push_str(&line[start.saturating_sub(3)..]);
            out.push('\n');
            continue;
        };
        let closes = |line: &&&str| {
            fence(line).is_some_and(|close| close.starts_with(open) && line.trim() == close)
        };
        let tail = rest.as_slice();
        let length = tail.iter().position(|line| closes(&line)).unwrap_or(tail.len());
        let code = &tail[..length];
        let longest = code.iter().filter_map(|line| fence(line)).map(str::len).max().unwrap_or(0);
        let frame = "`".repeat(longest.max(2) + 1);
        let _ = writeln!(out, "{frame}text");
        for line in code {
            out.push_str(line);
            out.push('\n');
        }
        let _ = writeln!(out, "{frame}");
        rest = tail.get(length + 1..).unwrap_or_default().iter();
    }
    out
}

fn parser(text: &str) -> Parser<'_> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_SMART_PUNCTUATION;
    Parser::new_ext(text, options)
}

/// Takes the meaning off brackets and tags, and wraps bare URLs, everywhere but in code.
fn escape_inline(text: &str) -> String {
    let mut code: Vec<Range<usize>> = parser(text)
        .into_offset_iter()
        .filter(|(event, _)| matches!(event, Event::Code(_) | Event::Start(Tag::CodeBlock(_))))
        .map(|(_, range)| range)
        .collect();
    code.sort_by_key(|range| range.start);
    let mut out = String::with_capacity(text.len() + 16);
    let mut at = 0;
    for range in code {
        if range.start >= at {
            escape_prose(&text[at..range.start], &mut out);
            out.push_str(&text[range.clone()]);
            at = range.end;
        }
    }
    escape_prose(&text[at..], &mut out);
    out
}

fn escape_prose(text: &str, out: &mut String) {
    let mut rest = text;
    let mut escaped = false;
    while let Some(char) = rest.chars().next() {
        if let Some(length) = url_length(rest).filter(|_| !escaped) {
            let bracketed = out.ends_with("\\<");
            if bracketed {
                out.truncate(out.len() - 2);
            }
            let _ = write!(out, "<{}>", &rest[..length]);
            rest = &rest[length..];
            if bracketed {
                rest = rest.strip_prefix('>').unwrap_or(rest);
            }
            continue;
        }
        if matches!(char, '[' | ']' | '<') && !escaped {
            out.push('\\');
        }
        escaped = char == '\\' && !escaped;
        out.push(char);
        rest = &rest[char.len_utf8()..];
    }
}

/// The length of the URL at the start of the text.
fn url_length(text: &str) -> Option<usize> {
    let scheme = ["https://", "http://"].into_iter().find(|scheme| text.starts_with(scheme))?;
    let allowed =
        |char: char| char.is_ascii_alphanumeric() || "-._~:/?#@!$&'*+,;=%()".contains(char);
    let end = text.find(|char| !allowed(char)).unwrap_or(text.len());
    let url =
        text[..end].trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', ')', '*', '_', '~']);
    (url.len() > scheme.len()).then_some(url.len())
}

/// True when rustdoc would find nothing to run, to link or to warn about.
fn is_harmless(text: &str) -> bool {
    parser(text).all(|event| match event {
        Event::Html(_) | Event::InlineHtml(_) | Event::FootnoteReference(_) => false,
        Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => &*language == "text",
        Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => false,
        Event::Start(Tag::Link { link_type, .. }) => link_type == LinkType::Autolink,
        Event::Start(
            Tag::Image { .. } | Tag::HtmlBlock | Tag::FootnoteDefinition(_) | Tag::MetadataBlock(_),
        ) => false,
        _ => true,
    })
}

/// Takes the meaning off every character: the last resort.
fn escape_all(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    for line in text.split('\n') {
        for char in line.trim().chars() {
            if char.is_ascii_punctuation() {
                out.push('\\');
            }
            out.push(char);
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
#[path = "doc_tests.rs"]
mod tests;
