//! Which files are opened, by which name, and which are refused.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use stubwire_codegen::{
    frontend::proto::{Failed, Loaded, load},
    ir::code,
};
use stubwire_tests_frontends::{schemas, show_failed};
use tempfile::TempDir;

/// A folder with files in it.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("the folder is writable");
        fs::write(path, text).expect("the folder is writable");
    }
    folder
}

fn load_one(input: impl Into<PathBuf>, includes: &[PathBuf]) -> Result<Loaded, Failed> {
    load(&[input.into()], includes)
}

/// Codes of the findings of a load that has to fail.
fn codes(result: Result<Loaded, Failed>) -> Vec<&'static str> {
    match result {
        Ok(_) => panic!("this should have failed"),
        Err(failed) => failed.diagnostics.0.iter().map(|found| found.code).collect(),
    }
}

fn loaded(result: Result<Loaded, Failed>) -> Loaded {
    result.unwrap_or_else(|failed| panic!("{}", show_failed(&failed)))
}

fn input_names(loaded: &Loaded) -> Vec<&str> {
    let inputs = loaded.schema.files.iter().filter(|file| file.is_input);
    inputs.map(|file| file.import_name.as_str()).collect()
}

const MESSAGE: &str = "syntax = \"proto3\"; package hz; message M {}";

#[test]
fn names_o12_the_default_include_is_the_folder_of_the_input() {
    let folder = folder(&[
        ("proto/svc.proto", "syntax = \"proto3\"; import \"types.proto\";"),
        ("proto/types.proto", MESSAGE),
    ]);
    let loaded = loaded(load_one(folder.path().join("proto/svc.proto"), &[]));
    assert_eq!(input_names(&loaded), ["svc.proto"]);
}

#[test]
fn names_o12_a_missing_include_directory_is_a_located_error() {
    let folder = folder(&[("proto/svc.proto", MESSAGE)]);
    let missing = folder.path().join("proto/svc");
    let proto = folder.path().join("proto");
    let failed = load_one(folder.path().join("proto/svc.proto"), &[proto, missing.clone()])
        .expect_err("the directory is missing");
    let found = &failed.diagnostics.0[0];
    assert_eq!(found.code, code::BAD_INCLUDE);
    let source = &failed.sources[found.labels[0].span.source.0 as usize];
    assert_eq!(source.path, missing.display().to_string());
    assert!(found.message.ends_with("does not exist"), "{}", found.message);
}

#[test]
fn names_o12_an_include_that_is_a_file_is_refused() {
    let folder = folder(&[("svc.proto", MESSAGE)]);
    let file = folder.path().join("svc.proto");
    assert_eq!(codes(load_one(&file, std::slice::from_ref(&file)))[0], code::BAD_INCLUDE);
}

/// Paths that mean one file give one name, however they are spelled.
#[test]
fn names_o12_relative_and_absolute_paths_meet() {
    let folder = folder(&[("a/b/svc.proto", MESSAGE)]);
    let absolute = folder.path().join("a");
    let cwd = env::current_dir().expect("a working directory");
    let relative = relative(&cwd, &absolute);
    let spellings = [
        (relative.join("b/svc.proto"), absolute.clone()),
        (absolute.join("b/svc.proto"), relative.clone()),
        (absolute.join("./b/../b/svc.proto"), relative.clone()),
        (PathBuf::from("b/svc.proto"), absolute.clone()),
    ];
    for (input, include) in spellings {
        let loaded = loaded(load_one(input, &[include]));
        assert_eq!(input_names(&loaded), ["b/svc.proto"]);
    }
}

fn relative(from: &Path, to: &Path) -> PathBuf {
    let mut path: PathBuf = from.components().skip(1).map(|_| "..").collect();
    path.extend(to.components().skip(1));
    path
}

#[test]
fn names_o12_an_input_outside_of_all_includes_says_what_to_add() {
    let folder = folder(&[("a/svc.proto", MESSAGE), ("b/other.proto", MESSAGE)]);
    let result = load_one(folder.path().join("a/svc.proto"), &[folder.path().join("b")]);
    let failed = result.expect_err("the input is outside");
    let found = &failed.diagnostics.0[0];
    assert_eq!(found.code, code::OUTSIDE_INCLUDES);
    let help = found.help.as_deref().expect("a help line");
    assert!(help.contains(&folder.path().join("a").display().to_string()), "{help}");
}

#[test]
fn names_o12_an_input_hidden_by_an_earlier_include_is_refused() {
    let folder = folder(&[("a/svc.proto", MESSAGE), ("b/svc.proto", MESSAGE)]);
    let includes = [folder.path().join("a"), folder.path().join("b")];
    assert_eq!(codes(load_one(folder.path().join("b/svc.proto"), &includes)), [code::SHADOWED]);
    assert!(load_one(folder.path().join("a/svc.proto"), &includes).is_ok());
}

#[test]
fn no_input_is_an_error() {
    assert_eq!(codes(load(&[], &[])), [code::NO_INPUT]);
}

#[test]
fn an_input_given_twice_is_one() {
    let folder = folder(&[("svc.proto", MESSAGE)]);
    let input = folder.path().join("svc.proto");
    let loaded = loaded(load(&[input.clone(), input], &[]));
    assert_eq!(input_names(&loaded), ["svc.proto"]);
}

#[test]
fn names_o20_every_transitive_import_is_listed_as_read() {
    let folder = schemas("valid").join("names_o20_transitive_imports");
    let loaded = loaded(load_one(folder.join("main.proto"), &[]));
    let names = ["common/b.proto", "common/c.proto", "main.proto"];
    assert_eq!(loaded.read_files, names.map(|name| folder.join(name)));
    assert_eq!(input_names(&loaded), ["main.proto"]);
}

/// Built-in files are not on the disk: watching them would rebuild for ever.
#[test]
fn names_o19_only_files_really_read_are_listed() {
    let folder = schemas("valid");
    let input = folder.join("names_o11_unused_well_known_import.proto");
    assert_eq!(loaded(load_one(&input, &[])).read_files, [input]);
}

#[test]
fn own_copies_of_well_known_files_win() {
    let folder = folder(&[
        ("svc.proto", "syntax = \"proto3\"; import \"google/protobuf/empty.proto\";"),
        (
            "google/protobuf/empty.proto",
            "syntax = \"proto3\"; package google.protobuf; message Empty {} message Mine {}",
        ),
    ]);
    let loaded = loaded(load_one(folder.path().join("svc.proto"), &[]));
    assert_eq!(loaded.read_files.len(), 2);
    assert!(loaded.schema.messages.iter().any(|message| message.schema_name == "Mine"));
}

#[test]
fn trust_e05_a_missing_input_is_an_error() {
    assert_eq!(codes(load_one("no/such/file.proto", &[])), [code::NOT_FOUND]);
}

#[test]
fn trust_e05_a_directory_is_refused() {
    let folder = folder(&[("dir.proto/x.proto", MESSAGE)]);
    assert_eq!(codes(load_one(folder.path().join("dir.proto"), &[])), [code::NOT_REGULAR]);
}

#[cfg(unix)]
#[test]
fn trust_e05_devices_and_pipes_are_refused() {
    let device = Path::new("/dev/zero");
    assert_eq!(codes(load_one(device, &[])), [code::NOT_REGULAR]);
    let folder = folder(&[("svc.proto", "syntax = \"proto3\"; import \"pipe.proto\";")]);
    let pipe = folder.path().join("pipe.proto");
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs");
    assert!(made.success());
    assert_eq!(codes(load_one(&pipe, &[])), [code::NOT_REGULAR]);
    // And as an import, named by the importer.
    let failed = load_one(folder.path().join("svc.proto"), &[]).expect_err("a pipe");
    assert_eq!(failed.diagnostics.0[0].code, code::NOT_REGULAR);
    assert_eq!(failed.diagnostics.0[0].labels.len(), 2);
}

#[cfg(unix)]
#[test]
fn trust_e05_a_circle_of_links_is_refused() {
    use std::os::unix::fs::symlink;

    let folder = folder(&[]);
    let (a, b) = (folder.path().join("a.proto"), folder.path().join("b.proto"));
    symlink(&a, &b).expect("a link");
    symlink(&b, &a).expect("a link");
    assert_eq!(codes(load_one(&a, &[])), [code::UNREADABLE]);
}

#[cfg(unix)]
#[test]
fn a_link_to_a_file_is_followed() {
    use std::os::unix::fs::symlink;

    let folder = folder(&[("real/svc.proto", MESSAGE)]);
    let link = folder.path().join("svc.proto");
    symlink(folder.path().join("real/svc.proto"), &link).expect("a link");
    assert_eq!(input_names(&loaded(load_one(&link, &[]))), ["svc.proto"]);
}

#[test]
fn trust_e05_a_file_of_one_gigabyte_is_refused_unread() {
    let folder = folder(&[("big.proto", "")]);
    let path = folder.path().join("big.proto");
    let file = fs::OpenOptions::new().write(true).open(&path).expect("the file opens");
    // Sparse: the size is what is looked at.
    file.set_len(1 << 30).expect("the file grows");
    assert_eq!(codes(load_one(&path, &[])), [code::TOO_LARGE]);
}

#[test]
fn trust_e06_nothing_of_a_binary_file_is_echoed() {
    let folder = folder(&[]);
    let path = folder.path().join("key.proto");
    fs::write(&path, b"secret\xff\xfe\0").expect("the folder is writable");
    let failed = load_one(&path, &[]).expect_err("not text");
    assert_eq!(failed.diagnostics.0[0].code, code::NOT_UTF8);
    assert!(!show_failed(&failed).contains("secret"));
}
