//! Generates the messages, the client stubs and the server traits from the two schemas.

fn main() -> stubwire_codegen::Result {
    stubwire_codegen::configure()
        .bytes(["."])
        .compile(&["schema/echo.proto", "schema/echo.fbs"], &["schema"])
}
