//! Generated files, byte for byte. Bless with `STUBWIRE_BLESS=1 cargo test`; nothing is accepted
//! otherwise, and every golden is compiled by this crate.

use std::fs;
use std::path::Path;

fn check(name: &str, inputs: &[&str]) {
    let output = stubwire_codegen::configure()
        .out_dir("x")
        .generate(inputs, &["schema"])
        .expect("generated");
    let folder = Path::new("golden").join(name);
    for file in &output.files {
        let path = folder.join(&file.name);
        if std::env::var_os("STUBWIRE_BLESS").is_some() {
            fs::write(&path, &file.content).expect("written");
            continue;
        }
        let known = fs::read_to_string(&path).unwrap_or_else(|error| {
            panic!("no golden {}: {error}; bless with STUBWIRE_BLESS=1", path.display())
        });
        assert!(known == file.content, "{} differs from:\n{}", path.display(), file.content);
    }
    let known = fs::read_dir(&folder).expect("a folder").count();
    assert_eq!(
        known,
        output.files.len(),
        "{} holds a file that is not generated",
        folder.display()
    );
}

#[test]
fn golden_every_kind_of_field() {
    check("zoo", &["schema/zoo.fbs"]);
}

/// One namespace and one package share a file, whichever is named first.
#[test]
fn golden_two_codecs_in_one_module() {
    check("served", &["schema/kv.fbs", "schema/kv.proto"]);
    check("served", &["schema/kv.proto", "schema/kv.fbs"]);
}

#[test]
fn the_header_counts_unsafe() {
    let text = fs::read_to_string("golden/zoo/zoo.rs").expect("the golden");
    let head =
        text.lines().find(|line| line.starts_with("// `unsafe` stands here")).expect("a count");
    let count: usize =
        head.split_whitespace().find_map(|word| word.parse().ok()).expect("a number");
    let found = text.lines().skip_while(|line| line.starts_with("//"));
    let found =
        found.flat_map(|line| line.split(|char: char| !char.is_alphanumeric() && char != '_'));
    assert_eq!(found.filter(|word| *word == "unsafe").count(), count);
}
