//! Output is a function of schemas, configuration and version, and of nothing else.

use std::path::{Path, PathBuf};

use stubwire_codegen::backend::GeneratedFile;
use stubwire_codegen::configure;
use stubwire_tests_generated::case::cases;

const CASES: &str = "../schemas/hazards/compiles";

fn generate(inputs: &[PathBuf], include: &Path) -> Vec<GeneratedFile> {
    configure().skip_streaming(true).generate(inputs, &[include]).expect("generated").files
}

#[test]
fn trust_e14_a_hundred_runs_give_the_same_bytes() {
    let case = Path::new(CASES).join("e11_package_names");
    let inputs: Vec<PathBuf> = (0..3).map(|at| case.join(format!("p{at}.proto"))).collect();
    let first = generate(&inputs, &case);
    for _ in 0..100 {
        assert!(generate(&inputs, &case) == first, "another run gave other bytes");
    }
}

#[test]
fn trust_e14_neither_order_nor_kind_of_paths_counts() {
    for case in cases(Path::new(CASES)) {
        if case.inputs.len() < 2 {
            continue;
        }
        let generate = |inputs: &[PathBuf], include: &Path| {
            let builder = case.configure(configure());
            builder.generate(inputs, &[include]).expect("generated").files
        };
        let first = generate(&case.inputs, &case.include);
        let mut reversed = case.inputs.clone();
        reversed.reverse();
        assert!(generate(&reversed, &case.include) == first, "{}: order of inputs", case.name);
        let absolute = |path: &PathBuf| path.canonicalize().expect("there");
        let inputs: Vec<PathBuf> = case.inputs.iter().map(absolute).collect();
        assert!(
            generate(&inputs, &absolute(&case.include)) == first,
            "{}: absolute paths",
            case.name
        );
    }
}

#[test]
fn trust_e14_no_path_of_the_machine_is_written() {
    let here = std::env::current_dir().expect("a directory");
    let here = here.to_str().expect("text");
    for case in cases(Path::new(CASES)) {
        let absolute: Vec<PathBuf> =
            case.inputs.iter().map(|path| path.canonicalize().expect("there")).collect();
        let include = case.include.canonicalize().expect("there");
        let builder = case.configure(configure());
        for file in builder.generate(&absolute, &[&include]).expect("generated").files {
            assert!(!file.content.contains(here), "{}: {}", case.name, file.name);
            assert!(!file.content.contains("schemas/hazards"), "{}: {}", case.name, file.name);
        }
    }
}

#[test]
fn trust_e14_neither_directory_nor_thread_counts() {
    let directory = Path::new(CASES).canonicalize().expect("there");
    let texts: Vec<(String, String)> = ["o27_three_files_of_one_package/a.proto"]
        .iter()
        .map(|name| {
            ("a.proto".to_owned(), std::fs::read_to_string(directory.join(name)).expect("read"))
        })
        .collect();
    let texts: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (&**name, &**text)).collect();
    let first = configure().generate_texts(&texts).expect("generated").files;
    std::thread::scope(|scope| {
        let run = || configure().generate_texts(&texts).expect("generated").files;
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(run)).collect();
        for thread in threads {
            assert!(thread.join().expect("joined") == first);
        }
    });
}
