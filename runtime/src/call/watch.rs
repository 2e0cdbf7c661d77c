//! Tells which handler each thread is polling, so that one that blocks its thread can be named while it does.
//!
//! A poll costs two stores to memory of its own thread; no clock is read. Whoever looks twice and finds the same poll
//! under way knows how long it lasts at least.

use super::execute::Queued;
use crate::registry::{HandlerFuture, MethodEntry};
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Instant;

/// What one thread is doing.
#[derive(Debug, Default)]
struct Slot {
    /// The number of the method whose handler is polled; zero for none.
    method: AtomicU64,
    /// How many polls began on this thread.
    polls: AtomicU64,
}

/// One slot for every thread that ever polled a handler and still lives.
static SLOTS: Mutex<Vec<Arc<Slot>>> = Mutex::new(Vec::new());

/// Takes the thread's slot off the list when it ends.
struct Listed(Arc<Slot>);

impl Drop for Listed {
    fn drop(&mut self) {
        let mut slots = SLOTS.lock().unwrap_or_else(PoisonError::into_inner);
        slots.retain(|slot| !Arc::ptr_eq(slot, &self.0));
    }
}

thread_local! {
    static SLOT: Listed = {
        let slot = Arc::new(Slot::default());
        SLOTS.lock().unwrap_or_else(PoisonError::into_inner).push(slot.clone());
        Listed(slot)
    };
}

/// Runs `poll` with the method's number on show.
#[inline]
pub(super) fn watch<Output>(method: u64, poll: impl FnOnce() -> Output) -> Output {
    let mut poll = Some(poll);
    let shown = SLOT.try_with(|listed| {
        let _shown = Shown::new(&listed.0, method);
        poll.take().map(|poll| poll())
    });
    match (shown, poll) {
        (Ok(Some(output)), _) => output,
        // A thread that is ending has no slot any more.
        (_, Some(poll)) => poll(),
        (_, None) => unreachable!("a poll that was taken gave its output"),
    }
}

/// A method on show; when a handler calls another in place, the outer one is on show again after.
struct Shown<'a> {
    slot: &'a Slot,
    before: u64,
}

impl<'a> Shown<'a> {
    fn new(slot: &'a Slot, method: u64) -> Self {
        // Only the slot's own thread writes, so that a plain load and store count.
        let before = slot.method.load(Ordering::Relaxed);
        slot.polls.store(slot.polls.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        slot.method.store(method, Ordering::Release);
        Self { slot, before }
    }
}

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        self.slot.method.store(self.before, Ordering::Release);
    }
}

/// A poll that is under way on some thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UnderWay {
    thread: usize,
    poll: u64,
    /// The number of its method.
    pub(crate) method: u64,
}

/// The polls under way, one a thread at most.
pub(crate) fn under_way() -> Vec<UnderWay> {
    let slots = SLOTS.lock().unwrap_or_else(PoisonError::into_inner);
    let polls = slots.iter().map(|slot| UnderWay {
        thread: Arc::as_ptr(slot).addr(),
        method: slot.method.load(Ordering::Acquire),
        poll: slot.polls.load(Ordering::Relaxed),
    });
    polls.filter(|poll| poll.method != 0).collect()
}

/// A handler in a task of its own, on show whenever it is polled.
pub(super) struct Watched {
    entry: Arc<MethodEntry>,
    handler: HandlerFuture,
    /// Its place among those that were handed off, until its first poll is over.
    queued: Option<Queued>,
    /// Whether the next poll tells how long the method's polls take.
    sampled: bool,
}

impl Watched {
    pub(super) fn new(entry: Arc<MethodEntry>, handler: HandlerFuture) -> Self {
        Self { entry, handler, queued: None, sampled: false }
    }

    /// The same for a handler that was not polled yet.
    pub(super) fn queued(mut self, queued: Queued, sampled: bool) -> Self {
        (self.queued, self.sampled) = (Some(queued), sampled);
        self
    }
}

impl Future for Watched {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let this = &mut *self;
        let start = std::mem::take(&mut this.sampled).then(Instant::now);
        let poll = watch(this.entry.number, || this.handler.as_mut().poll(context));
        if let Some(start) = start {
            this.entry.pace.note(start.elapsed());
        }
        this.queued = None;
        poll
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(method: u64) -> usize {
        under_way().iter().filter(|poll| poll.method == method).count()
    }

    #[test]
    fn a_poll_is_on_show_while_it_lasts_and_the_outer_one_after() {
        let (outer, inner) = (u64::MAX - 1, u64::MAX - 2);
        watch(outer, || {
            assert_eq!((shown(outer), shown(inner)), (1, 0));
            watch(inner, || assert_eq!((shown(outer), shown(inner)), (0, 1)));
            assert_eq!((shown(outer), shown(inner)), (1, 0));
        });
        assert_eq!(shown(outer), 0);
    }

    #[test]
    fn a_panic_takes_its_poll_off_the_show_and_a_thread_its_slot() {
        let method = u64::MAX - 3;
        let thread = std::thread::spawn(move || watch(method, || panic!("as it should")));
        assert!(thread.join().is_err());
        assert_eq!(shown(method), 0);
    }
}
