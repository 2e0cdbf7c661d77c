//! One registered method: its facts, its handler, its limits and its counters.

use super::pace::Pace;
use super::{Codec, MethodDescriptor, service_id};
use crate::call::Call;
use crate::stats::{MethodSnapshot, MethodStats};
use crate::status::Status;
use bytes::Bytes;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

/// A handler in flight. It answers its call itself, so it yields nothing.
pub(crate) type HandlerFuture = Pin<Box<dyn Future<Output = ()> + Send>>;

/// What a protocol hands a call to.
pub(crate) trait Handler: Send + Sync {
    /// Decodes the message and makes the handler's future; `None` when the call was answered
    /// already because the message cannot be decoded.
    fn start(&self, call: Call, message: Bytes) -> Option<HandlerFuture>;
}

pub(crate) struct MethodEntry {
    /// Its own among all methods of the process; not zero.
    pub(crate) number: u64,
    pub(crate) descriptor: &'static MethodDescriptor,
    /// By which FRPC calls its service.
    pub(crate) service_id: u32,
    pub(crate) handler: Box<dyn Handler>,
    pub(crate) stats: MethodStats,
    pub(crate) pace: Pace,
    max_concurrency: AtomicUsize,
    ignore_overcrowded: AtomicBool,
    offload: AtomicBool,
}

impl MethodEntry {
    pub(super) fn new(descriptor: &'static MethodDescriptor, handler: Box<dyn Handler>) -> Self {
        static NUMBER: AtomicU64 = AtomicU64::new(1);
        Self {
            number: NUMBER.fetch_add(1, Ordering::Relaxed),
            descriptor,
            service_id: service_id(descriptor.service()),
            handler,
            stats: MethodStats::default(),
            pace: Pace::default(),
            max_concurrency: AtomicUsize::new(0),
            ignore_overcrowded: AtomicBool::new(false),
            offload: AtomicBool::new(false),
        }
    }

    pub(crate) fn max_concurrency(&self) -> usize {
        self.max_concurrency.load(Ordering::Relaxed)
    }

    /// Counts a call that begins.
    ///
    /// # Errors
    /// ELIMIT when as many run as may.
    pub(crate) fn begin(&self) -> Result<(), Status> {
        let limit = self.max_concurrency();
        if self.stats.begin(limit) {
            return Ok(());
        }
        self.stats.refuse_unbegun();
        let (service, method) = (self.descriptor.service(), self.descriptor.name());
        Err(Status::limit_reached(format!(
            "Rejected by {service}.{method}'s ConcurrencyLimiter, concurrency={limit}"
        )))
    }

    pub(crate) fn ignores_overcrowded(&self) -> bool {
        self.ignore_overcrowded.load(Ordering::Relaxed)
    }

    pub(crate) fn is_offloaded(&self) -> bool {
        self.offload.load(Ordering::Relaxed)
    }
}

/// A registered method: what it is, what it may do, what it did. A cheap handle.
#[derive(Clone)]
pub struct MethodHandle(pub(super) Arc<MethodEntry>);

impl MethodHandle {
    /// `package.Service/Method`.
    pub fn full_name(&self) -> &'static str {
        self.0.descriptor.full_name()
    }

    /// How its messages are encoded.
    pub fn codec(&self) -> Codec {
        self.0.descriptor.codec()
    }

    /// Its static facts.
    pub fn descriptor(&self) -> &'static MethodDescriptor {
        self.0.descriptor
    }

    /// At most this many calls at once; more are answered ELIMIT. Zero is no limit. Takes effect
    /// at once, also while serving.
    pub fn max_concurrency(&self, calls: usize) -> &Self {
        self.0.max_concurrency.store(calls, Ordering::Relaxed);
        self
    }

    /// The limit in force; `None` when there is none.
    pub fn concurrency_limit(&self) -> Option<usize> {
        Some(self.0.max_concurrency()).filter(|limit| *limit > 0)
    }

    /// Serves this method also on a connection whose replies pile up unread (brpc's
    /// `ignore_eovercrowded`): for small calls that must get through.
    pub fn ignore_overcrowded(&self, ignore: bool) -> &Self {
        self.0.ignore_overcrowded.store(ignore, Ordering::Relaxed);
        self
    }

    /// Runs its handlers on tokio's pool of blocking threads: for handlers that block their thread, by
    /// `std::thread::sleep`, a synchronous driver, a long computation. Elsewhere such a handler holds up
    /// every call whose turn it is on its thread.
    ///
    /// A call costs some microseconds more, for the change of thread. Takes effect from the next call on.
    pub fn offload(&self) -> &Self {
        self.0.offload.store(true, Ordering::Relaxed);
        self
    }

    pub(crate) fn is_number(&self, number: u64) -> bool {
        self.0.number == number
    }

    pub(crate) fn note_blocked(&self) {
        self.0.stats.note_blocked();
    }

    /// What it did so far.
    pub fn stats(&self) -> MethodSnapshot {
        self.0.stats.snapshot()
    }
}

impl fmt::Debug for MethodHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MethodHandle")
            .field("full_name", &self.full_name())
            .field("codec", &self.codec())
            .field("concurrency_limit", &self.concurrency_limit())
            .finish_non_exhaustive()
    }
}
