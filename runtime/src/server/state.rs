//! What all connections of one server share.

use super::event::{EventKind, Events, Observer};
use super::hooks::{Authenticator, Interceptor};
use crate::call::ServerObserver;
use crate::conn::Spinner;
use crate::frame::Protocol;
use crate::limits::Limits;
use crate::registry::Registry;
use crate::stats::{Sharded, WriteCounts};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::{Notify, watch};

/// What the user set up.
pub(super) struct Config {
    pub(super) protocols: Arc<[Protocol]>,
    pub(super) limits: Limits,
    pub(super) max_concurrency: usize,
    pub(super) interceptors: Vec<Arc<dyn Interceptor>>,
    pub(super) authenticator: Option<Arc<dyn Authenticator>>,
    pub(super) abort_on_disconnect: bool,
    pub(super) observer: Option<Observer>,
    pub(super) on_phases: Option<ServerObserver>,
    pub(super) report_blocking_after: Option<Duration>,
    pub(super) hand_off: bool,
    pub(super) spinner: Option<Arc<Spinner>>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            protocols: Protocol::ALL.into(),
            limits: Limits::default(),
            max_concurrency: 0,
            interceptors: Vec::new(),
            authenticator: None,
            abort_on_disconnect: false,
            observer: None,
            on_phases: None,
            report_blocking_after: Some(Duration::from_millis(100)),
            hand_off: true,
            spinner: None,
        }
    }
}

/// How far a server is in its life. It only goes forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Phase {
    /// Takes connections and calls.
    Serving,
    /// Takes no connections, answers new calls ELOGOFF, finishes those it accepted.
    Draining,
    /// Flushes and closes its connections.
    Closing,
    /// Drops everything.
    Killed,
}

pub(super) struct ServerState {
    pub(super) registry: Registry,
    pub(super) config: Config,
    pub(super) events: Events,
    pub(super) counters: Counters,
    /// Calls accepted and not yet answered.
    pub(super) calls: Sharded,
    /// Fires when a call ends while the server drains.
    pub(super) call_ended: Notify,
    /// What all connections wrote.
    pub(super) written: Arc<WriteCounts>,
    phase: AtomicU8,
    phase_changed: watch::Sender<Phase>,
}

#[derive(Default)]
pub(super) struct Counters {
    pub(super) connections: AtomicUsize,
    pub(super) accepted: AtomicU64,
    pub(super) connections_refused: AtomicU64,
    pub(super) accept_errors: AtomicU64,
    pub(super) misbehaved: AtomicU64,
    pub(super) dropped_replies: AtomicU64,
    pub(super) panics: AtomicU64,
}

impl ServerState {
    pub(super) fn new(registry: Registry, mut config: Config) -> Self {
        let events = Events::new(config.observer.take());
        Self {
            registry,
            config,
            events,
            counters: Counters::default(),
            calls: Sharded::default(),
            call_ended: Notify::new(),
            written: Arc::default(),
            phase: AtomicU8::new(Phase::Serving as u8),
            phase_changed: watch::Sender::new(Phase::Serving),
        }
    }

    /// True while new calls are executed.
    ///
    /// Sequentially consistent with the counting of calls: a call is counted first and looks
    /// then, the stop is set first and the count read then, so an accepted call is never missed.
    pub(super) fn is_serving(&self) -> bool {
        self.phase.load(Ordering::SeqCst) == Phase::Serving as u8
    }

    /// True while the server has not come to `phase`.
    pub(super) fn is_before(&self, phase: Phase) -> bool {
        self.phase.load(Ordering::SeqCst) < phase as u8
    }

    /// Goes forward to `phase`; going back is ignored.
    pub(super) fn advance(&self, phase: Phase) {
        self.phase.fetch_max(phase as u8, Ordering::SeqCst);
        self.phase_changed.send_if_modified(|current| {
            let later = *current < phase;
            if later {
                *current = phase;
            }
            later
        });
    }

    /// Waits until the server is at least in `phase`.
    pub(super) async fn reached(&self, phase: Phase) {
        let mut changes = self.phase_changed.subscribe();
        // The sender lives in self, so waiting cannot fail.
        let _ = changes.wait_for(|current| *current >= phase).await;
    }

    /// Notes the end of a call that was counted.
    pub(super) fn end_call(&self) {
        self.calls.add(-1);
        if !self.is_serving() {
            self.call_ended.notify_one();
        }
    }

    /// Counts and tells of a peer that did what it must not.
    pub(super) fn misbehaved(&self, text: impl FnOnce() -> String) {
        self.counters.misbehaved.fetch_add(1, Ordering::Relaxed);
        self.events.tell(EventKind::PeerMisbehaved, text);
    }

    pub(super) fn snapshot(&self) -> ServerSnapshot {
        let counters = &self.counters;
        ServerSnapshot {
            connections: counters.connections.load(Ordering::Relaxed),
            calls: usize::try_from(self.calls.sum()).unwrap_or(0),
            accepted: counters.accepted.load(Ordering::Relaxed),
            connections_refused: counters.connections_refused.load(Ordering::Relaxed),
            accept_errors: counters.accept_errors.load(Ordering::Relaxed),
            misbehaved: counters.misbehaved.load(Ordering::Relaxed),
            dropped_replies: counters.dropped_replies.load(Ordering::Relaxed),
            panics: counters.panics.load(Ordering::Relaxed),
            frames_written: self.written.frames(),
            writes: self.written.writes(),
        }
    }
}

/// What a server does and did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerSnapshot {
    /// Connections open now.
    pub connections: usize,
    /// Calls accepted and not yet answered.
    pub calls: usize,
    /// Connections accepted so far.
    pub accepted: u64,
    /// Connections closed at once because there were too many.
    pub connections_refused: u64,
    /// Times that `accept` failed.
    pub accept_errors: u64,
    /// Connections closed because of what their peer sent or did not send.
    pub misbehaved: u64,
    /// Replies for which nobody waited any more.
    pub dropped_replies: u64,
    /// Handlers that panicked.
    pub panics: u64,
    /// Frames handed to the kernel whole, on all connections so far.
    pub frames_written: u64,
    /// Writes that handed them over: the fewer for so many frames, the better they were gathered.
    pub writes: u64,
}
