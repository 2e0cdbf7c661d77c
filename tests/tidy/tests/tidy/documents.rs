//! The documents speak of what is there.

use std::fs;
use stubwire_tests_tidy::{files, root};

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn the_documents_exist() {
    for path in [
        "README.md",
        "ARCHITECTURE.md",
        "CHANGELOG.md",
        "THREAT_MODEL.md",
        "LICENSE-MIT",
        "LICENSE-APACHE",
    ] {
        assert!(read(path).len() > 500, "{path} says next to nothing");
    }
}

#[test]
fn ci_runs_the_test_command_of_the_readme() {
    let readme = read("README.md");
    let command =
        readme.lines().find(|line| line.starts_with("cargo test")).expect("a test command");
    assert!(
        read(".ci/run").lines().any(|line| line.trim() == command),
        "`{command}` is not in .ci/run"
    );
}

/// The first two `sh` blocks are the two commands, one line each.
#[test]
fn the_readme_begins_with_its_two_commands() {
    let readme = read("README.md");
    let mut blocks = readme.split("```").skip(1).step_by(2);
    for command in ["cargo run -p echo", "cargo test --workspace"] {
        let block = blocks.next().expect("a block");
        assert_eq!(block, format!("sh\n{command}\n"));
    }
}

/// What the README shows as a quick start is an example that is compiled, and run in CI.
#[test]
fn the_quick_start_is_compiled() {
    let program = read("examples/quick-start/src/main.rs");
    let (_, program) = program.split_once("\n\n").expect("a head and a program");
    assert!(read("README.md").contains(program), "the quick start differs from its example");
    assert!(read(".ci/run").contains("-p quick-start"), "CI does not run it");
}

/// Links of the documents to files of the project lead somewhere.
#[test]
fn links_lead_somewhere() {
    let mut dead = Vec::new();
    for file in files("", ".md") {
        let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for link in file.text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = link.split('#').next().unwrap_or(link);
            if path.is_empty() || path.contains("://") {
                continue;
            }
            if !root().join(folder).join(path).exists() {
                dead.push(format!("{}: {link}", file.path));
            }
        }
    }
    assert!(dead.is_empty(), "{dead:?}");
}

/// Paths in backquotes in ARCHITECTURE.md exist.
#[test]
fn the_code_map_is_true() {
    let text = read("ARCHITECTURE.md");
    let mut missing = Vec::new();
    for path in text.split('`').skip(1).step_by(2) {
        let looks_like_path =
            path.contains('/') && path.chars().all(|c| c.is_alphanumeric() || "/._-".contains(c));
        let inside = ["codegen/", "runtime/", "tests/", "examples/", ".ci/"]
            .iter()
            .any(|top| path.starts_with(top));
        if looks_like_path && inside && !root().join(path).exists() {
            missing.push(path);
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn the_changelog_names_the_version() {
    let version = env!("CARGO_PKG_VERSION");
    assert!(read("CHANGELOG.md").contains(&format!("[{version}]")), "no entry for {version}");
}

#[test]
fn no_path_of_a_machine_stands_anywhere() {
    let patterns =
        [concat!("/ho", "me/"), concat!("/ro", "ot/"), concat!("/wo", "rk/"), concat!("/tm", "p/")];
    let mut offenders = Vec::new();
    for ending in [".rs", ".toml", ".md", ".sh", ".py", ".proto"] {
        for file in files("", ending) {
            for (index, line) in file.text.lines().enumerate() {
                if patterns.iter().any(|pattern| line.contains(pattern)) {
                    offenders.push(format!("{}:{}: {line}", file.path, index + 1));
                }
            }
        }
    }
    assert!(offenders.is_empty(), "{}", offenders.join("\n"));
}
