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
    oracle(&out_dir)?;
    configure().out_dir(out_dir.join("hostile")).compile(&["schema/hostile.fbs"], &["schema"])?;
    // Messages of another crate: here those of the module `served`.
    configure()
        .services_only()
        .extern_path(".kv", "crate::golden::served::kv")
        .out_dir(out_dir.join("foreign"))
        .compile(&["schema/kv.fbs"], &["schema"])
}

/// The program that is compiled against both outputs, and everything that flatc has a part in: it is
/// left out, visibly, where flatc is missing, and that is an error where `CI` is set.
fn oracle(out_dir: &Path) -> stubwire_codegen::Result {
    println!("cargo::rerun-if-changed=oracle/program.rs");
    let program = fs::read_to_string("oracle/program.rs").expect("the program");
    // What is included in the middle of a module has no documentation of its own.
    let program: Vec<&str> = program.lines().filter(|line| !line.starts_with("//!")).collect();
    fs::write(out_dir.join("program.rs"), program.join("\n")).expect("written");
    println!("cargo::rustc-check-cfg=cfg(flatc)");
    for variable in ["FLATC", "PATH", "CI"] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    let flatc = env::var_os("FLATC").map_or_else(|| PathBuf::from("flatc"), PathBuf::from);
    let version = Command::new(&flatc).arg("--version").output();
    if !version.is_ok_and(|it| String::from_utf8_lossy(&it.stdout).contains("25.12.19")) {
        assert!(env::var_os("CI").is_none(), "CI lacks flatc 25.12.19: set FLATC");
        println!(
            "cargo::warning=skipped: no flatc 25.12.19, so nothing is compared with its output"
        );
        return Ok(());
    }
    println!("cargo::rustc-cfg=flatc");
    by_flatc(&flatc, out_dir)
}

fn by_flatc(flatc: &Path, out_dir: &Path) -> stubwire_codegen::Result {
    let folder = out_dir.join("flatc");
    fs::create_dir_all(&folder).expect("created");
    for schema in ["schema/zoo.fbs", "schema/kv.fbs"] {
        let mut command = Command::new(flatc);
        command.args(["--rust", "--gen-all", "-o"]).arg(&folder).arg(schema);
        assert!(command.status().expect("flatc runs").success(), "flatc refuses {schema}");
    }
    // Our services over messages of the option, and over what flatc wrote by itself: in another
    // module of this crate, from `.bfbs`, and for another crate.
    let messages = || stubwire_codegen::FlatBuffersMessages::Flatc { path: Some(flatc.to_owned()) };
    let option = || configure().flatbuffers_messages(messages());
    let includes = ["schema", "../schemas/bfbs"];
    option()
        .out_dir(out_dir.join("served_by_flatc"))
        .compile(&["schema/kv.fbs", "schema/kv.proto"], &includes)?;
    option().out_dir(out_dir.join("many_by_flatc")).compile(&["schema/many.fbs"], &includes)?;
    let elsewhere = || configure().extern_path(".kv", "crate::raw_flatc::kv");
    elsewhere()
        .services_only()
        .out_dir(out_dir.join("foreign_by_flatc"))
        .compile(&["schema/kv.fbs"], &includes)?;
    elsewhere().out_dir(out_dir.join("foreign_from_bfbs")).compile(&["kv.bfbs"], &includes)?;
    configure()
        .services_only()
        .extern_path(".kv", "::stubwire_tests_flat::raw_flatc::kv")
        .out_dir(out_dir.join("other_crate"))
        .compile(&["schema/kv.fbs"], &includes)
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
