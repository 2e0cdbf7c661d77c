//! The face for build scripts: what cargo hears, what is on disk, and what happens the second
//! time. What `compile` prints is seen by running this very program again as a build script.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use stubwire_codegen::configure;

/// Set when this program plays a build script: the directory it works in.
const ROLE: &str = "STUBWIRE_TEST_BUILD_SCRIPT";

const ECHO: &str = "syntax = \"proto3\";\npackage hz;\nimport \"common/b.proto\";\nmessage M { hz.common.B b = 1; }\n";
const COMMON: &str = "syntax = \"proto3\";\npackage hz.common;\nmessage B {}\n";

/// The build script itself; does nothing when run as a test.
#[test]
fn build_script() {
    let Some(directory) = std::env::var_os(ROLE) else { return };
    std::env::set_current_dir(directory).expect("the directory");
    if let Err(error) = configure().compile(&["proto/a.proto"], &["proto"]) {
        eprintln!("Error: {error:?}");
        std::process::exit(1);
    }
}

struct Project(tempfile::TempDir);

impl Project {
    fn new() -> Self {
        let project = Self(tempfile::tempdir().expect("a directory"));
        project.write("proto/a.proto", ECHO);
        project.write("proto/common/b.proto", COMMON);
        project
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("created");
        fs::write(path, text).expect("written");
    }

    /// Runs the build script; what it printed for cargo, and what it said when it failed.
    fn run(&self) -> Result<Vec<String>, String> {
        let output = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "build_script", "--nocapture"])
            .env(ROLE, self.0.path())
            .env("OUT_DIR", self.path("out"))
            .env("CARGO", "cargo")
            .output()
            .expect("runs");
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        // The harness writes `test build_script ... ` before the first line.
        let lines =
            text.lines().filter_map(|line| line.find("cargo::").map(|at| line[at..].to_owned()));
        Ok(lines.collect())
    }
}

#[test]
fn names_o20_every_file_that_was_read_is_watched_and_no_other() {
    let project = Project::new();
    project.write("proto/unrelated.proto", COMMON);
    let mut lines = project.run().expect("compiles");
    lines.sort();
    assert_eq!(
        lines,
        ["cargo::rerun-if-changed=proto/a.proto", "cargo::rerun-if-changed=proto/common/b.proto"]
    );
}

#[test]
fn names_o19_a_missing_include_directory_is_told_and_not_watched() {
    let project = Project::new();
    let missing = project.path("missing");
    let error = configure()
        .generate(&[project.path("proto/a.proto")], &[project.path("proto"), missing.clone()])
        .expect_err("refused");
    assert!(error.to_string().contains("missing"), "{error}");
    assert!(!missing.exists());
}

#[test]
fn names_o12_without_include_directories_that_of_the_input_is_one() {
    let project = Project::new();
    let output = configure()
        .generate(&[project.path("proto/a.proto")], &[] as &[&Path])
        .expect("found beside the input");
    assert!(output.file("hz.rs").is_some());
}

#[test]
fn names_o21_a_second_run_touches_nothing() {
    let project = Project::new();
    project.run().expect("compiles");
    let names = ["hz.rs", "hz.common.rs", "stubwire.rs"];
    for name in names {
        let file = fs::File::options().write(true).open(project.path("out").join(name));
        file.expect("written").set_modified(SystemTime::UNIX_EPOCH).expect("set");
    }
    project.run().expect("compiles");
    for name in names {
        let metadata = fs::metadata(project.path("out").join(name)).expect("there");
        assert_eq!(metadata.modified().expect("mtime"), SystemTime::UNIX_EPOCH, "{name}");
    }
    project.write(
        "proto/common/b.proto",
        &COMMON.replace("message B {}", "message B { int32 x = 1; }"),
    );
    project.run().expect("compiles");
    let modified = |name: &str| {
        let metadata = fs::metadata(project.path("out").join(name)).expect("there");
        metadata.modified().expect("mtime")
    };
    assert_ne!(modified("hz.common.rs"), SystemTime::UNIX_EPOCH);
    assert_eq!(modified("stubwire.rs"), SystemTime::UNIX_EPOCH);
}

#[test]
fn names_o11_packages_without_output_have_no_file_and_stale_ones_go() {
    let project = Project::new();
    project.run().expect("compiles");
    assert!(project.path("out/hz.common.rs").exists());
    project.write(
        "proto/a.proto",
        "syntax = \"proto3\";\npackage hz;\nimport \"google/protobuf/timestamp.proto\";\nmessage M { google.protobuf.Timestamp at = 1; }\n",
    );
    project.run().expect("compiles");
    assert!(!project.path("out/hz.common.rs").exists());
    assert!(!project.path("out/google.protobuf.rs").exists());
    let tree = fs::read_to_string(project.path("out/stubwire.rs")).expect("the tree");
    assert!(!tree.contains("common") && !tree.contains("google"), "{tree}");
}

#[test]
fn a_failing_build_script_reads_well() {
    let project = Project::new();
    project.write("proto/a.proto", "syntax = \"proto3\";\npackage hz;\nmessage M {}\nservice S {\n  rpc GetFoo(M) returns (M);\n  rpc get_foo(M) returns (M);\n}\n");
    let error = project.run().expect_err("refused");
    let expected = "Error: schemas do not compile

proto/a.proto:5:7: error[SW0107]: methods `GetFoo` and `get_foo` both become `get_foo` in Rust
      rpc GetFoo(M) returns (M);
          ^^^^^^ first here
proto/a.proto:6:7: note: and again here
      rpc get_foo(M) returns (M);
          -------
  help: rename one in the schema, or set `rename(\"hz.S.get_foo\", \"get_foo_2\")`";
    assert_eq!(error.trim(), expected);
    assert!(!project.path("out").exists(), "something was written");
}

#[test]
fn names_o38_a_second_call_for_one_directory_is_refused_and_keeps_the_first() {
    let project = Project::new();
    project.write("proto/c.proto", COMMON);
    let out = project.path("gen");
    let compile = |name: &str| {
        configure()
            .out_dir(&out)
            .emit_rerun_if_changed(false)
            .compile(&[project.path(name)], &[project.path("proto")])
    };
    compile("proto/a.proto").expect("the first");
    let before = fs::read_to_string(out.join("mod.rs")).expect("the tree");
    let error = compile("proto/c.proto").expect_err("the second");
    assert!(error.to_string().contains("error[SW0307]"), "{error}");
    assert_eq!(fs::read_to_string(out.join("mod.rs")).expect("the tree"), before);
    compile("proto/a.proto").expect("the first again");
}

#[test]
fn checked_in_output_is_the_output_of_out_dir_with_another_tree_file() {
    let project = Project::new();
    project.run().expect("compiles");
    let checked_in = project.path("src/gen");
    configure()
        .out_dir(&checked_in)
        .emit_rerun_if_changed(false)
        .compile(&[project.path("proto/a.proto")], &[project.path("proto")])
        .expect("compiles");
    for (name, other) in
        [("hz.rs", "hz.rs"), ("hz.common.rs", "hz.common.rs"), ("mod.rs", "stubwire.rs")]
    {
        let one = fs::read(checked_in.join(name)).expect("there");
        let two = fs::read(project.path("out").join(other)).expect("there");
        assert_eq!(one, two, "{name}");
    }
}

#[test]
fn names_o20_a_descriptor_set_gives_the_same_output() {
    let project = Project::new();
    let out = project.path("gen");
    let set = project.path("set.bin");
    let builder = configure().out_dir(&out).emit_rerun_if_changed(false);
    builder
        .clone()
        .file_descriptor_set_path(&set)
        .compile(&[project.path("proto/a.proto")], &[project.path("proto")])
        .expect("compiles");
    let descriptors: prost_types::FileDescriptorSet =
        prost::Message::decode(&*fs::read(set).expect("written")).expect("a set");
    let other = project.path("from_set");
    builder.out_dir(&other).compile_fds(descriptors).expect("compiles");
    for name in ["hz.rs", "hz.common.rs", "mod.rs"] {
        let one = fs::read_to_string(out.join(name)).expect("there");
        assert_eq!(one, fs::read_to_string(other.join(name)).expect("there"), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn trust_e13_a_directory_that_cannot_be_made_is_told_by_name() {
    let project = Project::new();
    project.write("in_the_way", "a file");
    let error = configure()
        .out_dir(project.path("in_the_way/gen"))
        .emit_rerun_if_changed(false)
        .compile(&[project.path("proto/a.proto")], &[project.path("proto")])
        .expect_err("refused");
    assert!(error.to_string().contains("error[SW0306]: cannot create"), "{error}");
}

#[cfg(unix)]
#[test]
fn trust_e13_killed_in_mid_write_the_old_files_are_whole() {
    let project = Project::new();
    project.run().expect("compiles");
    let before = fs::read(project.path("out/hz.common.rs")).expect("written");
    let fields: String = (1..2_000).map(|at| format!("int32 field_{at} = {at}; ")).collect();
    project.write(
        "proto/common/b.proto",
        &COMMON.replace("message B {}", &format!("message B {{ {fields} }}")),
    );
    // The kernel kills who writes more than this many blocks to a file: in the middle of a write.
    let script = "ulimit -c 0; ulimit -f 8; exec \"$0\" --exact build_script --nocapture";
    let output = Command::new("sh")
        .args(["-c", script])
        .arg(std::env::current_exe().expect("this program"))
        .env(ROLE, project.0.path())
        .env("OUT_DIR", project.path("out"))
        .output()
        .expect("runs");
    assert!(!output.status.success(), "nothing stopped it");
    assert!(fs::read(project.path("out/hz.common.rs")).expect("still there") == before);
    project.run().expect("compiles when there is room");
    assert!(fs::read(project.path("out/hz.common.rs")).expect("written").len() > 100_000);
}
