//! Links the files in prost-reflect's descriptor pool, which interprets options and checks what
//! [`check`](super::check) does not.
//!
//! The pool is shown a file a little other than it is, where it is stricter than protoc or loses
//! time: see [`shown`]. What comes back has the original facts again.

use std::collections::{HashMap, HashSet};

use prost::{Message, bytes::Bytes};
use prost_reflect::{DescriptorError, DescriptorPool};
use prost_types::{
    DescriptorProto, FileDescriptorProto, SourceCodeInfo, source_code_info::Location,
};

use super::{
    check, foreign, limit,
    parsed::Parsed,
    resolve,
    scope::{Scope, extra_imports},
    session::Session,
    set,
    symbols::Symbols,
};
use crate::ir::code;

/// The pool with every file in it; incomplete when the session has errors.
pub(super) fn link(session: &mut Session, symbols: &Symbols, files: &[Parsed]) -> DescriptorPool {
    let index: HashMap<&str, usize> =
        files.iter().enumerate().map(|(at, file)| (file.name.as_str(), at)).collect();
    let mut pool = DescriptorPool::new();
    let mut linked = HashSet::new();
    for (at, file) in files.iter().enumerate() {
        let scope = Scope::of(symbols, files, &index, at);
        let resolved = match resolve::resolve(files, at, symbols, &scope) {
            Ok(resolved) => resolved,
            Err(found) => {
                session.report_all(found);
                continue;
            }
        };
        // What is wrong with a file repeats in all that import it.
        if !file.proto.dependency.iter().all(|import| linked.contains(import.as_str())) {
            continue;
        }
        let shown = shown(file, resolved, extra_imports(files, &index, at));
        match add(&mut pool, file, &shown, None) {
            Ok(()) => {
                linked.insert(file.name.as_str());
            }
            Err(err) => {
                // Places cost time by the square of the options, so that they are only asked for
                // now that there is something to show.
                let located = add(&mut pool, file, &shown, Some(file.places.locations()));
                report(session, file, located.err().unwrap_or(err));
            }
        }
    }
    pool
}

/// The file as the pool gets to see it.
///
/// - Everything visible is imported directly: of chains of public imports the pool follows two
///   links (prost-reflect 0.16.5 recurses into the imports that it already has, not into new ones).
/// - The syntax is proto2: in proto3 it rejects fields that differ in case or underscores alone,
///   which protoc accepts. What it would check in proto3 stands in [`check`](super::check).
/// - JSON names that are equal in proto2, which protoc accepts, are made unique.
fn shown(file: &Parsed, mut proto: FileDescriptorProto, extra: Vec<String>) -> FileDescriptorProto {
    proto.dependency.extend(extra);
    proto.public_dependency.clear();
    proto.weak_dependency.clear();
    proto.syntax = None;
    if file.encoded.is_none() {
        let mut messages: Vec<_> = proto.message_type.iter_mut().collect();
        while let Some(message) = messages.pop() {
            let mut seen = HashSet::new();
            for field in &mut message.field {
                let json_name = check::json_name(field);
                if !seen.insert(json_name) {
                    field.json_name = Some(format!("[{}]", field.name()));
                }
            }
            messages.extend(message.nested_type.iter_mut());
        }
    }
    proto
}

fn add(
    pool: &mut DescriptorPool,
    file: &Parsed,
    shown: &FileDescriptorProto,
    locations: Option<&[Location]>,
) -> Result<(), DescriptorError> {
    let source_code_info = locations.map(|it| SourceCodeInfo { location: it.to_vec() });
    match &file.encoded {
        None => pool
            .add_file_descriptor_proto(FileDescriptorProto { source_code_info, ..shown.clone() }),
        Some(encoded) => {
            // Only the bytes hold the custom options; a message is merged by appending to it.
            let header = FileDescriptorProto {
                dependency: shown.dependency.clone(),
                source_code_info,
                ..FileDescriptorProto::default()
            };
            let mut bytes = set::without_header(encoded);
            bytes.extend(header.encode_to_vec());
            pool.decode_file_descriptor_proto(Bytes::from(bytes))
        }
    }
}

fn report(session: &mut Session, file: &Parsed, err: DescriptorError) {
    let place =
        err.path().map_or_else(|| file.places.start(), |path| file.places.span_or_outer(path));
    let span_of = |from, to| file.places.span_of_bytes(from, to);
    let err = match file.places.text() {
        Some(text) => err.with_source_code(text),
        None => err,
    };
    let mut found = foreign::convert(code::PROTO_INVALID, &err, place, &span_of);
    found.truncate(limit::FINDINGS_PER_FILE);
    session.report_all(found);
}

/// The linked descriptors, without source info, in the order of `files`.
pub(super) fn descriptors(pool: &DescriptorPool, files: &[Parsed]) -> Vec<FileDescriptorProto> {
    let linked = |file: &Parsed| {
        let linked = pool.get_file_by_name(&file.name);
        let mut proto = match linked {
            Some(linked) => linked.file_descriptor_proto().clone(),
            None => return file.proto.clone(),
        };
        proto.dependency.clone_from(&file.proto.dependency);
        proto.public_dependency.clone_from(&file.proto.public_dependency);
        proto.weak_dependency.clone_from(&file.proto.weak_dependency);
        proto.syntax.clone_from(&file.proto.syntax);
        for (message, raw) in proto.message_type.iter_mut().zip(&file.proto.message_type) {
            restore_json_names(message, raw);
        }
        proto
    };
    files.iter().map(linked).collect()
}

fn restore_json_names(message: &mut DescriptorProto, raw: &DescriptorProto) {
    for (field, raw) in message.field.iter_mut().zip(&raw.field) {
        field.json_name = Some(check::json_name(raw));
    }
    for (nested, raw) in message.nested_type.iter_mut().zip(&raw.nested_type) {
        restore_json_names(nested, raw);
    }
}

/// Puts the source info back where it was.
pub(super) fn restore_source_info(
    mut linked: Vec<FileDescriptorProto>,
    files: Vec<Parsed>,
) -> Vec<FileDescriptorProto> {
    for (proto, file) in linked.iter_mut().zip(files) {
        let location = file.places.into_locations();
        proto.source_code_info = Some(SourceCodeInfo { location });
    }
    linked
}
