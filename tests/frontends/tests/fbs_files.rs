//! Which `.fbs` files are opened, by which name, and which are refused unopened.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use stubwire_codegen::{
    frontend::fbs::{Failed, Loaded, load, load_texts},
    ir::code,
};
use stubwire_tests_frontends::{fbs::schemas, show_failed};
use tempfile::TempDir;

/// A folder with files in it.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("the folder is writable");
        fs::write(path, text).expect("the folder is writable");
    }
    folder
}

fn load_one(input: impl Into<PathBuf>, includes: &[PathBuf]) -> Result<Loaded, Failed> {
    load(&[input.into()], includes)
}

/// Codes of the findings of a load that has to fail.
fn codes(result: Result<Loaded, Failed>) -> Vec<&'static str> {
    match result {
        Ok(_) => panic!("this should have failed"),
        Err(failed) => failed.diagnostics.0.iter().map(|found| found.code).collect(),
    }
}

fn loaded(result: Result<Loaded, Failed>) -> Loaded {
    result.unwrap_or_else(|failed| panic!("{}", show_failed(&failed)))
}

fn names(loaded: &Loaded) -> Vec<&str> {
    loaded.schema.files.iter().map(|file| file.import_name.as_str()).collect()
}

const TABLE: &str = "table T {}";

#[test]
fn no_input_is_an_error() {
    assert_eq!(codes(load(&[], &[])), [code::NO_INPUT]);
    assert_eq!(codes(load_texts(&[])), [code::NO_INPUT]);
}

#[test]
fn an_input_given_twice_is_one() {
    let folder = folder(&[("a.fbs", TABLE)]);
    let input = folder.path().join("a.fbs");
    let dotted = folder.path().join("./a.fbs");
    let loaded = loaded(load(&[input.clone(), dotted, input], &[]));
    assert_eq!(names(&loaded), ["a.fbs"]);
    assert!(loaded.schema.files[0].is_input);
}

#[test]
fn an_input_that_another_includes_is_an_input() {
    let folder = folder(&[("a.fbs", "include \"b.fbs\"; table A {}"), ("b.fbs", TABLE)]);
    let inputs = [folder.path().join("a.fbs"), folder.path().join("b.fbs")];
    let loaded = loaded(load(&inputs, &[]));
    assert_eq!(names(&loaded), ["b.fbs", "a.fbs"]);
    assert!(loaded.schema.files.iter().all(|file| file.is_input));
}

#[test]
fn names_o12_an_include_is_looked_for_beside_its_file_then_in_the_roots_in_order() {
    let folder = folder(&[
        ("in/main.fbs", "include \"x.fbs\"; include \"y.fbs\"; include \"z.fbs\"; table M {}"),
        ("in/x.fbs", "table X { beside: int; }"),
        ("first/x.fbs", "table X { wrong: int; }"),
        ("first/y.fbs", "table Y { first: int; }"),
        ("second/y.fbs", "table Y { wrong: int; }"),
        ("second/z.fbs", "table Z { second: int; }"),
    ]);
    let roots = [folder.path().join("first"), folder.path().join("second")];
    let loaded = loaded(load_one(folder.path().join("in/main.fbs"), &roots));
    let tables = &loaded.schema.flat.tables;
    let fields: Vec<_> = tables.iter().flat_map(|it| &it.fields).collect();
    let fields: Vec<_> = fields.iter().map(|it| it.schema_name.as_str()).collect();
    assert_eq!(fields, ["beside", "first", "second"]);
    assert_eq!(names(&loaded), ["x.fbs", "y.fbs", "z.fbs", "main.fbs"]);
}

#[test]
fn names_o12_an_input_may_be_a_name_below_an_include_directory() {
    let folder = folder(&[("deep/svc.fbs", TABLE)]);
    let loaded = loaded(load_one("deep/svc.fbs", &[folder.path().to_owned()]));
    assert_eq!(names(&loaded), ["deep/svc.fbs"]);
}

#[test]
fn names_o12_a_missing_include_directory_is_a_located_error() {
    let folder = folder(&[("a.fbs", TABLE)]);
    let missing = folder.path().join("missing");
    let failed = load_one(folder.path().join("a.fbs"), std::slice::from_ref(&missing))
        .expect_err("the directory is missing");
    let found = &failed.diagnostics.0[0];
    assert_eq!(found.code, code::BAD_INCLUDE);
    let source = &failed.sources[found.labels[0].span.source.0 as usize];
    assert_eq!(source.path, missing.display().to_string());
}

#[test]
fn names_o20_every_file_that_was_read_is_listed() {
    let folder = schemas("valid").join("names_o20_transitive_includes");
    let loaded = loaded(load_one(folder.join("main.fbs"), &[]));
    let read = ["common/b.fbs", "common/c.fbs", "main.fbs"];
    assert_eq!(loaded.read_files, read.map(|name| folder.join(name)));
}

/// One file under two spellings is read once, and declares nothing twice.
#[test]
fn names_o12_spellings_of_one_file_meet() {
    let text = "include \"a/x.fbs\"; include \"./a/../a/x.fbs\"; table M { x: X; }";
    let folder = folder(&[("main.fbs", text), ("a/x.fbs", "table X {}")]);
    let loaded = loaded(load_one(folder.path().join("main.fbs"), &[]));
    assert_eq!(names(&loaded), ["a/x.fbs", "main.fbs"]);
}

#[test]
fn trust_e05_a_missing_input_is_an_error() {
    assert_eq!(codes(load_one("no/such/file.fbs", &[])), [code::NOT_FOUND]);
}

#[test]
fn trust_e05_a_directory_is_refused() {
    let folder = folder(&[("dir.fbs/x.fbs", TABLE)]);
    assert_eq!(codes(load_one(folder.path().join("dir.fbs"), &[])), [code::NOT_REGULAR]);
}

#[cfg(unix)]
#[test]
fn trust_e05_devices_and_pipes_are_refused() {
    assert_eq!(codes(load_one(Path::new("/dev/zero"), &[])), [code::NOT_REGULAR]);
    let folder = folder(&[("svc.fbs", "include \"pipe.fbs\"; table T {}")]);
    let pipe = folder.path().join("pipe.fbs");
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs");
    assert!(made.success());
    assert_eq!(codes(load_one(&pipe, &[])), [code::NOT_REGULAR]);
    // And as an include, named by the includer.
    let failed = load_one(folder.path().join("svc.fbs"), &[]).expect_err("a pipe");
    assert_eq!(failed.diagnostics.0[0].code, code::NOT_REGULAR);
    assert_eq!(failed.diagnostics.0[0].labels.len(), 2);
}

#[cfg(unix)]
#[test]
fn trust_e05_a_circle_of_links_is_refused() {
    use std::os::unix::fs::symlink;

    let folder = folder(&[("svc.fbs", "include \"a.fbs\"; table T {}")]);
    let (a, b) = (folder.path().join("a.fbs"), folder.path().join("b.fbs"));
    symlink(&a, &b).expect("a link");
    symlink(&b, &a).expect("a link");
    assert_eq!(codes(load_one(&a, &[])), [code::UNREADABLE]);
    assert_eq!(codes(load_one(folder.path().join("svc.fbs"), &[])), [code::UNREADABLE]);
}

#[test]
fn trust_e05_a_file_of_one_gigabyte_is_refused_unread() {
    let folder = folder(&[("big.fbs", "")]);
    let path = folder.path().join("big.fbs");
    let file = fs::OpenOptions::new().write(true).open(&path).expect("the file opens");
    // Sparse: the size is what is looked at.
    file.set_len(1 << 30).expect("the file grows");
    assert_eq!(codes(load_one(&path, &[])), [code::TOO_LARGE]);
}

/// A pipe waits for its writer when it is opened, so a load that ends did not open it. The file
/// that must not be reached lies outside in every case.
#[cfg(unix)]
#[test]
fn trust_e06_an_include_that_leads_outside_opens_nothing() {
    use std::os::unix::fs::symlink;

    let folder = folder(&[("roots/in/keep.fbs", TABLE), ("outside/real.fbs", TABLE)]);
    let inside = folder.path().join("roots/in");
    let outside = folder.path().join("outside");
    let pipe = outside.join("pipe.fbs");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
    symlink(&pipe, inside.join("link.fbs")).expect("a link");
    symlink(&outside, inside.join("folder")).expect("a link");
    let absolute = pipe.display().to_string();
    let includes = [
        absolute.as_str(),
        "../../outside/pipe.fbs",
        "sub/../../../outside/pipe.fbs",
        "link.fbs",
        "folder/pipe.fbs",
        "folder/real.fbs",
        "../../../../../../../../../../etc/passwd",
    ];
    for include in includes {
        let main = inside.join("main.fbs");
        fs::write(&main, format!("include \"{include}\"; table M {{}}")).expect("writable");
        let failed = load_one(&main, &[]).expect_err(include);
        let found = &failed.diagnostics.0;
        assert_eq!(found[0].code, code::FBS_INCLUDE_OUTSIDE, "{include}");
        assert_eq!(found.len(), 1, "{include}");
        // Nothing but the input became a source.
        assert_eq!(failed.sources.len(), 1, "{include}");
    }
}

/// The same includes are fine where a root allows them.
#[cfg(unix)]
#[test]
fn trust_e06_an_include_may_climb_and_follow_links_inside_of_the_roots() {
    use std::os::unix::fs::symlink;

    let text = "include \"../other/x.fbs\"; include \"link.fbs\"; table M { x: X; y: Y; }";
    let folder = folder(&[
        ("in/main.fbs", text),
        ("other/x.fbs", "table X {}"),
        ("other/y.fbs", "table Y {}"),
    ]);
    symlink(folder.path().join("other/y.fbs"), folder.path().join("in/link.fbs")).expect("a link");
    let loaded = loaded(load_one(folder.path().join("in/main.fbs"), &[folder.path().to_owned()]));
    assert_eq!(names(&loaded), ["other/x.fbs", "in/link.fbs", "in/main.fbs"]);
}

#[test]
fn trust_e06_nothing_of_a_binary_file_is_echoed() {
    let folder = folder(&[]);
    let path = folder.path().join("key.fbs");
    fs::write(&path, b"secret\xff\xfe\0").expect("the folder is writable");
    let failed = load_one(&path, &[]).expect_err("not text");
    assert_eq!(failed.diagnostics.0[0].code, code::NOT_UTF8);
    assert!(!show_failed(&failed).contains("secret"));
}

#[test]
fn texts_in_memory_include_each_other() {
    let texts: [(&str, &[u8]); 3] = [
        ("a/main.fbs", b"include \"../b/x.fbs\"; include \"y.fbs\"; table M { x: X; y: Y; }"),
        ("b/x.fbs", b"table X {}"),
        ("y.fbs", b"table Y {}"),
    ];
    assert_eq!(names(&loaded(load_texts(&texts))), ["b/x.fbs", "y.fbs", "a/main.fbs"]);
    for (include, wanted) in [
        ("../../x.fbs", code::FBS_INCLUDE_OUTSIDE),
        ("/x.fbs", code::FBS_INCLUDE_OUTSIDE),
        ("nope.fbs", code::FBS_INCLUDE_MISSING),
    ] {
        let text = format!("include \"{include}\"; table T {{}}");
        assert_eq!(codes(load_texts(&[("main.fbs", text.as_bytes())])), [wanted], "{include}");
    }
}

/// A long chain of includes, and a wide one, cost no stack.
#[test]
fn trust_e04_a_chain_of_two_thousand_files_loads() {
    let texts: Vec<(String, String)> = (0..2_000)
        .map(|at| {
            let include =
                format!("include \"f{}.fbs\"; table T{at} {{ next: T{}; }}", at + 1, at + 1);
            (format!("f{at}.fbs"), if at == 1_999 { format!("table T{at} {{}}") } else { include })
        })
        .collect();
    let texts: Vec<_> = texts.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    let loaded = loaded(load_texts(&texts));
    assert_eq!(loaded.schema.files.len(), 2_000);
    assert_eq!(loaded.schema.files[0].import_name, "f1999.fbs");
    assert!(loaded.diagnostics.0.is_empty(), "every file sees what it needs");
}
