//! Generates what the quick start uses.

fn main() -> stubwire_codegen::Result {
    stubwire_codegen::configure().compile(&["schema/greet.proto"], &["schema"])
}
