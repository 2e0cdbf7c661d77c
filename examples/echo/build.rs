//! Generates the messages, the client stubs and the server traits from the schemas.

fn main() -> stubwire_codegen::Result {
    stubwire_codegen::configure().bytes(["."]).compile(
        &["schema/echo.proto", "schema/echo_fb.fbs", "schema/benchmark_fb.fbs"],
        &["schema"],
    )
}
