//! Generates the service whose replies have the size that was asked for.

fn main() -> stubwire_codegen::Result {
    stubwire_codegen::configure().compile(&["schema/presize.fbs"], &["schema"])
}
