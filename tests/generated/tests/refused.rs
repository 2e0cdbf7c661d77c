//! Schemas that cannot become Rust as they are: each gets a located diagnostic that names every
//! declaration involved, before rustc sees anything. One golden text beside each case.

mod common;

use std::path::{Path, PathBuf};

use common::expect_text;
use stubwire_codegen::configure;
use stubwire_tests_generated::case::cases;

const DIRECTORY: &str = "../schemas/hazards/refused";

#[test]
fn names_every_refusal_reads_as_written_down() {
    for case in cases(Path::new(DIRECTORY)) {
        let builder = case.configure(configure());
        let found = match builder.generate(&case.inputs, &[&case.include]) {
            Ok(_) => panic!("{} is not refused", case.name),
            Err(error) => error.to_string(),
        };
        let golden: PathBuf = Path::new(DIRECTORY).join(format!("{}.txt", case.name));
        expect_text(&golden, &format!("{found}\n"));
    }
}

#[test]
fn names_every_refusal_points_into_the_schema() {
    // These are about the configuration, which has no place in a schema.
    let without_place = [
        "options_that_are_malformed",
        "attribute_that_is_none",
        "o13_extern_path_that_matches_nothing",
    ];
    for case in cases(Path::new(DIRECTORY)) {
        let builder = case.configure(configure());
        let error = builder.generate(&case.inputs, &[&case.include]).expect_err("refused");
        let located = error.diagnostics().iter().all(|found| !found.labels.is_empty());
        assert_eq!(located, !without_place.contains(&&*case.name), "{}", case.name);
    }
}

#[test]
fn names_every_refused_case_has_a_golden_and_no_other_is_left() {
    let names: Vec<String> =
        cases(Path::new(DIRECTORY)).into_iter().map(|case| case.name).collect();
    for entry in std::fs::read_dir(DIRECTORY).expect("the cases") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "txt") {
            let stem = path.file_stem().expect("a stem").to_string_lossy().into_owned();
            assert!(names.contains(&stem), "{} belongs to no case", path.display());
        }
    }
}
