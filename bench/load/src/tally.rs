//! Counting calls: one count a shard, so that workers do not wait for each other.

use crate::request::{Failure, Verified};
use hdrhistogram::Histogram;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What was counted.
pub(crate) struct Tally {
    pub(crate) latency: Histogram<u64>,
    pub(crate) succeeded: u64,
    pub(crate) failed: HashMap<String, u64>,
    pub(crate) warmup_failed: u64,
}

/// Reasons are kept apart up to this many; a contestant may put numbers into its errors.
const MAX_REASONS: usize = 100;

impl Tally {
    /// From a nanosecond to 100 s, three digits.
    pub(crate) fn histogram() -> Histogram<u64> {
        let bounds = Histogram::new_with_bounds(1, 100_000_000_000, 3);
        bounds.expect("these bounds are in order")
    }

    pub(crate) fn new() -> Self {
        let latency = Self::histogram();
        Self { latency, succeeded: 0, failed: HashMap::new(), warmup_failed: 0 }
    }

    /// Counts a call of the measured time.
    pub(crate) fn record(&mut self, took: Duration, outcome: Result<Verified, Failure>) {
        match outcome {
            Ok(Verified { .. }) => {
                self.succeeded += 1;
                self.latency.saturating_record(took.as_nanos() as u64);
            }
            Err(failure) => self.fail(failure.to_string()),
        }
    }

    pub(crate) fn fail(&mut self, reason: String) {
        let known = self.failed.contains_key(&reason) || self.failed.len() < MAX_REASONS;
        let reason = if known { reason } else { "another reason".to_owned() };
        *self.failed.entry(reason).or_default() += 1;
    }

    pub(crate) fn add(&mut self, other: &Self) {
        // The bounds are the same, so that nothing can be out of them.
        let _ = self.latency.add(&other.latency);
        self.succeeded += other.succeeded;
        self.warmup_failed += other.warmup_failed;
        for (reason, count) in &other.failed {
            *self.failed.entry(reason.clone()).or_default() += count;
        }
    }
}

/// Where a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Phase {
    Warmup,
    Measured,
    Over,
}

/// The counts of all lanes and the phase that they are in.
pub(crate) struct Board {
    shards: Vec<Mutex<Tally>>,
    phase: AtomicU8,
}

impl Board {
    /// One shard for one worker, so that its counts stay in its cache; else some more than workers,
    /// so that two of them seldom meet.
    pub(crate) fn new(workers: usize) -> Self {
        let shards = if workers <= 1 { 1 } else { workers * 4 };
        let shards = (0..shards).map(|_| Mutex::new(Tally::new())).collect();
        Self { shards, phase: AtomicU8::new(Phase::Warmup as u8) }
    }

    pub(crate) fn phase(&self) -> Phase {
        match self.phase.load(Ordering::Relaxed) {
            0 => Phase::Warmup,
            1 => Phase::Measured,
            _ => Phase::Over,
        }
    }

    pub(crate) fn enter(&self, phase: Phase) {
        self.phase.store(phase as u8, Ordering::Relaxed);
    }

    /// The count of the lane or the call with this number.
    pub(crate) fn shard(&self, number: usize) -> MutexGuard<'_, Tally> {
        let shard = &self.shards[number % self.shards.len()];
        shard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All counts together.
    pub(crate) fn total(&self) -> Tally {
        let mut total = Tally::new();
        for number in 0..self.shards.len() {
            total.add(&self.shard(number));
        }
        total
    }
}
