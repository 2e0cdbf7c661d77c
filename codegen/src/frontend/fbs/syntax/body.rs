//! What stands in braces: fields, values, variants, methods.

use super::{
    cursor::{Cursor, Read},
    tree::{EnumValueDecl, FieldDecl, MethodDecl, VariantDecl},
};

impl Cursor<'_> {
    /// Members up to `}`, each ended by a semicolon. A broken one is left out.
    pub(super) fn members<T>(&mut self, read: impl Fn(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let mut members = Vec::new();
        loop {
            if self.take(b'}') {
                return Ok(members);
            }
            if self.peek().is_none() || self.is_at_declaration_in_body() {
                return self.unexpected("`}`");
            }
            match read(self) {
                Ok(member) => members.push(member),
                Err(_) => self.recover_member(b';'),
            }
        }
    }

    /// Members up to `}` with commas between them, perhaps one behind the last.
    pub(super) fn list<T>(&mut self, read: impl Fn(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let mut members = Vec::new();
        loop {
            if self.take(b'}') {
                return Ok(members);
            }
            if self.peek().is_none() || self.is_at_declaration_in_body() {
                return self.unexpected("`}`");
            }
            match read(self) {
                Ok(member) => members.push(member),
                Err(_) => {
                    self.recover_member(b',');
                    continue;
                }
            }
            if !self.is_at(b'}') && !self.take(b',') {
                let _: Read<()> = self.unexpected("`,` or `}`");
                self.recover_member(b',');
            }
        }
    }

    /// A member may be named by a keyword, and may begin a line: only what no member looks like
    /// ends a body that was not closed.
    pub(super) fn is_at_declaration_in_body(&self) -> bool {
        self.is_at_declaration() && self.second_is_word()
    }

    pub(super) fn field(&mut self) -> Read<FieldDecl> {
        let docs = self.docs();
        let start = self.extent();
        let name = self.name("a field or `}`")?;
        self.expect(b':')?;
        let ty = self.ty()?;
        let default = if self.take(b'=') { Some(self.value()?) } else { None };
        let attributes = self.attributes()?;
        self.expect(b';')?;
        let extent = self.since(start);
        Ok(FieldDecl { name, ty, default, attributes, docs, extent })
    }

    pub(super) fn enum_value(&mut self) -> Read<EnumValueDecl> {
        let docs = self.docs();
        let start = self.extent();
        let name = self.name("a value or `}`")?;
        let number = if self.take(b'=') { Some(self.integer("an integer")?) } else { None };
        let attributes = self.attributes()?;
        Ok(EnumValueDecl { name, number, attributes, docs, extent: self.since(start) })
    }

    pub(super) fn variant(&mut self) -> Read<VariantDecl> {
        let docs = self.docs();
        let start = self.extent();
        let first = self.path("a table or `}`")?;
        let (alias, ty) = if self.take(b':') {
            (Some(first), self.path("the table of the variant")?)
        } else {
            (None, first)
        };
        let number = if self.take(b'=') { Some(self.integer("an integer")?) } else { None };
        let attributes = self.attributes()?;
        Ok(VariantDecl { alias, ty, number, attributes, docs, extent: self.since(start) })
    }

    pub(super) fn method(&mut self) -> Read<MethodDecl> {
        let docs = self.docs();
        let start = self.extent();
        let name = self.name("a method or `}`")?;
        self.expect(b'(')?;
        let request = self.path("the table of the request")?;
        self.expect(b')')?;
        self.expect(b':')?;
        let reply = self.path("the table of the reply")?;
        let attributes = self.attributes()?;
        self.expect(b';')?;
        Ok(MethodDecl { name, request, reply, attributes, docs, extent: self.since(start) })
    }
}
