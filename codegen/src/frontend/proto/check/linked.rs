//! Rules that need resolved names.

use prost_types::{
    DescriptorProto, FieldDescriptorProto, FileDescriptorProto, field_descriptor_proto::Type,
};

use super::{
    super::{
        limit,
        parsed::{Parsed, tag},
        session::Session,
        symbols::Symbols,
    },
    each_message, maps,
};
use crate::ir::{Diagnostic, Span, code};

/// Checks all files after they were linked.
pub(in super::super) fn check_linked(
    session: &mut Session,
    symbols: &Symbols,
    files: &[Parsed],
    linked: &[FileDescriptorProto],
) {
    let entries = maps::entries(linked);
    for (file, proto) in files.iter().zip(linked) {
        let mut found = Vec::new();
        maps::check(file, proto, &entries, &mut found);
        let is_proto3 = proto.syntax() == "proto3";
        each_message(proto, &mut |message, path| {
            check_message_set(file, message, path, &mut found);
            if is_proto3 {
                check_open_enums(symbols, linked, (file, message, path), &mut found);
                check_extensions(
                    file,
                    &message.extension,
                    (path, tag::MESSAGE_EXTENSION),
                    &mut found,
                );
            }
        });
        if is_proto3 {
            check_extensions(file, &proto.extension, (&[], tag::FILE_EXTENSION), &mut found);
        }
        found.truncate(limit::FINDINGS_PER_FILE);
        session.report_all(found);
    }
}

fn check_message_set(
    file: &Parsed,
    message: &DescriptorProto,
    path: &[i32],
    found: &mut Vec<Diagnostic>,
) {
    if message.options.as_ref().is_some_and(|options| options.message_set_wire_format()) {
        let message = format!("`{}` is a message set, which is not supported", message.name());
        let span = file.places.span_or_outer(&[path, &[tag::NAME]].concat());
        found.push(
            Diagnostic::error(code::PROTO_MESSAGE_SET, message)
                .label(span, "has `option message_set_wire_format = true`")
                .help("use a message with extensions, or `google.protobuf.Any`"),
        );
    }
}

/// The enums of proto2 are closed: a proto3 message could not keep values it does not know.
fn check_open_enums(
    symbols: &Symbols,
    linked: &[FileDescriptorProto],
    (file, message, path): (&Parsed, &DescriptorProto, &[i32]),
    found: &mut Vec<Diagnostic>,
) {
    for (at, field) in message.field.iter().enumerate().filter(|(_, it)| it.r#type() == Type::Enum)
    {
        let Some(symbol) = symbols.get(field.type_name().trim_start_matches('.')) else { continue };
        if linked.get(symbol.file).is_some_and(|proto| proto.syntax() != "proto3") {
            let name = field.type_name().trim_start_matches('.');
            let message = format!("`{name}` is a proto2 enum, which a proto3 message cannot use");
            let span = type_span(file, &[path, &[tag::MESSAGE_FIELD, at as i32]].concat());
            found.push(
                Diagnostic::error(code::PROTO_INVALID, message)
                    .label(span, "")
                    .label(symbol.span, "declared here"),
            );
        }
    }
}

/// "Extensions in proto3 are only allowed for defining options."
fn check_extensions(
    file: &Parsed,
    extensions: &[FieldDescriptorProto],
    (path, field): (&[i32], i32),
    found: &mut Vec<Diagnostic>,
) {
    for (at, extension) in extensions.iter().enumerate() {
        let extendee = extension.extendee().trim_start_matches('.');
        let is_option = extendee
            .strip_prefix("google.protobuf.")
            .is_some_and(|name| name.ends_with("Options") && !name.contains('.'));
        if !is_option {
            let message = format!("proto3 can extend options only, not `{extendee}`");
            let path = [path, &[field, at as i32, tag::FIELD_EXTENDEE]].concat();
            let span = file.places.span_or_outer(&path);
            found.push(Diagnostic::error(code::PROTO_INVALID, message).label(span, ""));
        }
    }
}

fn type_span(file: &Parsed, field: &[i32]) -> Span {
    file.places.span_or_outer(&[field, &[tag::FIELD_TYPE_NAME]].concat())
}
