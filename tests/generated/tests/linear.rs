//! Ten times the schema is ten times the work. No time is asserted, only a ratio: the same passes
//! over a small and a large schema in one process, and a bound that quadratic work misses by far.

use std::fmt::Write as _;
use std::time::Duration;

use stubwire_codegen::{Report, configure};

/// Messages that do not know each other, and services over them.
fn wide(messages: usize) -> String {
    let mut schema = String::from("syntax = \"proto3\";\npackage wide;\n");
    for at in 0..messages {
        writeln!(schema, "message M{at} {{ string name = 1; repeated int32 n = 2; }}")
            .expect("text");
        if at % 10 == 0 {
            writeln!(schema, "service S{at} {{ rpc Get(M{at}) returns (M{at}); rpc Set(M{at}) returns (M{at}); }}")
                .expect("text");
        }
    }
    schema
}

/// Every message holds the next.
fn chain(messages: usize) -> String {
    let mut schema = String::from("syntax = \"proto3\";\npackage chain;\n");
    for at in 0..messages {
        writeln!(schema, "message M{at} {{ M{} next = 1; int32 n = 2; }}", at + 1).expect("text");
    }
    writeln!(schema, "message M{messages} {{ M0 back = 1; }}").expect("text");
    schema.push_str("service S { rpc Get(M0) returns (M0); }\n");
    schema
}

fn report(schema: &str) -> Report {
    configure().generate_texts(&[("large.proto", schema)]).expect("generated").report
}

/// Linear work gives 10, with some slack for caches and the allocator; quadratic work gives 100.
const BOUND: f64 = 35.0;

/// One quiet attempt is enough: noise makes linear work look worse, never quadratic work better
/// by so much.
fn assert_linear(schema: fn(usize) -> String, pass: impl Fn(&Report) -> Duration) {
    let (small, large) = (schema(100), schema(1_000));
    let seconds = |schema: &str| pass(&report(schema)).as_secs_f64();
    let mut ratios = Vec::new();
    for _ in 0..5 {
        let ratio = seconds(&large) / seconds(&small);
        if ratio < BOUND {
            return;
        }
        ratios.push(ratio);
    }
    panic!("ten times the schema took so many times as long: {ratios:.1?}");
}

#[test]
fn trust_e01_own_passes_are_linear_in_messages_and_services() {
    assert_linear(wide, Report::own_passes);
}

#[test]
fn trust_e01_own_passes_are_linear_in_a_chain() {
    assert_linear(chain, Report::own_passes);
}

#[test]
fn trust_e01_prost_build_is_linear_in_a_chain_because_it_sees_none() {
    assert_linear(chain, |report| report.rust.prost_build);
}

/// The full size. By hand or in CI: `cargo test --test linear -- --ignored --nocapture`.
#[test]
#[ignore = "takes some tens of seconds in a debug build"]
fn trust_e01_ten_thousand_messages_and_a_chain_of_ten_thousand() {
    println!("wide:  {:?}", report(&wide(10_000)));
    println!("chain: {:?}", report(&chain(10_000)));
}
