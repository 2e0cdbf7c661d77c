//! Which front end reads which input: `.fbs` the one of FlatBuffers, everything else that of
//! Protobuf. What both give becomes one schema.

use std::path::{Path, PathBuf};

use prost::Message as _;
use prost_types::FileDescriptorSet;

use super::run::Input;
use crate::frontend::{Failed, fbs, proto};
use crate::ir::{Diagnostics, Schema, Source};

/// What the inputs gave together.
pub(super) struct Loaded {
    pub(super) schema: Schema,
    /// Of the Protobuf inputs.
    pub(super) descriptors: FileDescriptorSet,
    pub(super) read_files: Vec<PathBuf>,
    pub(super) diagnostics: Diagnostics,
}

impl From<proto::Loaded> for Loaded {
    fn from(loaded: proto::Loaded) -> Self {
        let proto::Loaded { schema, descriptors, read_files, diagnostics } = loaded;
        Self { schema, descriptors, read_files, diagnostics }
    }
}

/// Loads every input.
pub(super) fn load(input: &Input) -> Result<Loaded, Failed> {
    match input {
        Input::Descriptors(set) => {
            proto::load_descriptor_set(&set.encode_to_vec()).map(Loaded::from)
        }
        Input::Files { files, includes } => {
            let (flat, proto): (Vec<PathBuf>, Vec<PathBuf>) =
                files.iter().cloned().partition(|file| is_fbs(file));
            both(
                !flat.is_empty(),
                !proto.is_empty(),
                || proto::load(&proto, includes),
                |sources| fbs::load_behind(sources, &flat, includes),
            )
        }
        Input::Texts(texts) => {
            let all = texts.iter().map(|(name, text)| (name.as_str(), text.as_bytes()));
            let (flat, proto): (Vec<_>, Vec<_>) = all.partition(|(name, _)| is_fbs(name.as_ref()));
            both(
                !flat.is_empty(),
                !proto.is_empty(),
                || proto::load_texts(&proto),
                |sources| fbs::load_texts_behind(sources, &flat),
            )
        }
    }
}

fn is_fbs(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("fbs"))
}

/// Protobuf first, and FlatBuffers behind it; errors of both are reported together.
fn both(
    any_flat: bool,
    any_proto: bool,
    load_proto: impl FnOnce() -> Result<proto::Loaded, Failed>,
    load_flat: impl FnOnce(Vec<Source>) -> Result<fbs::Loaded, Failed>,
) -> Result<Loaded, Failed> {
    if !any_flat {
        return load_proto().map(Loaded::from);
    }
    let proto = if any_proto { Some(load_proto()) } else { None };
    let sources = match &proto {
        Some(Ok(loaded)) => loaded.schema.sources.clone(),
        Some(Err(failed)) => failed.sources.clone(),
        None => Vec::new(),
    };
    match (proto, load_flat(sources)) {
        (None, flat) => flat.map(|flat| Loaded {
            schema: flat.schema,
            descriptors: FileDescriptorSet::default(),
            read_files: flat.read_files,
            diagnostics: flat.diagnostics,
        }),
        (Some(Ok(proto)), Ok(flat)) => Ok(join(proto.into(), flat)),
        (Some(Ok(proto)), Err(mut failed)) => {
            failed.diagnostics.0.splice(0..0, proto.diagnostics.0);
            Err(failed)
        }
        (Some(Err(failed)), Ok(flat)) => {
            let mut sources = flat.schema.sources;
            sources.splice(..failed.sources.len(), failed.sources);
            let mut diagnostics = failed.diagnostics;
            diagnostics.0.extend(flat.diagnostics.0);
            Err(Failed { diagnostics, sources })
        }
        (Some(Err(proto)), Err(mut flat)) => {
            flat.diagnostics.0.splice(0..0, proto.diagnostics.0);
            Err(flat)
        }
    }
}

/// Appends what FlatBuffers gave. Its sources are counted behind those of Protobuf already; files
/// and services are moved here.
fn join(mut proto: Loaded, flat: fbs::Loaded) -> Loaded {
    let fbs::Loaded { schema: mut added, read_files, diagnostics } = flat;
    let schema = &mut proto.schema;
    let (files, services) = (schema.files.len() as u32, schema.services.len() as u32);
    let types = &mut added.flat;
    let declarations = types.tables.iter_mut().map(|it| &mut it.declaration);
    let declarations = declarations.chain(types.structs.iter_mut().map(|it| &mut it.declaration));
    let declarations = declarations.chain(types.enums.iter_mut().map(|it| &mut it.declaration));
    let declarations = declarations.chain(types.unions.iter_mut().map(|it| &mut it.declaration));
    for declaration in declarations {
        declaration.file.0 += files;
    }
    for service in &mut added.services {
        service.file.0 += files;
    }
    for file in &mut added.files {
        for import in &mut file.imports {
            import.file.0 += files;
        }
        for service in &mut file.services {
            service.0 += services;
        }
    }
    schema.sources = added.sources;
    schema.files.extend(added.files);
    schema.services.extend(added.services);
    schema.flat = added.flat;
    proto.read_files.extend(read_files);
    proto.read_files.sort();
    proto.read_files.dedup();
    proto.diagnostics.0.extend(diagnostics.0);
    proto
}
