//! Tells handlers that nobody waits for them any more.

use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::Notify;

/// Fires once when the peer is gone. Shared by all calls of one connection.
#[derive(Debug, Default)]
pub struct Cancellation {
    fired: AtomicBool,
    waiting: Notify,
}

impl Cancellation {
    /// True once the peer is gone.
    pub fn is_cancelled(&self) -> bool {
        self.fired.load(Ordering::Acquire)
    }

    /// Waits until the peer is gone.
    pub async fn cancelled(&self) {
        loop {
            // Registered before the flag is read, so that no firing is missed in between.
            let notified = self.waiting.notified();
            if self.is_cancelled() {
                return;
            }
            notified.await;
        }
    }

    pub(crate) fn fire(&self) {
        self.fired.store(true, Ordering::Release);
        self.waiting.notify_waiters();
    }
}
