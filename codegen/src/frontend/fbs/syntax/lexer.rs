//! Cuts a text into tokens, comments and blanks included. Every byte ends up in exactly one token.

use super::token::{Extent, Finding, Token, TokenKind};
use crate::ir::code;

/// Cuts `text`, which must be shorter than 4 GiB.
pub(super) fn lex(text: &str) -> (Vec<Token>, Vec<Finding>) {
    let mut lexer = Lexer { text, bytes: text.as_bytes(), at: 0, fresh_line: true, found: vec![] };
    let mut tokens: Vec<Token> = Vec::with_capacity(text.len() / 4);
    while lexer.at < lexer.bytes.len() {
        let start = lexer.at;
        let kind = lexer.next(start);
        let extent = lexer.extent(start);
        match tokens.last_mut() {
            // A run of what nobody knows is one token and one finding.
            Some(last) if kind == TokenKind::Unknown && last.kind == kind => {
                last.extent.end = extent.end;
            }
            _ => {
                if kind == TokenKind::Unknown {
                    lexer.unknown(start);
                }
                tokens.push(Token { kind, extent });
            }
        }
        match kind {
            TokenKind::Whitespace | TokenKind::LineComment | TokenKind::DocComment => {}
            // As in flatc, a comment in between does not end the freshness of a line.
            TokenKind::BlockComment => {}
            _ => lexer.fresh_line = false,
        }
    }
    (tokens, lexer.found)
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    /// A line ended since the last token that means something.
    fresh_line: bool,
    found: Vec<Finding>,
}

impl Lexer<'_> {
    fn next(&mut self, start: usize) -> TokenKind {
        match self.bytes[start] {
            b' ' | b'\t' | b'\r' | b'\n' => {
                self.skip(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
                self.fresh_line |= self.bytes[start..self.at].contains(&b'\n');
                TokenKind::Whitespace
            }
            b'/' if self.peek(1) == Some(b'/') => self.line_comment(start),
            b'/' if self.peek(1) == Some(b'*') => self.block_comment(start),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                self.skip(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
                TokenKind::Word
            }
            b'"' | b'\'' => self.string(start),
            b'0'..=b'9' => self.number(start),
            b'.' if self.peek(1).is_some_and(|byte| byte.is_ascii_digit()) => self.number(start),
            b'+' | b'-' if self.peek(1).is_some_and(|b| b.is_ascii_digit() || b == b'.') => {
                self.number(start)
            }
            byte @ (b'{' | b'}' | b'(' | b')' | b'[' | b']' | b':' | b';' | b'=' | b',' | b'.'
            | b'+' | b'-') => {
                self.at += 1;
                TokenKind::Punctuation(byte)
            }
            _ => {
                self.at += self.text[start..].chars().next().map_or(1, char::len_utf8);
                TokenKind::Unknown
            }
        }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn skip(&mut self, belongs: impl Fn(u8) -> bool) {
        while self.peek(0).is_some_and(&belongs) {
            self.at += 1;
        }
    }

    fn extent(&self, start: usize) -> Extent {
        Extent { start: start as u32, end: self.at as u32 }
    }

    fn unknown(&mut self, start: usize) {
        let character = self.text[start..].chars().next().unwrap_or_default();
        let extent = self.extent(start);
        let found = match character {
            '\0' => Finding::new(code::NUL_BYTE, extent, "a NUL byte"),
            it if it.is_ascii() => {
                let message = format!("`{}` means nothing here", it.escape_debug());
                Finding::new(code::FBS_SYNTAX, extent, message)
            }
            it => {
                let message = format!("`{}` cannot stand here", it.escape_debug());
                Finding::new(code::FBS_SYNTAX, extent, message)
                    .help("names consist of ASCII letters, digits and `_`")
            }
        };
        self.found.push(found);
    }

    fn line_comment(&mut self, start: usize) -> TokenKind {
        self.skip(|byte| byte != b'\n' && byte != b'\r');
        if self.bytes.get(start + 2) != Some(&b'/') {
            return TokenKind::LineComment;
        }
        if !self.fresh_line {
            let message = "a documentation comment needs a line of its own";
            let extent = self.extent(start);
            self.found.push(
                Finding::new(code::FBS_SYNTAX, extent, message)
                    .help("move it above what it documents, or begin it with `//`"),
            );
        }
        TokenKind::DocComment
    }

    fn block_comment(&mut self, start: usize) -> TokenKind {
        let body = start + 2;
        match self.bytes[body..].windows(2).position(|pair| pair == b"*/") {
            Some(length) => self.at = body + length + 2,
            None => {
                self.at = self.bytes.len();
                let extent = Extent { start: start as u32, end: body as u32 };
                let message = "a comment that does not end";
                self.found.push(Finding::new(code::FBS_SYNTAX, extent, message));
            }
        }
        self.fresh_line |= self.bytes[start..self.at].contains(&b'\n');
        TokenKind::BlockComment
    }

    /// To the closing quote; what stands between is read by `literal`.
    fn string(&mut self, start: usize) -> TokenKind {
        let quote = self.bytes[start];
        self.at += 1;
        while let Some(byte) = self.peek(0) {
            match byte {
                b'\n' | b'\r' => break,
                b'\\' if self.peek(1).is_some_and(|it| it.is_ascii() && it != b'\n') => {
                    self.at += 2;
                }
                _ if byte == quote => {
                    self.at += 1;
                    return TokenKind::String;
                }
                _ => self.at += 1,
            }
        }
        let message = "a string that does not end on its line";
        let extent = self.extent(start);
        self.found.push(Finding::new(code::FBS_LITERAL, extent, message));
        TokenKind::String
    }

    /// The numbers of flatc: a hexadecimal one with a point has an exponent, digits stand on at
    /// least one side of a point, and behind an exponent.
    fn number(&mut self, start: usize) -> TokenKind {
        if matches!(self.peek(0), Some(b'+' | b'-')) {
            self.at += 1;
        }
        let hex = self.peek(0) == Some(b'0') && matches!(self.peek(1), Some(b'x' | b'X'));
        if hex {
            self.at += 2;
        }
        let digit =
            move |byte: u8| if hex { byte.is_ascii_hexdigit() } else { byte.is_ascii_digit() };
        let mut digits = self.count(digit);
        let mut float = false;
        if self.peek(0) == Some(b'.') {
            self.at += 1;
            float = true;
            digits += self.count(digit);
        }
        let mut complete = digits > 0 && !(hex && float);
        let marks: &[u8] = if hex { b"pP" } else { b"eE" };
        if digits > 0 && self.peek(0).is_some_and(|byte| marks.contains(&byte)) {
            self.at += 1;
            float = true;
            if matches!(self.peek(0), Some(b'+' | b'-')) {
                self.at += 1;
            }
            complete = self.count(|byte| byte.is_ascii_digit()) > 0;
        }
        // What sticks to a number is a part of a wrong number.
        let tail = self.at;
        self.skip(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.');
        if !complete || self.at > tail {
            let extent = self.extent(start);
            let message = format!("`{}` is not a number", &self.text[start..self.at]);
            let mut found = Finding::new(code::FBS_LITERAL, extent, message);
            if hex && float && self.at == tail {
                found =
                    found.help("a hexadecimal number with a point needs an exponent: `0x1.8p3`");
            }
            self.found.push(found);
        }
        if float { TokenKind::Float } else { TokenKind::Integer }
    }

    fn count(&mut self, belongs: impl Fn(u8) -> bool) -> usize {
        let start = self.at;
        self.skip(belongs);
        self.at - start
    }
}
