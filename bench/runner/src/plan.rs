//! The built-in plans: rows of the tables that the product is to reach.

use crate::cell::{Bound, Cell, Host, Metric, Pace, Requirement};
use crate::contestant::{OURS, PEERS};
use crate::ratio::{BEST_PEER, FLOOR};
use stubwire_bench_load::{Payload, Shape};

/// One row: a cell, who takes part in it, and what is asked of the product.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What is measured.
    pub cell: Cell,
    /// Who takes part, in the order of the first round.
    pub contestants: Vec<String>,
    /// What the product is to reach.
    pub requirements: Vec<Requirement>,
    /// Rounds of every contestant.
    pub rounds: usize,
}

/// A named list of rows.
pub struct Plan {
    /// The name.
    pub name: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// Its rows.
    pub rows: Vec<Row>,
}

/// Rounds, when nothing else is said: enough for a median that one bad round does not move.
pub const ROUNDS: usize = 5;

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;

/// All plans.
pub fn plans() -> Vec<Plan> {
    let plan = |name, about, rows| Plan { name, about, rows };
    vec![
        plan("table", "what the product must reach, one core a side, against all peers", table()),
        plan("lose", "where the design could lose: two workers a side, unpinned", lose()),
        plan("matrix", "sizes from 0 B to 1 MB, 1, 16 and 64 callers, our two protocols", matrix()),
        plan("runtimes", "the table's rows on tokio's multi-thread runtime as well", runtimes()),
        plan("smoke", "that everything runs: figures of no worth in a few seconds", smoke()),
    ]
}

/// The plan of this name.
pub fn find(name: &str) -> Option<Plan> {
    plans().into_iter().find(|plan| plan.name == name)
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// The product first, then everybody else.
pub fn everybody() -> Vec<String> {
    names(&[&OURS[..], &PEERS[..]].concat())
}

impl Row {
    fn new(cell: Cell) -> Self {
        Self { cell, contestants: everybody(), requirements: Vec::new(), rounds: ROUNDS }
    }

    fn needs(mut self, metric: Metric, bound: Bound, against: &str) -> Self {
        let against = (!against.is_empty()).then(|| against.to_owned());
        self.requirements.push(Requirement { metric, bound, against });
        self
    }

    fn at_least(self, factor: f64, against: &str) -> Self {
        self.needs(Metric::CallsPerSecond, Bound::AtLeast(factor), against)
    }

    fn at_most(self, metric: Metric, factor: f64, against: &str) -> Self {
        self.needs(metric, Bound::AtMost(factor), against)
    }
}

/// So many lanes over so many connections.
fn load(name: &str, shape: Shape, connections: usize, concurrency: usize, size: usize) -> Cell {
    Cell { name: name.to_owned(), shape, connections, concurrency, size, ..Default::default() }
}

fn separate(name: &str, lanes: usize, size: usize) -> Cell {
    load(name, Shape::Separate, lanes, lanes, size)
}

fn shared(name: &str, lanes: usize, size: usize) -> Cell {
    load(name, Shape::Shared, 1, lanes, size)
}

fn table() -> Vec<Row> {
    let busy = Cell { busy_us: 25, ..separate("25 us handler, 32 connections", 32, 64) };
    let open = |cell: Cell| {
        let row = Row::new(Cell { pace: Pace::ShareOfPeak(0.7), ..cell });
        row.at_most(Metric::P999, 3.0, BEST_PEER)
    };
    vec![
        Row::new(separate("64 B, 32 connections", 32, 64)).at_least(0.90, FLOOR),
        Row::new(shared("64 B, one connection, 64 in flight", 64, 64))
            .at_least(2.5, "tarpc")
            .at_least(0.75, FLOOR)
            .at_most(Metric::P99, 0.5, "tarpc"),
        Row::new(shared("1 KB, one connection, 400 in flight", 400, KIB))
            .at_least(4.5, "tarpc")
            .at_least(0.65, FLOOR),
        Row::new(separate("64 KB, 32 connections", 32, 64 * KIB))
            .at_least(1.0, "volo-thrift")
            .at_least(0.9, FLOOR)
            .at_most(Metric::P99, 1.0, "volo-thrift"),
        Row::new(shared("1 MB, one connection, 16 in flight", 16, MIB)).at_most(
            Metric::CpuPerCall,
            1.1,
            FLOOR,
        ),
        Row::new(busy).at_least(1.05, "tarpc"),
        Row::new(shared("one caller", 1, 64)).at_most(Metric::P50, 1.05, FLOOR),
        Row::new(load("64 callers over the default channel", Shape::Shared, 4, 64, 64))
            .at_least(0.75, FLOOR),
        open(separate("open loop at 70 %, 64 B, 32 connections", 32, 64)),
        open(shared("open loop at 70 %, 64 B, one connection", 64, 64)),
    ]
}

fn lose() -> Vec<Row> {
    let free = |workers: (u16, u16), cell: Cell| Cell {
        client: Host::multi(workers.0),
        server: Host::multi(workers.1),
        pinned: false,
        ..cell
    };
    let busy = |cell: Cell, busy_us| Cell { busy_us, ..free((2, 2), cell) };
    let one = |name| shared(name, 64, 64);
    let mut rows = vec![
        Row::new(free((2, 2), separate("two workers, 64 B, 32 connections", 32, 64))).at_most(
            Metric::P99,
            1.0,
            "ttrpc",
        ),
        Row::new(busy(one("two workers, one connection, handler busy 25 us"), 25))
            .at_least(1.0, "tarpc"),
        Row::new(busy(one("two workers, one connection, handler busy 1 ms"), 1000))
            .at_least(1950.0, ""),
        Row::new(free((2, 2), one("two workers, one connection, no work"))).at_least(4.5, "tarpc"),
    ];
    for client in [1, 2, 4] {
        for server in [1, 2, 4] {
            let name = format!("workers {client} at the client, {server} at the server");
            // The row of two and two stands above already, against all peers.
            if (client, server) != (2, 2) {
                let mut row = Row::new(free((client, server), separate(&name, 32, 64)));
                row.contestants = names(&OURS);
                rows.push(row);
            }
        }
    }
    rows.into_iter().map(|row| row.at_most(Metric::Failures, 0.0, "")).collect()
}

/// What the authors of brpc measured, and what they left out: attachments and pooled connections.
fn matrix() -> Vec<Row> {
    let sizes = [0, 16, 64, 256, KIB, 4 * KIB, 16 * KIB, 64 * KIB, 256 * KIB, MIB];
    let kinds = [
        ("string", Shape::Shared, Payload::String),
        ("bytes", Shape::Shared, Payload::Bytes),
        ("attachment", Shape::Shared, Payload::Attachment),
        ("pooled", Shape::Pooled, Payload::String),
    ];
    let mut rows = Vec::new();
    for (kind, shape, payload) in kinds {
        for size in sizes {
            for callers in [1, 16, 64] {
                let connections = if shape == Shape::Pooled { callers } else { 1 };
                let name = format!("{kind}, {size} B, {callers} callers");
                let cell = Cell { payload, ..load(&name, shape, connections, callers, size) };
                let mut row = Row::new(cell);
                row.contestants = names(&OURS);
                rows.push(row);
            }
        }
    }
    rows
}

fn runtimes() -> Vec<Row> {
    let closed = |row: &Row| row.cell.pace == Pace::Closed;
    table()
        .into_iter()
        .filter(closed)
        .map(|row| Row {
            contestants: OURS
                .iter()
                .flat_map(|name| [(*name).to_owned(), format!("{name}+multi")])
                .collect(),
            requirements: Vec::new(),
            ..row
        })
        .collect()
}

fn smoke() -> Vec<Row> {
    let open = Cell { pace: Pace::Rate(2000.0), ..shared("open loop", 8, 64) };
    let mut rows = vec![
        Row::new(separate("separate", 4, 64)),
        Row::new(shared("shared", 16, 64)),
        Row::new(open),
    ];
    for row in &mut rows {
        row.contestants = names(&OURS);
        row.rounds = 2;
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contestant::{Contestant, Folders};
    use crate::ratio::is_peer;
    use std::collections::HashSet;

    #[test]
    fn no_plan_measures_the_same_twice() {
        for plan in plans() {
            let mut keys = HashSet::new();
            let mut named = HashSet::new();
            for row in &plan.rows {
                assert!(keys.insert(row.cell.key()), "{}: {}", plan.name, row.cell.key());
                assert!(named.insert(&row.cell.name), "{}: {}", plan.name, row.cell.name);
            }
        }
    }

    #[test]
    fn requirements_are_against_those_who_take_part() {
        for row in plans().into_iter().flat_map(|plan| plan.rows) {
            for requirement in &row.requirements {
                let against = requirement.against.as_deref().unwrap_or(FLOOR);
                let takes_part = match against {
                    BEST_PEER => row.contestants.iter().any(|name| is_peer(name)),
                    _ => row.contestants.iter().any(|name| name == against),
                };
                assert!(against == FLOOR || takes_part, "{}: {requirement}", row.cell.name);
            }
        }
    }

    #[test]
    fn everybody_can_be_looked_for() {
        let folders = Folders { product: "nowhere".into(), peers: "nowhere".into() };
        for name in plans().into_iter().flat_map(|plan| plan.rows).flat_map(|row| row.contestants) {
            let error = Contestant::find(&name, &folders).unwrap_err();
            assert!(error.starts_with("no program at "), "{name}: {error}");
        }
    }

    #[test]
    fn the_matrix_is_whole() {
        assert_eq!(find("matrix").unwrap().rows.len(), 4 * 10 * 3);
        let lose = find("lose").unwrap();
        let errors = |row: &&Row| row.requirements.iter().any(|r| r.metric == Metric::Failures);
        assert_eq!(lose.rows.iter().filter(errors).count(), 4 + 8);
        assert!(find("nothing").is_none());
    }

    #[test]
    fn no_call_may_fail_with_any_number_of_workers() {
        let lose = find("lose").unwrap();
        for client in [1, 2, 4] {
            for server in [1, 2, 4] {
                let workers = (Host::multi(client), Host::multi(server));
                let cell = separate("", 32, 64);
                let row = lose.rows.iter().find(|row| {
                    let same = Cell {
                        client: workers.0,
                        server: workers.1,
                        pinned: false,
                        ..cell.clone()
                    };
                    row.cell.key() == same.key()
                });
                let row = row.unwrap_or_else(|| panic!("{client} and {server}"));
                assert!(OURS.iter().all(|ours| row.contestants.iter().any(|name| name == ours)));
                let none = Requirement {
                    metric: Metric::Failures,
                    bound: Bound::AtMost(0.0),
                    against: None,
                };
                assert!(row.requirements.contains(&none), "{}", row.cell.name);
            }
        }
    }
}
