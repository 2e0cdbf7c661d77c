//! A cargo feature adds items; it does not change the layout of what is there without it.

use std::path::Path;
use std::process::Command;

/// Every set of features of the runtime.
const FEATURES: &[&str] = &[
    "",
    "protobuf",
    "flatbuffers",
    "protobuf,flatbuffers",
    "golden",
    "protobuf,flatbuffers,golden",
];

const MANIFEST: &str = r#"
[package]
name = "layout"
version = "0.0.0"
edition = "2024"

[[bin]]
name = "layout"
path = "SOURCE"

[dependencies]
stubwire = { path = "RUNTIME", default-features = false, features = [FEATURES] }

[profile.dev]
debug = false

[workspace]
"#;

/// Builds the printer of layouts with some features of the runtime, and runs it.
fn layouts(features: &str) -> String {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("layout");
    let package = scratch.join(format!("with-{features}"));
    std::fs::create_dir_all(&package).expect("the scratch directory is writable");
    let path = |path: &str| here.join(path).canonicalize().expect("it is there");
    let named = features.split(',').filter(|feature| !feature.is_empty());
    let quoted = named.map(|feature| format!("{feature:?}, ")).collect::<String>();
    let manifest = MANIFEST
        .replace("SOURCE", &path("layout/main.rs").display().to_string())
        .replace("RUNTIME", &path("../../runtime").display().to_string())
        .replace("FEATURES", &quoted);
    std::fs::write(package.join("Cargo.toml"), manifest).expect("it is writable");
    // The versions of the workspace, all of which are there already.
    std::fs::copy(path("../../Cargo.lock"), package.join("Cargo.lock")).expect("there is a lock");
    let output = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--offline"])
        .current_dir(&package)
        .env("CARGO_TARGET_DIR", scratch.join("target"))
        .output()
        .expect("cargo runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "features `{features}`: {errors}");
    String::from_utf8(output.stdout).expect("it prints text")
}

#[test]
fn features_change_no_layout() {
    let all: Vec<_> = FEATURES.iter().map(|features| layouts(features)).collect();
    assert!(all[0].lines().count() > 30, "{}", all[0]);
    for (features, layouts) in FEATURES.iter().zip(&all) {
        assert_eq!(&all[0], layouts, "layouts with features `{features}`");
    }
}

/// Every feature that the runtime declares stands in the list above.
#[test]
fn no_feature_is_forgotten() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime/Cargo.toml");
    let manifest = std::fs::read_to_string(manifest).expect("the runtime has a manifest");
    let features = manifest.split("[features]").nth(1).expect("it has features");
    let features = features.split("\n[").next().expect("a section");
    for feature in features.lines().filter_map(|line| line.split_once(" = ")) {
        let name = feature.0.trim();
        let known = FEATURES.iter().any(|features| features.split(',').any(|known| known == name));
        assert!(known || name == "default" || name.starts_with('#'), "`{name}` is not tested");
    }
}
