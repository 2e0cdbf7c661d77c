//! FlatBuffers messages by flatc: how it is found, what is refused, and how its findings are told.
//! A program in its place stands for versions and findings that the real one does not have.

#[cfg(unix)]
use std::path::Path;
use std::path::PathBuf;

use stubwire_codegen::{Builder, Error, FlatBuffersMessages, configure};
use stubwire_tests_frontends::fbs::flatc;

const SCHEMA: &str = "namespace kv;\n\
    /// Asks.\n\
    table Ask { key:string; }\n\
    rpc_service Kv { Get(Ask):Ask (id: 1); }\n";

fn by(path: impl Into<PathBuf>) -> Builder {
    configure().flatbuffers_messages(FlatBuffersMessages::Flatc { path: Some(path.into()) })
}

fn refusal(builder: Builder, schema: &str) -> Error {
    let result = builder.out_dir("x").generate_texts(&[("dir/kv.fbs", schema)]);
    result.map(|_| ()).expect_err("it is refused")
}

#[test]
fn a_flatc_that_is_not_there_is_an_error_and_says_how_to_get_one() {
    let text = refusal(by("/nowhere/flatc"), SCHEMA).to_string();
    assert!(text.contains("SW0430") && text.contains("`/nowhere/flatc`"), "{text}");
    for part in ["install flatc 25.12.19", "`PATH`", "`FLATC`", "let stubwire make the messages"] {
        assert!(text.contains(part), "{text}");
    }
}

/// Without `.fbs` inputs, and where no messages are generated, nobody looks for it.
#[test]
fn a_flatc_that_is_not_needed_is_not_missed() {
    let proto = [("a.proto", "syntax = \"proto3\"; message M {}")];
    by("/nowhere/flatc").out_dir("x").generate_texts(&proto).expect("no FlatBuffers");
    let builder = by("/nowhere/flatc").services_only().extern_path(".kv", "crate::kv").out_dir("x");
    builder.generate_texts(&[("kv.fbs", SCHEMA)]).expect("no messages");
}

/// A program that answers to `--version` and to everything else as it is told.
#[cfg(unix)]
fn stand_in(folder: &Path, version: &str, otherwise: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt as _;
    let path = folder.join("flatc");
    let text = format!(
        "#!/bin/sh\nif [ \"$1\" = --version ]; then echo '{version}'; exit 0; fi\n{otherwise}\n"
    );
    std::fs::write(&path, text).expect("written");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("set");
    path
}

#[cfg(unix)]
#[test]
fn a_version_that_is_not_supported_is_named_beside_those_that_are() {
    let folder = tempfile::tempdir().expect("a folder");
    for (version, shown) in [("flatc version 23.5.26", "flatc 23.5.26"), ("hello", "does not run")]
    {
        let text = refusal(by(stand_in(folder.path(), version, "exit 1")), SCHEMA).to_string();
        assert!(text.contains("SW0430") && text.contains(shown), "{text}");
        assert!(text.contains("25.12.19"), "{text}");
    }
}

#[cfg(unix)]
#[test]
fn findings_of_flatc_have_places_in_the_schema() {
    let folder = tempfile::tempdir().expect("a folder");
    let says = "echo \"\nerror:\n  $PWD/dir/kv.fbs:3: 9: error: no such thing, originally at: x\n\" >&2\n\
                echo \"  $PWD/dir/kv.fbs:3: 9: error: no such thing, originally at: x\" >&2\n\
                echo \"  $PWD/dir/kv.fbs:900: 77: warning: far away\" >&2\nexit 1";
    let program = stand_in(folder.path(), "flatc version 25.12.19", says);
    let error = refusal(by(program), SCHEMA);
    let text = error.to_string();
    assert!(text.starts_with("dir/kv.fbs:3:9: error[SW0431]: flatc: no such thing"), "{text}");
    assert_eq!(text.matches("no such thing").count(), 1, "{text}");
    assert!(text.contains("warning[SW0431]: flatc: far away"), "{text}");
    assert!(!text.contains("stubwire-"), "the folder of the copies is shown: {text}");
    let rich = stubwire_codegen::render::rich(
        &stubwire_codegen::ir::Diagnostics(error.diagnostics().to_vec()),
        error.sources(),
        false,
    );
    assert!(rich.contains("table Ask { key:string; }"), "no line of the source: {rich}");
}

#[cfg(unix)]
#[test]
fn words_of_flatc_without_a_place_are_told_with_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    for (otherwise, expected) in [
        ("echo 'out of luck'; exit 1", "flatc refuses `dir/kv.fbs`: out of luck"),
        ("exit 1", "flatc refuses `dir/kv.fbs`: it says nothing"),
        ("exit 0", "flatc made no `kv::Ask` of `kv.Ask`"),
        (
            "shift 5; while [ $# -gt 1 ]; do o=$1; shift; done; echo 'fn (' > $o/a.rs; exit 0",
            "does not parse",
        ),
    ] {
        let program = stand_in(folder.path(), "flatc version 25.12.19", otherwise);
        let text = refusal(by(program), SCHEMA).to_string();
        assert!(text.contains("SW0431") && text.contains(expected), "{text}");
        assert!(text.starts_with("dir/kv.fbs:"), "{text}");
    }
}

/// Known from the schema: flatc is not even run, only asked for its version.
#[cfg(unix)]
#[test]
fn trust_e08_what_flatc_makes_unsafe_rust_of_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = stand_in(folder.path(), "flatc version 25.12.19", "exit 1");
    for (schema, expected) in [
        ("table T { n:[ubyte] (nested_flatbuffer: \"T\"); }", "nested in `n` unverified"),
        ("table T { s:string = \"\\\"; evil(); \\\"\"; }", "the default of `s`"),
        ("table T { s:string = \"a\\\\\"; }", "the default of `s`"),
        ("table T {} root_type T; file_identifier \"a\\\"bc\";", "the file identifier of"),
        ("table T {} root_type T; file_extension \"a\\\"bc\";", "the file extension of"),
    ] {
        let text = refusal(by(&program), schema).to_string();
        assert!(text.contains("SW0432") && text.contains(expected), "{schema}: {text}");
        assert!(text.starts_with("dir/kv.fbs:1:"), "{text}");
    }
}

#[test]
fn options_that_do_not_reach_flatc_are_errors() {
    let Some(flatc) = flatc() else { return };
    for (builder, expected) in [
        (by(&flatc).rename("kv.Ask", "Question"), "`rename(\"kv.Ask\", \"Question\")`"),
        (by(&flatc).rename("kv", "store"), "`rename(\"kv\", \"store\")`"),
        (by(&flatc).extern_path(".kv.Ask", "crate::Ask"), "takes `kv.Ask` from elsewhere"),
        (by(&flatc).flatbuffers_path("crate::fb"), "flatbuffers_path(\"crate::fb\")"),
    ] {
        let text = refusal(builder, SCHEMA).to_string();
        assert!(text.contains("SW0301") && text.contains(expected), "{text}");
    }
    // Services are ours to name.
    let builder = by(&flatc).rename("kv.Kv", "Store").rename("kv.Kv.Get", "fetch").out_dir("x");
    let output = builder.generate_texts(&[("kv.fbs", SCHEMA)]).expect("generated");
    let text = output.file("kv.rs").expect("a module");
    assert!(text.contains("pub trait Store") && text.contains("fn fetch"), "{text}");
}

/// What flatc makes besides the types takes names, too: of ours, those that we made up give way, and
/// those of the schema are an error.
#[test]
fn names_that_flatc_takes_are_taken() {
    let Some(flatc) = flatc() else { return };
    let text = "table Ask {} rpc_service AskArgs { Get(Ask):Ask (id: 1); }";
    let error = refusal(by(&flatc), text).to_string();
    assert!(error.contains("SW0107") && error.contains("`AskArgs`"), "{error}");
    let text = "table ASks {} rpc_service Asks { Identifier(ASks):ASks (id: 1); }\n\
                root_type ASks; file_identifier \"ABCD\";";
    let builder = by(&flatc).out_dir("x");
    let output = builder.generate_texts(&[("kv.fbs", text)]).expect("generated");
    for constant in ["ASKS_IDENTIFIER: &str", "ASKS_IDENTIFIER_: ::stubwire::MethodDescriptor"] {
        let text = &output.files[0].content;
        assert!(text.contains(&format!("pub const {constant}")), "no {constant} in {text}");
    }
}

/// The bytes are a function of the schemas: no folder, no order of inputs.
#[test]
fn output_names_no_folder_and_is_the_same_twice() {
    let Some(flatc) = flatc() else { return };
    let shared = "namespace shared; enum E:byte { A }\n/// ```\n/// not code\ntable S { k:E; }";
    let one = "include \"shared.fbs\"; namespace one; table T { s:shared.S; } root_type T;";
    let two = "include \"shared.fbs\"; namespace two; table T { s:shared.S; } root_type T;";
    let texts = [("shared.fbs", shared), ("one.fbs", one), ("two.fbs", two)];
    let mut backwards = texts;
    backwards.reverse();
    let builder = by(&flatc).out_dir("x");
    let first = builder.generate_texts(&texts).expect("generated");
    let second = builder.generate_texts(&backwards).expect("generated");
    assert_eq!(first.files, second.files);
    let names: Vec<&str> = first.files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["one.rs", "shared.rs", "two.rs", "mod.rs"]);
    let shared = first.file("shared.rs").expect("a module");
    assert_eq!(shared.matches("pub struct S<'a>").count(), 1);
    for file in &first.files {
        assert!(file.content.starts_with("// This file is @generated by stubwire"));
        assert!(!file.content.contains("stubwire-"), "{}", file.content);
    }
}

/// A keyword that flatc does not know: said, instead of output that does not compile.
#[test]
fn names_that_flatc_does_not_escape_are_refused() {
    let Some(flatc) = flatc() else { return };
    for schema in ["table async {}", "namespace async; table T {}", "table T { try:int; }"] {
        let text = refusal(by(&flatc), schema).to_string();
        assert!(text.contains("SW0431") && text.contains("does not parse"), "{schema}: {text}");
    }
}
