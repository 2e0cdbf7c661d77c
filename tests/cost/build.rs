//! Generates what the scenarios serve and call.

fn main() -> stubwire_codegen::Result {
    stubwire_codegen::configure()
        .bytes(["."])
        .compile(&["schema/cost.proto", "schema/cost_flat.fbs"], &["schema"])
}
