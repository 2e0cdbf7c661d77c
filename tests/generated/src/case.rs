//! Hazard cases: schemas under tests/schemas/hazards, a file or a folder each, with the options
//! they want in comments (`// @option name argument argument`). Shared by build.rs and tests.

use std::fs;
use std::path::{Path, PathBuf};

use stubwire_codegen::Builder;

/// One case.
pub struct Case {
    /// The stem of the file, or the folder.
    pub name: String,
    /// The schema files, sorted.
    pub inputs: Vec<PathBuf>,
    /// The include directory.
    pub include: PathBuf,
    options: Vec<String>,
}

/// All cases of a directory, by name.
pub fn cases(directory: &Path) -> Vec<Case> {
    let mut cases: Vec<Case> = entries(directory).iter().filter_map(|path| case(path)).collect();
    cases.sort_by(|one, other| one.name.cmp(&other.name));
    assert!(!cases.is_empty(), "no cases in {}", directory.display());
    cases
}

fn case(path: &Path) -> Option<Case> {
    let name = path.file_stem()?.to_str()?.to_owned();
    let (inputs, include) = if path.is_dir() {
        (files_below(path), path.to_owned())
    } else if path.extension().is_some_and(|extension| extension == "proto") {
        (vec![path.to_owned()], path.parent()?.to_owned())
    } else {
        return None;
    };
    let mut options = Vec::new();
    for input in &inputs {
        let text = String::from_utf8_lossy(&fs::read(input).expect("a schema")).into_owned();
        options.extend(
            text.lines().filter_map(|line| line.strip_prefix("// @option ")).map(str::to_owned),
        );
    }
    Some(Case { name, inputs, include, options })
}

fn entries(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).expect("a directory of cases");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

fn files_below(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in entries(directory) {
        if path.is_dir() {
            files.extend(files_below(&path));
        } else if path.extension().is_some_and(|extension| extension == "proto") {
            files.push(path);
        }
    }
    files
}

impl Case {
    /// The options of the case on top of `builder`.
    pub fn configure(&self, mut builder: Builder) -> Builder {
        for option in &self.options {
            builder = apply(builder, option);
        }
        builder
    }
}

fn apply(builder: Builder, option: &str) -> Builder {
    let mut words = option.trim().splitn(3, ' ');
    let name = words.next().unwrap_or("");
    let (first, second) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    match name {
        "boxed" => builder.boxed(first),
        "btree_map" => builder.btree_map(first),
        "bytes" => builder.bytes(first),
        "client_attribute" => builder.client_attribute(first, second),
        "compile_well_known_types" => builder.compile_well_known_types(first == "true"),
        "default_package_filename" => builder.default_package_filename(first),
        "enable_type_names" => builder.enable_type_names(),
        "enum_attribute" => builder.enum_attribute(first, second),
        "extern_path" => builder.extern_path(first, second),
        "field_attribute" => builder.field_attribute(first, second),
        "generate_default_stubs" => builder.generate_default_stubs(first == "true"),
        "message_attribute" => builder.message_attribute(first, second),
        "rename" => builder.rename(first, second),
        "retain_enum_prefix" => builder.retain_enum_prefix(),
        "runtime_path" => builder.runtime_path(first),
        "server_attribute" => builder.server_attribute(first, second),
        "services_only" => builder.services_only(),
        "skip_debug" => builder.skip_debug(first),
        "skip_streaming" => builder.skip_streaming(first == "true"),
        "trait_attribute" => builder.trait_attribute(first, second),
        "type_attribute" => builder.type_attribute(first, second),
        "type_name_domain" => builder.type_name_domain(first, second),
        other => panic!("no option is called {other:?}"),
    }
}
