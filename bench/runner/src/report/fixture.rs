//! A record made up of everything that a page can have to show: peers of all speeds, spoiled rounds,
//! an open loop that fell behind, somebody absent, a server on another host, a matrix.

use crate::cell::{Bound, Cell, Metric, Pace, Requirement};
use crate::environment::Environment;
use crate::ratio::{FLOOR, ratios};
use crate::record::{
    CellRecord, ContestantRecord, FORMAT, OpenLoopRecord, Percentiles, ProcessCost, RoundRecord,
};
use hdrhistogram::Histogram;
use stubwire_bench_load::{LatencyHistogram, Shape};

/// Figures that look like measured ones and are the same every time.
struct Chance(u64);

impl Chance {
    /// Around one.
    fn near(&mut self, spread: f64) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        1.0 + spread * ((self.0 >> 11) as f64 / (1_u64 << 53) as f64 - 0.5)
    }
}

/// Contestants by calls a second, in units of the row.
const SPEEDS: [(&str, f64); 11] = [
    ("stubwire-prpc", 0.78),
    ("stubwire-frpc", 0.81),
    ("raw-tokio", 0.93),
    ("raw-epoll", 1.0),
    ("tarpc", 0.28),
    ("ttrpc", 0.17),
    ("tonic", 0.11),
    ("volo-grpc", 0.13),
    ("volo-thrift", 0.31),
    ("connectrpc", 0.09),
    ("capnp", 0.21),
];

fn contestant(chance: &mut Chance, name: &str, rate: f64, rounds: usize) -> ContestantRecord {
    let mut latency = Histogram::<u64>::new_with_bounds(1, 100_000_000_000, 3).expect("bounds");
    let median = 64e9 / rate;
    for step in 1..1000_u32 {
        let rare = 1000.0 / f64::from(step);
        let nanos = median * (0.72 + 0.28 * rare.powf(0.31)) * chance.near(0.1);
        latency.record_n(nanos as u64, 80).expect("in bounds");
    }
    let at = |quantile| latency.value_at_quantile(quantile);
    let rounds = (1..=rounds).map(|number| {
        let calls = (rate * chance.near(0.12)) as u64;
        let cost = |share: f64| ProcessCost {
            cpu_ns: (1e9 * share) as u64,
            voluntary_switches: calls / 40,
            threads_ns: vec![(1e9 * share) as u64],
            ..Default::default()
        };
        RoundRecord {
            number,
            turn: 1,
            elapsed_ns: 1_000_000_000,
            attempted: calls,
            succeeded: calls,
            latency: Percentiles {
                mean: latency.mean(),
                p50: (at(0.5) as f64 * chance.near(0.1)) as u64,
                p90: at(0.9),
                p99: (at(0.99) as f64 * chance.near(0.2)) as u64,
                p999: at(0.999),
                max: latency.max(),
            },
            server: Some(cost(0.97 * chance.near(0.03))),
            client: cost(0.9 * chance.near(0.1)),
            ..Default::default()
        }
    });
    ContestantRecord {
        name: name.to_owned(),
        absent: None,
        rounds: rounds.collect(),
        latency: LatencyHistogram::new(&latency).expect("a histogram"),
        ..Default::default()
    }
}

fn cell_record(plan: &str, cell: Cell, contestants: Vec<ContestantRecord>) -> CellRecord {
    let versions = [("prost", "0.14.6"), ("stubwire", "0.1.0"), ("tokio", "1.54.1")];
    CellRecord {
        format: FORMAT,
        run: "2026-11-30T00:00:00Z".to_owned(),
        plan: plan.to_owned(),
        cell,
        requirements: Vec::new(),
        environment: Environment {
            date: "2026-11-30T00:00:00Z".to_owned(),
            commit: "0123456789ab".to_owned(),
            kernel: "6.1.0".to_owned(),
            cpu: "Some Processor @ 2.00GHz".to_owned(),
            cores: 2,
            congestion_control: "cubic".to_owned(),
            rustc: "rustc 1.95.0".to_owned(),
            versions: versions.map(|(name, version)| (name.to_owned(), version.to_owned())).into(),
        },
        ratios: ratios(&contestants),
        contestants,
    }
}

fn required(metric: Metric, bound: Bound, against: &str) -> Requirement {
    let against = (!against.is_empty()).then(|| against.to_owned());
    Requirement { metric, bound, against }
}

/// A row with everybody in it.
fn busy_row(chance: &mut Chance) -> CellRecord {
    let cell = Cell {
        name: "64 B, one connection, 64 in flight".to_owned(),
        concurrency: 64,
        ..Cell::default()
    };
    let mut contestants: Vec<_> =
        SPEEDS.iter().map(|(name, speed)| contestant(chance, name, speed * 1e6, 5)).collect();
    contestants[0].rounds[1].spoiled = Some("others used 0.42 cores".to_owned());
    contestants[0].rounds[1].succeeded /= 2;
    contestants[4].rounds[3].spoiled = Some("0.15 cores stolen".to_owned());
    contestants[9] = ContestantRecord {
        name: "connectrpc".to_owned(),
        absent: Some("no program <connectrpc>".to_owned()),
        ..Default::default()
    };
    contestants[7].rounds[0].failed.insert("refused & closed".to_owned(), 3);
    let mut record = cell_record("table", cell, contestants);
    record.requirements = vec![
        required(Metric::CallsPerSecond, Bound::AtLeast(2.5), "tarpc"),
        required(Metric::CallsPerSecond, Bound::AtLeast(0.75), FLOOR),
        required(Metric::P99, Bound::AtMost(0.3), "tarpc"),
        required(Metric::CpuPerCall, Bound::AtMost(1.1), "connectrpc"),
    ];
    record
}

/// Two alone: an open loop whose client fell behind once, and who knows nothing of the server.
fn open_row(chance: &mut Chance) -> CellRecord {
    let cell = Cell {
        name: "open loop at 70 %".to_owned(),
        shape: Shape::Separate,
        connections: 32,
        concurrency: 32,
        pace: Pace::ShareOfPeak(0.7),
        ..Cell::default()
    };
    let mut contestants = vec![
        contestant(chance, "stubwire-prpc", 210_000.0, 3),
        contestant(chance, "stubwire-prpc+multi2", 190_000.0, 3),
    ];
    contestants[1].rounds[2].open_loop = Some(OpenLoopRecord {
        rate: 190_000.0,
        lag: Percentiles { p50: 3_000_000, ..Default::default() },
        peak_in_flight: 900,
        fell_behind: true,
    });
    contestants[1].rounds.iter_mut().for_each(|round| round.server = None);
    let mut record = cell_record("table", cell, contestants);
    record.requirements = vec![
        required(Metric::CallsPerSecond, Bound::AtLeast(150_000.0), ""),
        required(Metric::Failures, Bound::AtMost(0.0), ""),
    ];
    record
}

/// A row of each size and number of callers, for the product alone.
fn matrix(chance: &mut Chance) -> Vec<CellRecord> {
    let mut records = Vec::new();
    for size in [0, 1024, 65_536] {
        for concurrency in [1, 16, 64] {
            let peak = 800e3 / (1.0 + size as f64 / 6e3);
            let rate = peak * concurrency as f64 / (concurrency as f64 + 14.0);
            let contestants = vec![
                contestant(chance, "stubwire-prpc", rate, 3),
                contestant(chance, "stubwire-frpc", rate * 1.06, 3),
            ];
            let name = format!("string, {size} B, {concurrency} callers");
            let cell = Cell { name, size, concurrency, ..Cell::default() };
            records.push(cell_record("matrix", cell, contestants));
        }
    }
    records
}

/// Two plans in one record.
pub(super) fn record() -> Vec<CellRecord> {
    let mut chance = Chance(1);
    let mut records = vec![busy_row(&mut chance), open_row(&mut chance)];
    records.extend(matrix(&mut chance));
    records
}
