//! Shared pieces of the front-end tests: where the schemas lie, and how results are shown.

pub mod bfbs;
pub mod fbs;

use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

use stubwire_codegen::{
    frontend::proto::{Failed, Loaded},
    ir,
    render::{compact, rich},
};

/// The folder `tests/schemas/proto/<kind>`.
pub fn schemas(kind: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../schemas/proto").join(kind)
}

/// The cases in a folder, sorted: every `.proto` file, and every directory by its `main.proto`.
///
/// # Panics
/// When the folder cannot be read or holds nothing: a test over nothing proves nothing.
pub fn cases(kind: &str) -> Vec<(String, PathBuf)> {
    let folder = schemas(kind);
    let entries = fs::read_dir(&folder).unwrap_or_else(|err| panic!("{}: {err}", folder.display()));
    let mut cases: Vec<_> = entries
        .map(|entry| entry.expect("a directory entry").path())
        .filter_map(|path| {
            let name = path.file_stem()?.to_str()?.to_owned();
            match path.is_dir() {
                true => Some((name, path.join("main.proto"))),
                false if path.extension()? == "proto" => Some((name, path)),
                false => None,
            }
        })
        .collect();
    cases.sort();
    assert!(!cases.is_empty(), "no cases in {}", folder.display());
    cases
}

/// What loaded, as text.
pub fn show_loaded(loaded: &Loaded) -> String {
    let mut text = ir::dump(&loaded.schema);
    if !loaded.diagnostics.0.is_empty() {
        text.push_str(&rich(&loaded.diagnostics, &loaded.schema.sources, false));
    }
    text
}

/// What failed, in both forms.
pub fn show_failed(failed: &Failed) -> String {
    let rich = rich(&failed.diagnostics, &failed.sources, false);
    let compact = compact(&failed.diagnostics, &failed.sources);
    format!("{}\n\n{compact}", rich.trim_end())
}

/// Takes the folder of the schemas out of a text: it depends on where the repository lies.
pub fn without_folder(text: &str, folder: &Path) -> String {
    let folder = folder.display().to_string();
    text.replace(&format!("{folder}/"), "").replace(&folder, ".")
}

/// A chain of messages, each holding the next, and services of two methods over them; every element
/// has a comment or an option.
pub fn large_schema(messages: usize, services: usize) -> String {
    let mut text = "syntax = \"proto3\";\npackage big;\n".to_owned();
    // Writing to a string cannot fail.
    for at in 0..messages {
        let next = (at + 1).min(messages - 1);
        let _ = writeln!(text, "// Message {at}.\nmessage M{at} {{");
        let _ = writeln!(text, "  option deprecated = true;\n  M{next} next = 1;");
        let _ = writeln!(text, "  string text = 2 [deprecated = true];\n}}");
    }
    for at in 0..services {
        let _ = writeln!(text, "service S{at} {{");
        for method in 0..2 {
            let _ = write!(text, "  rpc Do{method}(M{at}) returns (M{at}) ");
            let _ = writeln!(text, "{{ option deprecated = true; }}");
        }
        let _ = writeln!(text, "}}");
    }
    text
}
