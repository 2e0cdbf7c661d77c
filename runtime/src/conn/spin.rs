//! Looking for traffic instead of sleeping, for as long as traffic is fresh.
//!
//! Where one caller waits for one reply, most of the time goes into putting a core to sleep and waking it again. A task
//! that steps back and comes again at once keeps its thread from sleeping: between two of its turns tokio looks at the
//! sockets. It stops when nothing was read for a while.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tokio::sync::Notify;
use tokio::task::AbortHandle;

/// Keeps one runtime awake. Its task ends with it.
#[derive(Debug)]
pub(crate) struct Spinner {
    traffic: Arc<Traffic>,
    task: OnceLock<AbortHandle>,
}

#[derive(Debug)]
struct Traffic {
    window: Duration,
    /// Reads that brought something.
    reads: AtomicU64,
    /// The task sleeps until the next of them.
    asleep: AtomicBool,
    wake: Notify,
}

impl Spinner {
    /// Goes on looking for `window` after each read.
    pub(crate) fn new(window: Duration) -> Self {
        let traffic = Traffic {
            window,
            reads: AtomicU64::new(0),
            asleep: AtomicBool::new(false),
            wake: Notify::new(),
        };
        Self { traffic: Arc::new(traffic), task: OnceLock::new() }
    }

    /// Starts the task, once. Needs a tokio runtime.
    pub(crate) fn start(&self) {
        self.task.get_or_init(|| tokio::spawn(self.traffic.clone().spin()).abort_handle());
    }

    /// Notes that something was read.
    pub(crate) fn touch(&self) {
        self.traffic.reads.fetch_add(1, Ordering::SeqCst);
        if self.traffic.asleep.load(Ordering::SeqCst) {
            self.traffic.wake.notify_one();
        }
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        if let Some(task) = self.task.get() {
            task.abort();
        }
    }
}

impl Traffic {
    async fn spin(self: Arc<Self>) {
        let mut seen = self.reads.load(Ordering::SeqCst);
        let mut fresh = Instant::now();
        loop {
            // With nothing else to run, tokio looks at the sockets before it comes back here.
            tokio::task::yield_now().await;
            let reads = self.reads.load(Ordering::SeqCst);
            if reads != seen {
                (seen, fresh) = (reads, Instant::now());
            } else if fresh.elapsed() >= self.window {
                self.sleep(seen).await;
                fresh = Instant::now();
            }
        }
    }

    async fn sleep(&self, seen: u64) {
        // Raised before the count is read; a read counts first and looks at this after. One sees the other.
        self.asleep.store(true, Ordering::SeqCst);
        if self.reads.load(Ordering::SeqCst) == seen {
            self.wake.notified().await;
        }
        self.asleep.store(false, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Idle, it must not take a core; with traffic it must come back.
    #[tokio::test]
    async fn it_sleeps_when_nothing_is_read_and_wakes_when_something_is() {
        let spinner = Spinner::new(Duration::from_micros(50));
        spinner.start();
        for _ in 0..3 {
            while !spinner.traffic.asleep.load(Ordering::SeqCst) {
                tokio::task::yield_now().await;
            }
            spinner.touch();
            while spinner.traffic.asleep.load(Ordering::SeqCst) {
                tokio::task::yield_now().await;
            }
        }
    }

    #[tokio::test]
    async fn its_task_ends_with_it() {
        let spinner = Spinner::new(Duration::from_secs(3600));
        spinner.start();
        let traffic = Arc::downgrade(&spinner.traffic);
        tokio::task::yield_now().await;
        drop(spinner);
        while traffic.strong_count() > 0 {
            tokio::task::yield_now().await;
        }
    }
}
