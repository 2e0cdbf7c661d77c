//! The table of everything that has a full name, over all files; finds duplicates and names that
//! are none.

use std::collections::{HashMap, hash_map::Entry};

use prost_types::{DescriptorProto, EnumDescriptorProto, FieldDescriptorProto};

use super::{
    limit,
    parsed::{Parsed, tag},
    places::Places,
    session::Session,
};
use crate::ir::{Diagnostic, Span, code};

/// What a full name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Package,
    Message,
    Enum,
    EnumValue,
    Field,
    Extension,
    Oneof,
    Service,
    Method,
}

impl Kind {
    /// True for what a field may have as its type.
    pub(super) fn is_type(self) -> bool {
        matches!(self, Self::Message | Self::Enum)
    }

    /// True for what names can be looked up inside of (`IsAggregate` in protoc).
    pub(super) fn is_scope(self) -> bool {
        matches!(self, Self::Package | Self::Message | Self::Enum | Self::Service)
    }

    /// The word for it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Package => "a package",
            Self::Message => "a message",
            Self::Enum => "an enum",
            Self::EnumValue => "an enum value",
            Self::Field => "a field",
            Self::Extension => "an extension",
            Self::Oneof => "a oneof",
            Self::Service => "a service",
            Self::Method => "a method",
        }
    }
}

/// One entry.
#[derive(Clone, Copy)]
pub(super) struct Symbol {
    pub(super) kind: Kind,
    /// Index of its file; for a package, the first one that has it.
    pub(super) file: usize,
    /// Its name in the text.
    pub(super) span: Span,
}

/// Full names without a leading dot.
#[derive(Default)]
pub(super) struct Symbols(HashMap<String, Symbol>);

impl Symbols {
    /// Collects the names of all files.
    pub(super) fn collect(session: &mut Session, files: &[Parsed]) -> Self {
        let mut table = HashMap::new();
        for (at, parsed) in files.iter().enumerate() {
            Collector { session, table: &mut table, file: at, places: &parsed.places }.file(parsed);
        }
        Self(table)
    }

    pub(super) fn get(&self, full_name: &str) -> Option<Symbol> {
        self.0.get(full_name).copied()
    }

    /// All entries; for help lines, not for loops.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, Symbol)> {
        self.0.iter().map(|(name, symbol)| (name.as_str(), *symbol))
    }
}

struct Collector<'a> {
    session: &'a mut Session,
    table: &'a mut HashMap<String, Symbol>,
    file: usize,
    places: &'a Places,
}

impl Collector<'_> {
    fn file(&mut self, parsed: &Parsed) {
        let proto = &parsed.proto;
        let package = proto.package();
        if !self.package(package) {
            return;
        }
        for (at, message) in proto.message_type.iter().enumerate() {
            self.message(package, message, &mut vec![tag::FILE_MESSAGE, at as i32], 1);
        }
        for (at, enumeration) in proto.enum_type.iter().enumerate() {
            self.enumeration(package, enumeration, &mut vec![tag::FILE_ENUM, at as i32]);
        }
        for (at, service) in proto.service.iter().enumerate() {
            let path = &mut vec![tag::FILE_SERVICE, at as i32];
            let full_name = self.add(package, service.name(), Kind::Service, path);
            for (at, method) in service.method.iter().enumerate() {
                self.nested(path, tag::SERVICE_METHOD, at, |this, path| {
                    this.add(&full_name, method.name(), Kind::Method, path);
                });
            }
        }
        self.extensions(package, &proto.extension, &mut vec![], tag::FILE_EXTENSION);
    }

    /// False when the package is not usable as a scope.
    fn package(&mut self, package: &str) -> bool {
        if package.is_empty() {
            return true;
        }
        let span = self.span(&[tag::FILE_PACKAGE]);
        let segments = package.split('.').count();
        if segments > limit::PACKAGE_SEGMENTS || package.len() > limit::PACKAGE_CHARS {
            let message = format!(
                "a package of {segments} segments and {} characters is over the limit of {} and {}",
                package.len(),
                limit::PACKAGE_SEGMENTS,
                limit::PACKAGE_CHARS,
            );
            self.session.report(Diagnostic::error(code::PROTO_LONG_NAME, message).label(span, ""));
            return false;
        }
        if let Some(bad) = package.split('.').find(|segment| !is_identifier(segment)) {
            self.report_bad_name(bad, span);
            return false;
        }
        let ends = package.match_indices('.').map(|(at, _)| at).chain([package.len()]);
        for end in ends {
            self.insert(package[..end].to_owned(), Kind::Package, span);
        }
        true
    }

    fn message(&mut self, scope: &str, proto: &DescriptorProto, path: &mut Vec<i32>, depth: usize) {
        if depth > limit::MESSAGE_DEPTH {
            let message = format!("messages are nested more than {} deep", limit::MESSAGE_DEPTH);
            let span = self.span(path);
            self.session.report(Diagnostic::error(code::PROTO_NESTING, message).label(span, ""));
            return;
        }
        let full_name = self.add(scope, proto.name(), Kind::Message, path);
        for (at, field) in proto.field.iter().enumerate() {
            self.nested(path, tag::MESSAGE_FIELD, at, |this, path| {
                this.add(&full_name, field.name(), Kind::Field, path);
            });
        }
        for (at, oneof) in proto.oneof_decl.iter().enumerate() {
            self.nested(path, tag::MESSAGE_ONEOF, at, |this, path| {
                this.add(&full_name, oneof.name(), Kind::Oneof, path);
            });
        }
        for (at, nested) in proto.nested_type.iter().enumerate() {
            self.nested(path, tag::MESSAGE_NESTED, at, |this, path| {
                this.message(&full_name, nested, path, depth + 1);
            });
        }
        for (at, nested) in proto.enum_type.iter().enumerate() {
            self.nested(path, tag::MESSAGE_ENUM, at, |this, path| {
                this.enumeration(&full_name, nested, path);
            });
        }
        self.extensions(&full_name, &proto.extension, path, tag::MESSAGE_EXTENSION);
    }

    fn enumeration(&mut self, scope: &str, proto: &EnumDescriptorProto, path: &mut Vec<i32>) {
        self.add(scope, proto.name(), Kind::Enum, path);
        for (at, value) in proto.value.iter().enumerate() {
            // C++ scoping: the values are siblings of their enum.
            self.nested(path, tag::ENUM_VALUE, at, |this, path| {
                this.add(scope, value.name(), Kind::EnumValue, path);
            });
        }
    }

    fn extensions(
        &mut self,
        scope: &str,
        extensions: &[FieldDescriptorProto],
        path: &mut Vec<i32>,
        field: i32,
    ) {
        for (at, extension) in extensions.iter().enumerate() {
            self.nested(path, field, at, |this, path| {
                this.add(scope, extension.name(), Kind::Extension, path);
            });
        }
    }

    fn nested(
        &mut self,
        path: &mut Vec<i32>,
        field: i32,
        index: usize,
        visit: impl FnOnce(&mut Self, &mut Vec<i32>),
    ) {
        path.extend([field, index as i32]);
        visit(self, path);
        path.truncate(path.len() - 2);
    }

    /// Adds the element at `path` and returns its full name.
    fn add(&mut self, scope: &str, name: &str, kind: Kind, path: &[i32]) -> String {
        let full_name = qualify(scope, name);
        let span = self.span(&[path, &[tag::NAME]].concat());
        if is_identifier(name) {
            self.insert(full_name.clone(), kind, span);
        } else {
            self.report_bad_name(name, span);
        }
        full_name
    }

    fn insert(&mut self, full_name: String, kind: Kind, span: Span) {
        let symbol = Symbol { kind, file: self.file, span };
        match self.table.entry(full_name) {
            Entry::Vacant(entry) => {
                entry.insert(symbol);
            }
            Entry::Occupied(entry) => {
                let first = *entry.get();
                if first.kind == Kind::Package && kind == Kind::Package {
                    return;
                }
                let message = format!("`{}` is declared twice", entry.key());
                let found = Diagnostic::error(code::PROTO_DUPLICATE, message)
                    .label(span, format!("and again here, as {}", kind.word()))
                    .label(first.span, format!("first here, as {}", first.kind.word()));
                let is_value = kind == Kind::EnumValue || first.kind == Kind::EnumValue;
                self.session.report(if is_value {
                    found.help("enum values live beside their enum, not inside it: prefix them")
                } else {
                    found
                });
            }
        }
    }

    fn report_bad_name(&mut self, name: &str, span: Span) {
        let mut shown: String = name.chars().take(40).collect();
        if shown.len() < name.len() {
            shown.push('…');
        }
        let message = format!("`{shown}` is not a Protobuf identifier");
        self.session.report(Diagnostic::error(code::PROTO_SET, message).label(span, ""));
    }

    fn span(&self, path: &[i32]) -> Span {
        self.places.span_or_outer(path)
    }
}

/// `scope.name`, or `name` at the root.
pub(super) fn qualify(scope: &str, name: &str) -> String {
    if scope.is_empty() { name.to_owned() } else { format!("{scope}.{name}") }
}

/// True for what the grammar calls an identifier. A text cannot hold any other name; a descriptor
/// set can.
fn is_identifier(name: &str) -> bool {
    let mut bytes = name.bytes();
    let starts = bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    starts
        && name.len() <= limit::IDENTIFIER_CHARS
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
