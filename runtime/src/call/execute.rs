//! Runs a handler: in place, as a task of its own, or on the worker pool.
//!
//! Most handlers are ready at once. Polling them where the request was read saves the task, its
//! wake-up and a change of core: a third to a half of the server's time per call. A handler that
//! computes for long would hold up those behind it, so it is handed to another core where there is
//! one; a handler that blocks its thread belongs on the worker pool, where its method sends it.

use super::Cancellation;
use super::watch::{Watched, watch};
use crate::registry::{HandlerFuture, MethodEntry};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Instant;
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::AbortHandle;
use tokio::task::coop::unconstrained;

/// A handler that runs somewhere else.
#[derive(Clone, Debug)]
pub(crate) enum Task {
    /// As a task of the runtime.
    Spawned(AbortHandle),
    /// On a thread of the worker pool; heard of when the handler waits next.
    Offloaded(Arc<Cancellation>),
}

impl Task {
    /// Drops the handler.
    pub(crate) fn abort(&self) {
        match self {
            Self::Spawned(task) => task.abort(),
            Self::Offloaded(dropped) => dropped.fire(),
        }
    }
}

/// The way of one connection's handlers to other cores.
#[derive(Debug)]
pub(crate) struct HandOff {
    /// Handed off and not polled yet.
    queued: AtomicUsize,
    most: usize,
}

impl HandOff {
    /// Where the runtime has other cores. Needs a tokio runtime.
    pub(crate) fn new() -> Option<Arc<Self>> {
        let runtime = Handle::current();
        if runtime.runtime_flavor() != RuntimeFlavor::MultiThread {
            return None;
        }
        let workers = runtime.metrics().num_workers();
        // A few more than there are cores to take them; beyond that the thread that reads had
        // better help than queue up more than can be answered.
        (workers > 1).then(|| Arc::new(Self { queued: AtomicUsize::new(0), most: 2 * workers }))
    }

    /// A place, if there is one.
    fn take(self: &Arc<Self>) -> Option<Queued> {
        // Only the thread that reads takes places, so that there are never more than that.
        (self.queued.load(Ordering::Relaxed) < self.most).then(|| {
            self.queued.fetch_add(1, Ordering::Relaxed);
            Queued(self.clone())
        })
    }
}

/// A handler that was handed off and not polled yet.
#[derive(Debug)]
pub(super) struct Queued(Arc<HandOff>);

impl Drop for Queued {
    fn drop(&mut self) {
        self.0.queued.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Runs `handler`; returns its task when it did not end in place. `elsewhere` is called before the
/// task exists.
///
/// A handler that panics is done: its call is answered when unwinding drops it.
pub(crate) fn run_handler(
    entry: &Arc<MethodEntry>,
    handler: HandlerFuture,
    hand_off: Option<&Arc<HandOff>>,
    elsewhere: impl FnOnce(),
) -> Option<Task> {
    if entry.is_offloaded() {
        elsewhere();
        return Some(offload(handler));
    }
    let sampled = hand_off.is_some() && entry.pace.samples();
    if entry.pace.is_slow()
        && let Some(queued) = hand_off.and_then(HandOff::take)
    {
        elsewhere();
        return Some(spawn(Watched::new(entry.clone(), handler).queued(queued, sampled)));
    }
    let handler = poll_in_place(entry, handler, sampled)?;
    elsewhere();
    Some(spawn(Watched::new(entry.clone(), handler)))
}

/// Polls a handler once; it comes back when it has to wait.
///
/// The poll has a waker that does nothing. No wake-up is lost by that: spawning polls again
/// with the task's own waker. It runs outside tokio's budget, which would make ready handlers look
/// pending from the 128th of one batch on.
fn poll_in_place(
    entry: &MethodEntry,
    mut handler: HandlerFuture,
    sampled: bool,
) -> Option<HandlerFuture> {
    let mut context = Context::from_waker(Waker::noop());
    let start = sampled.then(Instant::now);
    let poll = catch_unwind(AssertUnwindSafe(|| {
        let in_place = std::pin::pin!(unconstrained(handler.as_mut()));
        watch(entry.number, || in_place.poll(&mut context))
    }));
    if let Some(start) = start {
        entry.pace.note(start.elapsed());
    }
    match poll {
        Ok(Poll::Ready(())) => None,
        Ok(Poll::Pending) => Some(handler),
        // Unwinding dropped what the future held; dropping its call answered it. A future that
        // panicked may panic again when it is dropped.
        Err(_) => {
            let _ = catch_unwind(AssertUnwindSafe(|| drop(handler)));
            None
        }
    }
}

fn spawn(handler: Watched) -> Task {
    Task::Spawned(tokio::spawn(handler).abort_handle())
}

/// Runs a handler on a thread that may block.
fn offload(handler: HandlerFuture) -> Task {
    let dropped = Arc::new(Cancellation::default());
    let (heard, runtime) = (dropped.clone(), Handle::current());
    tokio::task::spawn_blocking(move || {
        runtime.block_on(async move {
            tokio::select! {
                biased;
                () = heard.cancelled() => {}
                () = handler => {}
            }
        });
    });
    Task::Offloaded(dropped)
}
