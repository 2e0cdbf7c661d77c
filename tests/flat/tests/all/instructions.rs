//! What a bomb costs under our limits and under those of the crate, in instructions: valgrind counts
//! them. Without it this says so and passes, except with `CI=true`.

use std::env;
use std::process::Command;

/// Runs `bombs BOMB LIMITS`; what it printed, and the instructions that it took.
fn run(bomb: &str, limits: &str) -> (String, u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let output = Command::new("valgrind")
        .current_dir(folder.path())
        .args(["--tool=callgrind", "--callgrind-out-file=counts"])
        .args([env!("CARGO_BIN_EXE_bombs"), bomb, limits])
        .output()
        .expect("valgrind runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    let count = said.lines().find_map(|line| line.split_once("Collected :"));
    let count = count.and_then(|(_, count)| count.trim().parse().ok()).expect("a count");
    (String::from_utf8_lossy(&output.stdout).trim().to_owned(), count)
}

fn valgrind_is_there() -> bool {
    if Command::new("valgrind").arg("--version").output().is_ok_and(|it| it.status.success()) {
        return true;
    }
    assert!(env::var("CI").as_deref() != Ok("true"), "CI lacks valgrind");
    eprintln!("skipped: no valgrind to count instructions with");
    false
}

/// Refused, and before a hundredth of the work that the crate's limits allow. That takes messages of
/// less than about 36 KB where tables are what is multiplied: the crate stops at a million of them,
/// however long the message, and ours let a message show a table for every four of its bytes.
fn costs_less_than_a_hundredth(bomb: &str) {
    if !valgrind_is_there() {
        return;
    }
    let (size, building) = run(bomb, "none");
    let (outcome, ours) = run(bomb, "ours");
    let (_, default) = run(bomb, "default");
    assert!(outcome.starts_with("refused"), "{outcome}");
    let (ours, default) = (ours.saturating_sub(building), default - building);
    println!("{bomb}: {size}, {ours} of {default} instructions");
    assert!(ours * 100 < default, "{bomb}: {ours} of {default} instructions");
}

#[test]
fn trust_d02_instructions_of_a_graph_that_doubles() {
    costs_less_than_a_hundredth("doubling_63");
}

/// The small one that the crate's limits accept.
#[test]
fn trust_d02_instructions_of_a_graph_that_doubles_and_is_accepted_elsewhere() {
    costs_less_than_a_hundredth("doubling_19");
}

#[test]
fn trust_d02_instructions_of_a_vector_of_one_string() {
    costs_less_than_a_hundredth("strings");
}

#[test]
fn trust_d02_instructions_of_a_vector_of_one_table() {
    costs_less_than_a_hundredth("tables");
}
