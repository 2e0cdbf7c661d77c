//! A clock that stands still until a test moves it, with sockets that work all the same.
//!
//! tokio moves a paused clock forward by itself whenever nothing can run, and waiting for a socket
//! looks like that. A blocking task that waits in the background keeps it from doing so.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// Stops tokio's clock of a current-thread runtime while it lives.
#[derive(Debug)]
pub struct Clock {
    _release: Sender<()>,
}

impl Clock {
    /// Stops the clock. A test that then takes a hundred real seconds hangs, and ends the process.
    pub fn stopped() -> Self {
        tokio::time::pause();
        let (release, released) = channel();
        tokio::task::spawn_blocking(move || {
            if released.recv_timeout(Duration::from_secs(100)) == Err(RecvTimeoutError::Timeout) {
                eprintln!("a test with a stopped clock hangs");
                std::process::abort();
            }
        });
        Self { _release: release }
    }

    /// Moves the clock, then lets everything that is due happen.
    pub async fn advance(&self, by: Duration) {
        tokio::time::advance(by).await;
        self.settle().await;
    }

    /// Lets everything that can happen without time going by happen.
    pub async fn settle(&self) {
        // Loopback delivers at once; the driver looks at sockets every 61 steps.
        for _ in 0..500 {
            tokio::task::yield_now().await;
        }
    }

    /// Waits for a condition without time going by.
    pub async fn until(&self, mut condition: impl FnMut() -> bool) {
        while !condition() {
            tokio::task::yield_now().await;
        }
    }
}
