//! What the assertions do with files: a missing golden fails, a difference is shown, nothing is accepted by accident.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(name)
}

/// The bytes of a golden.
pub(crate) fn pinned(name: &str) -> Vec<u8> {
    fs::read(golden(&format!("{name}.bin"))).expect("the golden was compared")
}

/// The dump of a golden.
pub(crate) fn dump(name: &str) -> String {
    fs::read_to_string(golden(&format!("{name}.txt"))).expect("the golden was compared")
}

const HELLO: &str = "0a 05 68 65 6c 6c 6f";

/// The outcome of an assertion in a process with this environment: what it said, nothing if it passed.
fn check(root: &Path, hex: &str, environment: &[(&str, &str)]) -> Option<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_golden_check"));
    command.env_remove("CI").env_remove("STUBWIRE_BLESS").env_remove("RUST_BACKTRACE");
    command.envs(environment.iter().copied()).arg(root).arg(hex);
    let output = command.output().expect("it runs");
    if output.status.success() {
        return None;
    }
    assert_eq!(output.status.code(), Some(101), "it panics");
    let text = String::from_utf8(output.stderr).expect("text");
    Some(text.replace(&root.display().to_string(), "<root>"))
}

/// The names of the files in a folder.
fn names(root: &Path) -> Vec<String> {
    let entries = fs::read_dir(root).expect("a folder");
    let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
    let mut names: Vec<String> = entries.map(|entry| name(entry.expect("an entry"))).collect();
    names.sort();
    names
}

#[test]
fn a_missing_golden_fails_and_says_how_to_bless() {
    let root = tempfile::tempdir().expect("a folder");
    let text = check(root.path(), HELLO, &[]).expect("it fails");
    insta::assert_snapshot!("missing", text);
    assert_eq!(names(root.path()), [""; 0]);
}

#[test]
fn blessing_writes_both_files_and_then_the_assertion_holds() {
    let root = tempfile::tempdir().expect("a folder");
    assert_eq!(check(root.path(), HELLO, &[("STUBWIRE_BLESS", "1")]), None);
    assert_eq!(names(root.path()), ["echo.bin", "echo.txt"]);
    assert_eq!(check(root.path(), HELLO, &[]), None);
    // One half of a golden is none.
    fs::remove_file(root.path().join("echo.txt")).expect("removed");
    let text = check(root.path(), HELLO, &[]).expect("it fails");
    assert!(text.contains("there is no <root>/echo.txt"), "{text}");
}

#[test]
fn a_ci_never_blesses() {
    let root = tempfile::tempdir().expect("a folder");
    for ci in ["true", "1", "yes"] {
        let environment = [("STUBWIRE_BLESS", "1"), ("CI", ci)];
        assert!(check(root.path(), HELLO, &environment).is_some(), "CI={ci}");
        assert_eq!(names(root.path()), [""; 0]);
    }
}

#[test]
fn only_the_word_one_blesses() {
    let root = tempfile::tempdir().expect("a folder");
    for word in ["", "0", "true", "no"] {
        assert!(check(root.path(), HELLO, &[("STUBWIRE_BLESS", word)]).is_some(), "{word:?}");
    }
    assert_eq!(names(root.path()), [""; 0]);
}

#[test]
fn a_changed_byte_is_shown_with_its_field() {
    let root = tempfile::tempdir().expect("a folder");
    assert_eq!(check(root.path(), "0a 05 68 65 6c 6c 6f 18 05", &[("STUBWIRE_BLESS", "1")]), None);
    let text = check(root.path(), "0a 05 68 65 6c 6c 6f 18 06", &[]).expect("it fails");
    insta::assert_snapshot!("changed_byte", text);
}

/// What follows a longer field has moved and is the same.
#[test]
fn a_longer_field_is_the_only_difference() {
    let root = tempfile::tempdir().expect("a folder");
    assert_eq!(
        check(root.path(), "10 01 0a 02 68 69 18 05 22 01 00", &[("STUBWIRE_BLESS", "1")]),
        None
    );
    let text = check(root.path(), "10 01 0a 03 68 69 21 18 05 22 01 00", &[]).expect("it fails");
    insta::assert_snapshot!("longer_field", text);
}

#[test]
fn a_difference_inside_a_shortened_run_is_found() {
    let root = tempfile::tempdir().expect("a folder");
    let message = |byte: u8| {
        let mut hex = "22 90 4e".to_owned();
        (0..10_000).for_each(|at| hex.push_str(if at == 5_000 { " 01" } else { " 00" }));
        if byte == 1 { hex } else { hex.replacen("01", "02", 1) }
    };
    assert_eq!(check(root.path(), &message(1), &[("STUBWIRE_BLESS", "1")]), None);
    assert!(fs::metadata(root.path().join("echo.txt")).expect("a dump").len() < 2_000);
    let text = check(root.path(), &message(2), &[]).expect("it fails");
    assert!(text.contains("the first other byte is at 00138b"), "{text}");
}
