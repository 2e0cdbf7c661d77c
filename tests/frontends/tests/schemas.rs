//! Every schema under tests/schemas/proto: the valid ones against an IR snapshot, the invalid ones
//! against a snapshot of their findings.

use std::path::Path;

use stubwire_codegen::frontend::proto::load;
use stubwire_tests_frontends::{cases, show_failed, show_loaded, without_folder};

fn settings(folder: &str) -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(format!("snapshots/{folder}"));
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
