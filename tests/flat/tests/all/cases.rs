//! The cases of flatc that it accepts: all compile (that is the build of this crate), or are
//! refused with their places.

use std::collections::BTreeSet;
use std::path::Path;

use stubwire_tests_flat::case::{DIAGNOSED, name, schemas};

const ACCEPTED: &str = "../schemas/fbs/cases/accepted";

/// The schemas that flatc accepts and whose Rust does not compile: with us they do, but for the
/// one that is refused.
const BETTER: &[&str] = &[
    "big_array_obj",
    "default_str",
    "default_str_esc",
    "field_create",
    "field_key_cmp",
    "field_unpack",
    "float_exp",
    "key_struct",
    "kw_async",
    "kw_gen24",
    "kw_try",
    "name_T_obj",
    "name_builder",
    "nested_fb_name",
    "nested_ns_same",
    "ns_alloc",
    "ns_kw",
    "raw_self",
    "root_nonlatin",
    "struct_new",
    "table_Default",
    "table_Option",
    "table_Result",
    "table_named_A",
    "union_field_type",
    "union_val_snake",
];

#[test]
fn names_what_flatc_accepts_compiles_or_is_refused_with_places() {
    let all = schemas(Path::new(ACCEPTED));
    assert_eq!(all.len(), 96);
    let generated: BTreeSet<String> = all.iter().map(|path| name(path)).collect();
    assert_eq!(BETTER.len(), 26);
    for better in BETTER {
        assert!(generated.contains(*better), "{better} is no case");
    }
    for path in all {
        let refused = DIAGNOSED.iter().find(|(diagnosed, _)| *diagnosed == name(&path));
        let configured = stubwire_codegen::configure().out_dir("x").skip_streaming(true);
        match (configured.generate(&[&path], &[] as &[&Path]), refused) {
            (Ok(_), None) => {}
            (Err(error), Some((_, code))) => {
                let text = error.to_string();
                assert!(text.contains(code), "{}: {text}", path.display());
                assert!(text.contains(".fbs:1:"), "no place: {text}");
            }
            (Ok(_), Some((case, _))) => panic!("{case} is accepted"),
            (Err(error), None) => panic!("{error}"),
        }
    }
}

#[test]
fn names_a_service_and_a_table_of_one_name_are_both_named() {
    let path = Path::new(ACCEPTED).join("svc_name_eq_table.fbs");
    let found = stubwire_codegen::configure().out_dir("x").generate(&[path], &[] as &[&Path]);
    let text = found.expect_err("refused").to_string();
    assert!(text.contains("first here") && text.contains("and again here"), "{text}");
}

#[test]
fn names_a_package_and_a_namespace_share_one_allocator() {
    let proto = "syntax = \"proto3\"; package kv; message Entry {}";
    let texts = [("kv.proto", proto), ("kv.fbs", "namespace kv; table Entry { x:int; }")];
    let found = stubwire_codegen::configure().out_dir("x").generate_texts(&texts);
    let text = found.expect_err("refused").to_string();
    assert!(text.contains("SW0107"), "{text}");
    assert!(text.contains("kv.proto:1:") && text.contains("kv.fbs:1:"), "{text}");
}

#[test]
fn names_errors_of_both_front_ends_are_reported_together() {
    let texts = [("a.proto", "syntax = \"proto3\"; message {"), ("b.fbs", "table T { x:nope; }")];
    let found = stubwire_codegen::configure().out_dir("x").generate_texts(&texts);
    let text = found.expect_err("refused").to_string();
    assert!(text.contains("a.proto:1:") && text.contains("b.fbs:1:"), "{text}");
}

/// A comment adds no item to the output, and no fence that `cargo test` would run.
#[test]
fn trust_e08_comments_add_no_item() {
    let path = "../schemas/fbs/hazards/e08_comments_that_try_to_break_out.fbs";
    let configured = stubwire_codegen::configure().out_dir("x");
    let count = |without: bool| {
        let configured = configured.clone();
        let configured = if without { configured.disable_comments(["."]) } else { configured };
        let output = configured.generate(&[path], &[] as &[&Path]).expect("generated");
        let file = output.file("_.rs").expect("the root");
        syn::parse_file(file).expect("Rust").items.len()
    };
    assert_eq!(count(false), count(true));
}

#[test]
fn streaming_methods_are_refused() {
    let text = "table R {} rpc_service S { M(R):R (streaming: \"server\"); }";
    let found = stubwire_codegen::configure().out_dir("x").generate_texts(&[("s.fbs", text)]);
    assert!(found.expect_err("refused").to_string().contains("SW0109"));
}

#[test]
fn services_only_asks_for_every_table_of_a_method() {
    let text = "namespace n; table R {} rpc_service S { M(R):R; }";
    let configured = stubwire_codegen::configure().out_dir("x").services_only();
    let found = configured.generate_texts(&[("s.fbs", text)]).expect_err("refused").to_string();
    assert!(found.contains("SW0304") && found.contains("`n.R`"), "{found}");
}
