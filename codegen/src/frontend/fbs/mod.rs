//! The FlatBuffers front end: `.fbs` files or texts in memory in, IR out. No flatc is needed.
//!
//! The way of a file: `include` and `library` find it inside of the include directories, `syntax`
//! reads it into a tree, `graph` follows its includes, `symbols` collects what all files declare,
//! `build` resolves names and computes layouts. No stage trusts the input, none recurses on it, and
//! none prints.

mod build;
mod graph;
mod include;
mod library;
mod limit;
mod parsed;
mod reach;
mod symbols;
pub mod syntax;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use self::{graph::Graph, include::Roots, library::Library, symbols::Symbols};
pub use super::Failed;
pub use super::loaded::Loaded;
use super::{session::Session, worker};
use crate::ir::{self, Diagnostic, code};

const WORKER: worker::Worker = worker::Worker {
    name: "stubwire-fbs",
    stack_bytes: limit::STACK_BYTES,
    panic: code::FBS_PANIC,
};

/// Loads `.fbs` files.
///
/// `inputs` are paths, or names below an include directory. An include is looked for beside the
/// file that names it, then in `includes` in order, and opened only if it lies in one of them or in
/// the directory of an input.
///
/// # Errors
/// Everything found wrong, in every file that could be looked at.
pub fn load(inputs: &[PathBuf], includes: &[PathBuf]) -> Result<Loaded, Failed> {
    load_behind(Vec::new(), inputs, includes)
}

/// [`load`], with the texts that another front end read in front of its own.
pub(crate) fn load_behind(
    sources: Vec<ir::Source>,
    inputs: &[PathBuf],
    includes: &[PathBuf],
) -> Result<Loaded, Failed> {
    worker::run(WORKER, |session| {
        session.sources = sources;
        if inputs.is_empty() {
            session.report(Diagnostic::error(code::NO_INPUT, "no .fbs file was given"));
            return None;
        }
        let roots = Roots::new(session, includes, inputs);
        let mut places = Vec::new();
        for input in inputs {
            match roots.input(input) {
                Ok(place) => places.push(place),
                Err(found) => {
                    let place = session.place_of(input.display().to_string());
                    session.report(found.label(place, ""));
                }
            }
        }
        finish(session, &Library::Directories(roots), places).map(|(loaded, _)| loaded)
    })
}

/// Loads texts from memory: pairs of name and content. All of them are inputs.
///
/// # Errors
/// As [`load`].
pub fn load_texts(texts: &[(&str, &[u8])]) -> Result<Loaded, Failed> {
    load_texts_behind(Vec::new(), texts)
}

/// [`load_texts`], with the texts that another front end read in front of its own.
pub(crate) fn load_texts_behind(
    sources: Vec<ir::Source>,
    texts: &[(&str, &[u8])],
) -> Result<Loaded, Failed> {
    worker::run(WORKER, |session| {
        session.sources = sources;
        from_texts(session, texts).map(|(loaded, _)| loaded)
    })
}

fn from_texts(session: &mut Session, texts: &[(&str, &[u8])]) -> Option<(Loaded, u64)> {
    if texts.is_empty() {
        session.report(Diagnostic::error(code::NO_INPUT, "no .fbs text was given"));
        return None;
    }
    let owned = |text: &(&str, &[u8])| (text.0.to_owned(), text.1.to_vec());
    let library = Library::Texts(texts.iter().map(owned).collect());
    let places = texts.iter().map(|(name, _)| library::text_place(name)).collect();
    finish(session, &library, places)
}

fn finish(
    session: &mut Session,
    library: &Library,
    inputs: Vec<library::Place>,
) -> Option<(Loaded, u64)> {
    let built = stages(session, library, inputs);
    session.report_left_out(code::FBS_LIMIT, limit::FINDINGS_PER_FILE);
    let (mut schema, work) = built?;
    schema.sources = std::mem::take(&mut session.sources);
    let loaded = Loaded {
        schema,
        read_files: std::mem::take(&mut session.read_files).into_iter().collect(),
        diagnostics: std::mem::take(&mut session.diagnostics),
    };
    Some((loaded, work))
}

/// The stages after inputs are found; each collects all its errors, then stops.
fn stages(
    session: &mut Session,
    library: &Library,
    inputs: Vec<library::Place>,
) -> Option<(ir::Schema, u64)> {
    let mut graph = Graph::new(session, library);
    inputs.into_iter().for_each(|input| graph.add_input(input));
    let files = graph.finish();
    if session.diagnostics.has_errors() {
        return None;
    }
    let symbols = Symbols::collect(session, &files);
    if session.diagnostics.has_errors() {
        return None;
    }
    let (schema, work) = build::build(session, &files, &symbols);
    if session.diagnostics.has_errors() {
        return None;
    }
    let tokens: usize = files.iter().map(|file| file.tree.tokens.len()).sum();
    Some((schema, work + tokens as u64))
}
