//! `stubwire-bench`: see `stubwire-bench --help` and `bench/README.md`.

mod options;

use clap::Parser;
use options::{Command, Options, RunOptions};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{self, ExitCode};
use stubwire_bench::building::build;
use stubwire_bench::contestant::{Contestant, Folders, OURS};
use stubwire_bench::csv::csv;
use stubwire_bench::diff::diff;
use stubwire_bench::plan::plans;
use stubwire_bench::record::{CellRecord, RoundRecord};
use stubwire_bench::report::html;
use stubwire_bench::run::Run;
use stubwire_bench::store::read;
use stubwire_bench::table::markdown;
use stubwire_bench_load::Address;

fn main() -> ExitCode {
    let outcome = match Options::parse().command {
        Command::Run(options) => run(&options, &[]),
        Command::Load { servers, run: options } => run(&options, &servers),
        Command::Serve { contestant, listen, no_build, more } => {
            serve(&contestant, &listen, no_build, &more)
        }
        Command::Plans => print(&list()),
        Command::Show { record } => read(&record).and_then(|records| print(&markdown(&records))),
        Command::Csv { record } => read(&record).and_then(|records| print(&csv(&records))),
        Command::Report { records, out } => report(&records, &out),
        Command::Diff { before, after, metrics } => {
            read(&before).and_then(|before| Ok((before, read(&after)?))).and_then(|(one, other)| {
                let diff = diff(&one, &other, &metrics);
                print(&diff.to_string())?;
                Ok(if diff.is_worse() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
            })
        }
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("stubwire-bench: {error}");
        // Not 1, which is an answer: worse, or calls that failed.
        ExitCode::from(2)
    })
}

fn print(text: &str) -> io::Result<ExitCode> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        // Whoever reads has seen enough.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(ExitCode::SUCCESS),
    }
}

fn report(records: &[PathBuf], out: &Path) -> io::Result<ExitCode> {
    let mut all = Vec::new();
    for record in records {
        all.extend(read(record)?);
    }
    fs::write(out, html(&all))
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", out.display())))?;
    eprintln!("the page is in {}", out.display());
    Ok(ExitCode::SUCCESS)
}

/// Measures, shows, and fails when the product did: a call, its connections, or its program.
fn run(options: &RunOptions, servers: &[String]) -> io::Result<ExitCode> {
    let invalid = |why| io::Error::new(io::ErrorKind::InvalidInput, why);
    let rows = options.rows(servers).map_err(invalid)?;
    let how = options.run(servers).map_err(invalid)?;
    if !options.no_build {
        let peers = rows.iter().flat_map(|row| &row.contestants).any(|name| !is_ours(name));
        build(&how.folders, peers)?;
    }
    let mut run = Run::new(how)?;
    let records = rows.iter().map(|row| run.row(row)).collect::<io::Result<Vec<_>>>()?;
    print(&markdown(&records))?;
    eprintln!("the record is in {}", options.out.display());
    let faults = faults(&records);
    faults.iter().for_each(|fault| eprintln!("FAULT: {fault}"));
    Ok(if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn is_ours(name: &str) -> bool {
    OURS.iter().any(|ours| name.starts_with(ours))
}

/// What must not happen to the product in any measurement.
fn faults(records: &[CellRecord]) -> Vec<String> {
    let mut faults = Vec::new();
    for record in records {
        for contestant in record.contestants.iter().filter(|one| is_ours(&one.name)) {
            let mut fault = |what: String| {
                faults.push(format!("{} in `{}`: {what}", contestant.name, record.cell.name));
            };
            if let Some(why) = &contestant.absent {
                fault(why.clone());
            }
            let failures: u64 = contestant.rounds.iter().map(RoundRecord::failures).sum();
            if failures > 0 {
                fault(format!("{failures} calls failed"));
            }
            for round in contestant.rounds.iter().filter(|round| !round.connections.as_planned()) {
                fault(format!("not the connections planned: {:?}", round.connections));
            }
        }
    }
    faults
}

fn serve(name: &str, listen: &Address, no_build: bool, more: &[String]) -> io::Result<ExitCode> {
    let folders = Folders::usual();
    if !no_build {
        build(&folders, !is_ours(name))?;
    }
    let contestant = Contestant::find(name, &folders).map_err(io::Error::other)?;
    let mut command = process::Command::new(&contestant.binary);
    command.args(["server", "--listen", &listen.to_string()]);
    let status = command.args(&contestant.arguments).args(more).status()?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn list() -> String {
    let mut text = String::new();
    for plan in plans() {
        text.push_str(&format!("{}: {}\n", plan.name, plan.about));
        for row in plan.rows {
            text.push_str(&format!("  {:<55} {}\n", row.cell.name, row.cell.key()));
            for requirement in &row.requirements {
                text.push_str(&format!("      {requirement}\n"));
            }
        }
    }
    text
}
