//! Generates the messages whose bytes are pinned, from schemas of the tests beside this one and two of its own.

fn main() -> stubwire_codegen::Result {
    stubwire_codegen::configure().compile(
        &[
            "../e2e/schema/bench.proto",
            "../e2e/schema/benchmark.fbs",
            "schema/every.proto",
            "schema/zoo_service.fbs",
        ],
        &["../e2e/schema", "../flat/schema", "schema"],
    )
}
