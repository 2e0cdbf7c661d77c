//! The benchmark of code generation: see `bench/README.md`.
//!
//! ```text
//!  main ──► process: itself once more, for one measurement ──► measure ◄── schema
//!    ├────► check: two crates, one after our output, one after tonic's
//!    └────► table: Markdown, or a line of JSON a row
//! ```
//!
//! Every measurement has a process of its own, so that its peak of memory is its own.

mod check;
mod measure;
mod process;
mod schema;
mod table;

use clap::{Parser, Subcommand};
use measure::Subject;
use schema::{Language, Size};
use std::io::{self, Write};
use std::process::ExitCode;

/// Time and peak memory of code generation, bytes of generated Rust, and what it costs to check it.
#[derive(Debug, Parser)]
#[command(name = "stubwire-bench-codegen")]
struct Options {
    #[command(subcommand)]
    command: Option<Command>,
    /// `messages`, or `messages,services,methods of each`; repeat it. `10`, `1000`, `10000` and
    /// `500,25,20` when there is none.
    #[arg(long = "size")]
    sizes: Vec<Size>,
    /// Processes of each measurement; times are medians, memory is the largest.
    #[arg(long, default_value_t = 3, global = true, value_parser = clap::value_parser!(u32).range(1..=100))]
    repeat: u32,
    /// A line of JSON a row, instead of tables.
    #[arg(long, global = true)]
    json: bool,
    /// Leave out `cargo check` of the output, ours and tonic's: it compiles both runtimes first.
    #[arg(long)]
    no_check: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// One measurement, in this process. For the program itself.
    #[command(hide = true)]
    Measure {
        #[arg(value_enum)]
        subject: Subject,
        #[arg(value_enum)]
        language: Language,
        size: Size,
    },
    /// `cargo check` alone.
    Check,
}

fn main() -> ExitCode {
    let options = Options::parse();
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("stubwire-bench-codegen: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> io::Result<()> {
    let out = &mut io::stdout().lock();
    match &options.command {
        Some(Command::Measure { subject, language, size }) => {
            let measured = measure::measure(*subject, *language, size)?;
            writeln!(out, "{}", serde_json::to_string(&measured)?)
        }
        Some(Command::Check) => show_checks(options, out),
        None => {
            show_generation(options, out)?;
            if options.no_check { Ok(()) } else { show_checks(options, out) }
        }
    }
}

fn show_generation(options: &Options, out: &mut impl Write) -> io::Result<()> {
    let sizes = if options.sizes.is_empty() { schema::usual() } else { options.sizes.clone() };
    let mut rows = Vec::new();
    for language in [Language::Proto, Language::Fbs] {
        for size in &sizes {
            eprintln!("{language}, {size}");
            let row = process::row(language, size, options.repeat)?;
            if options.json {
                writeln!(out, "{}", serde_json::to_string(&row)?)?;
            }
            rows.push(row);
        }
    }
    if options.json { Ok(()) } else { out.write_all(table::generation(&rows).as_bytes()) }
}

fn show_checks(options: &Options, out: &mut impl Write) -> io::Result<()> {
    let checks = check::checks(options.repeat)?;
    if !options.json {
        return out.write_all(table::checks(&checks).as_bytes());
    }
    checks.iter().try_for_each(|check| writeln!(out, "{}", serde_json::to_string(check)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_come_from_the_command_line() {
        let options =
            Options::try_parse_from(["x", "--size", "10", "--size", "500,25,20", "--json"]);
        let options = options.expect("options");
        let (one, other) = (&options.sizes[0], &options.sizes[1]);
        assert_eq!((one.messages, one.services, one.methods), (10, 10, 1));
        assert_eq!((other.messages, other.services, other.methods), (500, 25, 20));
        assert!(options.json && !options.no_check);
        let check =
            Options::try_parse_from(["x", "check", "--repeat", "5", "--json"]).expect("options");
        assert!(check.repeat == 5 && check.json && matches!(check.command, Some(Command::Check)));
        for wrong in ["", "0", "10,1", "10,1,1,1", "-1", "10,20,1", "a"] {
            assert!(Options::try_parse_from(["x", "--size", wrong]).is_err(), "`{wrong}`");
        }
    }
}
