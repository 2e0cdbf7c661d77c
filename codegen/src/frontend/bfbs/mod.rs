//! The front end of binary schemas: `.bfbs` files in, IR out, through flatbuffers-reflection.
//!
//! The way of a file: `verify` looks at every offset, `index` gives every declaration its id,
//! `files`, `enums`, `structs`, `tables` and `services` convert them and check every reference. What
//! several files declare is joined then.
//!
//! A `.bfbs` does not tell everything: defaults of strings and vectors are lost, `streaming`,
//! `idempotent`, `id` and comments unless flatc was asked for them, and all positions. So the types
//! are here to be named and compared, not to be generated
//! ([`defaults_unknown`](ir::flat::FileFacts::defaults_unknown)), and every finding points at the file
//! as a whole. No stage trusts the bytes, none recurses on them, and none prints.

mod attribute;
mod builtins;
mod convert;
mod enums;
mod files;
mod index;
mod layout;
mod limit;
mod name;
mod services;
mod structs;
mod tables;
mod verify;

use std::path::{Path, PathBuf};

pub use super::Failed;
pub use super::loaded::Loaded;
use super::{
    merge,
    read::{self, Refused},
    session::Session,
    worker,
};
use crate::ir::{self, Diagnostic, code};

const WORKER: worker::Worker = worker::Worker {
    name: "stubwire-bfbs",
    stack_bytes: limit::STACK_BYTES,
    panic: code::FBS_PANIC,
};

/// Loads `.bfbs` files: paths, or names below an include directory.
///
/// # Errors
/// Everything found wrong, in every file.
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
            session.report(Diagnostic::error(code::NO_INPUT, "no .bfbs file was given"));
        }
        let mut schemas = Vec::new();
        for input in inputs {
            let shown = input.display().to_string();
            let path = find(input, includes);
            let read = read::read_bytes(&path, &shown);
            schemas.extend(accept(session, shown, read, Some(path)));
        }
        finish(session, schemas)
    })
}

/// Loads binary schemas from memory: pairs of the file's name and its bytes.
///
/// # Errors
/// As [`load`].
pub fn load_bytes(inputs: &[(&str, &[u8])]) -> Result<Loaded, Failed> {
    worker::run(WORKER, |session| {
        if inputs.is_empty() {
            session.report(Diagnostic::error(code::NO_INPUT, "no .bfbs file was given"));
        }
        let mut schemas = Vec::new();
        for (name, bytes) in inputs {
            schemas.extend(accept(session, (*name).to_owned(), Ok(bytes.to_vec()), None));
        }
        finish(session, schemas)
    })
}

/// The first of the places where an input may lie.
fn find(input: &Path, includes: &[PathBuf]) -> PathBuf {
    let below = includes.iter().map(|include| include.join(input));
    let mut places = std::iter::once(input.to_owned()).chain(below);
    places.find(|path| path.exists()).unwrap_or_else(|| input.to_owned())
}

/// One file: read, verified, converted.
fn accept(
    session: &mut Session,
    shown: String,
    read: Result<Vec<u8>, Refused>,
    path: Option<PathBuf>,
) -> Option<ir::Schema> {
    let place = session.place_of(shown.clone());
    let bytes = match read {
        Ok(bytes) => bytes,
        Err(Refused { code, message, .. }) => {
            session.report(Diagnostic::error(code, message).label(place, ""));
            return None;
        }
    };
    session.read_files.extend(path);
    let schema = match verify::verify(&bytes) {
        Ok(schema) => schema,
        Err(why) => {
            let message = format!("`{shown}` {why}");
            let found = Diagnostic::error(code::BFBS_MALFORMED, message).label(place, "");
            session.report(found.help(format!("make it by `flatc {}`", builtins::FLAGS)));
            return None;
        }
    };
    convert::convert(session, place, &shown, schema, bytes.len())
}

fn finish(session: &mut Session, schemas: Vec<ir::Schema>) -> Option<Loaded> {
    let mut schema = ir::Schema::default();
    for added in schemas {
        merge::append(&mut schema, added, &mut session.diagnostics);
    }
    session.report_left_out(code::FBS_LIMIT, limit::FINDINGS);
    if session.diagnostics.has_errors() {
        return None;
    }
    schema.sources = std::mem::take(&mut session.sources);
    Some(Loaded {
        schema,
        read_files: std::mem::take(&mut session.read_files).into_iter().collect(),
        diagnostics: std::mem::take(&mut session.diagnostics),
    })
}
