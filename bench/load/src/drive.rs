//! One run from the first call to the report: warm-up, measured time, and what is still in flight.

use crate::closed::Lane;
use crate::command::ClientOptions;
use crate::contestant::Callers;
use crate::local::LocalCaller;
use crate::open::{Call, Plan, generate};
use crate::pace::Pace;
use crate::report::{ClientReport, Connections, Event};
use crate::request::RequestSource;
use crate::tally::{Board, Phase};
use std::io;
use std::process;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, sleep_until, timeout_at};

/// How long calls may take that are in flight when the measured time ends.
const PATIENCE: Duration = Duration::from_secs(10);

/// Puts the callers under the load that was asked for.
pub(crate) async fn drive<C: LocalCaller>(
    options: &ClientOptions,
    callers: Callers<C>,
    lane: impl Fn(Lane<C>) -> JoinHandle<()>,
    call: impl FnMut(Call<C>),
) -> io::Result<ClientReport> {
    let opened = callers.opened;
    let mut report = match options.rate {
        None => closed(options, &callers.callers, lane).await,
        Some(rate) => open(options, rate, callers.callers, call, Pace::fine()?).await,
    }?;
    report.connections = Connections { planned: options.planned_connections(), opened: opened() };
    Ok(report)
}

async fn closed<C: LocalCaller>(
    options: &ClientOptions,
    callers: &[C],
    spawn: impl Fn(Lane<C>) -> JoinHandle<()>,
) -> io::Result<ClientReport> {
    let source = Arc::new(RequestSource::new(options.size, options.payload));
    let board = Arc::new(Board::new(options.host.threads()));
    let of = options.concurrency;
    let lanes: Vec<_> = (0..of)
        .map(|number| {
            let caller = callers[number % callers.len()].clone();
            spawn(Lane { caller, source: source.clone(), board: board.clone(), number, of })
        })
        .collect();
    sleep(options.warmup).await;
    board.enter(Phase::Measured);
    let begin = Instant::now();
    Event::Begin { pid: process::id() }.print()?;
    sleep(options.seconds).await;
    board.enter(Phase::Over);
    let end = Instant::now();
    Event::End { pid: process::id() }.print()?;
    let mut unfinished = 0;
    for lane in lanes {
        unfinished += u64::from(timeout_at(end + PATIENCE, lane).await.is_err());
    }
    let report = ClientReport::new(&board.total(), end - begin).map_err(io::Error::other)?;
    Ok(ClientReport { unfinished, ..report })
}

async fn open<C: LocalCaller>(
    options: &ClientOptions,
    rate: f64,
    callers: Vec<C>,
    spawn: impl FnMut(Call<C>),
    pace: Pace,
) -> io::Result<ClientReport> {
    let source = Arc::new(RequestSource::new(options.size, options.payload));
    let board = Arc::new(Board::new(options.host.threads()));
    let begin = Instant::now();
    let (warmup, measured) = (options.warmup, options.seconds);
    let announce = async {
        sleep_until(begin + warmup).await;
        Event::Begin { pid: process::id() }.print()?;
        sleep_until(begin + warmup + measured).await;
        Event::End { pid: process::id() }.print()
    };
    let plan = Plan { rate, begin, warmup, measured };
    let generate = generate(plan, callers, source, board.clone(), pace, spawn);
    let (announced, generated) = tokio::join!(announce, generate);
    announced?;
    let generated = generated?;
    let until = Instant::now() + PATIENCE;
    while generated.pending.load(Ordering::Relaxed) > 0 && Instant::now() < until {
        sleep(Duration::from_millis(5)).await;
    }
    let unfinished = generated.pending.load(Ordering::Relaxed);
    let mut report = ClientReport::new(&board.total(), measured).map_err(io::Error::other)?;
    report.unfinished = unfinished;
    report.attempted += unfinished;
    report.open_loop = Some(generated.report(rate).map_err(io::Error::other)?);
    Ok(report)
}

#[cfg(test)]
mod tests;
