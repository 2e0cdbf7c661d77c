//! Runs a handler: once in place, and as a task of its own only if it has to wait.
//!
//! Most handlers are ready at once. Polling them where the request was read saves the task, its
//! wake-up and a change of core: a third to a half of the server's time per call.

use crate::registry::HandlerFuture;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::{Context, Poll, Waker};
use tokio::task::AbortHandle;
use tokio::task::coop::unconstrained;

/// Polls `handler` once and spawns it when it is pending; returns that task.
///
/// A handler that panics is done: its call is answered when unwinding drops it.
///
/// The first poll has a waker that does nothing. No wake-up is lost by that: spawning polls again
/// with the task's own waker. It runs outside tokio's budget, which would make ready handlers look
/// pending from the 128th of one batch on.
pub(crate) fn run_handler(
    mut handler: HandlerFuture,
    before_waiting: impl FnOnce(),
) -> Option<AbortHandle> {
    let mut context = Context::from_waker(Waker::noop());
    let poll = catch_unwind(AssertUnwindSafe(|| {
        let in_place = std::pin::pin!(unconstrained(handler.as_mut()));
        in_place.poll(&mut context)
    }));
    match poll {
        Ok(Poll::Ready(())) => None,
        Ok(Poll::Pending) => {
            before_waiting();
            Some(tokio::spawn(handler).abort_handle())
        }
        // Unwinding dropped what the future held; dropping its call answered it.
        Err(_) => {
            drop_quietly(handler);
            None
        }
    }
}

/// A future that panicked may panic again when it is dropped.
fn drop_quietly(handler: HandlerFuture) {
    let _ = catch_unwind(AssertUnwindSafe(|| drop(handler)));
}
