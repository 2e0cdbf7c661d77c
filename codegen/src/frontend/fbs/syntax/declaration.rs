//! Declarations of a file, one after the other, with recovery between them.

use super::{
    cursor::{Broken, Cursor, Read},
    token::{Finding, TokenKind},
    tree::{EnumDecl, Item, ItemKind, Record, ServiceDecl, UnionDecl},
};
use crate::ir::code;

impl Cursor<'_> {
    pub(super) fn file(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        let mut may_include = true;
        while self.peek().is_some() {
            let docs = self.docs();
            let start = self.extent();
            let Ok(kind) = self.item(may_include) else {
                self.recover_declaration();
                // Something else may have stood there.
                continue;
            };
            may_include &= matches!(kind, ItemKind::Include(_) | ItemKind::NativeInclude(_));
            items.push(Item { kind, docs, extent: self.since(start) });
        }
        items
    }

    fn item(&mut self, may_include: bool) -> Read<ItemKind> {
        if self.is_at(b'{') {
            return self.object();
        }
        if self.peek() != Some(TokenKind::Word) {
            return self.unexpected("a declaration");
        }
        let keyword = self.word();
        if matches!(keyword, "include" | "native_include") && !may_include {
            let message = format!("`{keyword}` behind another declaration");
            let found = Finding::new(code::FBS_SYNTAX, self.extent(), message);
            self.report(found.help("includes come first in a file"));
        }
        match keyword {
            "include" => self.sentence(|it| Ok(ItemKind::Include(it.string("a file name")?))),
            "native_include" => {
                self.sentence(|it| Ok(ItemKind::NativeInclude(it.string("a file name")?)))
            }
            "namespace" => self.sentence(|it| match it.is_at(b';') {
                true => Ok(ItemKind::Namespace(None)),
                false => Ok(ItemKind::Namespace(Some(it.path("a name or `;`")?))),
            }),
            "attribute" => self.sentence(|it| match it.peek() {
                Some(TokenKind::String) => Ok(ItemKind::Attribute(it.string("a name")?)),
                _ => Ok(ItemKind::Attribute(it.name("a name")?)),
            }),
            "root_type" => self.sentence(|it| Ok(ItemKind::RootType(it.path("a table")?))),
            "file_identifier" => {
                self.sentence(|it| Ok(ItemKind::FileIdentifier(it.string("a string")?)))
            }
            "file_extension" => {
                self.sentence(|it| Ok(ItemKind::FileExtension(it.string("a string")?)))
            }
            "table" => Ok(ItemKind::Table(self.record("the name of the table")?)),
            "struct" => Ok(ItemKind::Struct(self.record("the name of the struct")?)),
            "enum" => self.enumeration(),
            "union" => self.union(),
            "rpc_service" => self.service(),
            _ => self.unexpected("a declaration"),
        }
    }

    /// A keyword, something, a semicolon.
    fn sentence(&mut self, read: impl FnOnce(&mut Self) -> Read<ItemKind>) -> Read<ItemKind> {
        self.next();
        let kind = read(self)?;
        self.expect(b';')?;
        Ok(kind)
    }

    fn record(&mut self, what: &str) -> Read<Record> {
        self.next();
        let name = self.name(what)?;
        let attributes = self.attributes()?;
        self.expect(b'{')?;
        let fields = self.members(Self::field)?;
        Ok(Record { name, attributes, fields })
    }

    fn enumeration(&mut self) -> Read<ItemKind> {
        self.next();
        let name = self.name("the name of the enum")?;
        let underlying = if self.take(b':') { Some(self.path("an integer type")?) } else { None };
        let attributes = self.attributes()?;
        self.expect(b'{')?;
        let values = self.list(Self::enum_value)?;
        Ok(ItemKind::Enum(EnumDecl { name, underlying, attributes, values }))
    }

    fn union(&mut self) -> Read<ItemKind> {
        self.next();
        let name = self.name("the name of the union")?;
        let underlying = if self.take(b':') { Some(self.path("a type")?) } else { None };
        let attributes = self.attributes()?;
        self.expect(b'{')?;
        let variants = self.list(Self::variant)?;
        Ok(ItemKind::Union(UnionDecl { name, underlying, attributes, variants }))
    }

    fn service(&mut self) -> Read<ItemKind> {
        self.next();
        let name = self.name("the name of the service")?;
        let attributes = self.attributes()?;
        let open = self.expect(b'{')?;
        if self.is_at(b'}') {
            let message = format!("service `{}` has no methods", name.value);
            let extent = open.to(self.extent());
            self.report(Finding::new(code::FBS_SYNTAX, extent, message));
        }
        let methods = self.members(Self::method)?;
        Ok(ItemKind::Service(ServiceDecl { name, attributes, methods }))
    }

    /// Data in the form of JSON: flatc reads it as a value of the root type. Nothing may follow it.
    fn object(&mut self) -> Read<ItemKind> {
        let start = self.extent();
        let mut depth = 0_usize;
        while let Some(kind) = self.peek() {
            if self.is_at_declaration_in_body() {
                break;
            }
            self.next();
            match kind {
                TokenKind::Punctuation(b'{') => depth += 1,
                TokenKind::Punctuation(b'}') if depth == 1 => {
                    let message = "a schema cannot hold data";
                    self.report(
                        Finding::new(code::FBS_DATA, self.since(start), message)
                            .help("flatc would read this as a value of the root type: move it to a file of its own"),
                    );
                    return Ok(ItemKind::Object);
                }
                TokenKind::Punctuation(b'}') => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        let message = "braces that do not close";
        self.report(Finding::new(code::FBS_SYNTAX, start, message));
        Err(Broken)
    }
}
