//! Helpers of the tests here.
#![allow(dead_code, unreachable_pub, reason = "every test uses some of them")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use stubwire_codegen::backend::GeneratedFile;

fn bless() -> bool {
    std::env::var_os("STUBWIRE_BLESS").is_some()
}

/// Compares text with a golden file.
pub fn expect_text(golden: &Path, text: &str) {
    if bless() {
        fs::create_dir_all(golden.parent().expect("a folder")).expect("created");
        fs::write(golden, text).expect("written");
        return;
    }
    let known = fs::read_to_string(golden).unwrap_or_else(|error| {
        panic!("no golden {}: {error}; bless with STUBWIRE_BLESS=1", golden.display())
    });
    assert!(known == text, "{} differs from:\n{text}", golden.display());
}

/// Compares files with a folder, which may hold nothing else.
pub fn expect_files(folder: &Path, files: &[GeneratedFile]) {
    for file in files {
        expect_text(&folder.join(&file.name), &file.content);
    }
    let names: BTreeSet<String> = files.iter().map(|file| file.name.clone()).collect();
    for entry in fs::read_dir(folder).expect("a folder") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        assert!(names.contains(&name), "{name} is not generated any more");
    }
}
