//! One connection of a server, from its first byte to its last.

use super::admission::{Running, Waiting};
use super::event::EventKind;
use super::request::RequestReader;
use super::stamping::Stamping;
use super::state::{Phase, ServerState};
use crate::call::{Cancellation, EncodeMessage, ReplyParts, ReplyPath, ServerStamps, Ticket};
use crate::conn::{
    Outbound, Outgoing, Peer, Pushed, QueueClosed, ReadError, ReadHalf, Socket, Then, write_loop,
};
use crate::limits::Limits;
use crate::registry::MethodDescriptor;
use crate::status::Status;
use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Poll;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};

/// How long a closed connection hears out its peer, so that unread requests do not turn the close
/// into a reset that could overtake the last replies.
const LINGER: Duration = Duration::from_millis(500);

/// How long a stopping server goes on answering ELOGOFF before it ends its side. A client that hears
/// it knows that its call was not executed; one whose request meets a closed socket does not.
const FAREWELL: Duration = Duration::from_millis(100);

/// How long replies may take to leave a connection whose peer broke the protocol.
const FLUSH_AFTER_FAULT: Duration = Duration::from_secs(1);

pub(super) struct Connection {
    pub(super) server: Arc<ServerState>,
    pub(super) peer: Peer,
    /// The own address, in front of every error text as brpc writes it.
    pub(super) local_name: String,
    pub(super) outbound: Outbound,
    /// Where somebody observes the phases of calls.
    pub(super) stamping: Option<Stamping>,
    /// The number of the request that the reader serves or served last; zero once its handler waits or runs
    /// elsewhere, and once the batch is over.
    pub(super) in_place: AtomicU64,
    /// When the last call that was answered in place ended, in nanoseconds since `began`: what the reader
    /// takes for now, which saves it a look at the clock per call.
    seen: AtomicU64,
    began: Instant,
    pub(super) running: Running,
    pub(super) waiting: Waiting,
    /// Tells handlers that nobody waits for them.
    cancellation: Cancellation,
    /// Fires when nothing can be written any more.
    broken: Cancellation,
}

/// Why a connection takes no more requests.
pub(super) enum End {
    /// The peer sends nothing more.
    Eof,
    /// The stream broke, in either direction.
    Broken,
    /// The peer broke the protocol, or was too slow.
    Misbehaved(String),
    /// The peer was turned away, and told so.
    TurnedAway,
    /// The server closes.
    Closing,
}

/// Serves one connection to its end, which includes that of its calls.
pub(super) async fn serve(socket: Socket, server: &Arc<ServerState>) {
    // A socket that was reset before it was looked at has no peer any more.
    let Ok(peer) = socket.peer() else { return };
    let local_name = socket.local_name();
    let (mut read, write) = socket.into_split();
    let connection = Arc::new(Connection {
        server: server.clone(),
        peer,
        local_name,
        outbound: Outbound::new(write, server.written.clone(), server.config.on_phases.is_some()),
        stamping: server.config.on_phases.clone().map(Stamping::new),
        in_place: AtomicU64::new(0),
        seen: AtomicU64::new(0),
        began: Instant::now(),
        running: Running::default(),
        waiting: Waiting::default(),
        cancellation: Cancellation::default(),
        broken: Cancellation::default(),
    });
    let mut tasks = Tasks { connection: connection.clone(), writer: connection.spawn_writer() };
    let end = connection.read_requests(&mut read).await;
    connection.end(end, &mut read, &mut tasks.writer).await;
}

/// What must not outlive the connection's task, however that ends: when a server is killed, this
/// drops the handlers that still wait.
struct Tasks {
    connection: Arc<Connection>,
    writer: JoinHandle<()>,
}

impl Drop for Tasks {
    fn drop(&mut self) {
        self.connection.outbound.close();
        self.connection.waiting.abort_all();
        self.writer.abort();
        self.connection.outbound.let_go();
    }
}

impl Connection {
    fn spawn_writer(self: &Arc<Self>) -> JoinHandle<()> {
        let connection = self.clone();
        tokio::spawn(async move {
            let stall = connection.limits().progress_timeout;
            if write_loop(&connection.outbound, stall).await.is_err() {
                connection.outbound.close();
                connection.broken.fire();
                connection.peer_gone();
            }
        })
    }

    async fn read_requests(self: &Arc<Self>, socket: &mut ReadHalf) -> End {
        let mut reader = RequestReader::new(self.clone());
        let mut reading = std::pin::pin!(reader.run(socket));
        let mut stopped = std::pin::pin!(self.stopped());
        // Watched from the first poll on; polled again only when there is news, not for every batch of requests. Every
        // phase is news, since each wakes whoever waits for a later one, who then has to wait anew.
        let mut watched = false;
        poll_fn(|context| {
            if let Poll::Ready(end) = reading.as_mut().poll(context) {
                return Poll::Ready(end);
            }
            let news = self.broken.is_cancelled() || !self.server.is_serving();
            if watched && !news {
                return Poll::Pending;
            }
            watched = true;
            stopped.as_mut().poll(context)
        })
        .await
    }

    /// What ends a connection besides its peer.
    async fn stopped(&self) -> End {
        tokio::select! {
            biased;
            () = self.broken.cancelled() => End::Broken,
            () = async {
                self.server.reached(Phase::Closing).await;
                tokio::time::sleep(FAREWELL).await;
            } => End::Closing,
        }
    }

    async fn end(&self, end: End, read: &mut ReadHalf, writer: &mut JoinHandle<()>) {
        self.flush_in_place();
        match end {
            End::Misbehaved(text) => {
                self.server.misbehaved(|| format!("{}: {text}", self.peer));
                self.peer_gone();
                self.flush(writer, FLUSH_AFTER_FAULT).await;
            }
            End::TurnedAway => {
                self.peer_gone();
                self.flush(writer, FLUSH_AFTER_FAULT).await;
                linger(read).await;
            }
            End::Closing => {
                self.flush(writer, self.limits().progress_timeout).await;
                linger(read).await;
            }
            // A peer that only shut its sending side down still reads: everything that it asked
            // for is answered. Handlers are told all the same, since most peers that end their
            // stream are gone.
            End::Eof => self.peer_gone(),
            End::Broken => {
                self.outbound.close();
                self.peer_gone();
            }
        }
        self.running.wait_below(1).await;
        self.flush(writer, self.limits().progress_timeout).await;
    }

    /// Waits until fewer than `limit` calls run. Nothing is read meanwhile, so that the end of the
    /// stream has to be watched for: the calls may be waiting to hear of it.
    pub(super) async fn wait_for_calls(&self, socket: &ReadHalf, limit: usize) {
        // A connection on which not even one call may run would never answer.
        let limit = limit.max(1);
        if self.running.is_below(limit) {
            return;
        }
        self.flush_in_place();
        let gone = tokio::select! {
            biased;
            () = self.running.wait_below(limit) => false,
            () = socket.ended() => true,
        };
        if gone {
            self.peer_gone();
            self.running.wait_below(limit).await;
        }
        self.look(Instant::now());
    }

    /// Queues a reply. What is answered while its request is served is written by the reader, after
    /// the requests that came with it; the rest by the writer task.
    pub(super) fn push(
        &self,
        ticket: &Ticket,
        append: impl FnOnce(&mut Outgoing),
    ) -> Result<(), QueueClosed> {
        let in_place = || self.in_place.load(Ordering::SeqCst) == ticket.sequence;
        let then = if in_place() { Then::Flush } else { Then::Wake };
        let mut start = 0;
        let Pushed { end, due } = self.outbound.push(then, |out, position| {
            start = position;
            append(out);
        })?;
        // A reply that turned out not to be sendable leaves nothing; an error in its place follows.
        if let Some(stamping) = &self.stamping
            && start < end
        {
            stamping.queued(ticket, &self.outbound, end);
        }
        // A raw handler may drop its call on another thread while the reader polls it. The reader forgets the
        // number before it looks at the queue; this looks at the number after it pushed: one of the two flushes.
        if due || (then == Then::Flush && !in_place()) {
            self.outbound.flush();
        }
        Ok(())
    }

    /// A time that was now not long ago: the beginning of the batch or the end of the call before.
    pub(super) fn recently(&self) -> Instant {
        self.began + Duration::from_nanos(self.seen.load(Ordering::Relaxed))
    }

    /// Notes that it is `now`.
    pub(super) fn look(&self, now: Instant) {
        let nanos = now.saturating_duration_since(self.began).as_nanos();
        self.seen.store(u64::try_from(nanos).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// Writes what was answered in place.
    pub(super) fn flush_in_place(&self) {
        self.in_place.store(0, Ordering::SeqCst);
        self.outbound.flush();
    }

    fn peer_gone(&self) {
        self.cancellation.fire();
        if self.server.config.abort_on_disconnect {
            self.waiting.abort_all();
        }
    }

    async fn flush(&self, writer: &mut JoinHandle<()>, patience: Duration) {
        self.outbound.close();
        if !writer.is_finished() {
            let _ = timeout(patience, writer).await;
        }
    }
}

async fn linger(read: &mut ReadHalf) {
    let mut discarded = vec![0; 16 << 10];
    let hear_out = async { while matches!(read.read(&mut discarded).await, Ok(1..)) {} };
    let _ = timeout(LINGER, hear_out).await;
}

impl From<ReadError> for End {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Io(_) => Self::Broken,
            ReadError::UnexpectedEof => Self::Eof,
            error => Self::Misbehaved(error.to_string()),
        }
    }
}

impl ReplyPath for Connection {
    fn peer(&self) -> &Peer {
        &self.peer
    }

    fn cancellation(&self) -> &Cancellation {
        &self.cancellation
    }

    fn limits(&self) -> &Limits {
        &self.server.config.limits
    }

    fn reply(
        &self,
        ticket: &Ticket,
        parts: ReplyParts,
        outcome: Result<&mut dyn EncodeMessage, &Status>,
    ) {
        // Before the reply can be seen: a caller may use the id again as soon as it has its answer.
        self.waiting.remove(ticket.sequence);
        let written = match outcome {
            Ok(message) => self.write_reply(ticket, &parts, message),
            Err(status) => self.write_error(ticket, status),
        };
        if written.is_err() {
            self.server.counters.dropped_replies.fetch_add(1, Ordering::Relaxed);
            if let Some(stamping) = &self.stamping {
                stamping.drop_reply(ticket);
            }
        }
    }

    fn stamp(&self, ticket: &Ticket, stamps: Box<ServerStamps>) {
        if let Some(stamping) = &self.stamping {
            stamping.begin(ticket, stamps);
        }
    }

    fn release(&self, ticket: &Ticket, now: Option<Instant>) {
        if let Some(now) = now
            && self.in_place.load(Ordering::Relaxed) == ticket.sequence
        {
            self.look(now);
        }
        self.running.end();
        self.server.end_call();
    }

    fn handler_panicked(&self, method: &'static MethodDescriptor) {
        self.server.counters.panics.fetch_add(1, Ordering::Relaxed);
        self.server.events.tell(EventKind::HandlerPanicked, || method.full_name().to_owned());
    }

    #[cfg(any(feature = "protobuf", feature = "flatbuffers"))]
    fn message_refused(&self, method: &'static MethodDescriptor, reason: &str) {
        let text = || format!("{} from {}: {reason}", method.full_name(), self.peer);
        self.server.events.tell(EventKind::MessageRefused, text);
    }
}
