//! Generates everything that this crate compiles: the cases of the reference compiler, schemas of
//! hazardous names, and the schemas that the tests use.

#[allow(unreachable_pub, reason = "public in the library that shares it")]
#[path = "src/case.rs"]
mod case;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() -> stubwire_codegen::Result {
    let out_dir = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    println!("cargo::rerun-if-changed=src/case.rs");
    let mut modules = String::new();
    let mut refused = String::new();
    for directory in ["../schemas/fbs/cases/accepted", "../schemas/fbs/hazards"] {
        println!("cargo::rerun-if-changed={directory}");
        for path in case::schemas(Path::new(directory)) {
            if let Err(error) = case_module(&path, &out_dir, &mut modules) {
                refused.push_str(&format!("{}: {error}\n", path.display()));
            }
        }
    }
    assert!(refused.is_empty(), "{refused}");
    fs::write(out_dir.join("cases.rs"), modules).expect("written");
    println!("cargo::rerun-if-changed=schema");
    oracle(&out_dir);
    configure().out_dir(out_dir.join("hostile")).compile(&["schema/hostile.fbs"], &["schema"])?;
    // Messages of another crate: here those of the module `served`.
    configure()
        .services_only()
        .extern_path(".kv", "crate::golden::served::kv")
        .out_dir(out_dir.join("foreign"))
        .compile(&["schema/kv.fbs"], &["schema"])
}

/// What the reference compiler makes of the same schema, where there is one, and the program that is
/// compiled against both.
fn oracle(out_dir: &Path) {
    println!("cargo::rerun-if-changed=oracle/program.rs");
    let program = fs::read_to_string("oracle/program.rs").expect("the program");
    // What is included in the middle of a module has no documentation of its own.
    let program: Vec<&str> = program.lines().filter(|line| !line.starts_with("//!")).collect();
    fs::write(out_dir.join("program.rs"), program.join("\n")).expect("written");
    println!("cargo::rustc-check-cfg=cfg(flatc)");
    println!("cargo::rerun-if-env-changed=FLATC");
    println!("cargo::rerun-if-env-changed=PATH");
    let flatc = env::var_os("FLATC").map_or_else(|| PathBuf::from("flatc"), PathBuf::from);
    let folder = out_dir.join("flatc");
    fs::create_dir_all(&folder).expect("created");
    let mut command = Command::new(flatc);
    command.args(["--rust", "-o"]).arg(&folder).arg("schema/zoo.fbs");
    if command.status().is_ok_and(|status| status.success()) {
        println!("cargo::rustc-cfg=flatc");
    }
}

fn configure() -> stubwire_codegen::Builder {
    stubwire_codegen::configure()
}

/// True when the path stands in the text as an absolute one.
fn names_at_root(text: &str, path: &str) -> bool {
    text.match_indices(path).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        !before.is_some_and(|char| char.is_alphanumeric() || char == '_')
    })
}

/// A case in a module without a prelude, with both crates under other names.
fn case_module(path: &Path, out_dir: &Path, modules: &mut String) -> stubwire_codegen::Result {
    let name = case::name(path);
    let builder = configure()
        .skip_streaming(true)
        .runtime_path("crate::renamed_runtime")
        .flatbuffers_path("crate::renamed_flatbuffers");
    if case::DIAGNOSED.iter().any(|(diagnosed, _)| *diagnosed == name) {
        return Ok(());
    }
    let folder = format!("case_{name}");
    let output = builder.out_dir(&folder).generate(&[path], &[] as &[&Path])?;
    fs::create_dir_all(out_dir.join(&folder)).expect("created");
    for file in &output.files {
        for usual in ["::stubwire::", "::flatbuffers::"] {
            let found = names_at_root(&file.content, usual);
            assert!(!found, "{name}: `{usual}` stands beside the path that was set");
        }
        fs::write(out_dir.join(&folder).join(&file.name), &file.content).expect("written");
    }
    writeln!(
        modules,
        "/// The case of this name.\n#[no_implicit_prelude]\n#[allow(non_snake_case)]\npub mod {folder} {{\n    ::core::include!({:?});\n}}",
        format!("{folder}/mod.rs")
    )
    .expect("a string takes it");
    Ok(())
}
