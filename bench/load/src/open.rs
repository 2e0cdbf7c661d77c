//! The open loop: calls are due at fixed times, whatever became of the ones before.
//!
//! A call's latency runs from the time at which it was due. A server that stands still for a second
//! then shows in the latency of every call of that second, where a closed loop would have sent one.

use crate::local::LocalCaller;
use crate::pace::Pace;
use crate::report::{LatencyHistogram, OpenLoop};
use crate::request::RequestSource;
use crate::tally::{Board, Phase, Tally};
use hdrhistogram::Histogram;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::time::Instant;

/// Calls in flight at most. A call that is due beyond is not sent and counts as failed: the server
/// is then so far behind that its latency has no end, and memory would have none either.
pub const MAX_IN_FLIGHT: u64 = 65_536;

/// Calls sent before those in flight get their turn.
const BATCH: u64 = 256;

/// The plan of an open loop.
pub(crate) struct Plan {
    pub(crate) rate: f64,
    pub(crate) begin: Instant,
    pub(crate) warmup: Duration,
    pub(crate) measured: Duration,
}

impl Plan {
    fn due(&self, number: u64) -> Instant {
        self.begin + Duration::from_secs_f64(number as f64 / self.rate)
    }

    fn phase(&self, due: Instant) -> Phase {
        let since = due.duration_since(self.begin);
        match since.checked_sub(self.warmup) {
            None => Phase::Warmup,
            Some(since) if since < self.measured => Phase::Measured,
            Some(_) => Phase::Over,
        }
    }
}

/// What the generator did.
pub(crate) struct Generated {
    pub(crate) lag: Histogram<u64>,
    pub(crate) peak_in_flight: u64,
    /// Calls due in the measured time, and those of them that were not sent.
    pub(crate) due: u64,
    pub(crate) unsent: u64,
    /// Calls of the measured time that are still in flight.
    pub(crate) pending: Arc<AtomicU64>,
}

/// A lag that is a tenth of what the fastest peers take to answer under load would be ideal; half of
/// the calls later than this, and the figures tell of the client.
const TOLERATED_LAG: Duration = Duration::from_millis(1);

impl Generated {
    pub(crate) fn report(&self, rate: f64) -> Result<OpenLoop, String> {
        let late = self.lag.value_at_quantile(0.5) > TOLERATED_LAG.as_nanos() as u64;
        Ok(OpenLoop {
            rate,
            lag: LatencyHistogram::new(&self.lag)?,
            peak_in_flight: self.peak_in_flight,
            fell_behind: late || self.unsent * 100 > self.due,
        })
    }
}

/// One call with what it needs, for whoever spawns it.
pub(crate) struct Call<C> {
    caller: C,
    source: Arc<RequestSource>,
    board: Arc<Board>,
    number: u64,
    due: Instant,
    phase: Phase,
    /// All calls in flight, and those of the measured time.
    in_flight: Arc<AtomicU64>,
    pending: Arc<AtomicU64>,
}

/// Makes one call and counts it.
pub(crate) async fn call<C: LocalCaller>(mut call: Call<C>) {
    let request = call.source.request(call.number);
    let outcome = call.caller.echo(&request).await;
    let took = call.due.elapsed();
    if call.phase == Phase::Measured {
        call.board.shard(call.number as usize).record(took, outcome);
        call.pending.fetch_sub(1, Ordering::Relaxed);
    } else if outcome.is_err() {
        call.board.shard(call.number as usize).warmup_failed += 1;
    }
    call.in_flight.fetch_sub(1, Ordering::Relaxed);
}

/// Sends calls when they are due, until the time is over.
pub(crate) async fn generate<C: LocalCaller>(
    plan: Plan,
    callers: Vec<C>,
    source: Arc<RequestSource>,
    board: Arc<Board>,
    mut pace: Pace,
    mut spawn: impl FnMut(Call<C>),
) -> io::Result<Generated> {
    let in_flight = Arc::new(AtomicU64::new(0));
    let mut generated = Generated {
        lag: Tally::histogram(),
        peak_in_flight: 0,
        due: 0,
        unsent: 0,
        pending: Arc::new(AtomicU64::new(0)),
    };
    for number in 0.. {
        let due = plan.due(number);
        let phase = plan.phase(due);
        if phase == Phase::Over {
            break;
        }
        let mut now = Instant::now();
        if due > now {
            pace.sleep_until(due).await?;
            now = Instant::now();
        } else if number.is_multiple_of(BATCH) {
            tokio::task::yield_now().await;
        }
        let measured = phase == Phase::Measured;
        generated.due += u64::from(measured);
        let others = in_flight.load(Ordering::Relaxed);
        if others >= MAX_IN_FLIGHT {
            generated.unsent += u64::from(measured);
            refuse(&board, number, measured);
            // Without a wait there would be no turn for those in flight.
            tokio::task::yield_now().await;
            continue;
        }
        generated.peak_in_flight = generated.peak_in_flight.max(others + 1);
        in_flight.fetch_add(1, Ordering::Relaxed);
        if measured {
            generated.lag.saturating_record((now - due).as_nanos() as u64);
            generated.pending.fetch_add(1, Ordering::Relaxed);
        }
        spawn(Call {
            caller: callers[number as usize % callers.len()].clone(),
            source: source.clone(),
            board: board.clone(),
            number,
            due,
            phase,
            in_flight: in_flight.clone(),
            pending: generated.pending.clone(),
        });
    }
    Ok(generated)
}

fn refuse(board: &Board, number: u64, measured: bool) {
    let mut shard = board.shard(number as usize);
    match measured {
        true => shard.fail("not sent: too many calls in flight".to_owned()),
        false => shard.warmup_failed += 1,
    }
}
