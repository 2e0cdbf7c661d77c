//! A latency histogram with fixed buckets: eight per power of two, at most 12.5 % wide.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const SUB_BITS: u32 = 3;
const SUB_BUCKETS: u64 = 1 << SUB_BITS;
/// Up to 2^36 us, which is 19 hours; longer calls count in the last bucket.
const OCTAVES: u32 = 36;
const BUCKETS: usize = ((OCTAVES - SUB_BITS + 1) as usize) << SUB_BITS;

/// The buckets of one shard.
#[derive(Debug)]
pub(super) struct Histogram {
    buckets: [AtomicU64; BUCKETS],
    sum: AtomicU64,
}

impl Histogram {
    pub(super) fn new() -> Self {
        Self { buckets: [const { AtomicU64::new(0) }; BUCKETS], sum: AtomicU64::new(0) }
    }

    pub(super) fn record(&self, latency: Duration) {
        let micros = u64::try_from(latency.as_micros()).unwrap_or(u64::MAX);
        self.buckets[bucket_of(micros)].fetch_add(1, Ordering::Relaxed);
        self.sum.fetch_add(micros, Ordering::Relaxed);
    }

    pub(super) fn add_to(&self, snapshot: &mut LatencySnapshot) {
        for (total, bucket) in snapshot.buckets.iter_mut().zip(&self.buckets) {
            *total += bucket.load(Ordering::Relaxed);
        }
        snapshot.sum_micros += self.sum.load(Ordering::Relaxed);
    }
}

/// The latencies seen so far, in microseconds.
#[derive(Clone, PartialEq, Eq)]
pub struct LatencySnapshot {
    buckets: Vec<u64>,
    sum_micros: u64,
}

impl Default for LatencySnapshot {
    fn default() -> Self {
        Self { buckets: vec![0; BUCKETS], sum_micros: 0 }
    }
}

impl LatencySnapshot {
    /// How many calls were measured.
    pub fn count(&self) -> u64 {
        self.buckets.iter().sum()
    }

    /// The mean; zero when nothing was measured.
    pub fn mean(&self) -> Duration {
        Duration::from_micros(self.sum_micros.checked_div(self.count()).unwrap_or(0))
    }

    /// The latency that the share `quantile` (0 to 1) of calls did not exceed, rounded up to the
    /// upper edge of its bucket (at most 12.5 % too high); zero when nothing was measured.
    pub fn quantile(&self, quantile: f64) -> Duration {
        let count = self.count();
        if count == 0 {
            return Duration::ZERO;
        }
        let rank = ((quantile.clamp(0.0, 1.0) * count as f64).ceil() as u64).max(1);
        let mut seen = 0;
        for (index, bucket) in self.buckets.iter().enumerate() {
            seen += bucket;
            if seen >= rank {
                return Duration::from_micros(upper_edge(index));
            }
        }
        Duration::from_micros(upper_edge(BUCKETS - 1))
    }
}

impl std::fmt::Debug for LatencySnapshot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LatencySnapshot")
            .field("count", &self.count())
            .field("mean", &self.mean())
            .field("p50", &self.quantile(0.5))
            .field("p99", &self.quantile(0.99))
            .finish()
    }
}

/// Values below eight have a bucket each; above, the three bits behind the leading one choose.
fn bucket_of(micros: u64) -> usize {
    if micros < SUB_BUCKETS {
        return micros as usize;
    }
    let octave = micros.ilog2();
    if octave >= OCTAVES {
        return BUCKETS - 1;
    }
    let sub = (micros >> (octave - SUB_BITS)) - SUB_BUCKETS;
    (((octave - SUB_BITS + 1) as usize) << SUB_BITS) + sub as usize
}

/// The largest value that counts in a bucket.
fn upper_edge(bucket: usize) -> u64 {
    let (group, sub) = ((bucket as u64) >> SUB_BITS, bucket as u64 & (SUB_BUCKETS - 1));
    match group.checked_sub(1) {
        None => sub,
        Some(shift) => ((SUB_BUCKETS + sub + 1) << shift) - 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_lies_in_its_bucket() {
        for value in (0..5000).chain([1 << 20, (1 << 20) + 12_345, (1 << 35) + 1, u64::MAX]) {
            let bucket = bucket_of(value);
            assert!(bucket < BUCKETS);
            if bucket + 1 < BUCKETS {
                assert!(value <= upper_edge(bucket), "{value}");
            }
            assert!(bucket == 0 || upper_edge(bucket - 1) < value, "{value}");
        }
    }

    #[test]
    fn quantiles_are_at_most_an_eighth_too_high() {
        let histogram = Histogram::new();
        (1..=1000).for_each(|micros| histogram.record(Duration::from_micros(micros)));
        let mut snapshot = LatencySnapshot::default();
        histogram.add_to(&mut snapshot);
        assert_eq!(snapshot.count(), 1000);
        assert_eq!(snapshot.mean(), Duration::from_micros(500));
        for (quantile, exact) in [(0.5, 500), (0.9, 900), (0.99, 990), (1.0, 1000)] {
            let found = snapshot.quantile(quantile).as_micros() as u64;
            assert!(found >= exact && found <= exact * 9 / 8, "{quantile}: {found}");
        }
    }

    #[test]
    fn an_empty_snapshot_is_all_zero() {
        let empty = LatencySnapshot::default();
        assert_eq!((empty.count(), empty.mean()), (0, Duration::ZERO));
        assert_eq!(empty.quantile(0.99), Duration::ZERO);
    }
}
