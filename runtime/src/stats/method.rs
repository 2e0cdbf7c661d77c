//! What is counted of one method.

use super::histogram::{Histogram, LatencySnapshot};
use super::sharded::{Sharded, shard_count, shard_index};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The counters of one method. A shard's memory is taken when its thread first answers a call, so
/// that a registry of thousands of idle methods stays small.
#[derive(Debug)]
pub(crate) struct MethodStats {
    in_flight: Sharded,
    /// Rare, so not sharded.
    blocked: AtomicU64,
    shards: Box<[OnceLock<Box<Shard>>]>,
}

#[derive(Debug)]
#[repr(align(128))]
struct Shard {
    failed: AtomicU64,
    refused: AtomicU64,
    latency: Histogram,
}

/// What one method did so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MethodSnapshot {
    /// Calls that came to an end, refused ones left out.
    pub finished: u64,
    /// Those of them that ended in an error.
    pub failed: u64,
    /// Calls refused before they were executed: limits, deadlines, interceptors.
    pub refused: u64,
    /// Calls that run now; for an instant also one that is just being refused for a limit.
    pub in_flight: u64,
    /// Times that a handler was found to block a thread of the runtime.
    pub blocked: u64,
    /// From the arrival of a request until its reply was queued, finished calls only.
    pub latency: LatencySnapshot,
}

impl Default for MethodStats {
    fn default() -> Self {
        let shards = (0..shard_count()).map(|_| OnceLock::new()).collect();
        Self { in_flight: Sharded::default(), blocked: AtomicU64::new(0), shards }
    }
}

impl MethodStats {
    /// Counts a call that begins, unless `limit` (0 is none) are in flight.
    pub(crate) fn begin(&self, limit: usize) -> bool {
        if limit == 0 {
            self.in_flight.add(1);
            return true;
        }
        self.in_flight.try_add_one(limit)
    }

    /// Counts the end of a call that began.
    pub(crate) fn finish(&self, latency: Duration, succeeded: bool) {
        self.in_flight.add(-1);
        let shard = self.shard();
        if !succeeded {
            shard.failed.fetch_add(1, Ordering::Relaxed);
        }
        shard.latency.record(latency);
    }

    /// Counts a call that was refused after it began.
    pub(crate) fn refuse(&self) {
        self.in_flight.add(-1);
        self.refuse_unbegun();
    }

    /// Counts a call that was refused before it began.
    pub(crate) fn refuse_unbegun(&self) {
        self.shard().refused.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a handler that was found to block its thread.
    pub(crate) fn note_blocked(&self) {
        self.blocked.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn snapshot(&self) -> MethodSnapshot {
        let mut snapshot = MethodSnapshot {
            in_flight: u64::try_from(self.in_flight.sum()).unwrap_or(0),
            blocked: self.blocked.load(Ordering::Relaxed),
            ..MethodSnapshot::default()
        };
        for shard in self.shards.iter().filter_map(OnceLock::get) {
            snapshot.failed += shard.failed.load(Ordering::Relaxed);
            snapshot.refused += shard.refused.load(Ordering::Relaxed);
            shard.latency.add_to(&mut snapshot.latency);
        }
        // Every finished call is in the histogram; one that fails is counted there last.
        snapshot.finished = snapshot.latency.count();
        snapshot.failed = snapshot.failed.min(snapshot.finished);
        snapshot
    }

    fn shard(&self) -> &Shard {
        self.shards[shard_index()].get_or_init(|| {
            Box::new(Shard {
                failed: AtomicU64::new(0),
                refused: AtomicU64::new(0),
                latency: Histogram::new(),
            })
        })
    }
}
