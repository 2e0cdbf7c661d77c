//! The phases of a call on the server.

use super::{between, residual, tell};
use crate::conn::Written;
use crate::registry::{HandlerFuture, MethodDescriptor};
use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::time::Instant;

/// How far one call came on the server, and when.
///
/// Told once for every call that found its method and a place among the running calls, after its reply was written or
/// was given up; see [`Server::on_phases`](crate::Server::on_phases). Points in time count from [`received`](Self::received)
/// and never go back. A point is `None` when the call did not come to it: one that an interceptor refuses has no
/// `decoded` and no handler, one whose connection breaks before its reply is written has no `written`.
///
/// ```text
/// received ─ arriving ─ decoded ─ starting ─ handler_start ─ handling ─ handler_end ─ encoding ─ encoded ─ writing ─ written
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ServerPhases {
    /// The method that was called.
    pub method: &'static MethodDescriptor,
    /// When the read returned that brought the last byte of the request. It is the same for all requests of one read.
    pub received: Instant,
    /// When the message was decoded, or verified; for a raw handler, when its bytes were ready.
    pub decoded: Option<Duration>,
    /// When the handler's future was polled for the first time. What a raw handler does before it returns its future
    /// comes before that.
    pub handler_start: Option<Duration>,
    /// When the handler had its outcome, was dropped, or panicked.
    pub handler_end: Option<Duration>,
    /// When the reply, or the error, stood encoded in the queue of its connection.
    pub encoded: Option<Duration>,
    /// When the kernel had the last byte of it. One look at the clock serves all replies of a write.
    pub written: Option<Duration>,
}

impl ServerPhases {
    /// From `received` to `decoded`: the wait behind requests of the same read and what their handlers do in place, the
    /// checks, interceptors, decompression, decoding.
    pub fn arriving(&self) -> Option<Duration> {
        self.decoded
    }

    /// From `decoded` to `handler_start`: the wait of a handler that runs on another core or on the pool; next to
    /// nothing for one that is polled in place.
    pub fn starting(&self) -> Option<Duration> {
        between(self.decoded, self.handler_start)
    }

    /// From `handler_start` to `handler_end`: the handler, with all that it waits for.
    pub fn handling(&self) -> Option<Duration> {
        between(self.handler_start, self.handler_end)
    }

    /// From `handler_end` to `encoded`: the reply is encoded, with the wait for the lock of the queue.
    pub fn encoding(&self) -> Option<Duration> {
        between(self.handler_end, self.encoded)
    }

    /// From `encoded` to `written`: the wait for the end of the batch and for a socket that is full, and the write.
    pub fn writing(&self) -> Option<Duration> {
        between(self.encoded, self.written)
    }

    /// From `received` to the last point that the call came to.
    pub fn total(&self) -> Duration {
        let points =
            [self.decoded, self.handler_start, self.handler_end, self.encoded, self.written];
        points.into_iter().flatten().max().unwrap_or_default()
    }

    /// What the intervals that are `Some` leave of [`total`](Self::total): zero for a call that came to every point,
    /// otherwise the time around the points that are missing. It was not measured as anything, hence its name.
    pub fn residual(&self) -> Duration {
        let named =
            [self.arriving(), self.starting(), self.handling(), self.encoding(), self.writing()];
        residual(self.total(), &named)
    }
}

/// Who is told.
pub(crate) type ServerObserver = Arc<dyn Fn(&ServerPhases) + Send + Sync>;

/// The points of a call under way; tells the observer when it is dropped.
pub(crate) struct ServerStamps {
    observer: ServerObserver,
    phases: ServerPhases,
    start: HandlerStart,
}

/// Where the future of a handler, which owns its call, notes that it was polled.
#[derive(Clone, Debug, Default)]
pub(crate) struct HandlerStart(Arc<OnceLock<Instant>>);

impl HandlerStart {
    /// The handler, which notes its first poll.
    #[cold]
    pub(crate) fn note(self, handler: HandlerFuture) -> HandlerFuture {
        Box::pin(async move {
            self.0.get_or_init(Instant::now);
            handler.await;
        })
    }
}

impl ServerStamps {
    pub(crate) fn new(
        observer: ServerObserver,
        method: &'static MethodDescriptor,
        received: Instant,
    ) -> Self {
        let phases = ServerPhases {
            method,
            received,
            decoded: None,
            handler_start: None,
            handler_end: None,
            encoded: None,
            written: None,
        };
        Self { observer, phases, start: HandlerStart::default() }
    }

    /// For the handler's future, which owns the call.
    pub(crate) fn handler_start(&self) -> HandlerStart {
        self.start.clone()
    }

    /// The message is decoded.
    #[cold]
    pub(crate) fn decoded(&mut self) {
        self.phases.decoded = Some(self.since_received(Instant::now()));
    }

    /// The call has its outcome; that of a handler, if one began.
    #[cold]
    pub(crate) fn ended(&mut self, at: Option<Instant>) {
        if let (Some(start), Some(at)) = (self.start.0.get(), at) {
            self.phases.handler_start = Some(self.since_received(*start));
            self.phases.handler_end = Some(self.since_received(at));
        }
    }

    /// The reply is queued.
    pub(crate) fn encoded(&mut self) {
        self.phases.encoded = Some(self.since_received(Instant::now()));
    }

    fn since_received(&self, at: Instant) -> Duration {
        at.saturating_duration_since(self.phases.received)
    }
}

impl Written for ServerStamps {
    fn written(mut self: Box<Self>, at: Instant) {
        self.phases.written = Some(self.since_received(at));
    }
}

impl Drop for ServerStamps {
    fn drop(&mut self) {
        tell(|| (self.observer)(&self.phases));
    }
}

impl fmt::Debug for ServerStamps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.phases.fmt(f)
    }
}
