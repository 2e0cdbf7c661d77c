//! The Protobuf front end on any bytes: there is a verdict, and every finding can be shown.
//!
//! A first byte of 0xfe marks a descriptor set; anything else is text, cut at 0xff (which no text
//! holds) into up to three files that may import each other. A panic of a parser we depend on is a
//! find, although a user would get a finding for it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use stubwire_codegen::frontend::proto::{load_descriptor_set, load_texts};
use stubwire_codegen::ir;
use stubwire_codegen::render::{compact, rich};

const NAMES: [&str; 3] = ["main.proto", "a.proto", "b.proto"];

fuzz_target!(|data: &[u8]| {
    let result = match data.split_first() {
        Some((0xfe, set)) => load_descriptor_set(set),
        _ => {
            let pieces = data.splitn(NAMES.len(), |byte| *byte == 0xff);
            let texts: Vec<(&str, &[u8])> = NAMES.into_iter().zip(pieces).collect();
            load_texts(&texts)
        }
    };
    match result {
        Ok(loaded) => {
            assert!(!ir::dump(&loaded.schema).is_empty());
            for method in loaded.schema.services.iter().flat_map(|service| &service.methods) {
                // Ids are valid: a back end indexes with them.
                for payload in [method.input, method.output] {
                    loaded.schema.message(payload.message().expect("Protobuf has messages only"));
                }
            }
        }
        Err(failed) => {
            assert!(failed.diagnostics.has_errors());
            assert!(!rich(&failed.diagnostics, &failed.sources, true).is_empty());
            assert!(!compact(&failed.diagnostics, &failed.sources).is_empty());
        }
    }
});
