//! The schemas that are to compile, a file each. Shared by build.rs and tests.

use std::fs;
use std::path::{Path, PathBuf};

/// Cases that flatc takes and we do not: the code of the finding that says so.
pub const DIAGNOSED: &[(&str, &str)] = &[
    ("json_obj", "SW0424"),
    ("key_struct", "SW0422"),
    ("streaming_bad", "SW0421"),
    ("streaming_int", "SW0421"),
    ("streaming_noval", "SW0421"),
    ("struct_forward", "SW0420"),
    ("struct_forward2", "SW0420"),
    // A service and a table of one name are two Rust types of one name.
    ("svc_name_eq_table", "SW0107"),
];

/// The `.fbs` files of a directory, sorted.
pub fn schemas(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).expect("a directory of schemas");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "fbs"));
    paths.sort();
    assert!(!paths.is_empty(), "no schemas in {}", directory.display());
    paths
}

/// The name of a case.
pub fn name(path: &Path) -> String {
    path.file_stem().and_then(|stem| stem.to_str()).expect("a name in ASCII").to_owned()
}
