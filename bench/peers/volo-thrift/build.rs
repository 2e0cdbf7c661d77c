//! Generates messages and stubs; the parser of Thrift is Rust.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let schema = "schema/echo.thrift";
    println!("cargo::rerun-if-changed={schema}");
    Ok(volo_build::Builder::thrift().add_service(schema).write()?)
}
