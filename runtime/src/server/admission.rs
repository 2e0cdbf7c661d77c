//! The calls of one connection: how many there are, and which of them wait in tasks of their own.

use crate::call::Task;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// Counts the calls of a connection and lets its reader wait for their end.
#[derive(Debug, Default)]
pub(super) struct Running {
    calls: AtomicUsize,
    /// True while the reader waits, so that calls need not signal an end that nobody awaits.
    awaited: AtomicBool,
    ended: Notify,
}

impl Running {
    pub(super) fn begin(&self) {
        self.calls.fetch_add(1, Ordering::SeqCst);
    }

    pub(super) fn end(&self) {
        // The waiter raises its flag and looks at the count after; this counts first and looks at
        // the flag after. One of the two sees the other.
        self.calls.fetch_sub(1, Ordering::SeqCst);
        if self.awaited.load(Ordering::SeqCst) {
            self.ended.notify_one();
        }
    }

    pub(super) fn is_below(&self, limit: usize) -> bool {
        self.calls.load(Ordering::SeqCst) < limit
    }

    /// Waits until fewer than `limit` calls run.
    pub(super) async fn wait_below(&self, limit: usize) {
        if self.is_below(limit) {
            return;
        }
        self.awaited.store(true, Ordering::SeqCst);
        while !self.is_below(limit) {
            self.ended.notified().await;
        }
        self.awaited.store(false, Ordering::SeqCst);
    }
}

/// The calls that wait, by their number on the connection.
///
/// Calls that are answered in place never come here: they cannot overlap with another.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    calls: Mutex<Calls>,
    count: AtomicUsize,
}

#[derive(Debug, Default)]
struct Calls {
    by_sequence: HashMap<u64, WaitingCall>,
    ids: HashSet<i64>,
}

#[derive(Debug)]
struct WaitingCall {
    id: Option<i64>,
    task: Option<Task>,
}

impl Waiting {
    /// True when a call with this correlation id waits.
    pub(super) fn has_id(&self, id: Option<i64>) -> bool {
        self.count.load(Ordering::Acquire) > 0 && id.is_some_and(|id| self.lock().ids.contains(&id))
    }

    /// Lists a call, before its task exists.
    pub(super) fn add(&self, sequence: u64, id: Option<i64>) {
        let mut calls = self.lock();
        calls.by_sequence.insert(sequence, WaitingCall { id, task: None });
        calls.ids.extend(id);
        self.count.fetch_add(1, Ordering::Release);
    }

    /// Remembers the task of a listed call, unless it ended meanwhile.
    pub(super) fn set_task(&self, sequence: u64, task: Task) {
        if let Some(call) = self.lock().by_sequence.get_mut(&sequence) {
            call.task = Some(task);
        }
    }

    /// Takes a call off the list, if it was on it.
    pub(super) fn remove(&self, sequence: u64) {
        if self.count.load(Ordering::Acquire) == 0 {
            return;
        }
        let mut calls = self.lock();
        if let Some(call) = calls.by_sequence.remove(&sequence) {
            call.id.map(|id| calls.ids.remove(&id));
            self.count.fetch_sub(1, Ordering::Release);
        }
    }

    /// Drops the tasks of all listed calls; each takes itself off the list.
    pub(super) fn abort_all(&self) {
        // Not under the lock: an aborted call may take itself off at once.
        let tasks: Vec<_> =
            self.lock().by_sequence.values().filter_map(|call| call.task.clone()).collect();
        tasks.iter().for_each(Task::abort);
    }

    fn lock(&self) -> MutexGuard<'_, Calls> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
