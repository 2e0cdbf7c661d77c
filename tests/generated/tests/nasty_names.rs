//! Schemas out of nasty words: each gives located diagnostics, or code in which no scope has a
//! name twice.
//!
//! `STUBWIRE_NASTY_SCHEMAS=200 cargo check -p stubwire-tests-generated` compiles a batch of them.

use std::collections::BTreeSet;

use stubwire_codegen::configure;
use stubwire_tests_generated::nasty;
use syn::{ImplItem, Item, TraitItem};

const SEEDS: u64 = 200;

#[test]
fn names_fuzz_nasty_schemas_are_refused_in_place_or_have_no_name_twice() {
    let (mut generated, mut refused) = (0, 0);
    for seed in 0..SEEDS {
        let schema = nasty::schema(seed);
        match configure().generate_texts(&[("nasty.proto", &schema)]) {
            Err(error) => {
                refused += 1;
                for found in error.diagnostics() {
                    assert!(!found.labels.is_empty(), "seed {seed}: {error}\n{schema}");
                    assert_ne!(found.code, "SW0305", "seed {seed}: {error}\n{schema}");
                }
            }
            Ok(output) => {
                generated += 1;
                for file in &output.files {
                    let parsed = syn::parse_file(&file.content).unwrap_or_else(|error| {
                        panic!("seed {seed}, {}: {error}\n{schema}", file.name)
                    });
                    check_scope(&parsed.items, &format!("seed {seed}: {}\n{schema}", file.name));
                }
            }
        }
    }
    // Both happen, or the generator has gone stale.
    assert!(
        generated > SEEDS / 10 && refused > SEEDS / 50,
        "{generated} generated, {refused} refused"
    );
}

fn unique(names: impl Iterator<Item = String>, what: &str, place: &str) {
    let mut seen = BTreeSet::new();
    for name in names {
        assert!(seen.insert(name.clone()), "{what} `{name}` stands twice in {place}");
    }
}

fn check_scope(items: &[Item], place: &str) {
    let types = items.iter().filter_map(|item| match item {
        Item::Struct(item) => Some(item.ident.to_string()),
        Item::Enum(item) => Some(item.ident.to_string()),
        Item::Trait(item) => Some(item.ident.to_string()),
        Item::Mod(item) => Some(item.ident.to_string()),
        _ => None,
    });
    unique(types, "type", place);
    let values = items.iter().filter_map(|item| match item {
        Item::Const(item) => Some(item.ident.to_string()),
        Item::Static(item) => Some(item.ident.to_string()),
        Item::Fn(item) => Some(item.sig.ident.to_string()),
        _ => None,
    });
    unique(values, "value", place);
    for item in items {
        match item {
            Item::Struct(item) => {
                let fields = item.fields.iter().filter_map(|field| field.ident.as_ref());
                unique(fields.map(ToString::to_string), "field", place);
            }
            Item::Enum(item) => {
                unique(item.variants.iter().map(|it| it.ident.to_string()), "variant", place);
            }
            Item::Trait(item) => {
                let methods = item.items.iter().filter_map(|item| match item {
                    TraitItem::Fn(method) => Some(method.sig.ident.to_string()),
                    _ => None,
                });
                unique(methods, "method", place);
            }
            Item::Impl(item) => {
                let methods = item.items.iter().filter_map(|item| match item {
                    ImplItem::Fn(method) => Some(method.sig.ident.to_string()),
                    _ => None,
                });
                unique(methods, "method", place);
            }
            Item::Mod(item) => {
                check_scope(item.content.as_ref().map_or(&[], |(_, items)| items), place);
            }
            _ => {}
        }
    }
}
