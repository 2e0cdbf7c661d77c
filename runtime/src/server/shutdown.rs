//! Serving, and stopping without losing what was accepted.

use super::accept::accept_loop;
use super::state::{Phase, ServerSnapshot, ServerState};
use super::watchdog;
use crate::conn::Listener;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout_at};

/// How long closed connections may take at least to flush and to hear the peer's own end, when
/// the calls took all of the drain timeout.
const CLOSE_GRACE: Duration = Duration::from_secs(2);

/// A server that has its address.
#[derive(Debug)]
pub struct BoundServer {
    listener: Listener,
    handle: ServerHandle,
}

/// Stops a server and reads its counters. A cheap handle.
#[derive(Clone)]
pub struct ServerHandle(Arc<ServerState>);

impl BoundServer {
    pub(super) fn new(listener: Listener, state: ServerState) -> Self {
        Self { listener, handle: ServerHandle(Arc::new(state)) }
    }

    /// The TCP address it listens on, with the port that was chosen for port 0.
    ///
    /// # Errors
    /// `Unsupported` for a Unix socket.
    pub fn local_addr(&self) -> io::Result<SocketAddr> {
        match &self.listener {
            Listener::Tcp(listener) => listener.local_addr(),
            Listener::Unix(_) => Err(io::Error::new(
                io::ErrorKind::Unsupported,
                "a Unix socket has no network address",
            )),
        }
    }

    /// A handle to stop it from elsewhere.
    pub fn handle(&self) -> ServerHandle {
        self.handle.clone()
    }

    /// Serves until a [`ServerHandle`] stops it.
    ///
    /// # Errors
    /// None at present: a listener that fails is retried.
    pub async fn serve(self) -> io::Result<()> {
        self.serve_until(std::future::pending()).await
    }

    /// Serves until `signal` is ready, then stops as [`ServerHandle::stop`] says.
    ///
    /// Dropping the returned future stops at once, without draining.
    ///
    /// # Errors
    /// None at present: a listener that fails is retried.
    pub async fn serve_until(self, signal: impl Future<Output = ()>) -> io::Result<()> {
        let state = self.handle.0.clone();
        // Dropped on every way out, also when this future is dropped: nothing outlives it.
        let _kill = KillOnDrop(state.clone());
        watchdog::start(&state);
        if let Some(spinner) = &state.config.spinner {
            spinner.start();
        }
        let mut connections = JoinSet::new();
        tokio::select! {
            () = signal => state.advance(Phase::Draining),
            () = state.reached(Phase::Draining) => {}
            () = accept_loop(&self.listener, &state, &mut connections) => {}
        }
        drop(self.listener);
        // A deadline too far away to be a point in time is none.
        let deadline = Instant::now().checked_add(state.config.limits.drain_timeout);
        tokio::select! {
            () = within(deadline, drained(&state)) => {}
            () = state.reached(Phase::Closing) => {}
        }
        state.advance(Phase::Closing);
        // All calls are answered, but not everything that was written has been read.
        let grace = Instant::now() + CLOSE_GRACE;
        let closed = async { while connections.join_next().await.is_some() {} };
        tokio::select! {
            () = within(deadline.map(|deadline| deadline.max(grace)), closed) => {}
            () = state.reached(Phase::Killed) => {}
        }
        Ok(())
    }
}

/// Waits for `end`, but not beyond the deadline.
async fn within(deadline: Option<Instant>, end: impl Future<Output = ()>) {
    match deadline {
        None => end.await,
        Some(deadline) => _ = timeout_at(deadline, end).await,
    }
}

/// Waits until every accepted call is answered.
async fn drained(state: &ServerState) {
    loop {
        let ended = state.call_ended.notified();
        if state.calls.sum() <= 0 {
            return;
        }
        ended.await;
    }
}

struct KillOnDrop(Arc<ServerState>);

impl Drop for KillOnDrop {
    fn drop(&mut self) {
        self.0.advance(Phase::Killed);
    }
}

impl ServerHandle {
    /// Stops well: no new connections, new calls are answered ELOGOFF, accepted ones are finished
    /// within [`Limits::drain_timeout`](crate::Limits::drain_timeout), their replies written, then
    /// the connections closed. Returns at once.
    ///
    /// A second stop does not wait for the calls any more.
    pub fn stop(&self) {
        let next = if self.0.is_serving() { Phase::Draining } else { Phase::Killed };
        self.0.advance(next);
    }

    /// Stops at once: calls and replies are dropped.
    pub fn stop_now(&self) {
        self.0.advance(Phase::Killed);
    }

    /// What the server does and did.
    pub fn snapshot(&self) -> ServerSnapshot {
        self.0.snapshot()
    }
}

impl std::fmt::Debug for ServerHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.snapshot().fmt(f)
    }
}
