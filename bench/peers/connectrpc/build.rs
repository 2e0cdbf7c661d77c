//! Generates messages and stubs, without `protoc`, from the schema of stubwire's own program.

use prost::Message;
use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

const FOLDER: &str = "../../../examples/benchmark/schema";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={FOLDER}/echo.proto");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
    let set = out.join("echo.binpb");
    fs::write(&set, protox::compile(["echo.proto"], [FOLDER])?.encode_to_vec())?;
    let config = connectrpc_build::Config::new().files(&["echo.proto"]).descriptor_set(set);
    Ok(config.include_file("connectrpc.rs").compile()?)
}
