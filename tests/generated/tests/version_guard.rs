//! Generated code that does not fit the runtime stops the build with one sentence that names the
//! remedy. rustc is run on a file, against the runtime that this test was linked with.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The runtimes beside this program, the newest first.
fn runtimes() -> Vec<PathBuf> {
    let program = std::env::current_exe().expect("this program");
    let deps = program.parent().expect("a folder");
    let entries = std::fs::read_dir(deps).expect("the folder").filter_map(Result::ok);
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
            name.starts_with("libstubwire-") && name.ends_with(".rlib")
        })
        .collect();
    let modified = |path: &PathBuf| path.metadata().and_then(|metadata| metadata.modified()).ok();
    found.sort_by_key(|path| std::cmp::Reverse(modified(path)));
    found
}

/// Compiles a program; what rustc said, or `Ok`.
fn compile(runtime: &Path, source: &str) -> Result<(), String> {
    let dir = tempfile::tempdir().expect("a directory");
    let file = dir.path().join("guarded.rs");
    std::fs::write(&file, source).expect("written");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .args(["--edition", "2024", "--crate-type", "lib", "--emit", "metadata", "--extern"])
        .arg(format!("stubwire={}", runtime.display()))
        .arg("-L")
        .arg(format!("dependency={}", runtime.parent().expect("a folder").display()))
        .arg("--out-dir")
        .arg(dir.path())
        .arg(&file)
        .output()
        .expect("rustc runs");
    if output.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

fn refusal(source: &str) -> String {
    let fitting = "::stubwire::__private::generated! { api 1, needs protobuf }";
    let runtime = runtimes()
        .into_iter()
        .find(|runtime| compile(runtime, fitting).is_ok())
        .expect("a runtime that this compiler reads and that accepts today's output");
    compile(&runtime, source).expect_err("the guard lets it through")
}

#[test]
fn another_api_stops_the_build_with_one_sentence() {
    let said = refusal("::stubwire::__private::generated! { api 999, needs protobuf }");
    assert_eq!(said.matches("error: ").count(), 2, "{said}"); // The one, and "aborting due to".
    assert!(said.contains("generated for another version of stubwire"), "{said}");
    assert!(said.contains("regenerate it"), "{said}");
}

#[test]
fn a_missing_feature_stops_the_build_with_the_line_to_write() {
    let said = refusal("::stubwire::__private::generated! { api 1, needs carrier_pigeons }");
    assert!(said.contains("needs the feature `carrier_pigeons` of stubwire"), "{said}");
    assert!(said.contains("features = [\"carrier_pigeons\"]"), "{said}");
}
