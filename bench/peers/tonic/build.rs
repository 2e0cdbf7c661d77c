//! Generates messages and stubs, without `protoc`, from the schema of stubwire's own program.

use std::error::Error;

const FOLDER: &str = "../../../examples/benchmark/schema";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={FOLDER}/echo.proto");
    let schema = protox::compile(["echo.proto"], [FOLDER])?;
    tonic_prost_build::configure().bytes(".").compile_fds(schema)?;
    Ok(())
}
