//! One model whatever the source: every `.fbs` of the repository that flatc accepts, read by us, and
//! the `.bfbs` that flatc makes of it, read by us, give the same text, up to what the binary form
//! loses.

use stubwire_codegen::{
    frontend::{bfbs, fbs},
    ir,
};
use stubwire_tests_frontends::{
    bfbs::{compile, corpus, forget_what_bfbs_loses},
    fbs::flatc,
    show_failed,
};

/// Schemas that the binary form changes in other ways, with the reason.
const DIFFERENT: &[(&str, &str)] = &[];

#[test]
fn both_sources_give_one_model() {
    let Some(flatc) = flatc() else { return };
    let mut wrong = Vec::new();
    let mut compared = 0;
    for path in corpus() {
        let name = path.display().to_string();
        let Ok(mut loaded) = fbs::load(std::slice::from_ref(&path), &[]) else { continue };
        let Some(bytes) = compile(&flatc, &path) else { continue };
        let stem = path.file_stem().expect("a name").to_string_lossy();
        let mut binary = match bfbs::load_bytes(&[(&format!("{stem}.bfbs"), &bytes)]) {
            Ok(binary) => binary,
            Err(failed) => {
                wrong.push(format!("{name}: {}", show_failed(&failed)));
                continue;
            }
        };
        forget_what_bfbs_loses(&mut loaded.schema);
        forget_what_bfbs_loses(&mut binary.schema);
        let (text, other) = (ir::dump(&loaded.schema), ir::dump(&binary.schema));
        compared += 1;
        let listed = DIFFERENT.iter().any(|(known, _)| name.ends_with(known));
        if (text == other) == listed {
            wrong.push(format!("{name}:\n{}", first_difference(&text, &other)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > 120, "only {compared} schemas were compared");
}

fn first_difference(one: &str, other: &str) -> String {
    let mut lines = one.lines().zip(other.lines());
    match lines.find(|(one, other)| one != other) {
        Some((one, other)) => format!("  .fbs   {one}\n  .bfbs  {other}"),
        None => format!("  .fbs {} lines, .bfbs {}", one.lines().count(), other.lines().count()),
    }
}
