//! How much Rust comes out, for a schema that others were measured on: services weigh little more
//! than their messages, and both together hardly more than half of what tonic writes.
//!
//! Of a method's bytes 250 are the layout text of its message and the reference to it: one literal, to
//! which the compiler does nothing.

use std::fmt::Write as _;

use stubwire_codegen::configure;

/// 500 messages of ten fields; 25 services of 20 methods when wanted.
fn schema(services: bool) -> String {
    let mut schema = String::from("syntax = \"proto3\";\npackage lots;\n");
    for message in 0..500 {
        writeln!(schema, "message Message{message} {{").expect("text");
        for field in 1..=10 {
            writeln!(schema, "  string field_{field} = {field};").expect("text");
        }
        writeln!(schema, "}}").expect("text");
    }
    for service in (0..25).filter(|_| services) {
        writeln!(schema, "service Service{service} {{").expect("text");
        for method in 0..20 {
            let message = service * 20 + method;
            writeln!(schema, "  rpc Method{method}(Message{message}) returns (Message{message});")
                .expect("text");
        }
        writeln!(schema, "}}").expect("text");
    }
    schema
}

fn bytes(services: bool) -> usize {
    let schema = schema(services);
    let output = configure().generate_texts(&[("lots.proto", &schema)]).expect("generated");
    output.files.iter().map(|file| file.content.len()).sum()
}

#[test]
fn names_o37_the_output_stays_within_its_budget() {
    let (messages, all) = (bytes(false), bytes(true));
    let services = all - messages;
    println!("{messages} bytes of messages, {services} of services");
    // tonic writes 2.6 MB.
    assert!(all < 1_450_000, "{all} bytes");
    assert!(services / 500 < 1_600, "{} bytes a method", services / 500);
}
