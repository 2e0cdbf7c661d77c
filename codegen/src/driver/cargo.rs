//! What a build script tells cargo. Nothing else in this crate prints.

use std::io::Write as _;
use std::path::PathBuf;

use super::Builder;

/// True when cargo should hear which files were read.
fn wanted(builder: &Builder) -> bool {
    builder.emit_rerun_if_changed.unwrap_or_else(|| std::env::var_os("CARGO").is_some())
}

/// One line for every file that was really read. A file that is missing is not named: cargo would
/// run the script every time.
pub(super) fn tell_read_files(builder: &Builder, read_files: &[PathBuf]) {
    if !wanted(builder) {
        return;
    }
    for path in read_files {
        let path = path.display().to_string();
        if !path.contains(['\n', '\r']) {
            tell(&format!("cargo::rerun-if-changed={path}"));
        }
    }
}

/// What decides which flatc is run.
#[cfg(feature = "flatc")]
pub(super) fn tell_flatc(builder: &Builder, path: Option<&std::path::Path>) {
    if !wanted(builder) {
        return;
    }
    match path {
        // A missing one would run the script every time.
        Some(path) if path.exists() => tell_read_files(builder, &[path.to_owned()]),
        Some(_) => {}
        None => {
            tell("cargo::rerun-if-env-changed=FLATC");
            tell("cargo::rerun-if-env-changed=PATH");
        }
    }
}

/// Warnings, line by line: cargo knows no longer ones.
pub(super) fn tell_warnings(warnings: &str) {
    for line in warnings.lines().filter(|line| !line.trim().is_empty()) {
        tell(&format!("cargo::warning={line}"));
    }
}

fn tell(line: &str) {
    // Cargo has gone when its end of the pipe is closed; there is nobody left to tell.
    let _ = writeln!(std::io::stdout(), "{line}");
}
