//! The same for `.fbs`.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::Command,
};

use stubwire_codegen::{frontend::fbs::Loaded, ir, render::rich};

/// The folder `tests/schemas/fbs/<kind>`.
pub fn schemas(kind: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../schemas/fbs").join(kind)
}

/// The cases in a folder, sorted: every `.fbs` file, and every directory by its `main.fbs`.
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
                true => Some((name, path.join("main.fbs"))),
                false if path.extension()? == "fbs" => Some((name, path)),
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

/// Cases of `cases/accepted` that we refuse on purpose, with the reason.
pub const STRICTER: &[(&str, &str)] = &[
    ("json_obj", "a schema holds no data"),
    ("key_struct", "structs have no order in Rust: flatc's output does not compile"),
    ("streaming_bad", "a value that means nothing is a mistake"),
    ("streaming_int", "a value that means nothing is a mistake"),
    ("streaming_noval", "a value that means nothing is a mistake"),
    ("struct_forward", "requests are tables, wherever they are declared"),
    ("struct_forward2", "replies are tables, wherever they are declared"),
];

/// True when a case is in such a list.
pub fn listed(list: &[(&str, &str)], name: &str) -> bool {
    list.iter().any(|(known, _)| *known == name)
}

/// A flatc to compare with: `FLATC`, or in the path. Without one a test says so and passes, except
/// in CI, where `CI=true` makes that a failure.
///
/// # Panics
/// In CI, when it is missing.
pub fn flatc() -> Option<PathBuf> {
    let named = std::env::var_os("FLATC").map(PathBuf::from);
    let program = named.unwrap_or_else(|| PathBuf::from("flatc"));
    let version = Command::new(&program).arg("--version").output();
    if let Ok(output) = version
        && String::from_utf8_lossy(&output.stdout).contains("25.12.19")
    {
        return Some(program);
    }
    let in_ci = std::env::var("CI").is_ok_and(|value| value == "true");
    assert!(!in_ci, "flatc 25.12.19 is missing in CI");
    // Not by `println!`, which a test that passes keeps to itself.
    let text = "skipped: flatc 25.12.19 is not installed (set FLATC, or put it into the path)\n";
    let _ = std::io::stderr().write_all(text.as_bytes());
    None
}
