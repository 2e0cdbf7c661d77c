//! Every schema under tests/schemas/fbs: the valid ones against an IR snapshot, the invalid ones
//! against a snapshot of their findings; and flatc's verdict on both, if it is there.

use std::{path::Path, process::Command};

use stubwire_codegen::frontend::fbs::load;
use stubwire_tests_frontends::{
    fbs::{cases, flatc, listed, show_loaded},
    show_failed, without_folder,
};

/// Invalid schemas that flatc accepts, with the reason for being stricter.
const STRICTER: &[(&str, &str)] = &[
    ("names_o34_flatc_would_take_another", "flatc binds to what it has read so far, silently"),
    ("structs_that_are_too_large", "flatc's offsets wrap around"),
    ("trust_e07_invalid_utf8", "flatc does not look at the bytes of comments"),
];

fn settings(folder: &str) -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(format!("snapshots/fbs/{folder}"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}

fn folder(path: &Path) -> &Path {
    path.parent().expect("a case lies in a folder")
}

#[test]
fn valid_schemas_load() {
    let mut wrong = Vec::new();
    settings("valid").bind(|| {
        for (name, path) in cases("valid") {
            match load(std::slice::from_ref(&path), &[]) {
                Ok(loaded) => {
                    let text = without_folder(&show_loaded(&loaded), folder(&path));
                    insta::assert_snapshot!(name, text);
                }
                Err(failed) => wrong.push(format!("{name}:\n{}", show_failed(&failed))),
            }
        }
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn invalid_schemas_are_refused_with_places() {
    let mut wrong = Vec::new();
    settings("invalid").bind(|| {
        for (name, path) in cases("invalid") {
            match load(std::slice::from_ref(&path), &[]) {
                Ok(_) => wrong.push(name),
                Err(failed) => {
                    for found in &failed.diagnostics.0 {
                        assert!(!found.labels.is_empty(), "{name}: no place for {found:?}");
                    }
                    let text = without_folder(&show_failed(&failed), folder(&path));
                    insta::assert_snapshot!(name, text);
                }
            }
        }
    });
    assert!(wrong.is_empty(), "these were accepted: {}", wrong.join(", "));
}

#[test]
fn flatc_decides_as_we_do() {
    let Some(flatc) = flatc() else { return };
    let mut wrong = Vec::new();
    for (kind, accepted) in [("valid", true), ("invalid", false)] {
        for (name, path) in cases(kind) {
            let out = tempfile::tempdir().expect("a temporary folder");
            let run =
                Command::new(&flatc).arg("--rust").arg("-o").arg(out.path()).arg(&path).output();
            let output = run.expect("flatc runs");
            if output.status.success() != accepted && !listed(STRICTER, &name) {
                wrong.push(format!("{name}: {}", String::from_utf8_lossy(&output.stderr)));
            }
        }
    }
    assert!(wrong.is_empty(), "flatc decides otherwise on\n{}", wrong.join("\n"));
}
