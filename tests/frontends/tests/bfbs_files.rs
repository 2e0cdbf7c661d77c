//! Binary schemas that flatc made, recorded, so that no flatc is needed to read them; and what is
//! said about those that lack something.

use std::{fs, path::Path};

use stubwire_codegen::{
    frontend::bfbs::{Loaded, load, load_bytes},
    ir::{Idempotency, Severity, Streaming, code},
};
use stubwire_tests_frontends::{
    bfbs::{RECORDED, compile_with, read_recorded, recorded, show_loaded},
    fbs::flatc,
    show_failed,
};

fn loaded(names: &[&str]) -> Loaded {
    let files: Vec<(String, Vec<u8>)> =
        names.iter().map(|name| (format!("{name}.bfbs"), read_recorded(name))).collect();
    let files: Vec<(&str, &[u8])> =
        files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    load_bytes(&files).unwrap_or_else(|failed| panic!("{}", show_failed(&failed)))
}

fn codes(loaded: &Loaded) -> Vec<&'static str> {
    loaded.diagnostics.0.iter().map(|found| found.code).collect()
}

#[test]
fn recorded_schemas_load() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("snapshots/bfbs");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for (name, _, _) in RECORDED {
            insta::assert_snapshot!(*name, show_loaded(&loaded(&[name])));
        }
    });
}

/// Bless with `STUBWIRE_BLESS=1`.
#[test]
fn recorded_schemas_are_those_of_flatc() {
    let Some(flatc) = flatc() else { return };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (name, source, flags) in RECORDED {
        let bytes = compile_with(&flatc, &root.join(source), flags).expect("flatc accepts it");
        let path = recorded().join(format!("{name}.bfbs"));
        if std::env::var_os("STUBWIRE_BLESS").is_some() {
            fs::write(&path, &bytes).expect("written");
        }
        assert!(fs::read(&path).expect("recorded") == bytes, "{name} is not what flatc makes");
    }
}

/// What flatc leaves out without `--bfbs-builtins` cannot be told from what is not there.
#[test]
fn missing_builtins_are_said_to_be_missing() {
    let with = loaded(&["streams"]);
    assert!(!codes(&with).contains(&code::BFBS_BUILTINS));
    let methods = |loaded: &Loaded| -> Vec<(Streaming, Idempotency)> {
        let services = loaded.schema.services.iter().flat_map(|service| &service.methods);
        services.map(|method| (method.streaming, method.idempotency)).collect()
    };
    assert!(methods(&with).iter().any(|(streaming, _)| *streaming != Streaming::Unary));
    assert!(methods(&with).iter().any(|(_, it)| *it == Idempotency::Idempotent));
    let without = loaded(&["streams_without_builtins"]);
    let plain = (Streaming::Unary, Idempotency::Unknown);
    assert!(methods(&without).iter().all(|method| *method == plain));
    let found = without.diagnostics.0.iter().find(|found| found.code == code::BFBS_BUILTINS);
    let found = found.expect("a warning");
    assert_eq!(found.severity, Severity::Warning);
    let help = found.help.as_deref().expect("a remedy");
    for flag in ["--schema -b", "--bfbs-comments", "--bfbs-builtins", "--bfbs-filenames"] {
        assert!(help.contains(flag), "{help}");
    }
    assert_eq!(without.schema.sources[found.labels[0].span.source.0 as usize].text, None);
}

/// A schema without methods has nothing to lose, and one attribute of flatc's proves that all were
/// kept.
#[test]
fn builtins_that_are_there_or_not_needed_give_no_warning() {
    for name in ["kv", "streams", "every_construct", "circle"] {
        assert!(!codes(&loaded(&[name])).contains(&code::BFBS_BUILTINS), "{name}");
    }
}

#[test]
fn what_several_files_declare_alike_is_one_declaration() {
    let one = loaded(&["streams"]);
    let both = loaded(&["streams", "kv", "streams"]);
    let tables = |loaded: &Loaded| loaded.schema.flat.tables.len();
    assert_eq!(tables(&both), tables(&one) + tables(&loaded(&["kv"])));
    assert_eq!(both.schema.services.len(), one.schema.services.len() + 1);
    let kv = both.schema.services.iter().find(|it| it.schema_name == "KvService").expect("kv");
    let request = kv.methods[0].input.table().expect("a table");
    assert_eq!(both.schema.flat.table(request).declaration.full_name.0, "kv.GetRequest");
}

#[test]
fn what_two_files_declare_differently_is_an_error_with_both_places() {
    let files = ["streams", "streams_without_builtins"].map(|name| (name, read_recorded(name)));
    let files: Vec<(&str, &[u8])> =
        files.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect();
    let failed = load_bytes(&files).expect_err("they differ");
    let found = &failed.diagnostics.0;
    let found = found.iter().find(|found| found.code == code::FBS_DUPLICATE).expect("reported");
    let paths: Vec<&str> = found
        .labels
        .iter()
        .map(|label| failed.sources[label.span.source.0 as usize].path.as_str())
        .collect();
    assert_eq!(paths, ["streams_without_builtins", "streams"]);
}

#[test]
fn files_are_found_and_refused_by_name() {
    let folder = recorded();
    let found = load(&["kv.bfbs".into()], std::slice::from_ref(&folder)).expect("found below");
    assert_eq!(found.read_files, [folder.join("kv.bfbs")]);
    for (input, expected) in
        [("nowhere.bfbs", code::NOT_FOUND), ("", code::NOT_FOUND), (".", code::NOT_REGULAR)]
    {
        let failed = load(&[input.into()], &[]).expect_err("no file");
        assert_eq!(failed.diagnostics.0[0].code, expected, "{input}");
        assert!(!failed.diagnostics.0[0].labels.is_empty());
    }
    assert_eq!(load(&[], &[]).expect_err("none").diagnostics.0[0].code, code::NO_INPUT);
}
