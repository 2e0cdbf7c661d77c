//! Generates the messages, the client stub and the server trait from the schema.

fn main() -> stubwire_codegen::Result {
    stubwire_codegen::configure().bytes(["."]).compile(&["schema/echo.proto"], &["schema"])
}
