//! Links the parsed files: types and options are resolved in prost-reflect's descriptor pool.

use std::collections::HashSet;

use prost_reflect::{DescriptorError, DescriptorPool};
use prost_types::{FileDescriptorProto, SourceCodeInfo};

use super::{foreign, limit, parsed::Parsed, session::Session};
use crate::ir::code;

/// Adds every file to a pool. Files whose imports failed are left out: their errors would only
/// repeat the cause.
pub(super) fn link(session: &mut Session, files: &[Parsed]) -> DescriptorPool {
    let mut pool = DescriptorPool::new();
    let mut linked = HashSet::new();
    for file in files {
        if !file.proto.dependency.iter().all(|import| linked.contains(import.as_str())) {
            continue;
        }
        match add(&mut pool, file) {
            Ok(()) => {
                linked.insert(file.name.as_str());
            }
            Err(err) => report(session, file, err),
        }
    }
    pool
}

fn add(pool: &mut DescriptorPool, file: &Parsed) -> Result<(), DescriptorError> {
    match &file.encoded {
        Some(encoded) => pool.decode_file_descriptor_proto(encoded.clone()),
        None => pool.add_file_descriptor_proto(file.proto.clone()),
    }
}

fn report(session: &mut Session, file: &Parsed, err: DescriptorError) {
    let place = match err.path() {
        Some(path) => file.places.span_or_outer(path),
        None => file.places.start(),
    };
    let span_of = |from, to| file.places.span_of_bytes(from, to);
    let mut found = foreign::convert(code::PROTO_INVALID, &err, place, &span_of);
    found.truncate(limit::FINDINGS_PER_FILE);
    session.report_all(found);
}

/// The linked descriptors, without source info, in the order of `files`.
pub(super) fn descriptors(pool: &DescriptorPool, files: &[Parsed]) -> Vec<FileDescriptorProto> {
    let linked = |file: &Parsed| match pool.get_file_by_name(&file.name) {
        Some(linked) => linked.file_descriptor_proto().clone(),
        None => file.proto.clone(),
    };
    files.iter().map(linked).collect()
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
