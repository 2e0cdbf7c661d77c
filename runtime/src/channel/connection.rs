//! One connection of a client and the calls on it.

use super::decode::NO_TEXT;
use super::outward::Outward;
use super::request::Request;
use crate::call::{CallTable, Failure, Lost, PhaseObserver, RawReply, SlotKey};
use crate::conn::{Inbound, Outbound, ReadHalf, Socket, Spinner, Then, write_loop};
use crate::frame::Protocol;
use crate::frame::frpc::ByteOrder;
use crate::limits::Limits;
use crate::stats::WriteCounts;
use crate::status::{Code, Status};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep_until};

/// Deadlines are met this exactly: sweeps come no closer than this to each other.
const SWEEP_INTERVAL: Duration = Duration::from_millis(5);

/// What a connection needs to know of its channel.
#[derive(Clone, Debug)]
pub(super) struct ConnectionSettings {
    pub(super) limits: Limits,
    pub(super) max_unwritten: usize,
    pub(super) authentication_data: Vec<u8>,
    pub(super) spinner: Option<Arc<Spinner>>,
    /// Who hears of the phases of calls.
    pub(super) on_phases: Option<PhaseObserver>,
    pub(super) dialect: Dialect,
}

/// What a connection speaks.
#[derive(Clone, Copy, Debug)]
pub(super) enum Dialect {
    Prpc,
    Frpc {
        order: ByteOrder,
        /// Whether a block of ours is appended to the metadata.
        append: bool,
    },
}

impl Dialect {
    fn protocol(self) -> Protocol {
        match self {
            Self::Prpc => Protocol::Prpc,
            Self::Frpc { .. } => Protocol::Frpc,
        }
    }
}

/// A connection in use. The last owner closes it.
#[derive(Debug)]
pub(super) struct Connection {
    shared: Arc<Shared>,
    tasks: [AbortHandle; 2],
}

#[derive(Debug)]
struct Shared {
    settings: Arc<ConnectionSettings>,
    target: String,
    table: Mutex<CallTable>,
    outbound: Outbound,
    lost: AtomicBool,
    /// The server said that it is stopping: calls in flight go on, new ones go elsewhere.
    retired: AtomicBool,
    /// At least one reply came.
    answered: AtomicBool,
    sweep_earlier: Notify,
    stray_replies: AtomicU64,
}

impl Connection {
    /// Puts a fresh socket to use. Needs a tokio runtime.
    pub(super) fn start(
        socket: Socket,
        target: String,
        settings: Arc<ConnectionSettings>,
        written: Arc<WriteCounts>,
    ) -> Arc<Self> {
        let (read, write) = socket.into_split();
        let outbound = Outbound::new(write, written, settings.on_phases.is_some());
        let shared = Arc::new(Shared {
            settings,
            target,
            table: Mutex::default(),
            outbound,
            lost: AtomicBool::new(false),
            retired: AtomicBool::new(false),
            answered: AtomicBool::new(false),
            sweep_earlier: Notify::new(),
            stray_replies: AtomicU64::new(0),
        });
        if let Some(spinner) = &shared.settings.spinner {
            spinner.start();
        }
        tokio::spawn(shared.clone().write());
        let reader = tokio::spawn(shared.clone().read(read));
        let sweeper = tokio::spawn(shared.clone().sweep());
        let tasks = [reader.abort_handle(), sweeper.abort_handle()];
        Arc::new(Self { shared, tasks })
    }

    /// True when no call should be started any more.
    pub(super) fn is_over(&self) -> bool {
        self.shared.lost.load(Ordering::Acquire) || self.shared.retired.load(Ordering::Relaxed)
    }

    /// True once a reply came: what is at the other end works.
    pub(super) fn has_answered(&self) -> bool {
        self.shared.answered.load(Ordering::Relaxed)
    }

    /// Replies that came for calls nobody waits for.
    pub(super) fn stray_replies(&self) -> u64 {
        self.shared.stray_replies.load(Ordering::Relaxed)
    }

    /// Calls that have not fetched their end.
    pub(super) fn calls(&self) -> usize {
        self.shared.lock().len()
    }

    /// Queues a request. The call wakes `waker` when it ends, without which it has to be polled once.
    ///
    /// # Errors
    /// What says why it was not queued; no byte of it was written.
    pub(super) fn send(
        self: Arc<Self>,
        request: &mut Request,
        deadline: Option<Instant>,
        timeout_ms: Option<i32>,
        waker: Option<&Waker>,
    ) -> Result<InFlight, Lost> {
        let shared = &self.shared;
        let settings = &shared.settings;
        let refuse = |status| Lost { status, written: false };
        if shared.outbound.unwritten() > settings.max_unwritten {
            let text = format!("Connection to {} is overcrowded", shared.target);
            return Err(refuse(Status::new(Code::EOVERCROWDED, text)));
        }
        let mut table = shared.lock();
        let key = table.insert(deadline, waker.cloned())?;
        // With nobody else's call in flight there is nobody whose next request could go out with this one.
        let then = if table.len() == 1 { Then::Flush } else { Then::Wake };
        if let Some(observer) = &settings.on_phases {
            table.stamp(key, observer, request.method);
        }
        let (mut start, mut encoded) = (0, Ok(()));
        // The table stays locked: a loss of the connection is seen with the position noted.
        let pushed = shared.outbound.push(then, |out, position| {
            start = position;
            let attempt = Outward { id: key.correlation_id(), timeout_ms, first: position == 0 };
            encoded = attempt.write(request, settings, out);
        });
        let pushed = match (pushed, encoded) {
            (Ok(pushed), Ok(())) => pushed,
            (_, Err(error)) => {
                table.remove(key);
                return Err(refuse(Status::invalid_request(error.to_string())));
            }
            (Err(_), Ok(())) => {
                table.remove(key);
                return Err(refuse(shared.gone("it was closed")));
            }
        };
        table.set_position(key, start);
        let sweep_earlier = table.bring_sweep_forward(deadline);
        drop(table);
        if shared.settings.on_phases.is_some() {
            shared.mark(key, pushed.end);
        }
        if pushed.due || then == Then::Flush {
            shared.outbound.flush();
        }
        if sweep_earlier {
            shared.sweep_earlier.notify_one();
        }
        Ok(InFlight { connection: self, key: Some(key) })
    }
}

/// True for the words of a server that stops, brpc's and ours; FRPC has no words, so there the code
/// alone has to do. A handler may pass the same code on
/// from a server of its own, which says nothing about this connection.
fn says_goodbye(status: &Status) -> bool {
    let words = status.message();
    status.code() == Code::ELOGOFF && (words == "Server is stopping" || words == NO_TEXT)
}

/// Ends the connection. Nobody waits on it any more, so what is still queued are calls that were given
/// up, which may go out or not.
impl Drop for Connection {
    fn drop(&mut self) {
        self.shared.outbound.close();
        self.tasks.iter().for_each(AbortHandle::abort);
    }
}

/// A call that was sent. Dropping it frees its slot.
#[derive(Debug)]
pub(super) struct InFlight {
    pub(super) connection: Arc<Connection>,
    key: Option<SlotKey>,
}

impl Future for InFlight {
    type Output = Result<RawReply, Failure>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(key) = self.key else {
            let status = Status::internal("the call was polled again after it had ended");
            return Poll::Ready(Err(Failure::Lost(Lost { status, written: true })));
        };
        let shared = &self.connection.shared;
        let poll = match shared.settings.on_phases {
            None => shared.lock().poll(key, context),
            Some(_) => shared.poll_stamped(key, context),
        };
        if poll.is_ready() {
            self.key = None;
        }
        poll
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        if let Some(key) = self.key {
            let shared = &self.connection.shared;
            let mut table = shared.lock();
            let stamps = table.take_stamps(key);
            table.remove(key);
            drop(table);
            drop(stamps);
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, CallTable> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has a call that was queued hear when it is written. Without the table's lock: others may be told, too.
    #[cold]
    fn mark(&self, key: SlotKey, end: u64) {
        let stamps = self.lock().stamps(key);
        if let Some(stamps) = stamps {
            stamps.queued();
            self.outbound.mark(end, Box::new(stamps));
        }
    }

    /// Polls a call whose phases are noted.
    #[cold]
    fn poll_stamped(
        &self,
        key: SlotKey,
        context: &mut Context<'_>,
    ) -> Poll<Result<RawReply, Failure>> {
        let mut table = self.lock();
        let poll = table.poll(key, context);
        // Under the lock that freed the slot, or its next tenant's would be taken; dropped without it.
        let stamps = if poll.is_ready() { table.take_stamps(key) } else { None };
        drop(table);
        if let Some(stamps) = stamps {
            stamps.woken();
        }
        poll
    }

    fn gone(&self, why: impl std::fmt::Display) -> Status {
        let text = format!("the connection to {} is gone: {why}", self.target);
        Status::new(Code::EFAILEDSOCKET, text)
    }

    async fn write(self: Arc<Self>) {
        // When the runtime shuts down the task is dropped here, and its calls must not hang.
        let guard = LoseOnDrop(&self);
        let stall = self.settings.limits.progress_timeout;
        let end = write_loop(&self.outbound, stall).await;
        guard.lose(end.err().map_or_else(|| self.gone("it was closed"), |error| self.gone(error)));
    }

    async fn read(self: Arc<Self>, mut socket: ReadHalf) {
        let guard = LoseOnDrop(&self);
        let mut inbound =
            Inbound::new([self.settings.dialect.protocol()].into(), self.settings.spinner.clone());
        let mut wakers = Vec::new();
        let status = loop {
            match inbound.read(&mut socket, &self.settings.limits).await {
                Ok(0) => break self.gone("the peer closed it"),
                Ok(_) => {}
                Err(error) => break self.gone(error),
            }
            let read = self.settings.on_phases.as_ref().map(|_| Instant::now());
            let taken = self.take_replies(&mut inbound, &mut wakers, read);
            wakers.drain(..).for_each(Waker::wake);
            if let Err(status) = taken {
                break status;
            }
        };
        guard.lose(status);
    }

    /// Hands every whole reply to its call, under one lock; the bytes were `read` then, if it matters.
    fn take_replies(
        &self,
        inbound: &mut Inbound,
        wakers: &mut Vec<Waker>,
        read: Option<Instant>,
    ) -> Result<(), Status> {
        let limits = &self.settings.limits;
        let mut table = self.lock();
        loop {
            let frame = match inbound.next_frame(limits.max_body_size) {
                Ok(Some(frame)) => frame,
                Ok(None) => return Ok(()),
                Err(error) => return Err(self.gone(error)),
            };
            let (id, reply) = super::decode::reply(frame, self.settings.dialect)
                .map_err(|error| self.gone(error))?;
            self.answered.store(true, Ordering::Relaxed);
            if reply.status.as_ref().is_some_and(says_goodbye) {
                self.retired.store(true, Ordering::Relaxed);
            }
            if let Some(read) = read {
                table.stamp_reply(id, read);
            }
            match table.complete(id, reply) {
                Ok(waker) => wakers.extend(waker),
                Err(()) => {
                    self.stray_replies.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
    }

    /// Ends calls whose time is over.
    async fn sweep(self: Arc<Self>) {
        let mut wakers = Vec::new();
        loop {
            let next = self.lock().expire(Instant::now(), &mut wakers);
            wakers.drain(..).for_each(Waker::wake);
            let earlier = self.sweep_earlier.notified();
            let Some(next) = next else {
                earlier.await;
                continue;
            };
            let next = next.max(Instant::now() + SWEEP_INTERVAL);
            tokio::select! {
                () = sleep_until(next) => {}
                () = earlier => {}
            }
        }
    }

    fn lose(&self, status: Status) {
        if self.lost.swap(true, Ordering::AcqRel) {
            return;
        }
        let mut wakers = Vec::new();
        {
            // Under the table's lock, as calls are queued: each is in the table with its position.
            let mut table = self.lock();
            let may_be_written = self.outbound.abandon();
            table.lose(status, may_be_written, &mut wakers);
        }
        wakers.into_iter().for_each(Waker::wake);
    }
}

/// Ends the connection's calls when its task ends, in whatever way.
struct LoseOnDrop<'a>(&'a Shared);

impl LoseOnDrop<'_> {
    fn lose(self, status: Status) {
        self.0.lose(status);
    }
}

impl Drop for LoseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.lose(self.0.gone("it was closed"));
    }
}
