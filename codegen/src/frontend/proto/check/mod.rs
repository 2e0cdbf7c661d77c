//! Rules of Protobuf that neither protox nor the descriptor pool checks, or not as protoc does.
//!
//! This is the one place that says where we stand when they disagree:
//!
//! | case | protoc | protox | here |
//! |---|---|---|---|
//! | fields that differ in case or underscores alone (proto3) | accepts | rejects | accepts; a back end may not |
//! | fields with one JSON name | proto3: rejects, proto2: rejects custom names | rejects | as protoc |
//! | enum values equal without prefix and case | rejects | accepts | as protoc |
//! | `foo.Foo` inside package `com.foo` | rejects | hides too much | as protoc, see `scope` |
//! | chain of `import public` | follows it | two links | as protoc, see `link` |
//! | byte order mark | accepts | rejects | accepts, see `read` |
//! | `message_set_wire_format` | accepts | accepts | rejects: prost cannot encode it |
//! | editions | accepts | syntax error | rejected by name, see `prescan` |
//! | proto2 enum in a proto3 message | rejects | accepts | as protoc |
//! | names and numbers that are `reserved` | rejects | numbers only | as protoc |
//! | `extend` in proto3 of anything but options | rejects | accepts | as protoc |
//! | a field of the entry type of a map, or `map_entry` by hand | rejects | accepts | as protoc |
//! | an rpc of the entry type of a map | accepts | accepts | rejects: it has no Rust type |
//! | `_a` beside `optional int32 a` (proto3) | accepts | rejects | accepts, see `optional` |
//! | an option of the value `-inf` | accepts | syntax error | syntax error |
//! | `extensions 5 [declaration = …]` | accepts | syntax error | syntax error |
//! | overlapping reserved ranges, `packed` or `jstype` on the wrong field, idle `allow_alias` | rejects | accepts | accepts: it changes nothing here |

mod enums;
mod fields;
mod linked;
mod maps;

pub(super) use fields::json_name;
pub(super) use linked::check_linked;

use prost_types::{DescriptorProto, EnumDescriptorProto, FileDescriptorProto, UninterpretedOption};

use super::{
    limit,
    parsed::{Parsed, tag},
    prescan,
    session::Session,
};
use crate::ir::{Diagnostic, code};

/// Refuses a file that must not reach the linker.
pub(super) fn refuse(session: &mut Session, file: &Parsed) {
    let mut found = Vec::new();
    match file.proto.syntax() {
        "" | "proto2" | "proto3" => {}
        "editions" => found.push(prescan::edition().label(file.places.start(), "")),
        other => {
            let message = format!("`{other}` is not a syntax: there are proto2 and proto3");
            let span = file.places.span_or_outer(&[tag::FILE_SYNTAX]);
            found.push(Diagnostic::error(code::PROTO_SYNTAX, message).label(span, ""));
        }
    }
    if file.encoded.is_some() {
        check_aggregates(file, &mut found);
    }
    found.truncate(limit::FINDINGS_PER_FILE);
    session.report_all(found);
}

/// Checks one file by itself.
pub(super) fn check(session: &mut Session, file: &Parsed) {
    let mut found = Vec::new();
    let proto = &file.proto;
    let is_proto3 = proto.syntax() == "proto3";
    each_message(proto, &mut |message, path| {
        fields::check_json_names(file, message, path, is_proto3, &mut found);
        fields::check_reserved(file, message, path, &mut found);
    });
    each_enum(proto, &mut |enumeration, path| {
        enums::check(file, enumeration, path, is_proto3, &mut found);
    });
    found.truncate(limit::FINDINGS_PER_FILE);
    session.report_all(found);
}

/// A text was looked at before it was parsed; what a descriptor set holds was not.
fn check_aggregates(file: &Parsed, found: &mut Vec<Diagnostic>) {
    let proto = &file.proto;
    let mut check = |options: &[UninterpretedOption], path: &[i32]| {
        let mut texts = options.iter().filter_map(|option| option.aggregate_value.as_deref());
        if texts.any(prescan::aggregate_is_too_deep) {
            let message = "the value of an option is nested too deep";
            let span = file.places.span_or_outer(path);
            found.push(Diagnostic::error(code::PROTO_NESTING, message).label(span, ""));
        }
    };
    each_options(proto, &mut check);
}

/// Visits the uninterpreted options of every element.
fn each_options(
    proto: &FileDescriptorProto,
    visit: &mut impl FnMut(&[UninterpretedOption], &[i32]),
) {
    macro_rules! visit {
        ($element:expr, $path:expr) => {
            if let Some(options) = &$element.options {
                visit(&options.uninterpreted_option, $path);
            }
        };
    }
    visit!(proto, &[]);
    each_message(proto, &mut |message, path| {
        visit!(message, path);
        message.field.iter().for_each(|it| visit!(it, path));
        message.extension.iter().for_each(|it| visit!(it, path));
        message.oneof_decl.iter().for_each(|it| visit!(it, path));
        message.extension_range.iter().for_each(|it| visit!(it, path));
    });
    each_enum(proto, &mut |enumeration, path| {
        visit!(enumeration, path);
        enumeration.value.iter().for_each(|it| visit!(it, path));
    });
    proto.extension.iter().for_each(|it| visit!(it, &[]));
    for (at, service) in proto.service.iter().enumerate() {
        let path = [tag::FILE_SERVICE, at as i32];
        visit!(service, &path);
        service.method.iter().for_each(|it| visit!(it, &path));
    }
}

/// Visits every message with its path, parents before children.
fn each_message<'a>(
    proto: &'a FileDescriptorProto,
    visit: &mut impl FnMut(&'a DescriptorProto, &[i32]),
) {
    fn nested<'a>(
        message: &'a DescriptorProto,
        path: &mut Vec<i32>,
        visit: &mut impl FnMut(&'a DescriptorProto, &[i32]),
    ) {
        visit(message, path);
        for (at, inner) in message.nested_type.iter().enumerate() {
            path.extend([tag::MESSAGE_NESTED, at as i32]);
            nested(inner, path, visit);
            path.truncate(path.len() - 2);
        }
    }
    for (at, message) in proto.message_type.iter().enumerate() {
        nested(message, &mut vec![tag::FILE_MESSAGE, at as i32], visit);
    }
}

/// Visits every enum with its path.
fn each_enum(proto: &FileDescriptorProto, visit: &mut impl FnMut(&EnumDescriptorProto, &[i32])) {
    for (at, enumeration) in proto.enum_type.iter().enumerate() {
        visit(enumeration, &[tag::FILE_ENUM, at as i32]);
    }
    each_message(proto, &mut |message, path| {
        for (at, enumeration) in message.enum_type.iter().enumerate() {
            visit(enumeration, &[path, &[tag::MESSAGE_ENUM, at as i32]].concat());
        }
    });
}
