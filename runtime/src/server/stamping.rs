//! Stamps between the end of a call and the place of its reply in the queue of its connection.
//!
//! A reply is queued far below the call, by code that knows its ticket alone. Only connections of a server whose calls
//! are observed have one of these.

use crate::call::{ServerObserver, ServerStamps, Ticket};
use crate::conn::Outbound;
use crate::registry::MethodDescriptor;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::time::Instant;

pub(super) struct Stamping {
    observer: ServerObserver,
    /// Of calls that are being answered, by the number of their request: one a thread at most.
    answering: Mutex<HashMap<u64, Box<ServerStamps>>>,
}

impl Stamping {
    pub(super) fn new(observer: ServerObserver) -> Self {
        Self { observer, answering: Mutex::default() }
    }

    /// Stamps for a call whose request was read at `received`.
    #[cold]
    pub(super) fn stamps(
        &self,
        method: &'static MethodDescriptor,
        received: Instant,
    ) -> ServerStamps {
        ServerStamps::new(self.observer.clone(), method, received)
    }

    /// A call is about to be answered.
    pub(super) fn begin(&self, ticket: &Ticket, stamps: Box<ServerStamps>) {
        // Numbers are not given twice, so that nothing is displaced, and dropped under the lock.
        self.lock().insert(ticket.sequence, stamps);
    }

    /// Its reply stands in the queue, and ends at `end`.
    #[cold]
    pub(super) fn queued(&self, ticket: &Ticket, outbound: &Outbound, end: u64) {
        let stamps = self.lock().remove(&ticket.sequence);
        if let Some(mut stamps) = stamps {
            stamps.encoded();
            outbound.mark(end, stamps);
        }
    }

    /// Its reply does not come into the queue. One that panics while it is encoded is told when its connection ends.
    pub(super) fn drop_reply(&self, ticket: &Ticket) {
        // Not under the lock: stamps tell when they are dropped.
        let left = self.lock().remove(&ticket.sequence);
        drop(left);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Box<ServerStamps>>> {
        self.answering.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
