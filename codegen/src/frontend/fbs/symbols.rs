//! Every declared name of a load, collected before any is resolved: types by namespace, services,
//! attributes.
//!
//! Namespaces are nodes of a tree and segments are numbers, so that looking a name up costs the same
//! however long its namespace is written.

use std::{collections::HashMap, sync::Arc};

use super::{
    limit,
    parsed::Parsed,
    reach::Reach,
    syntax::{Extent, Item, ItemKind, Text},
};
use crate::{
    frontend::session::Session,
    ir::{
        Diagnostic, TableId, code,
        flat::{EnumId, StructId, UnionId},
    },
};

/// What a type name stands for. Ids are given in the order in which types are built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Table(TableId),
    Struct(StructId),
    Enum(EnumId),
    Union(UnionId),
}

/// A declared type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Symbol {
    pub(super) kind: Kind,
    pub(super) file: usize,
    pub(super) name: Extent,
    pub(super) namespace: NamespaceId,
}

impl Symbol {
    /// True when it stands before a place in the order in which files are read.
    pub(super) fn is_before(&self, file: usize, at: Extent) -> bool {
        (self.file, self.name.start) < (file, at.start)
    }
}

/// Index in [`Symbols::namespaces`]; 0 is the root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct NamespaceId(pub(super) u32);

pub(super) struct Namespace {
    pub(super) parent: Option<NamespaceId>,
    pub(super) dotted: Arc<str>,
}

pub(super) struct Symbols {
    pub(super) namespaces: Vec<Namespace>,
    /// Numbers of segments.
    segments: HashMap<String, u32>,
    children: HashMap<(NamespaceId, u32), NamespaceId>,
    types: HashMap<(NamespaceId, u32), Symbol>,
    /// The first type of a name in any namespace, for help lines.
    by_last: HashMap<u32, Symbol>,
    /// Where an attribute is declared.
    attributes: HashMap<String, Vec<(usize, Extent)>>,
    pub(super) reach: Reach,
}

impl Symbols {
    pub(super) fn collect(session: &mut Session, files: &[Parsed]) -> Self {
        let mut symbols = Self {
            namespaces: vec![Namespace { parent: None, dotted: "".into() }],
            segments: HashMap::new(),
            children: HashMap::new(),
            types: HashMap::new(),
            by_last: HashMap::new(),
            attributes: HashMap::new(),
            reach: Reach::new(files),
        };
        let mut services = HashMap::new();
        let mut ids = Ids::default();
        for (at, file) in files.iter().enumerate() {
            let mut namespace = NamespaceId::default();
            for item in &file.tree.items {
                match &item.kind {
                    ItemKind::Namespace(path) => namespace = symbols.namespace(path.as_ref()),
                    ItemKind::Attribute(name) => {
                        let places = symbols.attributes.entry(name.value.clone()).or_default();
                        places.push((at, name.extent));
                    }
                    ItemKind::Service(service) => {
                        let key = (namespace, service.name.value.clone());
                        if let Some(first) = services.insert(key, (at, service.name.extent)) {
                            duplicate(session, files, &service.name, at, first);
                        }
                    }
                    _ => {
                        let Some((kind, name)) = ids.declared(item) else { continue };
                        let symbol = Symbol { kind, file: at, name: name.extent, namespace };
                        if let Some(first) = symbols.add(name, symbol) {
                            duplicate(session, files, name, at, (first.file, first.name));
                        }
                    }
                }
            }
        }
        symbols
    }

    /// The first one stays.
    fn add(&mut self, name: &Text, symbol: Symbol) -> Option<Symbol> {
        let segment = self.segment(&name.value);
        self.by_last.entry(segment).or_insert(symbol);
        let key = (symbol.namespace, segment);
        match self.types.get(&key) {
            Some(first) => Some(*first),
            None => self.types.insert(key, symbol),
        }
    }

    fn segment(&mut self, text: &str) -> u32 {
        if let Some(known) = self.segments.get(text) {
            return *known;
        }
        let number = self.segments.len() as u32;
        self.segments.insert(text.to_owned(), number);
        number
    }

    fn namespace(&mut self, path: Option<&Text>) -> NamespaceId {
        let mut namespace = NamespaceId::default();
        let Some(path) = path else { return namespace };
        let mut end = 0;
        for part in path.value.split('.') {
            end += part.len();
            let segment = self.segment(part);
            let next = NamespaceId(self.namespaces.len() as u32);
            let known = *self.children.entry((namespace, segment)).or_insert(next);
            if known == next {
                let dotted = path.value.get(..end).unwrap_or_default().into();
                self.namespaces.push(Namespace { parent: Some(namespace), dotted });
            }
            namespace = known;
            end += 1;
        }
        namespace
    }

    /// The namespace that a declaration of it names.
    pub(super) fn find_namespace(&self, path: Option<&Text>) -> NamespaceId {
        let root = NamespaceId::default();
        let Some(path) = path else { return root };
        path.value.split('.').try_fold(root, |it, part| self.child(it, part)).unwrap_or(root)
    }

    fn child(&self, namespace: NamespaceId, part: &str) -> Option<NamespaceId> {
        let segment = self.segments.get(part)?;
        self.children.get(&(namespace, *segment)).copied()
    }

    /// The type `path` seen from exactly this namespace.
    pub(super) fn find_in(&self, namespace: NamespaceId, path: &str) -> Option<&Symbol> {
        let (outer, name) = match path.rsplit_once('.') {
            Some((outer, name)) => (outer.split('.'), name),
            None => ("".split('.'), path),
        };
        let mut namespace = namespace;
        for part in outer.filter(|part| !part.is_empty()) {
            namespace = self.child(namespace, part)?;
        }
        self.types.get(&(namespace, *self.segments.get(name)?))
    }

    /// Some type whose last segment is this.
    pub(super) fn find_elsewhere(&self, path: &str) -> Option<&Symbol> {
        let last = path.rsplit('.').next().unwrap_or(path);
        self.by_last.get(self.segments.get(last)?)
    }

    /// Where an attribute is declared, in any file.
    pub(super) fn attribute(&self, name: &str) -> &[(usize, Extent)] {
        self.attributes.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    pub(super) fn dotted(&self, namespace: NamespaceId) -> &Arc<str> {
        let index = (namespace.0 as usize).min(self.namespaces.len() - 1);
        &self.namespaces[index].dotted
    }
}

/// Counts types of each kind.
#[derive(Default)]
struct Ids {
    tables: u32,
    structs: u32,
    enums: u32,
    unions: u32,
}

impl Ids {
    fn declared<'a>(&mut self, item: &'a Item) -> Option<(Kind, &'a Text)> {
        let next = |counter: &mut u32| {
            *counter += 1;
            *counter - 1
        };
        Some(match &item.kind {
            ItemKind::Table(it) => (Kind::Table(TableId(next(&mut self.tables))), &it.name),
            ItemKind::Struct(it) => (Kind::Struct(StructId(next(&mut self.structs))), &it.name),
            ItemKind::Enum(it) => (Kind::Enum(EnumId(next(&mut self.enums))), &it.name),
            ItemKind::Union(it) => (Kind::Union(UnionId(next(&mut self.unions))), &it.name),
            _ => return None,
        })
    }
}

fn duplicate(
    session: &mut Session,
    files: &[Parsed],
    name: &Text,
    file: usize,
    (first_file, first): (usize, Extent),
) {
    let message = format!("`{}` is declared twice", name.value);
    session.report_at_most(
        limit::FINDINGS_PER_FILE,
        Diagnostic::error(code::FBS_DUPLICATE, message)
            .label(files[file].span(name.extent), "and again here")
            .label(files[first_file].span(first), "first here"),
    );
}
