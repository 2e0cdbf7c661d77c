//! What the build-script face makes of a `.bfbs`: services alone, the same as from the `.fbs`; and
//! what it says when messages are asked for.

use std::path::PathBuf;

use stubwire_codegen::{Builder, Error, Output, configure};
use stubwire_tests_frontends::bfbs::recorded;

fn generate(builder: &Builder, inputs: &[&str]) -> Result<Output, Error> {
    let flat = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../flat/schema");
    builder.generate(inputs, &[recorded(), flat])
}

fn kv() -> Builder {
    configure().extern_path(".kv", "crate::kv").out_dir("x")
}

fn refusal(builder: &Builder, inputs: &[&str]) -> String {
    match generate(builder, inputs) {
        Ok(_) => panic!("{inputs:?} was accepted"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn services_are_the_same_from_both_sources() {
    let ours = generate(&kv().services_only(), &["kv.fbs"]).expect("generated");
    for builder in [kv(), kv().services_only()] {
        let binary = generate(&builder, &["kv.bfbs"]).expect("generated");
        for (one, other) in binary.files.iter().zip(&ours.files) {
            assert_eq!(one.name, other.name);
            assert!(one.content == other.content, "{} differs:\n{}", one.name, one.content);
        }
        assert_eq!(binary.files.len(), ours.files.len());
        assert_eq!(binary.warnings, "");
    }
    assert!(ours.file("kv.rs").is_some_and(|text| text.contains("pub trait KvService")));
}

#[test]
fn messages_are_not_generated_and_both_remedies_are_named() {
    let text = refusal(&configure(), &["kv.bfbs"]);
    insta::assert_snapshot!(text, @r#"
    kv.bfbs:1:1: error[SW0429]: no Rust type is known for `kv.GetReply`, `kv.GetRequest`, and a binary schema is not enough to generate it: it lacks the defaults of strings, of vectors and of large `ulong`s
      help: compile the `.fbs` instead of its `.bfbs`, or take the types from Rust code that flatc made of it: `extern_path(".kv", "crate::…")`
    "#);
    let text = refusal(&configure().services_only(), &["kv.bfbs"]);
    assert!(text.contains("SW0429"), "{text}");
}

#[test]
fn a_schema_without_services_gives_nothing() {
    let text = refusal(&configure(), &["circle.bfbs"]);
    insta::assert_snapshot!(text, @"
    circle.bfbs:1:1: error[SW0303]: `main.fbs` has no service to generate
      help: compile its `.fbs` for the types
    circle.bfbs:1:1: error[SW0303]: `other.fbs` has no service to generate
      help: compile its `.fbs` for the types
    ");
}

#[test]
fn streaming_methods_are_diagnosed() {
    let builder = configure().extern_path(".radio", "crate::radio").out_dir("x");
    let text = refusal(&builder, &["streams.bfbs"]);
    for method in ["Listen", "Send", "Talk"] {
        assert!(text.contains(&format!("method `radio.Radio.{method}` streams")), "{text}");
    }
    assert!(!text.contains("Once"), "{text}");
    let left_out = generate(&builder.skip_streaming(true), &["streams.bfbs"]).expect("generated");
    assert_eq!(left_out.warnings.matches("SW0109").count(), 3);
}

/// Without the built-in attributes the same service seems to have plain methods alone: said, since
/// it cannot be seen.
#[test]
fn missing_builtins_are_warned_of() {
    let builder = configure().extern_path(".radio", "crate::radio").out_dir("x");
    let output = generate(&builder, &["streams_without_builtins.bfbs"]).expect("generated");
    assert!(output.warnings.contains("SW0428"), "{}", output.warnings);
    assert!(output.warnings.contains("streams_without_builtins.bfbs"), "{}", output.warnings);
}

/// A type from both: neither is taken silently.
#[test]
fn a_schema_and_its_binary_form_are_not_mixed() {
    let text = refusal(&configure(), &["kv.fbs", "kv.bfbs"]);
    assert!(text.contains("SW0407") && text.contains("`kv.GetReply`"), "{text}");
    assert!(text.contains("kv.fbs") && text.contains("kv.bfbs"), "{text}");
}

/// Other schemas beside it keep what is theirs.
#[test]
fn binary_and_other_schemas_make_one_tree() {
    let builder = configure()
        .extern_path(".kv.GetRequest", "crate::kv::GetRequest")
        .extern_path(".kv.GetReply", "crate::kv::GetReply")
        .out_dir("x");
    let output = generate(&builder, &["kv.bfbs", "zoo.fbs", "kv.proto"]).expect("generated");
    let zoo = generate(&configure().out_dir("x"), &["zoo.fbs"]).expect("generated");
    assert_eq!(output.file("zoo.rs"), zoo.file("zoo.rs"));
    let kv = output.file("kv.rs").expect("kv");
    for part in ["pub trait Admin", "pub trait KvService", "pub struct ForgetRequest"] {
        assert!(kv.contains(part), "no {part} in {kv}");
    }
}

#[test]
fn every_broken_input_is_reported_with_its_name() {
    let text = refusal(&configure(), &["nowhere.bfbs", "streams.fbs", "nowhere.fbs"]);
    assert!(text.contains("nowhere.bfbs") && text.contains("nowhere.fbs"), "{text}");
}
