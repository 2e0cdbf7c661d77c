//! The command line of the runner, and how it becomes a run.

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use std::time::Duration;
use stubwire_bench::cell::{Cell, Host, Metric, Pace, Socket, Timing};
use stubwire_bench::contestant::Folders;
use stubwire_bench::plan::{self, Row};
use stubwire_bench::run;
use stubwire_bench_load::{Address, Payload, RuntimeKind, Shape};

/// Runs the benchmark and works with its records.
#[derive(Debug, Parser)]
#[command(name = "stubwire-bench")]
pub(crate) struct Options {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Measure: a plan, or a cell of your own.
    Run(RunOptions),
    /// Measure against servers that run already, here or on another host.
    Load {
        /// `host:port`, or `contestant=host:port`; repeat it for several contestants.
        #[arg(long = "server", required = true)]
        servers: Vec<String>,
        #[command(flatten)]
        run: RunOptions,
    },
    /// Start the server of one contestant, for `load` from elsewhere; ends when its input does.
    Serve {
        /// Who.
        #[arg(long, default_value = "stubwire-prpc")]
        contestant: String,
        /// Where.
        #[arg(long, default_value = "0.0.0.0:8000")]
        listen: Address,
        /// Take the program that is there.
        #[arg(long)]
        no_build: bool,
        /// Options for the contestant's own command line, behind `--`.
        #[arg(last = true)]
        more: Vec<String>,
    },
    /// List the plans and their rows.
    Plans,
    /// Show a record as Markdown.
    Show {
        /// The record.
        record: PathBuf,
    },
    /// Write a record's rounds as CSV.
    Csv {
        /// The record.
        record: PathBuf,
    },
    /// Write records as a page with plots: one HTML file that needs nothing else.
    Report {
        /// The records; their rows stand one behind the other.
        #[arg(required = true)]
        records: Vec<PathBuf>,
        /// The page.
        #[arg(long, default_value = "report.html")]
        out: PathBuf,
    },
    /// Compare two records; the exit code is 1 when something became worse beyond the noise.
    Diff {
        /// The earlier record.
        before: PathBuf,
        /// The later one.
        after: PathBuf,
        /// What is compared.
        #[arg(long, value_enum, value_delimiter = ',', default_values_t = [Metric::CallsPerSecond, Metric::P99, Metric::CpuPerCall])]
        metrics: Vec<Metric>,
    },
}

#[derive(Args, Clone, Debug)]
pub(crate) struct RunOptions {
    /// A built-in plan; without it the options below make a cell.
    #[arg(long)]
    plan: Option<String>,
    /// Only rows whose name contains this.
    #[arg(long)]
    row: Option<String>,
    /// The record, appended to. Latencies go to a file of the same name that ends in `.hlog`.
    #[arg(long, default_value = "bench.jsonl")]
    pub(crate) out: PathBuf,
    /// Who takes part instead of whom the plan names.
    #[arg(long, value_delimiter = ',')]
    contestants: Vec<String>,
    /// Rounds of every contestant in every row; 5, or what the plan says.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: Option<u32>,
    /// Seconds before the measured time.
    #[arg(long, default_value_t = 0.3)]
    warmup: f64,
    /// Seconds of the measured time.
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,
    /// Cores of the server in pinned cells.
    #[arg(long, default_value = "0")]
    pin_server: String,
    /// Cores of the client in pinned cells.
    #[arg(long, default_value = "1")]
    pin_client: String,
    /// Cores that others may use on average before a round counts as spoiled.
    #[arg(long, default_value_t = 0.1)]
    spoiled_above: f64,
    /// Count write calls in a further round, under strace.
    #[arg(long, default_value_t = true, action = clap::ArgAction::Set)]
    writes: bool,
    /// Take the programs that are there.
    #[arg(long)]
    pub(crate) no_build: bool,
    /// Where the peers' programs are.
    #[arg(long)]
    peers: Option<PathBuf>,
    #[command(flatten)]
    cell: CellOptions,
}

/// A cell of one's own.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "A cell of your own")]
struct CellOptions {
    #[arg(long, value_enum, default_value_t = Shape::Shared)]
    shape: Shape,
    #[arg(long, default_value_t = 1)]
    connections: usize,
    #[arg(long, default_value_t = 64)]
    concurrency: usize,
    #[arg(long, default_value_t = 64)]
    size: usize,
    #[arg(long, value_enum, default_value_t = Payload::String)]
    payload: Payload,
    #[arg(long, value_enum, default_value_t = Socket::Tcp)]
    socket: Socket,
    #[arg(long, default_value_t = 0)]
    busy_us: u64,
    #[arg(long, default_value_t = 0)]
    sleep_us: u64,
    /// Open loop: so many calls a second.
    #[arg(long, conflicts_with = "share_of_peak")]
    rate: Option<f64>,
    /// Open loop at this share of what a closed loop reaches just before.
    #[arg(long)]
    share_of_peak: Option<f64>,
    /// Both sides on the multi-thread runtime with so many workers.
    #[arg(long)]
    workers: Option<u16>,
    /// Leave both sides on whatever core the kernel gives them.
    #[arg(long)]
    unpinned: bool,
}

impl CellOptions {
    fn cell(&self) -> Cell {
        let host = self
            .workers
            .map_or(Host::CURRENT, |workers| Host { runtime: RuntimeKind::Multi, workers });
        Cell {
            name: "own cell".to_owned(),
            shape: self.shape,
            connections: self.connections,
            concurrency: self.concurrency,
            size: self.size,
            payload: self.payload,
            socket: self.socket,
            server: host,
            client: host,
            pinned: !self.unpinned,
            busy_us: self.busy_us,
            sleep_us: self.sleep_us,
            pace: match (self.rate, self.share_of_peak) {
                (Some(rate), _) => Pace::Rate(rate),
                (None, Some(share)) => Pace::ShareOfPeak(share),
                (None, None) => Pace::Closed,
            },
        }
    }
}

impl RunOptions {
    /// The rows to measure. Where servers run already and each says whose it is, those take part.
    ///
    /// # Errors
    /// A plan that there is not, or none of its rows.
    pub(crate) fn rows(&self, servers: &[String]) -> Result<Vec<Row>, String> {
        let mut rows = match &self.plan {
            None => vec![Row {
                cell: self.cell.cell(),
                contestants: plan::everybody(),
                requirements: Vec::new(),
                rounds: plan::ROUNDS,
            }],
            Some(name) => {
                let plan = plan::find(name).ok_or_else(|| {
                    let names: Vec<_> = plan::plans().iter().map(|plan| plan.name).collect();
                    format!("no plan `{name}`; there are {}", names.join(", "))
                })?;
                plan.rows
            }
        };
        if let Some(part) = &self.row {
            rows.retain(|row| row.cell.name.contains(&**part));
        }
        if rows.is_empty() {
            return Err("no row of the plan has such a name".to_owned());
        }
        if let Some(rounds) = self.rounds {
            rows.iter_mut().for_each(|row| row.rounds = rounds as usize);
        }
        let named: Option<Vec<String>> =
            servers.iter().map(|server| Some(server.split_once('=')?.0.to_owned())).collect();
        let named = named.unwrap_or_default();
        let who = if self.contestants.is_empty() { &named } else { &self.contestants };
        if !who.is_empty() {
            rows.iter_mut().for_each(|row| row.contestants = who.clone());
        }
        Ok(rows)
    }

    /// How to measure them.
    ///
    /// # Errors
    /// Times and addresses that are none.
    pub(crate) fn run(&self, servers: &[String]) -> Result<run::Options, String> {
        let duration = |seconds: f64| {
            Duration::try_from_secs_f64(seconds).map_err(|_| format!("`{seconds}` is no time"))
        };
        let several = std::thread::available_parallelism().is_ok_and(|cores| cores.get() > 1);
        let remotes = servers.iter().map(|text| {
            let (name, address) = text.split_once('=').unwrap_or(("", text));
            Ok((name.to_owned(), address.parse()?))
        });
        let mut folders = Folders::usual();
        if let Some(peers) = &self.peers {
            folders.peers = peers.clone();
        }
        Ok(run::Options {
            plan: self.plan.clone().unwrap_or_else(|| "own".to_owned()),
            out: self.out.clone(),
            timing: Timing { warmup: duration(self.warmup)?, seconds: duration(self.seconds)? },
            folders,
            pins: several.then(|| (self.pin_server.clone(), self.pin_client.clone())),
            remotes: remotes.collect::<Result<_, String>>()?,
            spoiled_above: self.spoiled_above,
            count_writes: self.writes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(line: &str) -> RunOptions {
        match Options::try_parse_from(line.split_whitespace()).expect("options").command {
            Command::Run(run) | Command::Load { run, .. } => run,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_run_is_a_plan_or_a_cell() {
        assert_eq!(run("x run --plan table").rows(&[]).unwrap(), plan::find("table").unwrap().rows);
        let one = run("x run --plan table --row 25 --contestants a,b").rows(&[]).unwrap();
        assert_eq!((one.len(), &one[0].contestants[..]), (1, &["a".into(), "b".into()][..]));
        assert_eq!(run("x run --plan smoke").rows(&[]).unwrap()[0].rounds, 2);
        assert_eq!(run("x run --plan smoke --rounds 7").rows(&[]).unwrap()[0].rounds, 7);
        assert!(run("x run --plan table --row nothing").rows(&[]).is_err());
        assert!(
            run("x run --plan nothing").rows(&[]).unwrap_err().contains("there are table, lose")
        );
        let own = run("x run --size 0 --shape pooled --rate 10 --workers 2 --unpinned").rows(&[]);
        let key = own.unwrap()[0].cell.key();
        assert_eq!(key, "pooled(1) x64 0B string multi2>multi2 unpinned rate=10");
    }

    #[test]
    fn servers_are_named_or_stand_for_all() {
        let options = run("x load --server a:1");
        let remotes = options.run(&["a:1".into(), "tarpc=b:2".into()]).unwrap().remotes;
        assert_eq!(remotes[""].to_string(), "a:1");
        assert_eq!(remotes["tarpc"].to_string(), "b:2");
        assert!(options.run(&["nowhere".into()]).is_err());
        let who = |line: &str, servers: &[&str]| {
            let servers: Vec<String> = servers.iter().map(|text| (*text).to_owned()).collect();
            run(line).rows(&servers).unwrap()[0].contestants.clone()
        };
        assert_eq!(who("x load --server a:1", &["tarpc=b:2", "tonic=b:3"]), ["tarpc", "tonic"]);
        assert_eq!(who("x load --server a:1", &["a:1", "tarpc=b:2"]), plan::everybody());
        let chosen = who("x load --server a:1 --contestants ttrpc", &["tarpc=b:2"]);
        assert_eq!(chosen, ["ttrpc"]);
        assert!(run("x run --seconds NaN").run(&[]).is_err());
    }
}
