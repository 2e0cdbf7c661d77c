//! Trees to IR: names resolved, numbers checked, layout computed. One pass over all declarations in
//! order, so that whatever must be declared before its use is built before it.

mod attribute;
mod default;
mod enums;
mod field;
mod field_id;
mod method_id;
mod resolve;
mod service;
mod structs;
mod tables;
mod unions;

use std::collections::HashMap;

use super::{
    limit,
    parsed::Parsed,
    symbols::{NamespaceId, Symbols},
    syntax::{Attribute, Extent, Item, ItemKind, Text},
};
use crate::{
    frontend::session::Session,
    ir::{
        Code, Diagnostic, File, FileId, FullName, Import, Options, Package, Schema, ServiceId,
        Syntax, TableId, code,
        flat::{Declaration, EnumId, FileFacts, StructId, Type, UnionId},
    },
};

/// Where the pass stands.
#[derive(Clone, Copy)]
struct Here<'a> {
    file: usize,
    parsed: &'a Parsed,
    namespace: NamespaceId,
}

struct Builder<'a> {
    session: &'a mut Session,
    files: &'a [Parsed],
    symbols: &'a Symbols,
    schema: Schema,
    /// Numbers of enum values by name: enums may have many values and many users.
    enum_values: HashMap<EnumId, HashMap<String, i128>>,
    /// Steps that depend on the size of the input, counted to prove that they stay linear.
    work: u64,
}

/// Builds the IR; what is wrong is reported. Also gives the number of steps that it took.
pub(super) fn build(session: &mut Session, files: &[Parsed], symbols: &Symbols) -> (Schema, u64) {
    let (schema, work) = (Schema::default(), symbols.reach.work);
    let enum_values = HashMap::new();
    let mut builder = Builder { session, files, symbols, schema, enum_values, work };
    for (at, parsed) in files.iter().enumerate() {
        builder.file(at, parsed);
    }
    builder.check_inline();
    (builder.schema, builder.work)
}

impl<'a> Builder<'a> {
    fn file(&mut self, at: usize, parsed: &'a Parsed) {
        let mut here = Here { file: at, parsed, namespace: NamespaceId::default() };
        let flat = &self.schema.flat;
        let first = [flat.tables.len(), flat.structs.len(), flat.enums.len(), flat.unions.len()];
        let first_service = self.schema.services.len();
        let mut facts = FileFacts::default();
        for item in &parsed.tree.items {
            self.work += 1;
            match &item.kind {
                ItemKind::Namespace(path) => {
                    here.namespace = self.symbols.find_namespace(path.as_ref());
                }
                ItemKind::Table(record) => self.table(here, item, record),
                ItemKind::Struct(record) => self.structure(here, item, record),
                ItemKind::Enum(decl) => self.enumeration(here, item, decl),
                ItemKind::Union(decl) => self.union(here, item, decl),
                ItemKind::Service(decl) => self.service(here, item, decl),
                ItemKind::RootType(path) => facts.root_type = self.root_type(here, path),
                ItemKind::FileIdentifier(text) => {
                    self.check_identifier(here, text);
                    facts.file_identifier = Some(text.value.clone());
                }
                ItemKind::FileExtension(text) => facts.file_extension = Some(text.value.clone()),
                ItemKind::Include(_)
                | ItemKind::NativeInclude(_)
                | ItemKind::Attribute(_)
                | ItemKind::Object => {}
            }
        }
        let flat = &self.schema.flat;
        facts.tables = ids(first[0], flat.tables.len(), TableId);
        facts.structs = ids(first[1], flat.structs.len(), StructId);
        facts.enums = ids(first[2], flat.enums.len(), EnumId);
        facts.unions = ids(first[3], flat.unions.len(), UnionId);
        let services = ids(first_service, self.schema.services.len(), ServiceId);
        self.push_file(parsed, facts, services);
    }

    fn push_file(&mut self, parsed: &Parsed, flat: FileFacts, services: Vec<ServiceId>) {
        let namespaces = parsed.tree.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Namespace(path) => Some((path.as_ref(), item.extent)),
            _ => None,
        });
        let first = namespaces.into_iter().next();
        let package = first.and_then(|(path, _)| path).map_or("", |path| path.value.as_str());
        let imports = parsed.includes.iter().map(|(file, extent)| Import {
            file: FileId(*file as u32),
            public: false,
            span: Some(parsed.span(*extent)),
        });
        self.schema.files.push(File {
            import_name: parsed.name.clone(),
            source: parsed.source,
            package: Package::parse(package),
            package_span: parsed.span(first.map_or(Extent::default(), |(_, extent)| extent)),
            syntax: Syntax::FlatBuffers,
            is_input: parsed.is_input,
            imports: imports.collect(),
            messages: Vec::new(),
            enums: Vec::new(),
            services,
            flat,
            options: Options::default(),
            doc: crate::ir::Doc::default(),
        });
    }

    /// Structs that no table can hold. Last, since tables may name structs that come later.
    fn check_inline(&mut self) {
        let flat = &self.schema.flat;
        let fields = flat.tables.iter().flat_map(|table| &table.fields);
        let found: Vec<_> = fields
            .filter_map(|field| {
                let Type::Struct(id) = field.ty else { return None };
                let too_large = flat.structure(id).size > limit::INLINE_BYTES;
                too_large.then_some((field.schema_name.clone(), field.name_span))
            })
            .collect();
        for (name, place) in found {
            let most = limit::INLINE_BYTES;
            let message = format!("the struct in `{name}` is larger than {most} bytes");
            let found = Diagnostic::error(code::FBS_LIMIT, message).label(place, "");
            self.report(found.help("offsets in a table have 16 bits: take a vector of structs"));
        }
    }

    fn check_identifier(&mut self, here: Here<'_>, text: &Text) {
        let bytes = text.value.len();
        if bytes != 4 {
            let message = format!("a file identifier has four bytes, this one has {bytes}");
            self.error(here, code::FBS_FILE, text.extent, message);
        }
    }

    /// What all declarations have. Attributes are checked here.
    fn declaration(
        &mut self,
        here: Here<'_>,
        item: &Item,
        name: &Text,
        attributes: &[Attribute],
    ) -> Declaration {
        Declaration {
            schema_name: name.value.clone(),
            full_name: self.full_name(here, &name.value),
            file: FileId(here.file as u32),
            private: attribute::find(attributes, "private").is_some(),
            options: self.options(here, attributes),
            doc: here.parsed.doc(&item.docs),
            span: here.parsed.span(item.extent),
            name_span: here.parsed.span(name.extent),
        }
    }

    fn full_name(&self, here: Here<'_>, name: &str) -> FullName {
        let outer = self.symbols.dotted(here.namespace);
        match outer.is_empty() {
            true => FullName(name.to_owned()),
            false => FullName(format!("{outer}.{name}")),
        }
    }

    fn report(&mut self, found: Diagnostic) {
        self.session.report_at_most(limit::FINDINGS_PER_FILE, found);
    }

    fn error(&mut self, here: Here<'_>, code: Code, at: Extent, message: impl Into<String>) {
        self.report(Diagnostic::error(code, message).label(here.parsed.span(at), ""));
    }

    /// An error with two places in one file; the offending one is named first.
    fn clash(
        &mut self,
        here: Here<'_>,
        code: Code,
        message: String,
        second: (Extent, &str),
        first: (Extent, &str),
    ) {
        let found = Diagnostic::error(code, message);
        let found = found.label(here.parsed.span(second.0), second.1);
        self.report(found.label(here.parsed.span(first.0), first.1));
    }
}

fn ids<T>(first: usize, end: usize, id: impl Fn(u32) -> T) -> Vec<T> {
    (first as u32..end as u32).map(id).collect()
}
