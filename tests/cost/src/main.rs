//! What calls and their parts cost, in instructions and allocations.
//!
//! ```text
//! cost show                 measures every scenario
//! cost check BUDGET         fails when a scenario costs more than its budget by over 2 %, or less by over 5 %
//! cost bless BUDGET         writes the figures of this machine's compiler into the budget
//! cost run SCENARIO ROUNDS  what the others start, under valgrind
//! ```
//!
//! A figure is the difference of two runs of different length divided by the difference of their lengths, so that
//! neither start-up nor connecting counts. Time is nowhere in it: figures repeat on a busy machine.

mod allocations;
mod budget;
mod measure;
mod scenario;

use scenario::SCENARIOS;
use std::path::Path;
use std::process::ExitCode;

stubwire::include_tree!();

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments[..] {
        ["run", name, rounds] => run(name, rounds),
        ["show"] => measure::all().map(|figures| print!("{}", budget::render(&figures))),
        ["bless", path] => {
            measure::all().and_then(|figures| budget::write(Path::new(path), &figures))
        }
        ["check", path] => {
            measure::all().and_then(|figures| budget::check(Path::new(path), &figures))
        }
        _ => Err("usage: cost show | check BUDGET | bless BUDGET | run SCENARIO ROUNDS".to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            eprintln!("{text}");
            ExitCode::FAILURE
        }
    }
}

/// Runs one scenario and prints how many allocations it made.
fn run(name: &str, rounds: &str) -> Result<(), String> {
    let scenario = SCENARIOS.iter().find(|scenario| scenario.name == name);
    let scenario = scenario.ok_or_else(|| format!("no scenario is named `{name}`"))?;
    let rounds = rounds.parse().map_err(|_| format!("`{rounds}` is no number of rounds"))?;
    (scenario.run)(rounds);
    println!("{}", allocations::count());
    Ok(())
}
