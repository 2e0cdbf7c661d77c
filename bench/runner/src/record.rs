//! The record of a run: a line of JSON a cell. This is the model that the table, the CSV, the
//! comparison of two records and a report read; it holds what was measured, and nothing derived but
//! the ratios of paired rounds.
//!
//! A record is a file of lines, each whole in itself, so that runs can be appended to one another
//! and lines be picked out; [`store`](crate::store) reads and writes it.

use crate::cell::{Cell, Requirement};
use crate::environment::Environment;
use crate::ratio::Ratio;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use stubwire_bench_load::LatencyHistogram;

/// The version of this model; a line of another is refused rather than misread.
pub const FORMAT: u32 = 1;

/// One cell of a run: everything that was measured of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CellRecord {
    /// [`FORMAT`].
    pub format: u32,
    /// The run that the line belongs to: its start, as in `environment.date`.
    pub run: String,
    /// The plan.
    pub plan: String,
    /// What was measured.
    pub cell: Cell,
    /// What the plan asks of the product here.
    pub requirements: Vec<Requirement>,
    /// Where it was measured.
    pub environment: Environment,
    /// Who took part, in the order of the first round. Those who could not are here as well.
    pub contestants: Vec<ContestantRecord>,
    /// The product against each of the others and against the floor, round by round.
    pub ratios: Vec<Ratio>,
}

/// One contestant in one cell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContestantRecord {
    /// Its name, as in `stubwire-prpc` or `tarpc`, or `stubwire-prpc+multi`.
    pub name: String,
    /// Why there are no rounds: no such binary, or what it does not support.
    pub absent: Option<String>,
    /// Where its server ran, when it was not started for the rounds: on another host, or by hand.
    pub remote: Option<String>,
    /// The closed loop just before, which an open loop at a share of the peak takes its rate from.
    pub peak: Option<RoundRecord>,
    /// The rounds in their order.
    pub rounds: Vec<RoundRecord>,
    /// Latencies of all rounds that count, together.
    pub latency: LatencyHistogram,
    /// System calls that write, from a round of their own.
    pub writes: Writes,
}

/// One round: a server and a client started, one measured time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RoundRecord {
    /// From 1.
    pub number: usize,
    /// The place in the order of this round, from 1.
    pub turn: usize,
    /// When the measured time began, in seconds since 1970.
    pub began: f64,
    /// The measured time.
    pub elapsed_ns: u64,
    /// Calls that ended in it; in an open loop, that were due in it.
    pub attempted: u64,
    /// Calls whose reply was verified.
    pub succeeded: u64,
    /// The others by reason.
    pub failed: BTreeMap<String, u64>,
    /// Calls that failed during the warm-up.
    pub warmup_failed: u64,
    /// Calls that did not end at all.
    pub unfinished: u64,
    /// Latency of verified calls.
    pub latency: Percentiles,
    /// How the generator of an open loop did.
    pub open_loop: Option<OpenLoopRecord>,
    /// Connections planned, opened and seen.
    pub connections: ConnectionsRecord,
    /// What the server process used; not known of a server on another host.
    pub server: Option<ProcessCost>,
    /// What the client process used.
    pub client: ProcessCost,
    /// What the machine did besides.
    pub machine: MachineLoad,
    /// Why the round is not to be trusted.
    pub spoiled: Option<String>,
}

/// Latency in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Percentiles {
    /// The mean.
    pub mean: f64,
    /// Half of the calls are faster.
    pub p50: u64,
    /// 90 %.
    pub p90: u64,
    /// 99 %.
    pub p99: u64,
    /// 99.9 %.
    pub p999: u64,
    /// The slowest.
    pub max: u64,
}

/// The generator of an open loop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OpenLoopRecord {
    /// Calls due a second.
    pub rate: f64,
    /// How much later than due calls were sent.
    pub lag: Percentiles,
    /// Most calls in flight at once.
    pub peak_in_flight: u64,
    /// The figures tell of the client rather than of the server.
    pub fell_behind: bool,
}

/// Connections.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConnectionsRecord {
    /// By the shape.
    pub planned: Option<usize>,
    /// As the contestant says.
    pub opened: Option<usize>,
    /// As the kernel showed when the measured time began.
    pub seen: Option<usize>,
}

impl ConnectionsRecord {
    /// Whether what was seen is what was planned, where both are known.
    pub fn as_planned(&self) -> bool {
        match (self.planned, self.seen) {
            (Some(planned), Some(seen)) => planned == seen,
            _ => true,
        }
    }
}

/// What a process used between begin and end of the measured time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProcessCost {
    /// Time on a core, by the scheduler's count of all its threads.
    pub cpu_ns: u64,
    /// User time, in the kernel's ticks.
    pub user_ns: u64,
    /// System time, in the kernel's ticks.
    pub system_ns: u64,
    /// Context switches to wait for something.
    pub voluntary_switches: u64,
    /// Context switches because the core was taken away.
    pub involuntary_switches: u64,
    /// Time on a core of each thread that had any, the busiest first.
    pub threads_ns: Vec<u64>,
}

/// What else happened on the machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MachineLoad {
    /// Cores that the hypervisor gave to others, on average.
    pub steal_cores: f64,
    /// Cores that processes other than server, client and runner used, on average.
    pub others_cores: f64,
}

/// System calls that write.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Writes {
    /// Of the server; none when they were not counted.
    pub server: Option<WritesPerCall>,
    /// Of the client.
    pub client: Option<WritesPerCall>,
    /// Why they were not counted.
    pub absent: Option<String>,
}

/// Of one side, a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WritesPerCall {
    /// `sendto`, `sendmsg`, `sendmmsg` and `writev`: what goes to a socket.
    pub sends: f64,
    /// `write`: of tokio's programs those that wake a thread, of others also what goes to a socket.
    pub writes: f64,
}

impl ProcessCost {
    /// Context switches of either kind.
    pub fn switches(&self) -> u64 {
        self.voluntary_switches + self.involuntary_switches
    }

    /// How much of its time the two busiest threads used, from 0 to 1.
    pub fn share_of_two_busiest(&self) -> f64 {
        let two: u64 = self.threads_ns.iter().take(2).sum();
        two as f64 / self.cpu_ns.max(1) as f64
    }
}

impl RoundRecord {
    /// Verified calls a second.
    pub fn calls_per_second(&self) -> f64 {
        match self.elapsed_ns {
            0 => 0.0,
            elapsed => self.succeeded as f64 * 1e9 / elapsed as f64,
        }
    }

    /// Cores that a process kept busy on average.
    pub fn cores(&self, cost: &ProcessCost) -> f64 {
        cost.cpu_ns as f64 / self.elapsed_ns.max(1) as f64
    }

    /// CPU time of a process for one call, in nanoseconds.
    pub fn cpu_per_call(&self, cost: &ProcessCost) -> Option<f64> {
        (self.succeeded > 0).then(|| cost.cpu_ns as f64 / self.succeeded as f64)
    }

    /// CPU time of both processes for one call, in nanoseconds.
    pub fn cpu_per_call_of_both(&self) -> Option<f64> {
        let server = self.cpu_per_call(self.server.as_ref()?)?;
        Some(server + self.cpu_per_call(&self.client)?)
    }

    /// Calls that failed, for whatever reason and whenever.
    pub fn failures(&self) -> u64 {
        let counts = self.failed.values().chain([&self.warmup_failed, &self.unfinished]);
        // A record may come from anywhere.
        counts.fold(0, |sum, count| sum.saturating_add(*count))
    }
}

impl ContestantRecord {
    /// The rounds that medians are taken of: the clean ones when they are enough, else all.
    pub fn counted(&self) -> Vec<&RoundRecord> {
        let clean: Vec<_> = self.rounds.iter().filter(|round| round.spoiled.is_none()).collect();
        if clean.len() >= enough(self.rounds.len()) { clean } else { self.rounds.iter().collect() }
    }
}

/// How many clean rounds of so many are enough to leave the spoiled ones out: half, and two.
pub fn enough(rounds: usize) -> usize {
    rounds.div_ceil(2).max(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::record;

    #[test]
    fn spoiled_rounds_are_left_out_only_when_enough_are_left() {
        let mut record = record("one", &[1.0, 2.0, 3.0, 4.0]).contestants.remove(0);
        record.rounds[0].spoiled = Some("steal".to_owned());
        record.rounds[1].spoiled = Some("steal".to_owned());
        let numbers = |record: &ContestantRecord| -> Vec<usize> {
            record.counted().iter().map(|round| round.number).collect()
        };
        assert_eq!(numbers(&record), [3, 4]);
        record.rounds[2].spoiled = Some("others".to_owned());
        assert_eq!(numbers(&record), [1, 2, 3, 4]);
    }
}
