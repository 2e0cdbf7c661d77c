//! The `rename` option: Rust names that the user chose.

use std::collections::BTreeMap;

use crate::ir::flat::Declaration;
use crate::ir::{Diagnostic, Diagnostics, Enum, Message, Schema, Service, Span, code};

use super::ident;

/// Chosen names by full schema name, and whether an element took them.
#[derive(Debug, Default)]
pub(crate) struct Renames {
    chosen: BTreeMap<String, (String, bool)>,
}

impl Renames {
    /// Checks that the names are identifiers.
    pub(crate) fn new(renames: &[(String, String)], diagnostics: &mut Diagnostics) -> Self {
        let mut chosen = BTreeMap::new();
        for (path, name) in renames {
            if !ident::is_valid(name) {
                let message = format!("`rename({path:?}, {name:?})` does not give an identifier");
                diagnostics.push(Diagnostic::error(code::BAD_OPTION, message));
                continue;
            }
            if name.starts_with("__") {
                let message = format!("`rename({path:?}, {name:?})` takes a name that is reserved");
                let help = "names that begin with two underscores belong to generated code";
                diagnostics.push(Diagnostic::error(code::BAD_OPTION, message).help(help));
                continue;
            }
            chosen.insert(path.trim_start_matches('.').to_owned(), (name.clone(), false));
        }
        Self { chosen }
    }

    /// The chosen name of an element.
    pub(crate) fn take(&mut self, full_name: &str) -> Option<String> {
        let (name, used) = self.chosen.get_mut(full_name)?;
        *used = true;
        Some(name.clone())
    }

    /// Reports names that no element has. One that is there but not generated is no mistake.
    pub(crate) fn check_all_used(&self, schema: &Schema, diagnostics: &mut Diagnostics) {
        for (path, (name, used)) in &self.chosen {
            if *used {
                continue;
            }
            if let Some(place) = flat_member(schema, path) {
                let message = format!(
                    "`rename({path:?}, {name:?})` names a member of a FlatBuffers type, and those \
                     keep the names of the schema"
                );
                let found = Diagnostic::error(code::UNUSED_MAPPING, message).label(place, "");
                diagnostics.push(found.help("types, services, methods and namespaces are renamed"));
            } else if !declares(schema, path) {
                let message =
                    format!("`rename({path:?}, {name:?})` matches nothing in the schemas");
                let help = "give the full name, such as `pkg.Service.Method`";
                diagnostics.push(Diagnostic::error(code::UNUSED_MAPPING, message).help(help));
            }
        }
    }
}

/// True when an element of the schema has this full name. Linear, for the error case alone.
fn declares(schema: &Schema, full_name: &str) -> bool {
    let (parent, last) = full_name.rsplit_once('.').unwrap_or(("", full_name));
    let in_message = |message: &Message| {
        message.full_name.0 == full_name
            || message.full_name.0 == parent
                && (message.fields.iter().any(|field| field.schema_name == last)
                    || message.oneofs.iter().any(|oneof| oneof.schema_name == last))
    };
    let in_enum = |it: &Enum| {
        it.full_name.0 == full_name
            || it.full_name.0 == parent && it.values.iter().any(|value| value.schema_name == last)
    };
    let in_service = |service: &Service| {
        service.full_name.0 == full_name
            || service.full_name.0 == parent
                && service.methods.iter().any(|method| method.schema_name == last)
    };
    schema.messages.iter().any(in_message)
        || schema.enums.iter().any(in_enum)
        || schema.services.iter().any(in_service)
        || schema.flat.declarations().any(|it| it.full_name.0 == full_name)
}

/// The field, value or variant of a FlatBuffers type that has this full name.
fn flat_member(schema: &Schema, full_name: &str) -> Option<Span> {
    let (parent, last) = full_name.rsplit_once('.')?;
    let types = &schema.flat;
    let here = |it: &Declaration| it.full_name.0 == parent;
    let tables = types.tables.iter().filter(|it| here(&it.declaration));
    let structs = types.structs.iter().filter(|it| here(&it.declaration));
    let enums = types.enums.iter().filter(|it| here(&it.declaration));
    let unions = types.unions.iter().filter(|it| here(&it.declaration));
    let members = (tables.flat_map(|it| &it.fields).map(|it| (&it.schema_name, it.name_span)))
        .chain(structs.flat_map(|it| &it.fields).map(|it| (&it.schema_name, it.name_span)))
        .chain(enums.flat_map(|it| &it.values).map(|it| (&it.schema_name, it.name_span)))
        .chain(unions.flat_map(|it| &it.variants).map(|it| (&it.schema_name, it.name_span)));
    members.into_iter().find(|(name, _)| *name == last).map(|(_, span)| span)
}
