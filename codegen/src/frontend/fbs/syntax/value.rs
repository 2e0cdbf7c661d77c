//! Types, default values and attributes.

use super::{
    cursor::{Broken, Cursor, Read},
    token::{Finding, TokenKind},
    tree::{Atom, Attribute, AttributeValue, Bracket, Text, TypeRef, ValueExpr},
};
use crate::{frontend::fbs::limit, ir::code};

impl Cursor<'_> {
    pub(super) fn ty(&mut self) -> Read<TypeRef> {
        let start = self.extent();
        let mut open = 0_usize;
        while self.take(b'[') {
            open += 1;
            if open > limit::BRACKETS {
                let message = format!("more than {} brackets around a type", limit::BRACKETS);
                self.report(Finding::new(code::FBS_LIMIT, self.since(start), message));
                return Err(Broken);
            }
        }
        let name = self.path("a type")?;
        let mut brackets = Vec::new();
        for _ in 0..open {
            if self.take(b':') {
                let length = self.integer("the length of the array")?;
                brackets.push(Bracket::Array(length));
            } else {
                brackets.push(Bracket::Vector);
            }
            self.expect(b']')?;
        }
        Ok(TypeRef { name, brackets, extent: self.since(start) })
    }

    /// What stands behind `=`.
    pub(super) fn value(&mut self) -> Read<ValueExpr> {
        let start = self.extent();
        let mut functions = Vec::new();
        let atom = loop {
            match self.peek() {
                Some(TokenKind::Integer) => break Atom::Integer(self.integer("a value")?),
                Some(TokenKind::Float) => {
                    let extent = self.next();
                    break Atom::Float(Text { value: self.text_of(extent).to_owned(), extent });
                }
                Some(TokenKind::String) => break Atom::String(self.string("a value")?),
                Some(TokenKind::Punctuation(b'[')) => {
                    self.next();
                    if !self.take(b']') {
                        let extent = self.extent();
                        let message = "a vector has no default but `[]`";
                        self.report(Finding::new(code::FBS_DEFAULT, extent, message));
                        return Err(Broken);
                    }
                    break Atom::EmptyVector;
                }
                Some(TokenKind::Punctuation(b'+' | b'-')) => break self.signed_word()?,
                Some(TokenKind::Word) => {
                    let name = self.path("a value")?;
                    if !self.take(b'(') {
                        break Atom::Word(name);
                    }
                    functions.push(name);
                    if functions.len() > limit::FUNCTIONS {
                        let message =
                            format!("more than {} functions in each other", limit::FUNCTIONS);
                        self.report(Finding::new(code::FBS_LIMIT, self.since(start), message));
                        return Err(Broken);
                    }
                }
                _ => return self.unexpected("a value"),
            }
        };
        for _ in &functions {
            self.expect(b')')?;
        }
        Ok(ValueExpr { functions, atom, extent: self.since(start) })
    }

    /// `-inf`, `+nan`: a sign and a word.
    fn signed_word(&mut self) -> Read<Atom> {
        let sign = self.next();
        let word = self.name("a number behind the sign")?;
        let value = format!("{}{}", self.text_of(sign), word.value);
        Ok(Atom::Float(Text { value, extent: sign.to(word.extent) }))
    }

    /// `(name, name: value)`, or nothing.
    pub(super) fn attributes(&mut self) -> Read<Vec<Attribute>> {
        let mut attributes = Vec::new();
        if !self.take(b'(') {
            return Ok(attributes);
        }
        loop {
            let start = self.extent();
            let name = match self.peek() {
                Some(TokenKind::String) => self.string("an attribute")?,
                _ => self.name("an attribute")?,
            };
            let value = if self.take(b':') { Some(self.attribute_value()?) } else { None };
            attributes.push(Attribute { name, value, extent: self.since(start) });
            if self.take(b')') {
                return Ok(attributes);
            }
            if !self.take(b',') {
                return self.unexpected("`,` or `)`");
            }
        }
    }

    fn attribute_value(&mut self) -> Read<AttributeValue> {
        match self.peek() {
            Some(TokenKind::Integer) => Ok(AttributeValue::Integer(self.integer("a value")?)),
            Some(TokenKind::String) => Ok(AttributeValue::String(self.string("a value")?)),
            _ => self.unexpected("an integer or a string"),
        }
    }
}
