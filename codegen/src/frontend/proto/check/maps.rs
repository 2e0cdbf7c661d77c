//! Rules about the entry types that map fields make up.

use std::collections::HashSet;

use prost_types::{
    DescriptorProto, FieldDescriptorProto, FileDescriptorProto,
    field_descriptor_proto::{Label, Type},
};

use super::{
    super::{
        parsed::{Parsed, tag},
        symbols::qualify,
    },
    each_message,
};
use crate::ir::{Diagnostic, code};

/// The absolute names of all entry types.
pub(super) fn entries(files: &[FileDescriptorProto]) -> HashSet<String> {
    fn nested(scope: &str, message: &DescriptorProto, entries: &mut HashSet<String>) {
        let full_name = qualify(scope, message.name());
        for inner in &message.nested_type {
            nested(&full_name, inner, entries);
        }
        if is_entry(message) {
            entries.insert(format!(".{full_name}"));
        }
    }
    let mut entries = HashSet::new();
    for file in files {
        for message in &file.message_type {
            nested(file.package(), message, &mut entries);
        }
    }
    entries
}

/// An entry type has no Rust type of its own: only its map field may name it. (protoc lets an rpc
/// name it too.)
pub(super) fn check(
    file: &Parsed,
    proto: &FileDescriptorProto,
    entries: &HashSet<String>,
    found: &mut Vec<Diagnostic>,
) {
    let mut by_hand = Vec::new();
    let mut report = |name: &str, path: &[i32]| {
        let name = name.trim_start_matches('.');
        let message = format!("`{name}` is made up by a map field and cannot be named");
        let span = file.places.span_or_outer(path);
        found.push(Diagnostic::error(code::PROTO_INVALID, message).label(span, ""));
    };
    each_message(proto, &mut |message, path| {
        if is_entry(message) && (path.len() < 4 || !is_well_formed(message)) {
            by_hand.push([path, &[tag::NAME]].concat());
        }
        let nested = message.nested_type.iter().filter(|nested| is_entry(nested));
        let nested: HashSet<&str> = nested.map(|nested| nested.name()).collect();
        for (at, field) in message.field.iter().enumerate() {
            if entries.contains(field.type_name()) && !is_map_field(&nested, field) {
                let place = [path, &[tag::MESSAGE_FIELD, at as i32, tag::FIELD_TYPE_NAME]].concat();
                report(field.type_name(), &place);
            }
        }
        for (at, field) in message.extension.iter().enumerate() {
            if entries.contains(field.type_name()) {
                let end = [tag::MESSAGE_EXTENSION, at as i32, tag::FIELD_TYPE_NAME];
                report(field.type_name(), &[path, &end].concat());
            }
        }
    });
    for (at, service) in proto.service.iter().enumerate() {
        for (method_at, method) in service.method.iter().enumerate() {
            let path = [tag::FILE_SERVICE, at as i32, tag::SERVICE_METHOD, method_at as i32];
            let types = [
                (method.input_type(), tag::METHOD_INPUT),
                (method.output_type(), tag::METHOD_OUTPUT),
            ];
            for (name, field) in types.into_iter().filter(|(name, _)| entries.contains(*name)) {
                report(name, &[&path[..], &[field]].concat());
            }
        }
    }
    let message = "`map_entry` is not to be set by hand: write `map<…>`";
    found.extend(by_hand.iter().map(|path| {
        let span = file.places.span_or_outer(path);
        Diagnostic::error(code::PROTO_INVALID, message).label(span, "")
    }));
}

fn is_entry(message: &DescriptorProto) -> bool {
    message.options.as_ref().is_some_and(|options| options.map_entry())
}

/// `ValidateMapEntry` in protoc; its name is that of the field in camel case.
fn is_map_field(nested: &HashSet<&str>, field: &FieldDescriptorProto) -> bool {
    let Some(last) = field.type_name().rsplit('.').next() else { return false };
    field.label() == Label::Repeated
        && field.r#type() == Type::Message
        && last == entry_name(field.name())
        && nested.contains(last)
}

fn entry_name(field: &str) -> String {
    let mut name = String::with_capacity(field.len() + 5);
    let mut upper = true;
    for c in field.chars() {
        match c {
            '_' => upper = true,
            c if upper => {
                name.push(c.to_ascii_uppercase());
                upper = false;
            }
            c => name.push(c),
        }
    }
    name + "Entry"
}

fn is_well_formed(entry: &DescriptorProto) -> bool {
    let is = |field: &FieldDescriptorProto, number, name| {
        field.number() == number && field.name() == name && field.label() == Label::Optional
    };
    let [key, value] = entry.field.as_slice() else { return false };
    let never_a_key =
        [Type::Double, Type::Float, Type::Bytes, Type::Message, Type::Group, Type::Enum];
    is(key, 1, "key")
        && is(value, 2, "value")
        && !never_a_key.contains(&key.r#type())
        && value.r#type() != Type::Group
        && entry.nested_type.is_empty()
        && entry.enum_type.is_empty()
        && entry.oneof_decl.is_empty()
}
