//! Linked descriptors to IR. Two passes: the first gives every message and enum its id, the second
//! builds them, so that a reference forward needs no second look. Both are linear.

mod field;
mod ids;
mod messages;
mod option;
mod services;

use std::collections::HashMap;

use prost_reflect::DescriptorPool;
use prost_types::FileDescriptorProto;

use self::ids::Ids;
use super::{
    parsed::{Parsed, tag},
    places::Places,
    session::Session,
    symbols::qualify,
};
use crate::ir::{File, FileId, Import, Package, Schema, Span, Syntax};

/// Builds the schema. `linked` are the descriptors of `files`: every import and type resolves.
pub(super) fn convert(
    session: &Session,
    pool: &DescriptorPool,
    files: &[Parsed],
    linked: &[FileDescriptorProto],
) -> Schema {
    let ids = Ids::assign(linked);
    let file_ids: HashMap<&str, FileId> = files
        .iter()
        .enumerate()
        .map(|(at, file)| (file.name.as_str(), FileId(at as u32)))
        .collect();
    let mut schema = Schema { sources: session.sources.clone(), ..Schema::default() };
    for (at, (file, proto)) in files.iter().zip(linked).enumerate() {
        let mut converter = Converter {
            pool,
            ids: &ids,
            places: &file.places,
            raw: &file.proto,
            file: FileId(at as u32),
            syntax: syntax_of(&file.proto),
            schema: &mut schema,
        };
        converter.file(file, proto, &file_ids);
    }
    schema
}

fn syntax_of(proto: &FileDescriptorProto) -> Syntax {
    if proto.syntax() == "proto3" { Syntax::Proto3 } else { Syntax::Proto2 }
}

/// What converting the parts of one file needs at hand.
struct Converter<'a> {
    pool: &'a DescriptorPool,
    ids: &'a Ids,
    places: &'a Places,
    /// The descriptor before linking: it has the options in the order they were written.
    raw: &'a FileDescriptorProto,
    file: FileId,
    syntax: Syntax,
    schema: &'a mut Schema,
}

impl Converter<'_> {
    fn file(
        &mut self,
        parsed: &Parsed,
        proto: &FileDescriptorProto,
        file_ids: &HashMap<&str, FileId>,
    ) {
        let first_message = self.schema.messages.len() as u32;
        let first_enum = self.schema.enums.len() as u32;
        let first_service = self.schema.services.len() as u32;
        self.top_level(proto);
        let package_path = [tag::FILE_PACKAGE];
        let doc_path = match self.places.location(&package_path) {
            Some(location) if location.leading_comments.is_some() => package_path,
            _ => [tag::FILE_SYNTAX],
        };
        let file = File {
            import_name: parsed.name.clone(),
            source: self.places.source(),
            package: Package::parse(proto.package()),
            package_span: self.span(&package_path),
            syntax: self.syntax,
            is_input: parsed.is_input,
            imports: self.imports(file_ids),
            messages: ids::range(first_message, self.schema.messages.len())
                .map(ids::message)
                .collect(),
            enums: ids::range(first_enum, self.schema.enums.len()).map(ids::enumeration).collect(),
            services: ids::range(first_service, self.schema.services.len())
                .map(ids::service)
                .collect(),
            flat: crate::ir::flat::FileFacts::default(),
            options: self.file_options(),
            doc: self.places.doc(&doc_path),
        };
        self.schema.files.push(file);
    }

    fn imports(&self, file_ids: &HashMap<&str, FileId>) -> Vec<Import> {
        let public: std::collections::HashSet<i32> =
            self.raw.public_dependency.iter().copied().collect();
        let all = self.raw.dependency.iter().enumerate();
        all.filter_map(|(at, name)| {
            let at = at as i32;
            Some(Import {
                file: *file_ids.get(name.as_str())?,
                public: public.contains(&at),
                span: self.places.span(&[tag::FILE_DEPENDENCY, at]),
            })
        })
        .collect()
    }

    /// The span of an element, or the start of the file.
    fn span(&self, path: &[i32]) -> Span {
        self.places.span(path).unwrap_or_else(|| self.places.start())
    }

    /// The span of the name of an element, else that of the element.
    fn name_span(&self, path: &[i32]) -> Span {
        let mut name = path.to_vec();
        name.push(tag::NAME);
        self.places.span(&name).unwrap_or_else(|| self.span(path))
    }
}

/// `path` with two more numbers: a repeated field and an index in it.
fn child(path: &[i32], field: i32, index: usize) -> Vec<i32> {
    let mut child = Vec::with_capacity(path.len() + 2);
    child.extend_from_slice(path);
    child.extend([field, index as i32]);
    child
}
