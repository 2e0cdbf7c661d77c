//! What a handler does besides echoing.

use std::hint::spin_loop;
use std::time::{Duration, Instant};

/// The work of one call, from `--busy-us` and `--sleep-us`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Work {
    busy: Duration,
    sleep: Duration,
}

impl Work {
    /// Keeps the core busy, then sleeps.
    pub fn new(busy: Duration, sleep: Duration) -> Self {
        Self { busy, sleep }
    }

    /// Does it. Without a sleep it is ready at once.
    pub async fn run(self) {
        self.run_busy();
        if !self.sleep.is_zero() {
            tokio::time::sleep(self.sleep).await;
        }
    }

    /// The busy part alone.
    pub fn run_busy(self) {
        if self.busy.is_zero() {
            return;
        }
        let begin = Instant::now();
        while begin.elapsed() < self.busy {
            spin_loop();
        }
    }

    /// How long it sleeps, for a contestant without tokio.
    pub fn sleep(self) -> Duration {
        self.sleep
    }
}
