//! The sending end of a connection: what waits to be written, and the socket it is written to.
//!
//! Two write. Whoever has pushed all there is to push for now writes it at once, as far as the socket
//! takes it: a server's reader at the end of a batch of requests, a caller with nobody beside it, and
//! whoever finds that much is queued. The writer task does the rest: it gathers what many push who
//! do not know of each other, and waits for a socket that is full.

use super::marks::{Marks, Written};
use super::queue::{Outgoing, Pushed, QueueClosed, SendQueue, Then};
use super::socket::WriteHalf;
use crate::stats::WriteCounts;
use std::future::poll_fn;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::AsyncWrite;
use tokio::time::timeout;

/// Slices handed to one vectored write; beyond some dozens the kernel gains nothing.
const SLICES: usize = 32;

#[derive(Debug)]
pub(crate) struct Outbound {
    queue: SendQueue,
    /// Held for as long as one write takes, which never waits.
    batch: Mutex<Batch>,
    /// `None` where nobody asks when bytes were written.
    marks: Option<Marks>,
}

/// What is being written.
#[derive(Debug)]
struct Batch {
    /// `None` when the connection is over: calls may outlive it, its socket must not.
    socket: Option<WriteHalf>,
    outgoing: Outgoing,
    /// Of `outgoing`.
    frames: u32,
    written: usize,
    /// Shared by all connections of a server, or of a channel.
    counts: Arc<WriteCounts>,
}

impl Outbound {
    /// With `marks`, those who [`mark`](Self::mark) their bytes are told when these were written.
    pub(crate) fn new(socket: WriteHalf, counts: Arc<WriteCounts>, marks: bool) -> Self {
        let outgoing = Outgoing::default();
        let batch = Batch { socket: Some(socket), outgoing, frames: 0, written: 0, counts };
        let marks = marks.then(Marks::default);
        Self { queue: SendQueue::default(), batch: Mutex::new(batch), marks }
    }

    /// Lets `append` add whole frames; it is told where they begin in the stream of all bytes. See
    /// [`Then`] for who writes them; who is told that they are due should [`flush`](Self::flush).
    pub(crate) fn push(
        &self,
        then: Then,
        append: impl FnOnce(&mut Outgoing, u64),
    ) -> Result<Pushed, QueueClosed> {
        self.queue.push(then, append)
    }

    /// Tells `mark` when all bytes before `end`, which were pushed, are written; drops it when that will not be.
    pub(crate) fn mark(&self, end: u64, mark: Box<dyn Written>) {
        if let Some(marks) = &self.marks {
            marks.add(end, mark);
            marks.pass(self.queue.written());
        }
    }

    /// Tells those whose bytes are written. Called without a lock, after every write.
    fn pass_marks(&self) {
        if let Some(marks) = &self.marks {
            marks.pass(self.queue.written());
        }
    }

    /// Writes what is queued, as far as the socket takes it now; the writer task sees to the rest.
    pub(crate) fn flush(&self) {
        if self.queue.unwritten() == 0 {
            return;
        }
        let finished = match self.batch.try_lock() {
            Ok(mut batch) => {
                let finished = batch.write_at_once(&self.queue);
                drop(batch);
                self.pass_marks();
                finished
            }
            Err(TryLockError::Poisoned(_)) => false,
            // Whoever writes may have taken its batch before the last push.
            Err(TryLockError::WouldBlock) => return self.queue.wake_writer(false),
        };
        if !finished {
            self.queue.wake_writer(true);
        }
    }

    /// Takes nothing more; what is queued still goes out.
    pub(crate) fn close(&self) {
        self.queue.close();
    }

    /// See [`SendQueue::abandon`].
    pub(crate) fn abandon(&self) -> u64 {
        self.queue.abandon()
    }

    /// Bytes that were pushed and not yet handed to the kernel.
    pub(crate) fn unwritten(&self) -> usize {
        self.queue.unwritten()
    }

    /// Waits until at most `limit` bytes are unwritten, or the queue is closed.
    pub(crate) async fn wait_for_room(&self, limit: usize) {
        self.queue.wait_for_room(limit).await;
    }

    /// Drops the socket; nothing can be written any more.
    pub(crate) fn let_go(&self) {
        let socket = self.lock().socket.take();
        drop(socket);
        self.pass_marks();
        if let Some(marks) = &self.marks {
            marks.end();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Batch> {
        self.batch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes once; `Ok(0)` when nothing is left to be written.
    fn poll_write(&self, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let mut batch = self.lock();
        let batch = &mut *batch;
        if !batch.refill(&self.queue) {
            return Poll::Ready(Ok(0));
        }
        let Some(socket) = &mut batch.socket else { return Poll::Ready(Err(gone())) };
        let mut slices = [IoSlice::new(&[]); SLICES];
        let slices = batch.outgoing.slices(batch.written, &mut slices);
        let count = ready!(
            self.queue
                .write(total(slices), || { Pin::new(socket).poll_write_slices(context, slices) })
        )?;
        batch.advance(count);
        Poll::Ready(if count == 0 { Err(io::ErrorKind::WriteZero.into()) } else { Ok(count) })
    }

    fn poll_shutdown(&self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.lock().socket {
            Some(socket) => Pin::new(socket).poll_shutdown(context),
            None => Poll::Ready(Err(gone())),
        }
    }
}

impl Batch {
    /// Makes sure that there is something to write; `false` when there is nothing.
    fn refill(&mut self, queue: &SendQueue) -> bool {
        if self.outgoing.len() == 0 {
            self.frames = queue.take(&mut self.outgoing);
        }
        self.outgoing.len() > 0
    }

    /// Notes what one write took. A batch that went out whole is let go of: a connection that idles
    /// must not hold on to the messages that it sent.
    fn advance(&mut self, count: usize) {
        self.written += count;
        let mut frames = 0;
        if self.written == self.outgoing.len() {
            self.outgoing.clear();
            self.written = 0;
            frames = std::mem::take(&mut self.frames);
        }
        if count > 0 {
            self.counts.add(frames);
        }
    }

    /// Writes one batch; `false` when the socket did not take all of it.
    fn write_at_once(&mut self, queue: &SendQueue) -> bool {
        if self.outgoing.len() > 0 {
            // The writer task waits for the socket to take the rest of the batch before.
            return true;
        }
        self.refill(queue);
        while self.outgoing.len() > 0 {
            let Some(socket) = &self.socket else { return false };
            let mut slices = [IoSlice::new(&[]); SLICES];
            let slices = self.outgoing.slices(self.written, &mut slices);
            let len = total(slices);
            match queue.write(len, || Poll::Ready(socket.try_write_slices(slices))) {
                Poll::Ready(Ok(count @ 1..)) => self.advance(count),
                // The writer task will meet the same error, and end.
                _ => return false,
            }
        }
        true
    }
}

fn total(slices: &[IoSlice<'_>]) -> usize {
    slices.iter().map(|slice| slice.len()).sum()
}

fn gone() -> io::Error {
    io::ErrorKind::NotConnected.into()
}

/// The writer task: writes what is queued until the queue is closed and empty, then ends the stream.
/// However it ends, the socket is let go of.
///
/// # Errors
/// What the socket says, or `TimedOut` when the peer takes nothing for `stall`.
pub(crate) async fn write_loop(outbound: &Outbound, stall: Duration) -> io::Result<()> {
    let _let_go = LetGo(outbound);
    while poll_fn(|context| outbound.queue.poll_queued(context)).await {
        // The first push of a batch woke this task. tokio's multi-thread scheduler would run it
        // before the other callers and handlers that are ready, and every frame would become a
        // write of its own; stepping back once lets them push first.
        tokio::task::yield_now().await;
        while write_some(outbound, stall).await? > 0 {}
    }
    poll_fn(|context| outbound.poll_shutdown(context)).await
}

async fn write_some(outbound: &Outbound, stall: Duration) -> io::Result<usize> {
    let write = poll_fn(|context| outbound.poll_write(context));
    let written = timeout(stall, write).await.map_err(|_| {
        io::Error::new(io::ErrorKind::TimedOut, "the peer does not read what is sent to it")
    })?;
    outbound.pass_marks();
    written
}

struct LetGo<'a>(&'a Outbound);

impl Drop for LetGo<'_> {
    fn drop(&mut self) {
        self.0.let_go();
    }
}
