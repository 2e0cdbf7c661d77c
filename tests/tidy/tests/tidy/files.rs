//! Heads and sizes of source files.

use stubwire_tests_tidy::files;

/// A file of this length holds more than one idea.
const LONGEST: usize = 400;

#[test]
fn every_file_says_what_it_is() {
    let headless: Vec<_> =
        sources().filter(|file| !file.text.starts_with("//!")).map(|file| file.path).collect();
    assert!(headless.is_empty(), "open these with a `//!` line: {headless:?}");
}

#[test]
fn no_file_is_too_long() {
    let long: Vec<_> = ["codegen/src", "runtime/src", "macros/src"]
        .into_iter()
        .flat_map(|folder| files(folder, ".rs"))
        .map(|file| (file.text.lines().count(), file.path))
        .filter(|(lines, _)| *lines > LONGEST)
        .collect();
    assert!(long.is_empty(), "over {LONGEST} lines, so more than one idea: {long:?}");
}

#[test]
fn nothing_is_left_unfinished() {
    let words = ["todo!(", "unimplemented!(", concat!("FIX", "ME"), concat!("XX", "X:")];
    let unfinished: Vec<_> = sources()
        .filter(|file| !file.path.starts_with("tests/tidy/"))
        .filter(|file| words.iter().any(|word| file.text.contains(word)))
        .map(|file| file.path)
        .collect();
    assert!(unfinished.is_empty(), "{unfinished:?}");
}

#[test]
fn no_unsafe_outside_its_rooms() {
    let rooms = [
        "runtime/src/buf/",
        "runtime/src/payload/",
        // One method that hands its caller's promise on to `payload`.
        "runtime/src/channel/pending.rs",
        // Emits code whose traits ask for it.
        "codegen/src/backend/rust/flat/",
    ];
    let offenders: Vec<_> = files("runtime/src", ".rs")
        .into_iter()
        .chain(files("codegen/src", ".rs"))
        .filter(|file| !rooms.iter().any(|room| file.path.starts_with(room)))
        .filter(|file| {
            ["unsafe {", "unsafe fn", "unsafe impl"].iter().any(|word| file.text.contains(word))
        })
        .map(|file| file.path)
        .collect();
    assert!(offenders.is_empty(), "{offenders:?}");
}

/// All Rust files that people write: not golden output, not generated, not kept from a release.
fn sources() -> impl Iterator<Item = stubwire_tests_tidy::ProjectFile> {
    files("", ".rs").into_iter().filter(|file| {
        !["/golden/", "/frozen/", "/generated/golden", "/expected/"]
            .iter()
            .any(|part| file.path.contains(part))
            && !file.text.starts_with("// This file is @generated")
    })
}
