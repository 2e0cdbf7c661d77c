//! The committed figures, and what a change may do to them.

use crate::measure::Figure;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// Costing more than the budget by this share fails.
const MAX_GROWTH_PERCENT: u64 = 2;

/// Costing less by this share fails too, or the next growth would hide in what was won.
const MAX_SLACK_PERCENT: u64 = 5;

/// The figures as the budget file and a terminal show them.
pub(crate) fn render(figures: &[Figure]) -> String {
    let mut text = format!("# {}\n", compiler());
    let _ = writeln!(text, "# {:32} {:>12} {:>16}", "scenario", "instructions", "allocs per 1000");
    for figure in figures {
        let Figure { name, instructions, allocations } = figure;
        let _ = writeln!(text, "{name:34} {instructions:>12} {allocations:>16}");
    }
    text
}

pub(crate) fn write(path: &Path, figures: &[Figure]) -> Result<(), String> {
    std::fs::write(path, render(figures)).map_err(|error| format!("{}: {error}", path.display()))
}

/// Compares figures with the budget and prints them beside it.
pub(crate) fn check(path: &Path, figures: &[Figure]) -> Result<(), String> {
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let hint = format!(
        "\nif that is meant, run `cost bless {}` and commit the budget with the change",
        path.display()
    );
    if text.lines().next() != Some(&format!("# {}", compiler())) {
        return Err(format!(
            "the budget was measured with another compiler: {}, this is {}{hint}",
            text.lines().next().unwrap_or_default(),
            compiler(),
        ));
    }
    print!("{}", render(figures));
    let faults = compare(&parse(&text)?, figures);
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n") + &hint) }
}

fn compare(budget: &[Figure], figures: &[Figure]) -> Vec<String> {
    let mut faults = Vec::new();
    for figure in figures {
        let Some(allowed) = budget.iter().find(|allowed| allowed.name == figure.name) else {
            faults.push(format!("`{}` has no budget", figure.name));
            continue;
        };
        let (cost, allowed_cost) = (figure.instructions, allowed.instructions);
        if cost * 100 > allowed_cost * (100 + MAX_GROWTH_PERCENT) {
            faults.push(format!(
                "`{}` costs {cost} instructions, its budget is {allowed_cost}",
                figure.name
            ));
        }
        if cost * 100 < allowed_cost * (100 - MAX_SLACK_PERCENT) {
            faults.push(format!(
                "`{}` costs only {cost} instructions, its budget is {allowed_cost}",
                figure.name
            ));
        }
        // Shared buffers come and go with the size of reads: a tenth of an allocation is not counted.
        if figure.allocations > allowed.allocations + 100 {
            faults.push(format!(
                "`{}` makes {} allocations in 1000, its budget is {}",
                figure.name, figure.allocations, allowed.allocations
            ));
        }
    }
    for allowed in budget {
        if !figures.iter().any(|figure| figure.name == allowed.name) {
            faults.push(format!("the budget names `{}`, which is not measured", allowed.name));
        }
    }
    faults
}

fn parse(text: &str) -> Result<Vec<Figure>, String> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines
        .map(|line| {
            parse_line(line).ok_or_else(|| format!("the budget has a line that is none: `{line}`"))
        })
        .collect()
}

fn parse_line(line: &str) -> Option<Figure> {
    let mut words = line.split_whitespace();
    let name = words.next()?.to_owned();
    let instructions = words.next()?.parse().ok()?;
    let allocations = words.next()?.parse().ok()?;
    words.next().is_none().then_some(Figure { name, instructions, allocations })
}

/// Instructions are the compiler's: figures of two compilers are not comparable.
fn compiler() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output();
    version.map_or_else(
        |_| "rustc unknown".to_owned(),
        |output| String::from_utf8_lossy(&output.stdout).trim().to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(name: &str, instructions: u64, allocations: u64) -> Figure {
        Figure { name: name.to_owned(), instructions, allocations }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let figures = [figure("a", 10, 2000), figure("b_c", 12_345, 0)];
        assert_eq!(parse(&render(&figures)).unwrap(), figures);
        assert!(parse("a 1").is_err());
        assert!(parse("a 1 x").is_err());
        assert!(parse("a 1 2 3").is_err());
    }

    #[test]
    fn growth_and_slack_and_strangers_are_faults() {
        let budget = [figure("a", 1000, 2000)];
        assert!(compare(&budget, &[figure("a", 1020, 2100)]).is_empty());
        assert!(compare(&budget, &[figure("a", 950, 0)]).is_empty());
        for other in [figure("a", 1021, 2000), figure("a", 949, 2000), figure("a", 1000, 2101)] {
            assert_eq!(compare(&budget, &[other]).len(), 1);
        }
        assert_eq!(compare(&budget, &[figure("b", 1, 1)]).len(), 2);
    }
}
