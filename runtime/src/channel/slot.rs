//! A place for one connection that is opened when it is needed and again when it broke.

use super::connect::{connect, pause_after};
use super::connection::{Connection, ConnectionSettings};
use super::target::Target;
use crate::stats::WriteCounts;
use crate::status::Status;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

/// What is needed to open connections to one target.
#[derive(Debug)]
pub(super) struct Connector {
    pub(super) target: Target,
    pub(super) settings: Arc<ConnectionSettings>,
    pub(super) patience: Duration,
    pub(super) opened: AtomicU64,
    pub(super) failed: AtomicU64,
    /// What its connections wrote.
    pub(super) written: Arc<WriteCounts>,
}

impl Connector {
    pub(super) async fn open(&self) -> Result<Arc<Connection>, Status> {
        let opened = connect(&self.target, &self.settings, &self.written, self.patience).await;
        let counter = if opened.is_ok() { &self.opened } else { &self.failed };
        counter.fetch_add(1, Ordering::Relaxed);
        opened
    }
}

type Outcome = Option<Result<Arc<Connection>, Status>>;

#[derive(Debug, Default)]
pub(super) struct Slot {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    connection: Option<Arc<Connection>>,
    opening: Option<watch::Receiver<Outcome>>,
    failures: u32,
    not_before: Option<Instant>,
}

impl Slot {
    /// The connection, if it is open.
    pub(super) fn ready(&self) -> Option<Arc<Connection>> {
        self.lock().connection.as_ref().filter(|connection| !connection.is_over()).cloned()
    }

    /// Starts to open the connection unless that is under way or has to wait. Does not wait.
    pub(super) fn warm_up(self: &Arc<Self>, connector: &Arc<Connector>) {
        let mut state = self.lock();
        if let Some(over) = state.connection.take_if(|connection| connection.is_over()) {
            state.lost(&over);
        }
        if state.opening.is_none() && state.not_before.is_none_or(|time| time <= Instant::now()) {
            state.opening = Some(self.spawn_opening(connector));
        }
    }

    /// The connection, opened if need be; callers that come meanwhile share the attempt.
    ///
    /// An attempt right after a failed one waits out the pause.
    ///
    /// # Errors
    /// Why it cannot be opened.
    pub(super) async fn open(
        self: &Arc<Self>,
        connector: &Arc<Connector>,
    ) -> Result<Arc<Connection>, Status> {
        loop {
            let step = self.next_step(connector);
            match step {
                Step::Ready(connection) => return Ok(connection),
                Step::Wait(until) => sleep_until(until).await,
                Step::Opening(mut opening) => {
                    if let Ok(outcome) = opening.wait_for(Option::is_some).await
                        && let Some(outcome) = outcome.clone()
                    {
                        return outcome;
                    }
                    // The runtime that opened it is gone; this one tries again.
                    self.forget(&opening);
                }
            }
        }
    }

    fn next_step(self: &Arc<Self>, connector: &Arc<Connector>) -> Step {
        let mut state = self.lock();
        match state.connection.take() {
            Some(connection) if !connection.is_over() => {
                state.connection = Some(connection.clone());
                return Step::Ready(connection);
            }
            Some(connection) => state.lost(&connection),
            None => {}
        }
        if let Some(opening) = &state.opening {
            return Step::Opening(opening.clone());
        }
        if let Some(time) = state.not_before.filter(|time| *time > Instant::now()) {
            return Step::Wait(time);
        }
        let opening = self.spawn_opening(connector);
        state.opening = Some(opening.clone());
        Step::Opening(opening)
    }

    /// In a task, so that a caller who gives up does not take the attempt with it.
    fn spawn_opening(self: &Arc<Self>, connector: &Arc<Connector>) -> watch::Receiver<Outcome> {
        let (outcome_sender, outcome) = watch::channel(None);
        let (slot, connector) = (self.clone(), connector.clone());
        tokio::spawn(async move {
            let opened = connector.open().await;
            slot.settle(&opened);
            let _ = outcome_sender.send(Some(opened));
        });
        outcome
    }

    fn settle(&self, opened: &Result<Arc<Connection>, Status>) {
        let mut state = self.lock();
        state.opening = None;
        match opened {
            Ok(connection) => {
                state.connection = Some(connection.clone());
                state.not_before = None;
            }
            Err(_) => state.pause(),
        }
    }

    fn forget(&self, stale: &watch::Receiver<Outcome>) {
        let mut state = self.lock();
        if state.opening.as_ref().is_some_and(|opening| opening.same_channel(stale)) {
            state.opening = None;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// A connection that never answered was worth no more than one that was not opened: a server that
    /// accepts and closes at once is not asked again without a pause.
    fn lost(&mut self, connection: &Connection) {
        if connection.has_answered() {
            self.failures = 0;
        } else {
            self.pause();
        }
    }

    fn pause(&mut self) {
        self.failures = self.failures.saturating_add(1);
        self.not_before = Some(Instant::now() + pause_after(self.failures));
    }
}

enum Step {
    Ready(Arc<Connection>),
    Wait(Instant),
    Opening(watch::Receiver<Outcome>),
}
