//! The front end of binary schemas on any bytes: there is a verdict, every finding can be shown, and
//! what is accepted holds what a back end indexes with.
//!
//! The first byte says whether the rest is one file or, cut in the middle, two.
#![no_main]

use libfuzzer_sys::fuzz_target;
use stubwire_codegen::frontend::bfbs::{Loaded, load_bytes};
use stubwire_codegen::ir;
use stubwire_codegen::render::{compact, rich};

fuzz_target!(|data: &[u8]| {
    let Some((first, rest)) = data.split_first() else { return };
    let (one, two) = rest.split_at(rest.len() / 2);
    let files: &[(&str, &[u8])] =
        if first % 8 == 7 { &[("one.bfbs", one), ("two.bfbs", two)] } else { &[("one.bfbs", rest)] };
    match load_bytes(files) {
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
    let _ = ir::dump(&loaded.schema);
    let flat = &loaded.schema.flat;
    for (at, it) in flat.structs.iter().enumerate() {
        let mut end = 0;
        for field in &it.fields {
            assert_eq!(field.offset, end);
            end += field.size + field.padding;
            let (ir::flat::StructType::One(element)
            | ir::flat::StructType::Array { element, .. }) = field.ty;
            if let ir::flat::StructElement::Struct(id) = element {
                assert!((id.0 as usize) < at, "a struct before what it holds");
            }
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
    for service in &loaded.schema.services {
        assert_eq!(service.codec, ir::PayloadCodec::FlatBuffers);
        for method in &service.methods {
            for payload in [method.input, method.output] {
                flat.table(payload.table().expect("FlatBuffers has tables only"));
            }
        }
    }
    for file in &loaded.schema.files {
        assert!(file.flat.defaults_unknown);
        assert!(!file.import_name.contains(['\n', '\0']));
    }
}
