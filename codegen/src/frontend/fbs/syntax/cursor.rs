//! A place in the tokens of a file: looks ahead, expects, reports and recovers.

use super::{
    literal,
    token::{Extent, Finding, Token, TokenKind},
    tree::Text,
};
use crate::{frontend::fbs::limit, ir::code};

/// The declaration at hand cannot be read on; what is wrong was reported.
pub(super) struct Broken;

/// What reading a part gives.
pub(super) type Read<T> = Result<T, Broken>;

/// The words that begin a declaration.
const KEYWORDS: &[&str] = &[
    "include",
    "native_include",
    "namespace",
    "attribute",
    "table",
    "struct",
    "enum",
    "union",
    "root_type",
    "file_identifier",
    "file_extension",
    "rpc_service",
];

pub(super) struct Cursor<'a> {
    text: &'a str,
    tokens: &'a [Token],
    /// The next token that is no trivia, or the end.
    at: usize,
    /// The end of the token before it.
    last_end: u32,
    found: Vec<Finding>,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str, tokens: &'a [Token], found: Vec<Finding>) -> Self {
        let mut cursor = Self { text, tokens, at: 0, last_end: 0, found };
        cursor.skip_trivia();
        cursor
    }

    pub(super) fn into_findings(self) -> Vec<Finding> {
        self.found
    }

    fn skip_trivia(&mut self) {
        while self.tokens.get(self.at).is_some_and(|token| token.kind.is_trivia()) {
            self.at += 1;
        }
    }

    /// The kind of the next token; `None` at the end.
    pub(super) fn peek(&self) -> Option<TokenKind> {
        self.tokens.get(self.at).map(|token| token.kind)
    }

    pub(super) fn is_at(&self, punctuation: u8) -> bool {
        self.peek() == Some(TokenKind::Punctuation(punctuation))
    }

    /// The next token as text; empty at the end.
    pub(super) fn word(&self) -> &'a str {
        self.text_of(self.extent())
    }

    pub(super) fn text_of(&self, extent: Extent) -> &'a str {
        self.text.get(extent.start as usize..extent.end as usize).unwrap_or_default()
    }

    /// The extent of the next token; at the end of the file, of nothing.
    pub(super) fn extent(&self) -> Extent {
        let end = self.text.len() as u32;
        self.tokens.get(self.at).map_or(Extent { start: end, end }, |token| token.extent)
    }

    /// From `start` to the last token that was read.
    pub(super) fn since(&self, start: Extent) -> Extent {
        Extent { start: start.start, end: self.last_end.max(start.start) }
    }

    pub(super) fn next(&mut self) -> Extent {
        let extent = self.extent();
        if self.at < self.tokens.len() {
            self.last_end = extent.end;
            self.at += 1;
            self.skip_trivia();
        }
        extent
    }

    /// The `///` comments between the last token and the next.
    pub(super) fn docs(&self) -> Vec<Extent> {
        let before = self.tokens[..self.at].iter().rev();
        let trivia = before.take_while(|token| token.kind.is_trivia());
        let mut docs: Vec<_> = trivia
            .filter(|token| token.kind == TokenKind::DocComment)
            .map(|token| token.extent)
            .collect();
        docs.reverse();
        docs
    }

    pub(super) fn report(&mut self, found: Finding) {
        self.found.push(found);
    }

    /// Reports the next token, unless what stands right before it was reported.
    pub(super) fn unexpected<T>(&mut self, expected: &str) -> Read<T> {
        let known = self.at > 0 && self.tokens[self.at - 1].kind == TokenKind::Unknown;
        if !known {
            let found = match self.peek() {
                None => "the end of the file".to_owned(),
                Some(TokenKind::String) => "a string".to_owned(),
                Some(_) => {
                    let mut word: String = self.word().chars().take(limit::SHOWN_CHARS).collect();
                    if word.len() < self.word().len() {
                        word.push_str("...");
                    }
                    format!("`{word}`")
                }
            };
            let message = format!("expected {expected}, found {found}");
            self.report(Finding::new(code::FBS_SYNTAX, self.extent(), message));
        }
        Err(Broken)
    }

    /// Takes `punctuation` if it is next.
    pub(super) fn take(&mut self, punctuation: u8) -> bool {
        let there = self.is_at(punctuation);
        if there {
            self.next();
        }
        there
    }

    pub(super) fn expect(&mut self, punctuation: u8) -> Read<Extent> {
        match self.is_at(punctuation) {
            true => Ok(self.next()),
            false => self.unexpected(&format!("`{}`", punctuation as char)),
        }
    }

    /// A name. Keywords are names, too.
    pub(super) fn name(&mut self, what: &str) -> Read<Text> {
        if self.peek() != Some(TokenKind::Word) {
            return self.unexpected(what);
        }
        let extent = self.next();
        let value = self.text_of(extent);
        if value.len() > limit::IDENTIFIER_BYTES {
            let message = format!("a name of more than {} characters", limit::IDENTIFIER_BYTES);
            self.report(Finding::new(code::FBS_LIMIT, extent, message));
            return Err(Broken);
        }
        Ok(Text { value: value.to_owned(), extent })
    }

    /// A name with dots.
    pub(super) fn path(&mut self, what: &str) -> Read<Text> {
        let mut path = self.name(what)?;
        let mut segments = 1;
        while self.take(b'.') {
            let next = self.name("a name behind the dot")?;
            path.value.push('.');
            path.value.push_str(&next.value);
            path.extent = path.extent.to(next.extent);
            segments += 1;
            if segments > limit::NAMESPACE_SEGMENTS || path.value.len() > limit::NAMESPACE_BYTES {
                let message = format!(
                    "a name of more than {} parts or {} characters",
                    limit::NAMESPACE_SEGMENTS,
                    limit::NAMESPACE_BYTES
                );
                self.report(Finding::new(code::FBS_LIMIT, path.extent, message));
                return Err(Broken);
            }
        }
        Ok(path)
    }

    /// A string; one with wrong escapes is reported and empty.
    pub(super) fn string(&mut self, what: &str) -> Read<Text> {
        if self.peek() != Some(TokenKind::String) {
            return self.unexpected(what);
        }
        let extent = self.next();
        let value = literal::string(self.text_of(extent), extent).unwrap_or_else(|found| {
            self.report(found);
            String::new()
        });
        Ok(Text { value, extent })
    }

    /// An integer as written.
    pub(super) fn integer(&mut self, what: &str) -> Read<Text> {
        if self.peek() != Some(TokenKind::Integer) {
            return self.unexpected(what);
        }
        let extent = self.next();
        Ok(Text { value: self.text_of(extent).to_owned(), extent })
    }

    /// True before a declaration: its keyword at the start of a line, and something that can
    /// follow it.
    pub(super) fn is_at_declaration(&self) -> bool {
        let starts_line = || {
            let before = self.text.get(..self.extent().start as usize).unwrap_or_default();
            before.is_empty() || before.ends_with(['\n', '\r'])
        };
        self.peek() == Some(TokenKind::Word) && KEYWORDS.contains(&self.word()) && starts_line()
    }

    /// True when a word follows the next token.
    pub(super) fn second_is_word(&self) -> bool {
        let rest = self.tokens.get(self.at + 1..).unwrap_or_default();
        let second = rest.iter().find(|token| !token.kind.is_trivia());
        second.is_some_and(|token| token.kind == TokenKind::Word)
    }

    /// Steps over a broken member of a body: behind the next `separator`, or to what ends the body.
    pub(super) fn recover_member(&mut self, separator: u8) {
        let mut depth = 0_usize;
        while let Some(kind) = self.peek() {
            match kind {
                TokenKind::Punctuation(b'(' | b'[') => depth += 1,
                TokenKind::Punctuation(b')' | b']') => depth = depth.saturating_sub(1),
                TokenKind::Punctuation(b'}') => return,
                TokenKind::Punctuation(byte) if byte == separator && depth == 0 => {
                    self.next();
                    return;
                }
                // Nothing in parentheses or brackets has one: they were not closed.
                TokenKind::Punctuation(b';') => {
                    self.next();
                    return;
                }
                TokenKind::Word if self.is_at_declaration() => return,
                _ => {}
            }
            self.next();
        }
    }

    /// Steps over a broken declaration: behind its `;` or `}`, or to the next declaration.
    pub(super) fn recover_declaration(&mut self) {
        let mut depth = 0_usize;
        while let Some(kind) = self.peek() {
            if kind == TokenKind::Word && self.is_at_declaration() {
                return;
            }
            self.next();
            match kind {
                TokenKind::Punctuation(b'{') => depth += 1,
                TokenKind::Punctuation(b'}') if depth <= 1 => return,
                TokenKind::Punctuation(b'}') => depth -= 1,
                TokenKind::Punctuation(b';') if depth == 0 => return,
                _ => {}
            }
        }
    }
}
