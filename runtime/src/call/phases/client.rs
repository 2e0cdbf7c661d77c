//! The phases of a call on the client.

use super::{between, residual, tell};
use crate::conn::Written;
use crate::registry::MethodDescriptor;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::time::Instant;

/// How far one request came on the client, and when.
///
/// Told once for every time that a request was queued on a connection, after its caller has the outcome or gave up and
/// its bytes were written or never will be; see [`ChannelOptions::on_phases`](crate::ChannelOptions::on_phases). A call
/// that is tried again is told once a try. Points in time count from [`queued`](Self::queued) and
/// never go back, but for a request that is written only after its call failed. A point is `None` when the request did not come to it: one whose deadline passes has no `reply_read`, one that is given up
/// has no `woken`.
///
/// ```text
/// queued ─ writing ─ written ─ (residual) ─ reply_read ─ waking ─ woken
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ClientPhases {
    /// The method that was called.
    pub method: &'static MethodDescriptor,
    /// When the encoded message was about to be appended to the queue of its connection.
    pub queued: Instant,
    /// When the kernel had the last byte of the request. One look at the clock serves all requests of a write. A reply
    /// that was read before that look moves it back to the time of its own reading.
    pub written: Option<Duration>,
    /// When the read returned that brought the last byte of the reply.
    pub reply_read: Option<Duration>,
    /// When the caller's future was polled and had the outcome, be it a reply or a failure, before the message is decoded.
    pub woken: Option<Duration>,
}

impl ClientPhases {
    /// From `queued` to `written`: the head is made, and the request waits for others to go out with and for a socket
    /// that is full; the write.
    pub fn writing(&self) -> Option<Duration> {
        between(Some(Duration::ZERO), self.written)
    }

    /// From `reply_read` to `woken`: other replies of the same read are handed out, and the caller's task waits for its
    /// turn.
    pub fn waking(&self) -> Option<Duration> {
        between(self.reply_read, self.woken)
    }

    /// From `queued` to the last point that the request came to.
    pub fn total(&self) -> Duration {
        [self.written, self.reply_read, self.woken].into_iter().flatten().max().unwrap_or_default()
    }

    /// What the intervals that are `Some` leave of [`total`](Self::total). For a request that came to every point it is
    /// the time between `written` and `reply_read`: kernels, network, server, and a reader that had other things to do.
    /// The client measures none of these, so it has no other name.
    pub fn residual(&self) -> Duration {
        residual(self.total(), &[self.writing(), self.waking()])
    }
}

/// Who is told of the phases of a channel's calls.
///
/// It is called where a connection is written or a caller is woken: it must not block. One that panics is passed over.
#[derive(Clone)]
pub struct PhaseObserver(Arc<dyn Fn(&ClientPhases) + Send + Sync>);

impl PhaseObserver {
    /// Has `observe` called with the phases of every request.
    pub fn new(observe: impl Fn(&ClientPhases) + Send + Sync + 'static) -> Self {
        Self(Arc::new(observe))
    }
}

impl fmt::Debug for PhaseObserver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The address tells observers apart.
        write!(f, "PhaseObserver({:p})", Arc::as_ptr(&self.0))
    }
}

/// The points of a request under way, for its caller, the reader and the writer of its connection. Tells the observer
/// when the last of them lets go.
#[derive(Debug)]
pub(crate) struct ClientStamps {
    observer: PhaseObserver,
    method: &'static MethodDescriptor,
    queued: Instant,
    /// Nobody is told of a request that could not be queued.
    is_queued: AtomicBool,
    written: OnceLock<Instant>,
    reply_read: OnceLock<Instant>,
    woken: OnceLock<Instant>,
}

impl ClientStamps {
    /// Made before the request is queued: a quick peer may have answered by the time that it is.
    pub(crate) fn new(observer: PhaseObserver, method: &'static MethodDescriptor) -> Self {
        let (queued, is_queued) = (Instant::now(), AtomicBool::new(false));
        let (written, reply_read, woken) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Self { observer, method, queued, is_queued, written, reply_read, woken }
    }

    /// The request stands in the queue.
    #[cold]
    pub(crate) fn queued(&self) {
        self.is_queued.store(true, Ordering::Release);
    }

    /// The reply came with a read that returned at `at`.
    pub(crate) fn reply_read(&self, at: Instant) {
        self.reply_read.get_or_init(|| at);
    }

    /// The caller has the outcome.
    #[cold]
    pub(crate) fn woken(&self) {
        self.woken.get_or_init(Instant::now);
    }

    fn phases(&self) -> ClientPhases {
        let since = |at: &Instant| at.saturating_duration_since(self.queued);
        let reply_read = self.reply_read.get().map(since);
        let woken = self.woken.get().map(since);
        // Whoever writes looks at the clock after the kernel took the bytes, and a peer may be quicker than that. A
        // call that ended otherwise was written after its end or before.
        let written = self.written.get().map(since);
        let written = written.map(|at| reply_read.map_or(at, |read| at.min(read)));
        ClientPhases { method: self.method, queued: self.queued, written, reply_read, woken }
    }
}

impl Written for Arc<ClientStamps> {
    fn written(self: Box<Self>, at: Instant) {
        self.written.get_or_init(|| at);
    }
}

impl Drop for ClientStamps {
    fn drop(&mut self) {
        if *self.is_queued.get_mut() {
            tell(|| (self.observer.0)(&self.phases()));
        }
    }
}
