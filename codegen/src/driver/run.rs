//! The stages one after the other.

use std::path::{Path, PathBuf};
use std::time::Instant;

use prost::Message as _;
use prost_types::FileDescriptorSet;

use super::load::{Loaded, load};
use super::output::{Output, Report};
use super::write::Target;
use super::{Builder, Error, Result, cargo, second_call, write};
use crate::backend::rust;
use crate::frontend::Failed;
use crate::ir::{Diagnostic, Schema, code};
use crate::render;

/// Where schemas come from.
pub(super) enum Input {
    Files { files: Vec<PathBuf>, includes: Vec<PathBuf> },
    Texts(Vec<(String, String)>),
    Descriptors(FileDescriptorSet),
}

/// The tree's file in `OUT_DIR`, by the name that `include_tree!` looks for.
const TREE: &str = "stubwire.rs";

/// Generates, writes, and tells cargo.
pub(super) fn compile(builder: &Builder, input: &Input) -> Result {
    let target = target(builder)?;
    second_call::check(&target.directory, input)?;
    let mut read_files = Vec::new();
    let outcome = generate_into(builder, input, &target.tree_file, &mut read_files);
    cargo::tell_read_files(builder, &read_files);
    #[cfg(feature = "flatc")]
    if let super::FlatBuffersMessages::Flatc { path } = &builder.flatbuffers_messages {
        cargo::tell_flatc(builder, path.as_deref());
    }
    let (output, descriptors) = outcome?;
    cargo::tell_warnings(&output.warnings);
    write::write(&target, &output.files)?;
    if let Some(path) = &builder.file_descriptor_set_path {
        write::write_one(path, &descriptors.encode_to_vec())?;
    }
    Ok(())
}

/// Generates, and leaves the files in memory.
pub(super) fn generate(builder: &Builder, input: &Input) -> Result<Output> {
    let tree_file = tree_file(builder, builder.out_dir.is_none())?;
    Ok(generate_into(builder, input, &tree_file, &mut Vec::new())?.0)
}

fn generate_into(
    builder: &Builder,
    input: &Input,
    tree_file: &str,
    read_files: &mut Vec<PathBuf>,
) -> Result<(Output, FileDescriptorSet)> {
    let start = Instant::now();
    let Loaded { schema, descriptors, read_files: read, mut diagnostics } =
        load(input).map_err(|failed: Failed| Error::new(failed.diagnostics, failed.sources))?;
    read_files.clone_from(&read);
    let load = start.elapsed();
    let given = match given_messages(builder, &schema) {
        Ok(given) => given,
        Err(found) => {
            diagnostics.0.extend(found);
            return Err(Error::new(diagnostics, schema.sources));
        }
    };
    match rust::generate(&schema, &builder.rust, tree_file, given.as_deref()) {
        Ok(generated) => {
            diagnostics.0.extend(generated.diagnostics.0);
            let warnings = render::compact(&diagnostics, &schema.sources);
            let report = Report { load, rust: generated.times, ..Report::default() };
            let files = generated.files;
            Ok((Output { files, read_files: read, warnings, report }, descriptors))
        }
        Err(found) => {
            diagnostics.0.extend(found.0);
            Err(Error::new(diagnostics, schema.sources))
        }
    }
}

/// FlatBuffers messages that somebody else makes; `None` when they are ours to make.
#[cfg(feature = "flatc")]
fn given_messages(
    builder: &Builder,
    schema: &Schema,
) -> std::result::Result<Option<Vec<rust::GivenMessages>>, Vec<Diagnostic>> {
    match &builder.flatbuffers_messages {
        // Messages that are taken from elsewhere need nobody to make them.
        super::FlatBuffersMessages::Flatc { path } if !builder.rust.services_only => {
            super::flatc::run(path.as_deref(), schema).map(Some)
        }
        _ => Ok(None),
    }
}

#[cfg(not(feature = "flatc"))]
fn given_messages(
    _: &Builder,
    _: &Schema,
) -> std::result::Result<Option<Vec<rust::GivenMessages>>, Vec<Diagnostic>> {
    Ok(None)
}

fn target(builder: &Builder) -> Result<Target> {
    let cargos = std::env::var_os("OUT_DIR").map(PathBuf::from);
    let directory = builder.out_dir.clone().or_else(|| cargos.clone()).ok_or_else(|| {
        Diagnostic::error(code::NO_OUT_DIR, "there is no `OUT_DIR`: cargo does not run this")
            .help("set `out_dir(…)`")
    })?;
    let in_cargos = cargos.as_deref().is_some_and(|cargos: &Path| cargos == directory);
    let tree_file = tree_file(builder, in_cargos)?;
    Ok(Target { directory, tree_file })
}

fn tree_file(builder: &Builder, in_cargos: bool) -> Result<String> {
    let default = if in_cargos { TREE } else { "mod.rs" };
    let name = builder.include_file.clone().unwrap_or_else(|| default.to_owned());
    if !write::is_component(&name) {
        let message = format!("`include_file({name:?})` is not the name of a file");
        let help = "it is written to the output directory; give a name without a path";
        return Err(Diagnostic::error(code::BAD_OPTION, message).help(help).into());
    }
    Ok(name)
}
