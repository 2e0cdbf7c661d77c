//! A counter spread over cache lines.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};

/// One counter in shards; two cache lines apart, since prefetchers fetch lines in pairs.
#[derive(Debug)]
pub(crate) struct Sharded {
    shards: Box<[Padded]>,
}

#[derive(Debug, Default)]
#[repr(align(128))]
struct Padded(AtomicI64);

impl Default for Sharded {
    fn default() -> Self {
        Self { shards: (0..shard_count()).map(|_| Padded::default()).collect() }
    }
}

impl Sharded {
    /// Adds to the shard of this thread. Sequentially consistent, since a server that drains has to
    /// see every call that was counted before it looked.
    pub(crate) fn add(&self, amount: i64) {
        self.shards[shard_index()].0.fetch_add(amount, Ordering::SeqCst);
    }

    /// The sum of all shards. A concurrent change may or may not be seen.
    pub(crate) fn sum(&self) -> i64 {
        self.shards.iter().map(|shard| shard.0.load(Ordering::SeqCst)).sum()
    }

    /// Counts one more if that leaves at most `limit`.
    ///
    /// The count goes up before the sum is read, and both are sequentially consistent: of two
    /// that race for the last place at least one sees the other, so the limit is never passed.
    pub(crate) fn try_add_one(&self, limit: usize) -> bool {
        let own = &self.shards[shard_index()].0;
        own.fetch_add(1, Ordering::SeqCst);
        if i64::try_from(limit).is_ok_and(|limit| self.sum() > limit) {
            own.fetch_sub(1, Ordering::SeqCst);
            return false;
        }
        true
    }
}

/// How many shards there are: one per core up to 16, beyond which adding them up costs more than
/// a shared line does.
pub(super) fn shard_count() -> usize {
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT.get_or_init(|| {
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        cores.next_power_of_two().min(16)
    })
}

/// The shard of this thread: threads take turns.
pub(super) fn shard_index() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static INDEX: usize = NEXT.fetch_add(1, Ordering::Relaxed) % shard_count();
    }
    INDEX.with(|index| *index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn a_limit_is_never_passed() {
        let counter = Arc::new(Sharded::default());
        let threads: Vec<_> = (0..4)
            .map(|_| {
                let counter = counter.clone();
                std::thread::spawn(move || {
                    (0..1000).filter(|_| counter.try_add_one(100)).count() as i64
                })
            })
            .collect();
        let taken: i64 = threads.into_iter().map(|thread| thread.join().unwrap()).sum();
        assert_eq!(taken, counter.sum());
        assert!(taken <= 100, "{taken}");
    }

    #[test]
    fn a_count_may_go_down_on_another_thread() {
        let counter = Arc::new(Sharded::default());
        counter.add(1);
        let other = counter.clone();
        std::thread::spawn(move || other.add(-1)).join().unwrap();
        assert_eq!(counter.sum(), 0);
    }
}
