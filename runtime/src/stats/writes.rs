//! How many frames went out, in how many writes: what tells whether batches are batches.

use super::sharded::{shard_count, shard_index};
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts of all connections that share them, spread over cache lines: every write adds to them.
#[derive(Debug)]
pub(crate) struct WriteCounts {
    shards: Box<[Shard]>,
}

#[derive(Debug, Default)]
#[repr(align(128))]
struct Shard {
    frames: AtomicU64,
    writes: AtomicU64,
}

impl Default for WriteCounts {
    fn default() -> Self {
        Self { shards: (0..shard_count()).map(|_| Shard::default()).collect() }
    }
}

impl WriteCounts {
    /// Counts one write, and the frames whose last byte went out with it.
    pub(crate) fn add(&self, frames: u32) {
        let shard = &self.shards[shard_index()];
        shard.writes.fetch_add(1, Ordering::Relaxed);
        if frames > 0 {
            shard.frames.fetch_add(u64::from(frames), Ordering::Relaxed);
        }
    }

    /// Frames that went out whole.
    pub(crate) fn frames(&self) -> u64 {
        self.shards.iter().map(|shard| shard.frames.load(Ordering::Relaxed)).sum()
    }

    /// Writes of which the kernel took something.
    pub(crate) fn writes(&self) -> u64 {
        self.shards.iter().map(|shard| shard.writes.load(Ordering::Relaxed)).sum()
    }
}
