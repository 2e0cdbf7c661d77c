//! Takes the teeth out of text that somebody else wrote.

use std::fmt::Write;

/// True for characters that move, hide or colour what a terminal shows, or reorder what a reader
/// sees: controls, line and paragraph separators, bidirectional marks.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{061c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        )
}

/// For messages, labels, paths: every unsafe character as `\u{…}`.
pub(super) fn message(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => out.push(' '),
            '\r' => {}
            c if is_unsafe(c) => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{{{:x}}}", c as u32);
            }
            c => out.push(c),
        }
    }
    out
}

/// For lines of source: one character for one, so that columns stay right.
pub(super) fn source(line: &str) -> String {
    let safe = |c: char| if is_unsafe(c) && c != '\t' { '\u{fffd}' } else { c };
    line.chars().map(safe).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_what_a_terminal_would_obey() {
        assert_eq!(
            message("a\x1b[31mb\u{202e}c\u{9b}\0é"),
            "a\\u{1b}[31mb\\u{202e}c\\u{9b}\\u{0}é"
        );
        assert_eq!(message("a\r\nb"), "a b");
        assert_eq!(source("a\x1b\t\u{2028}b\r"), "a\u{fffd}\t\u{fffd}b\u{fffd}");
    }
}
