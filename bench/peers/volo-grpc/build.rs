//! Generates messages and stubs, without `protoc`, from the schema of stubwire's own program.

const FOLDER: &str = "../../../examples/benchmark/schema";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let schema = format!("{FOLDER}/echo.proto");
    println!("cargo::rerun-if-changed={schema}");
    let builder = volo_build::Builder::protobuf().add_service(schema);
    Ok(builder.include_dirs(vec![FOLDER.into()]).write()?)
}
