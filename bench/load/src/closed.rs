//! The closed loop: lanes that call, wait for the reply, and call again.

use crate::local::LocalCaller;
use crate::request::RequestSource;
use crate::tally::{Board, Phase};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// One lane of the loop.
pub(crate) struct Lane<C> {
    pub(crate) caller: C,
    pub(crate) source: Arc<RequestSource>,
    pub(crate) board: Arc<Board>,
    /// Its number, from 0, and how many there are.
    pub(crate) number: usize,
    pub(crate) of: usize,
}

/// A lane whose call failed waits this long: a server that is gone is not to keep the core busy.
const AFTER_FAILURE: Duration = Duration::from_millis(1);

/// Calls until the time is over.
///
/// The latency of a call runs from the end of the one before, so that one reading of the clock a
/// call is enough; making the request and checking the reply are in it.
pub(crate) async fn run<C: LocalCaller>(mut lane: Lane<C>) {
    let mut id = lane.number as u64;
    let mut begin = Instant::now();
    while lane.board.phase() != Phase::Over {
        let request = lane.source.request(id);
        let outcome = lane.caller.echo(&request).await;
        let end = Instant::now();
        let failed = outcome.is_err();
        match lane.board.phase() {
            Phase::Measured => lane.board.shard(lane.number).record(end - begin, outcome),
            Phase::Warmup if failed => lane.board.shard(lane.number).warmup_failed += 1,
            Phase::Warmup | Phase::Over => {}
        }
        begin = end;
        if failed {
            tokio::time::sleep(AFTER_FAILURE).await;
            begin = Instant::now();
        }
        id += lane.of as u64;
    }
}
