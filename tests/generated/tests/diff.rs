//! An edit of the schema changes the lines that are about it, and no others.

use std::collections::BTreeMap;

use stubwire_codegen::configure;

fn service(methods: &[&str]) -> String {
    let methods: String = methods
        .iter()
        .map(|name| format!("  // Does {name}.\n  rpc {name}(M) returns (N);\n"))
        .collect();
    let schema = format!(
        "syntax = \"proto3\";\npackage hz;\nmessage M {{ repeated N n = 1; }}\nmessage N {{}}\nmessage O {{}}\nservice Many {{\n{methods}}}\n"
    );
    let output = configure().generate_texts(&[("many.proto", &schema)]).expect("generated");
    output.file("hz.rs").expect("the package").to_owned()
}

/// The lines of one text that the other lacks, as often as it lacks them.
fn only_in<'t>(text: &'t str, other: &str) -> Vec<&'t str> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for line in other.lines() {
        *counts.entry(line).or_default() += 1;
    }
    text.lines()
        .filter(|line| match counts.get_mut(line) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        })
        .collect()
}

const NAMES: [&str; 6] = ["Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta"];

#[test]
fn one_renamed_method_changes_its_own_lines() {
    let before = service(&NAMES);
    let mut names = NAMES;
    names[2] = "Gimel";
    let after = service(&names);
    let (gone, come) = (only_in(&before, &after), only_in(&after, &before));
    assert_eq!(gone.len(), come.len());
    for line in gone {
        assert!(line.to_lowercase().contains("gamma"), "{line}");
    }
    for line in come {
        assert!(line.to_lowercase().contains("gimel"), "{line}");
    }
}

#[test]
fn one_added_method_takes_away_no_line() {
    let before = service(&NAMES);
    let mut names = NAMES.to_vec();
    names.insert(3, "Extra");
    let after = service(&names);
    assert_eq!(only_in(&before, &after), Vec::<&str>::new());
    // Trait method, registration, client method, constant, one element of the list.
    let come = only_in(&after, &before);
    assert!((25..60).contains(&come.len()), "{} lines:\n{}", come.len(), come.join("\n"));
}

#[test]
fn the_second_method_takes_away_no_line_either() {
    let before = service(&NAMES[..1]);
    let after = service(&NAMES[..2]);
    assert_eq!(only_in(&before, &after), Vec::<&str>::new());
}

#[test]
fn a_changed_reply_changes_a_handful_of_lines() {
    let before = service(&NAMES);
    let schema_type = "rpc Gamma(M) returns (N)";
    let methods: String = NAMES
        .iter()
        .map(|name| format!("  // Does {name}.\n  rpc {name}(M) returns (N);\n"))
        .collect();
    let schema = format!(
        "syntax = \"proto3\";\npackage hz;\nmessage M {{ repeated N n = 1; }}\nmessage N {{}}\nmessage O {{}}\nservice Many {{\n{methods}}}\n"
    )
    .replace(schema_type, "rpc Gamma(M) returns (O)");
    let output = configure().generate_texts(&[("many.proto", &schema)]).expect("generated");
    let after = output.file("hz.rs").expect("the package");
    let gone = only_in(&before, after);
    assert!((1..=4).contains(&gone.len()), "{gone:#?}");
}
