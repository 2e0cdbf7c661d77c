//! Generates every hazard case that is to compile: once whole, and once with its services alone,
//! for a module without a prelude and a runtime of another name.

#[allow(unreachable_pub, reason = "public in the library that shares it")]
#[path = "src/case.rs"]
mod case;
#[allow(unreachable_pub, reason = "public in the library that shares it")]
#[path = "src/nasty.rs"]
mod nasty;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use case::{Case, cases};

fn main() -> stubwire_codegen::Result {
    let out_dir = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let directory = Path::new("../schemas/hazards/compiles");
    println!("cargo::rerun-if-changed={}", directory.display());
    println!("cargo::rerun-if-changed=src/case.rs");
    println!("cargo::rerun-if-changed=src/nasty.rs");
    let mut whole = String::new();
    let mut services = String::new();
    for case in cases(directory) {
        whole_case(&case, &out_dir)?;
        module(&mut whole, &case.name, "", &case.name);
        if services_of_case(&case, &out_dir)? {
            let folder = format!("services_of_{}", case.name);
            module(&mut services, &case.name, "#[no_implicit_prelude]\n", &folder);
        }
    }
    fs::write(out_dir.join("cases.rs"), whole).expect("written");
    fs::write(out_dir.join("services.rs"), services).expect("written");
    nasty_schemas(&out_dir);
    plain_prost(&out_dir)
}

/// How many schemas out of nasty words to compile as well; none by default.
const NASTY: &str = "STUBWIRE_NASTY_SCHEMAS";

/// The seed of the first of them.
const NASTY_FROM: &str = "STUBWIRE_NASTY_FROM";

fn nasty_schemas(out_dir: &Path) {
    println!("cargo::rerun-if-env-changed={NASTY}");
    println!("cargo::rerun-if-env-changed={NASTY_FROM}");
    let number = |name: &str| env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let wanted = number(NASTY).unwrap_or(0);
    let mut modules = String::new();
    let mut compiled = 0;
    let mut seed = number(NASTY_FROM).unwrap_or(0);
    while compiled < wanted {
        let output = stubwire_codegen::configure()
            .out_dir("unused")
            .generate_texts(&[("nasty.proto", &nasty::schema(seed))]);
        if let Ok(output) = output {
            let folder = format!("nasty_{seed}");
            fs::create_dir_all(out_dir.join(&folder)).expect("created");
            for file in &output.files {
                fs::write(out_dir.join(&folder).join(&file.name), &file.content).expect("written");
            }
            module(&mut modules, &folder, "", &folder);
            compiled += 1;
        }
        seed += 1;
    }
    fs::write(out_dir.join("nasty.rs"), modules).expect("written");
}

fn whole_case(case: &Case, out_dir: &Path) -> stubwire_codegen::Result {
    let builder = case.configure(stubwire_codegen::configure());
    builder.out_dir(out_dir.join(&case.name)).compile(&case.inputs, &[&case.include])
}

/// The services of a case over the messages of the whole one; false when it has none.
fn services_of_case(case: &Case, out_dir: &Path) -> stubwire_codegen::Result<bool> {
    let builder = case.configure(stubwire_codegen::configure());
    let builder = builder
        .services_only()
        .runtime_path("crate::renamed_runtime")
        .extern_path(".", format!("crate::cases::{}", case.name));
    let found = builder.generate(&case.inputs, &[&case.include])?;
    let names_runtime = found.files.iter().any(|file| names_usual_runtime(&file.content));
    assert!(!names_runtime, "{}: `::stubwire` stands beside the path that was set", case.name);
    let any = found.files.iter().any(|file| file.content.contains("generated!"));
    if any {
        let folder = out_dir.join(format!("services_of_{}", case.name));
        builder.out_dir(folder).compile(&case.inputs, &[&case.include])?;
    }
    Ok(any)
}

/// True when the runtime's usual name stands at the start of a path.
fn names_usual_runtime(text: &str) -> bool {
    text.match_indices("::stubwire::").any(|(at, _)| {
        let before = text[..at].chars().next_back();
        !before.is_some_and(|char| char.is_alphanumeric() || char == '_')
    })
}

fn module(out: &mut String, name: &str, attribute: &str, folder: &str) {
    let path = format!("{folder}/mod.rs");
    writeln!(out, "/// The case of this name.\n{attribute}pub mod {name} {{\n    ::core::include!({path:?});\n}}")
        .expect("a string takes it");
}

/// A team's own messages, made by prost-build alone, and stubwire's services on top of them.
fn plain_prost(out_dir: &Path) -> stubwire_codegen::Result {
    let inputs = [Path::new("schema/shop.proto")];
    println!("cargo::rerun-if-changed=schema/shop.proto");
    let descriptors = protox::compile(inputs, ["schema"]).expect("the schema is right");
    let prost = out_dir.join("plain_prost");
    fs::create_dir_all(&prost).expect("created");
    let mut config = prost_build::Config::new();
    config.out_dir(&prost).include_file("mod.rs").compile_fds(descriptors).expect("prost-build");
    stubwire_codegen::configure()
        .services_only()
        .extern_path(".shop", "crate::plain_prost::messages::shop")
        .out_dir(out_dir.join("plain_prost_services"))
        .compile(&inputs, &["schema"])
}
