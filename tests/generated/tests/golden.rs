//! Generated files, byte for byte. Bless with `STUBWIRE_BLESS=1 cargo test`; nothing is accepted
//! otherwise, and every golden is compiled by this crate.

mod common;

use std::path::Path;

use common::expect_files;
use stubwire_codegen::configure;

fn check(name: &str, inputs: &[&str], include: &str) {
    let output = configure().out_dir("x").generate(inputs, &[include]).expect("generated");
    assert_eq!(output.warnings, "");
    expect_files(&Path::new("golden").join(name), &output.files);
}

#[test]
fn golden_echo() {
    check("echo", &["golden/schema/echo.proto"], "golden/schema");
}

#[test]
fn golden_shapes() {
    check("shapes", &["golden/schema/shapes.proto"], "golden/schema");
}

#[test]
fn golden_packages() {
    let inputs = ["golden/schema/packages/none.proto", "golden/schema/packages/inner.proto"];
    check("packages", &inputs, "golden/schema/packages");
}
