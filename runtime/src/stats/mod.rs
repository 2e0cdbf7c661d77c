//! Counters that do not bounce between cores, histograms, and what a reader sees of them.
//!
//! A leaf: it knows nothing of calls. Every writer touches the shard of its own thread; a reader
//! adds the shards up.

mod histogram;
mod method;
mod sharded;
mod writes;

pub use histogram::LatencySnapshot;
pub use method::MethodSnapshot;

pub(crate) use method::MethodStats;
pub(crate) use sharded::Sharded;
pub(crate) use writes::WriteCounts;
