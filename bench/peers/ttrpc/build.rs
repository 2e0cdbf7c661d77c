//! Generates messages and stubs, without `protoc`, from the schema of stubwire's own program.

use std::path::Path;
use std::{env, fs, io};
use ttrpc_codegen::{Codegen, Customize};

const FOLDER: &str = "../../../examples/benchmark/schema";

fn main() -> io::Result<()> {
    let schema = format!("{FOLDER}/echo.proto");
    println!("cargo::rerun-if-changed={schema}");
    Codegen::new()
        .input(&schema)
        .include(FOLDER)
        .rust_protobuf()
        .customize(Customize { async_all: true, ..Default::default() })
        .run()?;
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("no OUT_DIR"))?;
    for file in ["echo.rs", "echo_ttrpc.rs"] {
        includable(&Path::new(&out).join(file))?;
    }
    Ok(())
}

/// Inner attributes and comments cannot be included; ours stand at the modules.
fn includable(file: &Path) -> io::Result<()> {
    let text = fs::read_to_string(file)?;
    let lines = text.lines().filter(|line| !line.starts_with("#![") && !line.starts_with("//!"));
    let text: String = lines.flat_map(|line| [line, "\n"]).collect();
    fs::write(file, text)
}
