//! The verdicts of flatc on 150 schemas, each about one thing, against ours; and flatc itself, if
//! it is there, against the verdicts that we recorded.

use std::{collections::BTreeMap, fs, process::Command};

use stubwire_codegen::{frontend::fbs::load, render::compact};
use stubwire_tests_frontends::{
    fbs::{STRICTER, cases, flatc, listed, schemas},
    show_failed, without_folder,
};

/// How many cases there are of each verdict: none gets lost.
const ACCEPTED: usize = 96;
const REFUSED: usize = 54;

#[test]
fn flatc_accepts_what_we_accept() {
    let mut wrong = Vec::new();
    let cases = cases("cases/refused");
    assert_eq!(cases.len(), REFUSED);
    for (name, path) in cases {
        match load(std::slice::from_ref(&path), &[]) {
            Ok(_) => wrong.push(name),
            Err(failed) => {
                for found in &failed.diagnostics.0 {
                    assert!(!found.labels.is_empty(), "{name}: no place for {found:?}");
                }
            }
        }
    }
    assert!(wrong.is_empty(), "flatc refuses {}", wrong.join(", "));
}

#[test]
fn we_accept_what_flatc_accepts_unless_we_say_why_not() {
    let mut wrong = Vec::new();
    let cases = cases("cases/accepted");
    assert_eq!(cases.len(), ACCEPTED);
    for (name, path) in &cases {
        let result = load(std::slice::from_ref(path), &[]);
        match (result, listed(STRICTER, name)) {
            (Ok(_), false) => {}
            (Ok(_), true) => wrong.push(format!("{name}: accepted, but listed as refused")),
            (Err(_), true) => {}
            (Err(failed), false) => wrong.push(format!("{name}:\n{}", show_failed(&failed))),
        }
    }
    for (name, _) in STRICTER {
        assert!(cases.iter().any(|(known, _)| known == name), "{name} is no case");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Refused for the reason that the case is about, and at its place.
#[test]
fn refusals_say_why() {
    let folder = schemas("cases");
    let mut text = String::new();
    for (name, path) in cases("cases/refused").into_iter().chain(cases("cases/accepted")) {
        if let Err(failed) = load(std::slice::from_ref(&path), &[]) {
            let found = compact(&failed.diagnostics, &failed.sources);
            let found = without_folder(&found, path.parent().unwrap_or(&folder));
            text.push_str(&format!("{name}\n{found}\n"));
        }
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("snapshots/fbs");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("refused_cases", text));
}

/// Flags that the verdict was recorded with.
fn flags() -> BTreeMap<String, Vec<String>> {
    let path = schemas("cases").join("flags.txt");
    let text = fs::read_to_string(path).expect("a readable list");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let split = lines.map(|line| {
        let mut words = line.split_whitespace().map(str::to_owned);
        (words.next().expect("a name"), words.collect())
    });
    split.collect()
}

#[test]
fn the_recorded_verdicts_are_those_of_flatc() {
    let Some(flatc) = flatc() else { return };
    let flags = flags();
    let mut wrong = Vec::new();
    for (kind, accepted) in [("cases/accepted", true), ("cases/refused", false)] {
        for (name, path) in cases(kind) {
            let out = tempfile::tempdir().expect("a temporary folder");
            let status = Command::new(&flatc)
                .arg("--rust")
                .args(flags.get(&name).into_iter().flatten())
                .arg("-o")
                .arg(out.path())
                .arg(&path)
                .output()
                .expect("flatc runs")
                .status;
            if status.success() != accepted {
                wrong.push(name);
            }
        }
    }
    assert!(wrong.is_empty(), "flatc decides otherwise on {}", wrong.join(", "));
}
