//! A glance over a text before any parser sees it: nesting, name lengths, NUL, editions.
//!
//! The parsers recurse once per open bracket and hold on to whole names, so the bounds of
//! [`limit`](super::limit) have to be checked by something that does neither. It knows just enough
//! of the language for that: strings, comments, brackets, words.

use super::limit;
use crate::ir::{Diagnostic, SourceId, Span, TextIndex, code};

/// Checks a file. The first violation ends the scan: what follows is out of step.
pub(super) fn check_text(
    source: SourceId,
    index: &TextIndex,
    text: &str,
) -> Result<(), Diagnostic> {
    let span = |from: usize, to: usize| Span {
        source,
        start: index.position(from),
        end: index.position(to),
    };
    let mut words = 0;
    let mut depth = Depth::default();
    for token in Tokens::new(text) {
        match token {
            Token::Nul(at) => {
                let message = "the file holds a NUL byte";
                return Err(Diagnostic::error(code::NUL_BYTE, message).label(span(at, at + 1), ""));
            }
            Token::Bracket(at, bracket) => {
                if depth.passes(bracket).is_err() {
                    return Err(too_deep().label(span(at, at + 1), "one level too many"));
                }
            }
            Token::Word(from, to) => {
                if to - from > limit::IDENTIFIER_CHARS {
                    return Err(long_name(to - from).label(span(from, to), "this name"));
                }
                if words == 0 && &text[from..to] == "edition" {
                    return Err(edition().label(span(from, to), "declared here"));
                }
                words += 1;
            }
        }
    }
    Ok(())
}

/// Checks the text of an option value that came in a descriptor.
pub(super) fn aggregate_is_too_deep(text: &str) -> bool {
    let mut depth = Depth::default();
    Tokens::new(text).any(|token| match token {
        Token::Bracket(_, bracket) => depth.passes(bracket).is_err(),
        _ => false,
    })
}

/// The finding for editions, without a place.
pub(super) fn edition() -> Diagnostic {
    Diagnostic::error(code::PROTO_EDITION, "`edition` is not supported yet")
        .help("write `syntax = \"proto3\";` (or \"proto2\") instead")
}

fn too_deep() -> Diagnostic {
    let message = format!("brackets are nested more than {} levels deep", limit::BRACKET_DEPTH);
    Diagnostic::error(code::PROTO_NESTING, message)
}

fn long_name(chars: usize) -> Diagnostic {
    let limit = limit::IDENTIFIER_CHARS;
    let message = format!("a name of {chars} characters is over the limit of {limit}");
    Diagnostic::error(code::PROTO_LONG_NAME, message)
}

/// The brackets that are open.
#[derive(Default)]
struct Depth(Vec<u8>);

impl Depth {
    fn passes(&mut self, bracket: u8) -> Result<(), ()> {
        let opener = match bracket {
            b'}' => b'{',
            b']' => b'[',
            b'>' => b'<',
            opener => {
                self.0.push(opener);
                return if self.0.len() > limit::BRACKET_DEPTH { Err(()) } else { Ok(()) };
            }
        };
        // A closing bracket ends whatever stands open inside its pair, as it does for a parser that
        // gives up there; one without a partner closes nothing.
        if let Some(at) = self.0.iter().rposition(|open| *open == opener) {
            self.0.truncate(at);
        }
        Ok(())
    }
}

enum Token {
    Nul(usize),
    Bracket(usize, u8),
    Word(usize, usize),
}

struct Tokens<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Tokens<'a> {
    fn new(text: &'a str) -> Self {
        Self { bytes: text.as_bytes(), at: 0 }
    }

    /// Moves behind the next byte that `ends` accepts, stopping before a NUL.
    fn skip_past(&mut self, ends: impl Fn(&[u8]) -> Option<usize>) {
        while let Some(rest) = self.bytes.get(self.at..).filter(|rest| !rest.is_empty()) {
            if rest[0] == 0 {
                return;
            }
            if let Some(length) = ends(rest) {
                self.at += length;
                return;
            }
            self.at += 1;
        }
    }

    fn skip_string(&mut self, quote: u8) {
        self.at += 1;
        while let Some(byte) = self.bytes.get(self.at) {
            match *byte {
                0 => return,
                b'\\' if !matches!(self.bytes.get(self.at + 1), None | Some(0)) => self.at += 2,
                b'\n' => return,
                byte => {
                    self.at += 1;
                    if byte == quote {
                        return;
                    }
                }
            }
        }
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            let at = self.at;
            match *self.bytes.get(at)? {
                0 => {
                    self.at += 1;
                    return Some(Token::Nul(at));
                }
                bracket @ (b'{' | b'}' | b'[' | b']' | b'<' | b'>') => {
                    self.at += 1;
                    return Some(Token::Bracket(at, bracket));
                }
                quote @ (b'"' | b'\'') => self.skip_string(quote),
                b'/' if self.bytes.get(at + 1) == Some(&b'/') => {
                    self.skip_past(|rest| (rest[0] == b'\n').then_some(1));
                }
                b'/' if self.bytes.get(at + 1) == Some(&b'*') => {
                    self.at += 2;
                    self.skip_past(|rest| rest.starts_with(b"*/").then_some(2));
                }
                byte if is_word(byte) => {
                    while self.bytes.get(self.at).is_some_and(|byte| is_word(*byte)) {
                        self.at += 1;
                    }
                    return Some(Token::Word(at, self.at));
                }
                _ => self.at += 1,
            }
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Option<&'static str> {
        let index = TextIndex::new(text.into());
        check_text(SourceId(0), &index, text).err().map(|found| found.code)
    }

    #[test]
    fn depth_is_counted_outside_strings_and_comments() {
        assert_eq!(check(&"{".repeat(64)), None);
        assert_eq!(check(&"{".repeat(65)), Some(code::PROTO_NESTING));
        assert_eq!(check(&format!("// {}\n{{", "{".repeat(99))), None);
        assert_eq!(check(&format!("/* {} */ {{", "{".repeat(99))), None);
        assert_eq!(check(&format!("'\\'{}' {{", "{".repeat(99))), None);
        assert_eq!(check(&"{}".repeat(1000)), None);
    }

    #[test]
    fn a_stray_closing_bracket_hides_nothing() {
        assert_eq!(check(&"{>".repeat(65)), Some(code::PROTO_NESTING));
        assert_eq!(check(&"{[}".repeat(1000)), None);
        assert_eq!(check(&"{\"\n".repeat(65)), Some(code::PROTO_NESTING));
    }

    #[test]
    fn nul_is_found_everywhere() {
        for text in ["\0", "// \0", "/* \0 */", "'\0'", "'\\\0", "a\0"] {
            assert_eq!(check(text), Some(code::NUL_BYTE), "{text:?}");
        }
    }

    #[test]
    fn only_a_leading_edition_is_one() {
        assert_eq!(check("// x\nedition = \"2023\";"), Some(code::PROTO_EDITION));
        assert_eq!(check("message edition {}"), None);
    }
}
