//! Which types are generated, and where the others come from: `extern_path` and the well-known
//! types.
//!
//! The user's mappings come first, the exact one before the longest prefix, whatever the order in
//! which they were given; `::prost_types` stands in for `google.protobuf` last. A type that is
//! mapped is not generated, also when its file is an input.

use std::collections::HashSet;

use crate::ir::{Diagnostic, Diagnostics, Schema, code};

use super::super::flat;
use super::super::options::RustOptions;
use super::ident;
use super::model::TypePlace;

/// Finds the place of types that are not generated.
pub(crate) struct ExternPaths<'a> {
    /// Schema path without the leading dot, Rust path, and whether anything matched.
    entries: Vec<(&'a str, &'a str, bool)>,
    messages: HashSet<&'a str>,
    options: &'a RustOptions,
}

impl<'a> ExternPaths<'a> {
    /// Checks the form of the mappings.
    pub(crate) fn new(
        schema: &'a Schema,
        options: &'a RustOptions,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        let mut entries: Vec<(&str, &str, bool)> = Vec::new();
        for (schema_path, rust_path) in &options.extern_paths {
            let malformed = |why: &str| {
                Diagnostic::error(
                    code::BAD_OPTION,
                    format!("`extern_path({schema_path:?}, {rust_path:?})` {why}"),
                )
            };
            let Some(name) = schema_path.strip_prefix('.') else {
                let help = format!("write `.{schema_path}`");
                diagnostics.push(malformed("lacks the leading dot of a full name").help(help));
                continue;
            };
            if name.split('.').any(str::is_empty) && !name.is_empty() {
                diagnostics.push(malformed("does not name a package or type"));
            } else if syn::parse_str::<syn::Type>(rust_path).is_err() {
                diagnostics.push(malformed("does not name a Rust path"));
            } else if entries.iter().any(|(known, _, _)| *known == name) {
                diagnostics.push(malformed("maps the same path a second time"));
            } else {
                entries.push((name, rust_path, false));
            }
        }
        let messages = schema.messages.iter().map(|message| message.full_name.0.as_str()).collect();
        Self { entries, messages, options }
    }

    /// The Rust type of `full_name`; `None` when it has to be generated.
    pub(crate) fn find(&mut self, full_name: &str) -> Option<TypePlace> {
        // `.` maps everything else, so it comes after the well-known types.
        self.users(full_name, false)
            .or_else(|| self.well_known(full_name))
            .or_else(|| self.users(full_name, true))
    }

    /// The same for a FlatBuffers type, by flatc's names.
    pub(crate) fn find_flat(&mut self, full_name: &str) -> Option<TypePlace> {
        let (name, rust_path, used) = self
            .entries
            .iter_mut()
            .filter(|(name, _, _)| rest_below(name, full_name).is_some())
            .max_by_key(|(name, _, _)| name.len())?;
        *used = true;
        let mut path = rust_path.trim_end_matches(':').to_owned();
        let rest = rest_below(name, full_name)?;
        let mut segments = rest.split('.').filter(|segment| !segment.is_empty()).peekable();
        while let Some(segment) = segments.next() {
            let last = segments.peek().is_none();
            path.push_str("::");
            path.push_str(&match last {
                true => flat::ident::type_name(segment),
                false => flat::ident::module(segment),
            });
        }
        Some(TypePlace::External { rust_type: path })
    }

    fn users(&mut self, full_name: &str, everything: bool) -> Option<TypePlace> {
        let (name, rust_path, used) = self
            .entries
            .iter_mut()
            .filter(|(name, _, _)| name.is_empty() == everything)
            .filter(|(name, _, _)| rest_below(name, full_name).is_some())
            .max_by_key(|(name, _, _)| name.len())?;
        *used = true;
        let rest = rest_below(name, full_name)?;
        // Types nested in a mapped message live in the module that prost names after it.
        let module = self.messages.contains(name).then(|| module_of(rust_path));
        let rust_path =
            module.filter(|_| !rest.is_empty()).unwrap_or_else(|| (*rust_path).to_owned());
        Some(TypePlace::External { rust_type: append(&rust_path, rest) })
    }

    fn well_known(&self, full_name: &str) -> Option<TypePlace> {
        let options = &self.options.messages;
        let rest = rest_below("google.protobuf", full_name)?;
        if options.compile_well_known_types {
            return None;
        }
        let prost = &options.prost_path;
        let rust_type = match rest {
            "BoolValue" => "bool".to_owned(),
            "BytesValue" => format!("{prost}::alloc::vec::Vec<u8>"),
            "DoubleValue" => "f64".to_owned(),
            "Empty" => "()".to_owned(),
            "FloatValue" => "f32".to_owned(),
            "Int32Value" => "i32".to_owned(),
            "Int64Value" => "i64".to_owned(),
            "StringValue" => format!("{prost}::alloc::string::String"),
            "UInt32Value" => "u32".to_owned(),
            "UInt64Value" => "u64".to_owned(),
            _ => append(&options.prost_types_path, rest),
        };
        Some(TypePlace::External { rust_type })
    }

    /// True when a mapping of the user's covers the name. Does not count as use.
    pub(crate) fn covers(&self, full_name: &str) -> bool {
        self.entries.iter().any(|(name, _, _)| rest_below(name, full_name).is_some())
    }

    /// Reports mappings that matched no type: they are misspelled more often than superfluous.
    pub(crate) fn check_all_used(&self, schema: &Schema, diagnostics: &mut Diagnostics) {
        for (name, rust_path, used) in &self.entries {
            // Shared configurations map it whether or not a schema imports it.
            if *used || *name == "google.protobuf" || name.starts_with("google.protobuf.") {
                continue;
            }
            let call = format!("extern_path(\".{name}\", {rust_path:?})");
            let mut diagnostic = Diagnostic::error(
                code::UNUSED_MAPPING,
                format!("`{call}` matches no message and no enum of the schemas"),
            );
            if let Some(near) = nearest(schema, name) {
                diagnostic = diagnostic.help(format!("there is `.{near}`"));
            }
            diagnostics.push(diagnostic);
        }
    }
}

/// What follows `prefix` in `full_name`: nothing for an exact match, `None` for no match.
fn rest_below<'n>(prefix: &str, full_name: &'n str) -> Option<&'n str> {
    if prefix.is_empty() {
        return Some(full_name);
    }
    match full_name.strip_prefix(prefix)? {
        "" => Some(""),
        rest => rest.strip_prefix('.'),
    }
}

/// The Rust path of a type below a mapped package: modules in snake case, as prost-build names
/// them in the crate that the mapping points to.
fn append(rust_path: &str, rest: &str) -> String {
    if rest.is_empty() {
        return rust_path.to_owned();
    }
    let (modules, name) =
        rest.rsplit_once('.').map_or(("", rest), |(modules, name)| (modules, name));
    let modules = modules.split('.').filter(|module| !module.is_empty()).map(ident::snake);
    let mut path = rust_path.trim_end_matches(':').to_owned();
    for segment in modules.chain([ident::camel(name)]) {
        path.push_str("::");
        path.push_str(&segment);
    }
    path
}

/// `::my::Stamp` → `::my::stamp`.
fn module_of(rust_path: &str) -> String {
    match rust_path.rsplit_once("::") {
        Some((path, name)) => format!("{path}::{}", ident::snake(name)),
        None => ident::snake(rust_path),
    }
}

/// A full name with the same last segment, for the help line.
fn nearest<'s>(schema: &'s Schema, name: &str) -> Option<&'s str> {
    let last = name.rsplit('.').next()?;
    let messages = schema.messages.iter().map(|message| &message.full_name);
    let enums = schema.enums.iter().map(|enumeration| &enumeration.full_name);
    let flat = schema.flat.declarations().map(|declaration| &declaration.full_name);
    messages
        .chain(enums)
        .chain(flat)
        .find(|full_name| full_name.last().eq_ignore_ascii_case(last))
        .map(|full_name| full_name.0.as_str())
}
