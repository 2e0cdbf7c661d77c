//! Versions stand once, in the workspace manifest.

use stubwire_tests_tidy::files;

/// Ours, and that of the benchmark's peers.
const WORKSPACES: [&str; 2] = ["Cargo.toml", "bench/peers/Cargo.toml"];

#[test]
fn third_party_versions_stand_in_the_workspace_manifest_alone() {
    let mut offenders = Vec::new();
    for manifest in files("", "Cargo.toml") {
        // The fuzz crate is a workspace of its own, since it needs another compiler.
        if WORKSPACES.contains(&&*manifest.path) || manifest.path.starts_with("tests/fuzz/") {
            continue;
        }
        let mut in_dependencies = false;
        for (index, line) in manifest.text.lines().enumerate() {
            if line.starts_with('[') {
                in_dependencies = line.contains("dependencies");
            }
            let versioned = line.contains("version = \"") || line.contains("= \"");
            if in_dependencies
                && versioned
                && !line.contains("path = ")
                && !line.starts_with('[')
                && !line.starts_with('#')
            {
                offenders.push(format!("{}:{}: {line}", manifest.path, index + 1));
            }
        }
    }
    assert!(offenders.is_empty(), "write `x.workspace = true`:\n{}", offenders.join("\n"));
}

#[test]
fn every_crate_takes_the_lints_and_the_version_of_the_workspace() {
    for manifest in files("", "Cargo.toml") {
        if WORKSPACES.contains(&&*manifest.path) || manifest.path.starts_with("tests/fuzz/") {
            continue;
        }
        // Crates that stand for a user's are as a user would write them.
        if manifest.text.contains("# as a user would write it") {
            continue;
        }
        for line in [
            "version.workspace = true",
            "rust-version.workspace = true",
            "[lints]\nworkspace = true",
        ] {
            assert!(manifest.text.contains(line), "{} lacks `{line}`", manifest.path);
        }
    }
}

#[test]
fn test_crates_are_not_published() {
    for manifest in files("tests", "Cargo.toml").iter().chain(&files("examples", "Cargo.toml")) {
        assert!(manifest.text.contains("publish = false"), "{}", manifest.path);
    }
}
