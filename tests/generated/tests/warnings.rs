//! Schemas that compile with a catch, and the warning that tells it.

mod common;

use std::path::Path;

use common::expect_text;
use stubwire_codegen::configure;
use stubwire_tests_generated::case::cases;

/// The cases that warn; all others must be quiet.
const WARNING: [&str; 3] =
    ["o10_required_recursion", "o51_streaming_left_out_when_asked", "o53_chain_of_forty_messages"];

#[test]
fn names_o10_o51_o53_warnings_read_as_written_down_and_no_other_case_warns() {
    for case in cases(Path::new("../schemas/hazards/compiles")) {
        let builder = case.configure(configure());
        let output = builder.generate(&case.inputs, &[&case.include]).expect("generated");
        if WARNING.contains(&&*case.name) {
            expect_text(Path::new(&format!("golden/warnings/{}.txt", case.name)), &output.warnings);
        } else {
            assert_eq!(output.warnings, "", "{}", case.name);
        }
    }
}

#[test]
fn names_o53_a_chain_of_27_is_quiet_and_one_of_28_is_not() {
    let chain = |length: usize| {
        let mut schema = String::from("syntax = \"proto3\";\npackage hz;\n");
        for at in 1..length {
            schema.push_str(&format!("message L{at} {{ repeated L{} n = 1; }}\n", at + 1));
        }
        schema.push_str(&format!("message L{length} {{}}\n"));
        configure().generate_texts(&[("chain.proto", &schema)]).expect("generated").warnings
    };
    assert_eq!(chain(27), "");
    assert!(
        chain(28).contains("warning[SW0110]: message `hz.L1` starts a chain of 28 message types")
    );
}
