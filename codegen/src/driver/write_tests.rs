//! What happens on disk.

use super::*;

fn file(name: &str, content: &str) -> GeneratedFile {
    GeneratedFile { name: name.to_owned(), content: format!("{MARK} 0.\n{content}") }
}

fn target(directory: &Path) -> Target {
    Target { directory: directory.to_owned(), tree_file: "mod.rs".to_owned() }
}

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("a directory");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|name| name != MANIFEST)
        .collect();
    names.sort();
    names
}

#[test]
fn trust_e15_an_unchanged_file_is_not_touched() {
    let dir = tempfile::tempdir().expect("a directory");
    let target = target(dir.path());
    write(&target, &[file("a.rs", "one"), file("mod.rs", "")]).expect("written");
    let path = dir.path().join("a.rs");
    let old = std::time::SystemTime::UNIX_EPOCH;
    for name in ["a.rs", "mod.rs", MANIFEST] {
        let file = fs::File::options().write(true).open(dir.path().join(name)).expect("open");
        file.set_modified(old).expect("set");
    }
    write(&target, &[file("a.rs", "one"), file("mod.rs", "")]).expect("written");
    for name in ["a.rs", "mod.rs", MANIFEST] {
        let metadata = fs::metadata(dir.path().join(name)).expect("there");
        assert_eq!(metadata.modified().expect("mtime"), old, "{name} was touched");
    }
    write(&target, &[file("a.rs", "two"), file("mod.rs", "")]).expect("written");
    assert_ne!(fs::metadata(&path).expect("there").modified().expect("mtime"), old);
}

#[test]
fn names_o11_stale_outputs_are_removed_and_only_ours() {
    let dir = tempfile::tempdir().expect("a directory");
    let target = target(dir.path());
    write(&target, &[file("a.rs", ""), file("b.rs", ""), file("c.rs", "")]).expect("written");
    fs::write(dir.path().join("b.rs"), "// replaced by hand\n").expect("written");
    fs::write(dir.path().join("d.rs"), format!("{MARK} but not in the manifest")).expect("written");
    write(&target, &[file("a.rs", "")]).expect("written");
    assert_eq!(names(dir.path()), ["a.rs", "b.rs", "d.rs"]);
}

#[test]
fn trust_e12_a_manifest_cannot_point_elsewhere() {
    let dir = tempfile::tempdir().expect("a directory");
    let inner = dir.path().join("inner");
    fs::create_dir(&inner).expect("made");
    fs::write(dir.path().join("precious.rs"), MARK).expect("written");
    fs::write(inner.join(MANIFEST), "../precious.rs\n").expect("written");
    write(&target(&inner), &[file("a.rs", "")]).expect("written");
    assert!(dir.path().join("precious.rs").exists());
    let refused = write(&target(&inner), &[file("../x.rs", "")]).expect_err("a path");
    assert!(refused.to_string().contains("not the name of a file"), "{refused}");
}

#[cfg(unix)]
#[test]
fn trust_e13_a_link_is_replaced_not_followed() {
    let dir = tempfile::tempdir().expect("a directory");
    let outside = dir.path().join("outside.rs");
    let inner = dir.path().join("inner");
    fs::create_dir(&inner).expect("made");
    fs::write(&outside, "precious").expect("written");
    std::os::unix::fs::symlink(&outside, inner.join("a.rs")).expect("linked");
    write(&target(&inner), &[file("a.rs", "new")]).expect("written");
    assert_eq!(fs::read_to_string(&outside).expect("read"), "precious");
    assert!(fs::symlink_metadata(inner.join("a.rs")).expect("there").is_file());
}

#[test]
fn trust_e13_what_cannot_be_written_is_told_by_name_and_leaves_the_old_file() {
    let dir = tempfile::tempdir().expect("a directory");
    // A directory in the place of the file fails whoever runs the test, root included.
    fs::create_dir(dir.path().join("b.rs")).expect("made");
    fs::write(dir.path().join("b.rs").join("x"), "").expect("written");
    let found = write(&target(dir.path()), &[file("a.rs", ""), file("b.rs", "")]);
    let text = found.expect_err("in the way").to_string();
    assert!(text.contains("SW0306") && text.contains("b.rs"), "{text}");
    // No temporary file stays behind.
    assert_eq!(names(dir.path()), ["a.rs", "b.rs"]);
}

#[test]
fn trust_e13_what_a_killed_run_left_is_removed_later() {
    let dir = tempfile::tempdir().expect("a directory");
    let (old, young) = (dir.path().join(".stubwire-a.tmp"), dir.path().join(".stubwire-b.tmp"));
    fs::write(&young, "").expect("written");
    fs::write(&old, "").expect("written");
    let file = fs::File::options().write(true).open(&old).expect("open");
    file.set_modified(std::time::SystemTime::UNIX_EPOCH).expect("set");
    write(&target(dir.path()), &[self::file("a.rs", "")]).expect("written");
    assert!(!old.exists() && young.exists());
}
