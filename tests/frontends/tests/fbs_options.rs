//! Options of the build script that name FlatBuffers elements: one that names nothing is reported,
//! as it is for Protobuf.

use stubwire_codegen::{Builder, configure};

const SCHEMA: &str = "namespace kv;\n\
    enum Color:byte { Red }\n\
    union Any { Value }\n\
    struct Point { x:int; }\n\
    table Value { text:string; }\n\
    rpc_service Kv { Get(Value):Value (id: 1); }\n";

fn outcome(builder: Builder) -> Result<String, String> {
    let output = builder.out_dir("x").generate_texts(&[("kv.fbs", SCHEMA)]);
    output.map(|output| output.warnings).map_err(|error| error.to_string())
}

#[test]
fn names_o13_a_rename_that_names_nothing_is_an_error() {
    for path in ["kv.Values", "Value", "kv.Kv.Put", "kv.Value.texts", "kv.Color.Blue", "other"] {
        let text = outcome(configure().rename(path, "Other")).expect_err("nothing is named so");
        assert!(text.contains("SW0302") && text.contains("matches nothing"), "{path}: {text}");
    }
}

#[test]
fn names_o13_a_rename_of_a_member_says_that_members_keep_their_names() {
    for path in ["kv.Value.text", "kv.Color.Red", "kv.Any.Value", "kv.Point.x"] {
        let text = outcome(configure().rename(path, "other")).expect_err("members keep theirs");
        assert!(text.contains("kv.fbs:") && text.contains("a member of a FlatBuffers"), "{text}");
    }
}

#[test]
fn names_o13_renames_that_take_hold_are_no_mistake() {
    for path in ["kv.Value", "kv.Color", "kv.Any", "kv.Point", "kv.Kv", "kv.Kv.Get", "kv"] {
        assert_eq!(outcome(configure().rename(path, "other")), Ok(String::new()), "{path}");
    }
    // One that is there and comes from elsewhere.
    let mapped = configure().extern_path(".kv.Point", "crate::Point").rename("kv.Point", "Other");
    assert_eq!(outcome(mapped), Ok(String::new()));
}

#[test]
fn names_o13_a_mapping_that_matches_nothing_names_what_is_near() {
    let mapped = configure().extern_path(".vk.Value", "crate::Value");
    let text = outcome(mapped).expect_err("nothing is called so");
    assert!(text.contains("SW0302") && text.contains("there is `.kv.Value`"), "{text}");
}

#[test]
fn names_o13_attributes_for_messages_do_nothing_here_and_that_is_said() {
    let attribute = "#[derive(Hash)]";
    for (builder, path) in [
        (configure().type_attribute(".kv.Value", attribute), ".kv.Value"),
        (configure().message_attribute("Value", attribute), "Value"),
        (configure().enum_attribute(".kv", attribute), ".kv"),
        (configure().field_attribute("kv.Value.text", attribute), "kv.Value.text"),
    ] {
        let text = outcome(builder).expect("a warning is no error");
        assert!(text.contains("SW0302") && text.contains(path), "{path}: {text}");
        assert!(text.starts_with("kv.fbs:"), "{text}");
    }
    let all = configure().type_attribute(".", attribute).server_attribute(".kv", attribute);
    assert_eq!(outcome(all), Ok(String::new()));
}
