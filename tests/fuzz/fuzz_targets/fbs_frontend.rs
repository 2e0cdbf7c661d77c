//! The FlatBuffers front end on any bytes: there is a verdict, every finding can be shown, every
//! layout adds up, and the tokens of a text are the text.
//!
//! Texts are cut at 0xff, which no text holds, into up to three files that may include each other.
#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use stubwire_codegen::frontend::fbs::{Loaded, load_texts, syntax};
use stubwire_codegen::ir;
use stubwire_codegen::render::{compact, rich};

const NAMES: [&str; 3] = ["main.fbs", "a.fbs", "b.fbs"];

fuzz_target!(|data: &[u8]| {
    let pieces = data.splitn(NAMES.len(), |byte| *byte == 0xff);
    let texts: Vec<(&str, &[u8])> = NAMES.into_iter().zip(pieces).collect();
    for (_, text) in &texts {
        if let Ok(text) = std::str::from_utf8(text) {
            let (tree, _) = syntax::parse(Arc::from(text));
            let joined: String =
                tree.tokens.iter().map(|token| tree.text_of(token.extent)).collect();
            assert_eq!(joined, text);
        }
    }
    match load_texts(&texts) {
        Ok(loaded) => check(&loaded),
        Err(failed) => {
            assert!(failed.diagnostics.has_errors());
            for found in &failed.diagnostics.0 {
                assert_ne!(found.code, ir::code::FBS_PANIC, "{}", found.message);
                assert!(!found.labels.is_empty(), "no place for {}", found.message);
            }
            assert!(!rich(&failed.diagnostics, &failed.sources, true).is_empty());
            assert!(!compact(&failed.diagnostics, &failed.sources).is_empty());
        }
    }
});

fn check(loaded: &Loaded) {
    // Names every id in it: a back end indexes with them.
    assert!(!ir::dump(&loaded.schema).is_empty());
    let flat = &loaded.schema.flat;
    for it in &flat.structs {
        let mut end = 0;
        for field in &it.fields {
            assert_eq!(field.offset, end);
            end += field.size + field.padding;
        }
        assert_eq!(end, it.size);
        assert_eq!(it.size % it.alignment, 0);
    }
    for table in &flat.tables {
        for (slot, field) in table.fields.iter().enumerate() {
            assert_eq!(usize::from(field.id), slot);
            let defaulted = field.presence == ir::flat::Presence::Defaulted;
            assert_eq!(defaulted, field.default.is_some());
        }
    }
    for it in &flat.enums {
        assert!(!it.values.is_empty());
        assert!(it.values.windows(2).all(|pair| pair[0].number < pair[1].number));
    }
    for method in loaded.schema.services.iter().flat_map(|service| &service.methods) {
        for payload in [method.input, method.output] {
            flat.table(payload.table().expect("FlatBuffers has tables only"));
        }
    }
}
