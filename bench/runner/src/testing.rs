//! Records made up for tests.

use crate::cell::Cell;
use crate::environment::Environment;
use crate::ratio::ratios;
use crate::record::{CellRecord, ContestantRecord, FORMAT, Percentiles, ProcessCost, RoundRecord};

/// A contestant whose rounds of a second reached so many calls. The slower, the longer its latency:
/// every percentile is a second divided by the calls.
pub(crate) fn contestant(name: &str, calls: &[f64]) -> ContestantRecord {
    let rounds = calls.iter().enumerate().map(|(index, calls)| round(index + 1, *calls)).collect();
    ContestantRecord { name: name.to_owned(), rounds, ..Default::default() }
}

fn round(number: usize, calls: f64) -> RoundRecord {
    let nanos = (1e9 / calls.max(1.0)) as u64;
    let cost = ProcessCost { cpu_ns: 1_000_000_000, ..Default::default() };
    RoundRecord {
        number,
        turn: 1,
        elapsed_ns: 1_000_000_000,
        attempted: calls as u64,
        succeeded: calls as u64,
        latency: Percentiles {
            mean: nanos as f64,
            p50: nanos,
            p90: nanos,
            p99: nanos,
            p999: nanos,
            max: nanos,
        },
        server: Some(cost.clone()),
        client: cost,
        ..Default::default()
    }
}

/// A cell with the product alone in it.
pub(crate) fn record(name: &str, calls: &[f64]) -> CellRecord {
    record_of(name, vec![contestant("stubwire-prpc", calls)])
}

/// A cell with these contestants; its size is the length of its name.
pub(crate) fn record_of(name: &str, contestants: Vec<ContestantRecord>) -> CellRecord {
    let cell = Cell { name: name.to_owned(), size: name.len(), ..Default::default() };
    let ratios = ratios(&contestants);
    CellRecord {
        format: FORMAT,
        run: "2026-11-30T00:00:00Z".to_owned(),
        plan: "test".to_owned(),
        cell,
        requirements: Vec::new(),
        environment: Environment::default(),
        contestants,
        ratios,
    }
}
