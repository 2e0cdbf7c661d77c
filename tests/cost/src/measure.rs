//! Runs scenarios under valgrind and takes differences.

use crate::scenario::{SCENARIOS, Scenario};
use std::process::{Command, Output};

/// What one unit of a scenario costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Figure {
    pub(crate) name: String,
    pub(crate) instructions: u64,
    /// Allocations of a thousand units: buffers that many calls share make fractions.
    pub(crate) allocations: u64,
}

/// Measures every scenario, in order.
pub(crate) fn all() -> Result<Vec<Figure>, String> {
    SCENARIOS.iter().map(figure).collect()
}

fn figure(scenario: &Scenario) -> Result<Figure, String> {
    let [short, long] = [scenario.rounds, 3 * scenario.rounds];
    let units = (long - short) * scenario.units;
    let (before, after) = (totals(scenario, short)?, totals(scenario, long)?);
    let per = |after: u64, before: u64, scale: u64| {
        (after.saturating_sub(before) * scale + units / 2) / units
    };
    Ok(Figure {
        name: scenario.name.to_owned(),
        instructions: per(after.instructions, before.instructions, 1),
        allocations: per(after.allocations, before.allocations, 1000),
    })
}

struct Totals {
    instructions: u64,
    allocations: u64,
}

fn totals(scenario: &Scenario, rounds: u64) -> Result<Totals, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(["run", scenario.name, &rounds.to_string()])
        .output()
        .map_err(|error| format!("valgrind cannot be started: {error}"))?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    let instructions = stderr.lines().find_map(|line| line.split_once("Collected : "));
    let instructions = instructions.and_then(|(_, count)| count.trim().parse().ok());
    let allocations = String::from_utf8_lossy(&output.stdout).trim().parse().ok();
    match (instructions, allocations) {
        (Some(instructions), Some(allocations)) => Ok(Totals { instructions, allocations }),
        _ => Err(failed(scenario, &output)),
    }
}

fn failed(scenario: &Scenario, output: &Output) -> String {
    let stderr = String::from_utf8_lossy(&output.stderr);
    format!("scenario `{}` did not run ({}):\n{stderr}", scenario.name, output.status)
}
