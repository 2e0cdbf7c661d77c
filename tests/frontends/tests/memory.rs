//! Texts from memory: hostile ones, large ones, and ones where the parsers disagree.

use stubwire_codegen::{
    frontend::proto::{Failed, Loaded, load_texts},
    ir::{FieldKind, code},
};
use stubwire_tests_frontends::show_failed;

fn load(text: &str) -> Result<Loaded, Failed> {
    load_texts(&[("main.proto", text.as_bytes())])
}

fn loaded(text: &str) -> Loaded {
    load(text).unwrap_or_else(|failed| panic!("{}", show_failed(&failed)))
}

fn codes(text: &str) -> Vec<&'static str> {
    match load(text) {
        Ok(_) => panic!("this should have failed"),
        Err(failed) => failed.diagnostics.0.iter().map(|found| found.code).collect(),
    }
}

#[test]
fn trust_e03_brackets_of_any_kind_end_in_a_finding() {
    for bracket in ["{", "[", "<", "a{", "a:[", "a<", "option (x) = {", "message M {"] {
        for depth in [65, 500, 20_000] {
            let text = format!("syntax = \"proto3\";\n{}", bracket.repeat(depth));
            assert!(codes(&text).contains(&code::PROTO_NESTING), "{bracket} x {depth}");
        }
    }
    let value = "{ t: ".repeat(20_000) + &"}".repeat(20_000);
    let text = format!("syntax = \"proto3\";\nmessage M {{ option (x) = {value}; }}");
    assert_eq!(codes(&text), [code::PROTO_NESTING]);
}

#[test]
fn trust_e03_other_kinds_of_depth_end_too() {
    // Neither may overflow the stack; the verdict is the parser's business.
    let many = 100_000;
    for text in [
        format!("message M {{ optional int32 a = {}1; }}", "-".repeat(many)),
        format!("option x = {}1;", "- ".repeat(many)),
        format!("message M {{ optional a{} b = 1; }}", ".a".repeat(many)),
        format!("option a{} = 1;", ".a".repeat(many)),
        format!("option {}", "(".repeat(many)),
        "/*".repeat(many),
        format!("option s = {};", "\"a\" ".repeat(many)),
        ";".repeat(many),
    ] {
        let _ = load(&text);
    }
}

#[test]
fn trust_e04_a_chain_of_three_thousand_imports_is_walked() {
    let count = 3_000;
    let texts: Vec<(String, String)> = (0..count)
        .map(|at| {
            let import = match at {
                0 => String::new(),
                at => format!("import \"f{}.proto\";", at - 1),
            };
            (format!("f{at}.proto"), format!("syntax = \"proto3\"; {import} message M{at} {{}}"))
        })
        .collect();
    let texts: Vec<(&str, &[u8])> =
        texts.iter().rev().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    let loaded = load_texts(&texts).unwrap_or_else(|failed| panic!("{}", show_failed(&failed)));
    assert_eq!(loaded.schema.files.len(), count);
    assert_eq!(loaded.schema.files[0].import_name, "f0.proto");
}

#[test]
fn trust_e04_a_long_import_cycle_is_shown_in_part() {
    let count = 1_000;
    let texts: Vec<(String, String)> = (0..count)
        .map(|at| {
            let next = (at + 1) % count;
            (format!("f{at}.proto"), format!("syntax = \"proto3\"; import \"f{next}.proto\";"))
        })
        .collect();
    let texts: Vec<(&str, &[u8])> =
        texts.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    let failed = load_texts(&texts).expect_err("a cycle");
    let found = &failed.diagnostics.0[0];
    assert_eq!(found.code, code::PROTO_IMPORT_CYCLE);
    assert!(found.message.contains("(992 more) -> `f0.proto`"), "{}", found.message);
    assert_eq!(found.labels.len(), 8);
}

#[test]
fn a_file_with_a_million_mistakes_reports_some() {
    let text = "message M { x }\n".repeat(50_000);
    let failed = load(&text).expect_err("mistakes");
    assert!(failed.diagnostics.0.len() <= 200, "{}", failed.diagnostics.0.len());
}

#[test]
fn names_o50_positions_do_not_count_the_byte_order_mark() {
    let loaded = loaded("\u{feff}syntax = \"proto3\"; message M {}");
    let span = loaded.schema.messages[0].name_span;
    assert_eq!((span.start.line, span.start.column), (1, 28));
}

#[test]
fn trust_e07_columns_count_characters() {
    let loaded = loaded("syntax = \"proto3\"; /* é→𝄞 */ message M {}");
    let span = loaded.schema.messages[0].name_span;
    assert_eq!((span.start.column, span.end.column), (38, 39));
}

/// prost-reflect looks into every loaded file, protoc into imports alone: with two inputs in one
/// run the package `x.y` of the one must not hide `y` in the other.
#[test]
fn names_o34_files_that_are_not_imported_hide_nothing() {
    let texts: [(&str, &[u8]); 3] = [
        ("y.proto", b"syntax = \"proto3\"; package y; message T {}"),
        ("xy.proto", b"syntax = \"proto3\"; package x.y; message Other {}"),
        (
            "xz.proto",
            b"syntax = \"proto3\"; package x.z; import \"y.proto\"; message M { y.T t = 1; }",
        ),
    ];
    let loaded = load_texts(&texts).unwrap_or_else(|failed| panic!("{}", show_failed(&failed)));
    let message = loaded.schema.messages.last().expect("a message");
    let FieldKind::Message(id) = message.fields[0].kind else { panic!("a message field") };
    assert_eq!(loaded.schema.message(id).full_name.0, "y.T");
}

/// What prost-build gets to see is the schema, not what the descriptor pool was shown.
#[test]
fn descriptors_are_the_schema_as_written() {
    let texts: [(&str, &[u8]); 4] = [
        ("c.proto", b"syntax = \"proto3\"; package c; message C {}"),
        ("b.proto", b"syntax = \"proto3\"; package b; import public \"c.proto\";"),
        ("a.proto", b"syntax = \"proto3\"; package a; import public \"b.proto\";"),
        (
            "main.proto",
            b"syntax = \"proto2\"; import \"a.proto\";\n// Kept.\nmessage M { optional c.C foo_bar = 1; optional int32 fooBar = 2; }",
        ),
    ];
    let loaded = load_texts(&texts).unwrap_or_else(|failed| panic!("{}", show_failed(&failed)));
    let file = |name: &str| {
        let mut all = loaded.descriptors.file.iter();
        all.find(|file| file.name() == name).unwrap_or_else(|| panic!("no {name}"))
    };
    let main = file("main.proto");
    assert_eq!(main.dependency, ["a.proto"]);
    assert_eq!(main.syntax, None, "as protoc writes proto2");
    let fields = &main.message_type[0].field;
    assert_eq!(fields[0].type_name(), ".c.C");
    assert_eq!((fields[0].json_name(), fields[1].json_name()), ("fooBar", "fooBar"));
    let locations = &main.source_code_info.as_ref().expect("source info").location;
    assert!(locations.iter().any(|it| it.leading_comments.as_deref() == Some(" Kept.\n")));
    assert_eq!(
        (file("a.proto").syntax(), &file("a.proto").public_dependency[..]),
        ("proto3", &[0][..])
    );
}
