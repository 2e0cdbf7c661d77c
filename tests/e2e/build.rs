//! Generates what the tests serve and call.

fn main() -> stubwire_codegen::Result {
    stubwire_codegen::configure()
        .bytes(["."])
        .compile(&["schema/bench.proto", "schema/benchmark.fbs"], &["schema"])
}
