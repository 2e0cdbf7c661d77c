//! FlatBuffers messages by a flatc that is installed.
//!
//! flatc gets copies of the files that our front end read, in a folder of its own: it sees nothing
//! else, so it finds what we found, and no path of the machine enters its messages. `find` looks for
//! the program and asks for its version, `check` refuses what its Rust would not be safe for,
//! `findings` turns its words into diagnostics.

mod check;
mod find;
mod findings;

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

use crate::backend::rust::GivenMessages;
use crate::ir::{Diagnostic, File, FileId, Schema, Syntax, code};

/// Who makes FlatBuffers messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum FlatBuffersMessages {
    /// stubwire itself.
    #[default]
    Own,
    /// flatc, which has to be installed, in a version that is supported: 25.12.19.
    Flatc {
        /// The program. Without it, the one that the environment variable `FLATC` names, else
        /// `flatc` from the `PATH`.
        path: Option<PathBuf>,
    },
}

/// Has flatc make the messages of every `.fbs` input.
///
/// # Errors
/// There is no flatc of a supported version, it refuses a schema, or its Rust would not be safe.
pub(super) fn run(
    path: Option<&Path>,
    schema: &Schema,
) -> Result<Vec<GivenMessages>, Vec<Diagnostic>> {
    let inputs: Vec<FileId> = (0..schema.files.len() as u32).map(FileId).collect();
    let inputs: Vec<FileId> = inputs
        .into_iter()
        .filter(|id| schema.file(*id).is_input && text_of(schema, schema.file(*id)).is_some())
        .collect();
    if inputs.is_empty() {
        return Ok(Vec::new());
    }
    let program = find::find(path).map_err(|found| vec![found])?;
    let found = check::check(schema);
    if !found.is_empty() {
        return Err(found);
    }
    let folder = copy(schema).map_err(|found| vec![found])?;
    let (mut given, mut found) = (Vec::new(), Vec::new());
    for id in inputs {
        match run_one(&program, folder.path(), schema, id) {
            Ok(text) => given.push(GivenMessages { file: id, text }),
            Err(more) => found.extend(more),
        }
    }
    if found.is_empty() { Ok(given) } else { Err(found) }
}

/// The text of a `.fbs` file; other files have none that flatc could read.
fn text_of<'s>(schema: &'s Schema, file: &File) -> Option<&'s str> {
    let text = schema.source(file.source).text.as_deref();
    text.filter(|_| file.syntax == Syntax::FlatBuffers)
}

/// Where the schemas are, below the folder.
const SCHEMAS: &str = "schemas";

/// Writes every `.fbs` file to a new folder, each at its name.
fn copy(schema: &Schema) -> Result<tempfile::TempDir, Diagnostic> {
    let failed = |error: std::io::Error| {
        Diagnostic::error(code::FLATC_FAILED, format!("cannot copy the schemas for flatc: {error}"))
    };
    let folder = tempfile::Builder::new().prefix("stubwire-").tempdir().map_err(failed)?;
    let root = folder.path().join(SCHEMAS);
    fs::create_dir(&root).map_err(failed)?;
    for file in &schema.files {
        let Some(text) = text_of(schema, file) else { continue };
        let name = Path::new(&file.import_name);
        let inside = name.components().all(|part| matches!(part, Component::Normal(_)));
        let path = root.join(name);
        if !inside || path.exists() {
            let message = format!("flatc cannot be given a file `{}`", file.import_name);
            let why = if inside { "another one has this name" } else { "it leads elsewhere" };
            return Err(Diagnostic::error(code::FLATC_FAILED, message)
                .label(file.package_span, why)
                .help("give include directories, below which every file has a name of its own"));
        }
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(failed)?;
        }
        fs::write(&path, text).map_err(failed)?;
    }
    Ok(folder)
}

/// Runs flatc on one input, and gives what it wrote.
fn run_one(
    program: &Path,
    folder: &Path,
    schema: &Schema,
    id: FileId,
) -> Result<String, Vec<Diagnostic>> {
    let file = schema.file(id);
    let failed = |what: String| {
        let name = &file.import_name;
        let message = format!("flatc made nothing of `{name}`: {what}");
        vec![Diagnostic::error(code::FLATC_FAILED, message).label(file.package_span, "")]
    };
    let out = folder.join(format!("out{}", id.0));
    fs::create_dir(&out).map_err(|error| failed(error.to_string()))?;
    let output = Command::new(program)
        .current_dir(folder.join(SCHEMAS))
        .args(["--rust", "--gen-all", "--no-warnings", "-I", ".", "-o"])
        .arg(&out)
        // Not an option, whatever it is called.
        .arg(Path::new(".").join(&file.import_name))
        .stdin(Stdio::null())
        .output()
        .map_err(|error| failed(error.to_string()))?;
    let mut said = String::from_utf8_lossy(&output.stderr).into_owned();
    said.push('\n');
    said.push_str(&String::from_utf8_lossy(&output.stdout));
    if !output.status.success() {
        return Err(findings::parse(&said, folder, schema, id));
    }
    let written = written(&out).map_err(|error| failed(error.to_string()))?;
    match written {
        // A file without types of its own or included.
        None => Ok(String::new()),
        Some(path) => fs::read_to_string(path).map_err(|error| failed(error.to_string())),
    }
}

/// The file in a folder in which flatc wrote at most one.
fn written(folder: &Path) -> std::io::Result<Option<PathBuf>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            return Ok(Some(path));
        }
    }
    Ok(None)
}
