//! Large schemas: our passes are linear, in time (or these tests would not end) and in memory.

use std::{fmt::Write, process::Command};

use stubwire_codegen::{
    frontend::proto::{Loaded, load_texts},
    ir::{FieldKind, FullName},
};
use stubwire_tests_frontends::{large_schema, show_failed};

fn loaded(text: &str) -> Loaded {
    load_texts(&[("main.proto", text.as_bytes())])
        .unwrap_or_else(|failed| panic!("{}", show_failed(&failed)))
}

#[test]
fn trust_e01_ten_thousand_messages_and_a_thousand_services() {
    let loaded = loaded(&large_schema(10_000, 1_000));
    assert_eq!(loaded.schema.messages.len(), 10_000);
    assert_eq!(loaded.schema.services.len(), 1_000);
    let last = loaded.schema.services.last().expect("a service");
    let input = last.methods[1].input.message().expect("a message");
    let FieldKind::Message(next) = loaded.schema.message(input).fields[0].kind else {
        panic!("a message field")
    };
    assert_eq!(loaded.schema.message(next).full_name, FullName("big.M1000".to_owned()));
}

#[test]
fn trust_e01_one_message_of_many_maps_and_one_enum_of_many_values() {
    let count = 4_000;
    let mut text = "syntax = \"proto3\";\nmessage M {\n".to_owned();
    for at in 1..=count {
        let _ = writeln!(text, "map<string, E> field_{at} = {at};");
    }
    text.push_str("}\nenum E {\n");
    for at in 0..count {
        let _ = writeln!(text, "VALUE_{at} = {at};");
    }
    text.push('}');
    let loaded = loaded(&text);
    let is_map = |kind: &FieldKind| matches!(kind, FieldKind::Map(_));
    let maps = loaded.schema.messages[0].fields.iter().filter(|field| is_map(&field.kind));
    assert_eq!(maps.count(), count);
    assert_eq!(loaded.schema.enums[0].values.len(), count);
}

/// The whole process, the text of the schema and what the parsers keep included.
#[cfg(target_os = "linux")]
#[test]
fn trust_e01_memory_stays_below_300_mb_and_grows_with_the_schema() {
    let half = peak_kilobytes(5_000, 500);
    let whole = peak_kilobytes(10_000, 1_000);
    assert!(whole < 300_000, "{whole} kB");
    assert!(whole < half * 5 / 2, "{half} kB for a half, {whole} kB for the whole");
}

/// In a process of its own: the peak is that of a process.
#[cfg(target_os = "linux")]
fn peak_kilobytes(messages: usize, services: usize) -> usize {
    let output = Command::new(env!("CARGO_BIN_EXE_load_large"))
        .args([messages.to_string(), services.to_string()])
        .output()
        .expect("the helper runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text.trim().parse().unwrap_or_else(|_| panic!("not a number: {text}"))
}
