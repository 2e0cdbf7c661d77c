//! The same verdict and the same descriptors as protoc, case by case.
//!
//! Needs protoc (`PROTOC`, or in the path). Without it the tests say so and pass, except in CI,
//! where `CI=true` makes that a failure.

use std::{
    env,
    io::{self, Write},
    path::{Path, PathBuf},
    process::{Command, Output},
};

use prost::Message;
use prost_types::{FileDescriptorProto, FileDescriptorSet};
use stubwire_codegen::{
    frontend::proto::{load, load_descriptor_set},
    ir::{self, Schema},
};
use stubwire_tests_frontends::{cases, show_failed};

/// Cases that protoc may accept and we refuse on purpose, with the reason.
const STRICTER: &[(&str, &str)] = &[
    ("names_o35_message_set", "prost cannot encode message sets"),
    ("trust_e17_edition_2023", "editions are not supported yet"),
    ("trust_e07_invalid_utf8", "protoc does not look at the bytes of comments"),
    ("entry_type_of_a_map_in_an_rpc", "it has no Rust type"),
    ("name_of_too_many_characters", "protoc has no bound on names"),
];

/// Cases that only newer releases of protoc refuse.
const LAXER: &[(&str, &str)] =
    &[("trust_e11_package_of_300_segments", "newest releases stop at 100 segments")];

/// Cases that need the text: a set has lost what they are about.
const NO_SET: &[(&str, &str)] = &[
    ("proto2_fields_of_one_default_json_name", "JSON names are written out in a set"),
    ("fields_of_one_json_name_by_permission", "prost-types does not know the permission"),
    ("proto2_enum_values_that_clash_by_permission", "prost-types does not know the permission"),
];

fn protoc() -> Option<PathBuf> {
    let named = env::var_os("PROTOC").map(PathBuf::from);
    let program = named.unwrap_or_else(|| PathBuf::from("protoc"));
    let runs = Command::new(&program).arg("--version").output().is_ok_and(|it| it.status.success());
    if runs {
        return Some(program);
    }
    let in_ci = env::var("CI").is_ok_and(|value| value == "true");
    assert!(!in_ci, "protoc is missing in CI");
    // Not by a macro: the test harness would hide that.
    let line = "skipped: protoc is not installed (set PROTOC, or put it into the path)";
    let _ = writeln!(io::stderr(), "{line}");
    None
}

fn run(protoc: &Path, case: &Path, flags: &[&str]) -> (Output, Vec<u8>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("set.bin");
    let output = Command::new(protoc)
        .arg("-I")
        .arg(case.parent().expect("a case lies in a folder"))
        .arg(format!("--descriptor_set_out={}", out.display()))
        .arg("--include_imports")
        .args(flags)
        .arg(case)
        .output()
        .expect("protoc runs");
    (output, std::fs::read(&out).unwrap_or_default())
}

fn excused(list: &[(&str, &str)], name: &str) -> bool {
    list.iter().any(|(known, _)| *known == name)
}

#[test]
fn protoc_refuses_what_we_refuse() {
    let Some(protoc) = protoc() else { return };
    let mut wrong = Vec::new();
    for (name, path) in cases("invalid") {
        let accepted = run(&protoc, &path, &[]).0.status.success();
        if accepted && !excused(STRICTER, &name) {
            wrong.push(name);
        }
    }
    assert!(wrong.is_empty(), "protoc accepts {}", wrong.join(", "));
}

#[test]
fn protoc_gives_the_descriptors_that_we_give() {
    let Some(protoc) = protoc() else { return };
    let mut wrong = Vec::new();
    for (name, path) in cases("valid") {
        let (output, bytes) = run(&protoc, &path, &[]);
        if !output.status.success() {
            if !excused(LAXER, &name) {
                wrong.push(format!("{name}: {}", String::from_utf8_lossy(&output.stderr)));
            }
            continue;
        }
        let theirs = FileDescriptorSet::decode(bytes.as_slice()).expect("protoc writes a set");
        let ours = load(std::slice::from_ref(&path), &[])
            .unwrap_or_else(|it| panic!("{}", show_failed(&it)));
        for (ours, theirs) in comparable(&ours.descriptors).iter().zip(&comparable(&theirs)) {
            if ours != theirs {
                wrong.push(format!("{name}:\nours   {ours:#?}\ntheirs {theirs:#?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The files of the schema itself, by name. The built-in ones differ from release to release.
fn comparable(set: &FileDescriptorSet) -> Vec<FileDescriptorProto> {
    let own = set.file.iter().filter(|file| !file.name().starts_with("google/"));
    let mut files: Vec<_> =
        own.cloned().map(|file| FileDescriptorProto { source_code_info: None, ..file }).collect();
    files.sort_by(|a, b| a.name().cmp(b.name()));
    files
}

/// A set made by protoc gives the IR that the text gives, but for the columns: protoc counts bytes
/// and steps to the next multiple of eight at a tab.
#[test]
fn a_set_by_protoc_gives_the_same_schema() {
    let Some(protoc) = protoc() else { return };
    for (name, path) in cases("valid") {
        let (output, bytes) = run(&protoc, &path, &["--include_source_info"]);
        if !output.status.success() || excused(NO_SET, &name) {
            continue;
        }
        let ours = load(&[path], &[]).unwrap_or_else(|it| panic!("{}", show_failed(&it)));
        let theirs =
            load_descriptor_set(&bytes).unwrap_or_else(|it| panic!("{name}: {}", show_failed(&it)));
        assert_eq!(outline(&theirs.schema), outline(&ours.schema), "{name}");
    }
}

/// The dump without places, comments and built-in files.
fn outline(schema: &Schema) -> Vec<String> {
    let mut own = schema.clone();
    own.files.retain(|file| !file.import_name.starts_with("google/"));
    own.files.sort_by(|a, b| a.import_name.cmp(&b.import_name));
    // Imports point into the list that was just changed.
    own.files.iter_mut().for_each(|file| {
        file.imports.clear();
        file.is_input = true;
    });
    let dump = ir::dump(&own);
    let words = ["leading", "trailing", "detached"];
    let kept =
        dump.lines().filter(|line| !words.iter().any(|it| line.trim_start().starts_with(it)));
    let mut lines: Vec<String> =
        kept.map(|line| line.split(" at ").next().unwrap_or(line).to_owned()).collect();
    // A set has no order of options.
    lines.sort();
    lines
}
