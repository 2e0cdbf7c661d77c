//! The Protobuf front end: `.proto` files, texts in memory or a descriptor set in, IR out.
//!
//! The way of a file: `include` and `library` find it, `read` and `prescan` refuse what would hurt,
//! `parse` hands it to protox, `graph` follows its imports, `symbols` and `check` look for what is
//! declared twice or against the rules, `link` resolves names and options, `convert` builds the IR.
//! No stage trusts the input, and none of them prints.

mod check;
mod convert;
mod foreign;
mod graph;
mod include;
mod library;
mod limit;
mod link;
mod optional;
mod parse;
mod parsed;
mod places;
mod prescan;
mod resolve;
mod scope;
mod set;
mod symbols;

use std::path::PathBuf;

use self::{graph::Graph, include::Roots, library::Library, session::Session, symbols::Symbols};
pub use super::Failed;
use super::{read, session, worker};
use crate::ir::{self, Diagnostic, code};

/// A schema that loaded.
#[derive(Debug)]
pub struct Loaded {
    /// The resolved schema.
    pub schema: ir::Schema,
    /// Inputs and imports, imports first, types resolved, with source info. Custom options are not
    /// in here (prost's types cannot hold them) but in the schema.
    pub descriptors: prost_types::FileDescriptorSet,
    /// Every file that was really read, sorted.
    pub read_files: Vec<PathBuf>,
    /// Warnings.
    pub diagnostics: ir::Diagnostics,
}

const WORKER: worker::Worker = worker::Worker {
    name: "stubwire-proto",
    stack_bytes: limit::STACK_BYTES,
    panic: code::PROTO_PANIC,
};

/// Loads `.proto` files.
///
/// `inputs` are paths, or names below an include directory; without `includes`, the directory of
/// each input is one. Files under `google/protobuf/` are built in, unless an include directory
/// has its own.
///
/// # Errors
/// Everything found wrong, in every file that could be looked at.
pub fn load(inputs: &[PathBuf], includes: &[PathBuf]) -> Result<Loaded, Failed> {
    worker::run(WORKER, |session| {
        if inputs.is_empty() {
            session.report(Diagnostic::error(code::NO_INPUT, "no .proto file was given"));
            return None;
        }
        let roots = Roots::new(session, includes, inputs);
        let mut names = Vec::new();
        for input in inputs {
            match roots.name_of(input) {
                Ok(name) => names.push((name, input.display().to_string())),
                Err(found) => {
                    let place = session.place_of(input.display().to_string());
                    session.report(found.label(place, ""));
                }
            }
        }
        finish(session, Library::Directories(roots), &names)
    })
}

/// Loads texts from memory: pairs of import name and content. All of them are inputs.
///
/// # Errors
/// As [`load`].
pub fn load_texts(texts: &[(&str, &[u8])]) -> Result<Loaded, Failed> {
    worker::run(WORKER, |session| {
        let owned = |text: &(&str, &[u8])| (text.0.to_owned(), text.1.to_vec());
        let library = Library::Texts(texts.iter().map(owned).collect());
        let names: Vec<_> =
            texts.iter().map(|(name, _)| ((*name).to_owned(), (*name).to_owned())).collect();
        finish(session, library, &names)
    })
}

/// Loads a `FileDescriptorSet`, as `protoc --include_imports --descriptor_set_out` writes it.
///
/// A set does not say which of its files were asked for: all but those under `google/protobuf/`
/// count as inputs. Made with `--include_source_info` it has positions and comments, otherwise
/// everything stands at line 1, column 1.
///
/// # Errors
/// As [`load`].
pub fn load_descriptor_set(bytes: &[u8]) -> Result<Loaded, Failed> {
    worker::run(WORKER, |session| {
        let (files, names) = set::decode(session, bytes)?;
        let names: Vec<_> = names.into_iter().map(|name| (name.clone(), name)).collect();
        finish(session, Library::Descriptors(files), &names)
    })
}

/// The stages after inputs have import names; each collects all its errors, then stops.
fn finish(
    session: &mut Session,
    mut library: Library,
    inputs: &[(String, String)],
) -> Option<Loaded> {
    let is_set = matches!(library, Library::Descriptors(_));
    let mut graph = Graph::new(session, &mut library);
    for (name, shown) in inputs {
        graph.add_input(name, shown);
    }
    let mut files = graph.finish();
    if is_set {
        files.iter_mut().for_each(|file| file.is_input = !is_well_known(&file.name));
    }
    // Each stage collects all its findings; the next one would only repeat them.
    if session.diagnostics.has_errors() {
        return None;
    }
    let symbols = Symbols::collect(session, &files);
    files.iter().for_each(|file| check::refuse(session, file));
    if session.diagnostics.has_errors() {
        return None;
    }
    files.iter().for_each(|file| check::check(session, file));
    let pool = link::link(session, &symbols, &files);
    if session.diagnostics.has_errors() {
        return None;
    }
    let linked = link::descriptors(&pool, &files);
    check::check_linked(session, &symbols, &files, &linked);
    if session.diagnostics.has_errors() {
        return None;
    }
    let schema = convert::convert(session, &pool, &files, &linked);
    let file = link::restore_source_info(linked, files);
    Some(Loaded {
        schema,
        descriptors: prost_types::FileDescriptorSet { file },
        read_files: std::mem::take(&mut session.read_files).into_iter().collect(),
        diagnostics: std::mem::take(&mut session.diagnostics),
    })
}

fn is_well_known(name: &str) -> bool {
    name.starts_with("google/protobuf/")
}
