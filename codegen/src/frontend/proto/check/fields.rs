//! Rules about the names of fields.

use std::collections::{HashMap, HashSet};

use prost_types::{DescriptorProto, FieldDescriptorProto, UninterpretedOption};

use super::super::parsed::{Parsed, tag};
use crate::ir::{Diagnostic, Span, code};

/// The JSON name of a field: the custom one, else the default.
pub(in super::super) fn json_name(field: &FieldDescriptorProto) -> String {
    field.json_name.clone().unwrap_or_else(|| default_json_name(field.name()))
}

/// `foo_bar` becomes `fooBar` (`ToJsonName` in protoc).
fn default_json_name(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut upper = false;
    for c in name.chars() {
        match c {
            '_' => upper = true,
            c if upper => {
                out.push(c.to_ascii_uppercase());
                upper = false;
            }
            c => out.push(c),
        }
    }
    out
}

/// Default names clash in proto3, as soon as anything looks at JSON; custom ones in both.
///
/// protoc looks twice: at the default names of all fields, then at the names really used.
pub(super) fn check_json_names(
    file: &Parsed,
    message: &DescriptorProto,
    path: &[i32],
    is_proto3: bool,
    found: &mut Vec<Diagnostic>,
) {
    let options = message.options.as_ref().map(|it| it.uninterpreted_option.as_slice());
    let legacy = allows_legacy_clashes(options.unwrap_or_default());
    let mut defaults: HashMap<String, usize> = HashMap::new();
    let mut used: HashMap<String, (usize, bool)> = HashMap::new();
    for (at, field) in message.field.iter().enumerate() {
        let default = default_json_name(field.name());
        let name = json_name(field);
        let is_custom = name != default;
        let twin = |first: usize| message.field[first].name() == field.name();
        if is_custom && name.starts_with('[') && name.ends_with(']') {
            let message = format!("the JSON name `{name}` is reserved for extensions");
            let span = name_span(file, path, at);
            found.push(Diagnostic::error(code::PROTO_JSON_CLASH, message).label(span, ""));
        }
        if let Some(first) = defaults.get(&default).copied().filter(|_| is_proto3 && !legacy)
            // Declared twice: found elsewhere.
            && !twin(first)
        {
            found.push(clash(file, path, first, at, &default));
            continue;
        }
        if let Some((first, first_is_custom)) = used.get(&name).copied()
            && ((is_custom && first_is_custom)
                || (is_proto3 && !legacy && (is_custom || first_is_custom)))
        {
            found.push(clash(file, path, first, at, &name));
        }
        defaults.entry(default).or_insert(at);
        used.entry(name).or_insert((at, is_custom));
    }
}

/// True when `deprecated_legacy_json_field_conflicts` is set. (In a descriptor set it is a field
/// that prost-types does not know, so that what protoc only warned of is refused there.)
pub(super) fn allows_legacy_clashes(options: &[UninterpretedOption]) -> bool {
    options.iter().any(|option| {
        let is_true = option.identifier_value.as_deref() == Some("true");
        let part = option.name.first().filter(|part| !part.is_extension);
        is_true && part.is_some_and(|it| it.name_part == "deprecated_legacy_json_field_conflicts")
    })
}

fn clash(file: &Parsed, path: &[i32], first: usize, second: usize, name: &str) -> Diagnostic {
    let message = format!("two fields have the JSON name `{name}`");
    Diagnostic::error(code::PROTO_JSON_CLASH, message)
        .label(name_span(file, path, second), "and again here")
        .label(name_span(file, path, first), "first here")
        .help("rename one, or give one another name with `[json_name = \"…\"]`")
}

/// A reserved name must not come back.
pub(super) fn check_reserved(
    file: &Parsed,
    message: &DescriptorProto,
    path: &[i32],
    found: &mut Vec<Diagnostic>,
) {
    if message.reserved_name.is_empty() {
        return;
    }
    let reserved: HashSet<&str> = message.reserved_name.iter().map(String::as_str).collect();
    for (at, field) in message.field.iter().enumerate() {
        if reserved.contains(field.name()) {
            let message = format!("the field name `{}` is reserved", field.name());
            let span = name_span(file, path, at);
            found.push(Diagnostic::error(code::PROTO_INVALID, message).label(span, ""));
        }
    }
}

fn name_span(file: &Parsed, path: &[i32], at: usize) -> Span {
    let field = [path, &[tag::MESSAGE_FIELD, at as i32, tag::NAME]].concat();
    file.places.span_or_outer(&field)
}
