//! What waits to be written to one connection.
//!
//! Calls append under a short lock; whoever writes takes everything at once. Small pieces are
//! copied into one buffer, so that a batch of replies is one write; large ones stay where they are
//! and go out as slices of their own.

use bytes::Bytes;
use std::io::{self, IoSlice};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use tokio::sync::Notify;

/// From this size on a piece is not copied: where a slice of its own began to win over a copy.
pub(crate) const SHARE_FROM: usize = 16 << 10;

/// A buffer that grew beyond this is not kept for the next batch.
const KEEP_CAPACITY: usize = 1 << 20;

/// So many frames are worth a write of their own: by then the work that they took outweighs the
/// write, and the peer can go on with them while the next ones are made here.
const DUE_FRAMES: u32 = 32;

/// So many bytes are worth a write of their own.
const DUE_BYTES: usize = 32 << 10;

/// Bytes in the order in which they go out.
#[derive(Debug, Default)]
pub(crate) struct Outgoing {
    copied: Vec<u8>,
    /// Each goes out right after the first `offset` bytes of `copied`.
    shared: Vec<(usize, Bytes)>,
    shared_len: usize,
}

impl Outgoing {
    /// The buffer to append small pieces to. Only append: what stands in it is others'.
    pub(crate) fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.copied
    }

    /// Appends a piece, copied or shared by its size.
    pub(crate) fn append(&mut self, piece: &Bytes) {
        if piece.len() < SHARE_FROM {
            self.copied.extend_from_slice(piece);
        } else {
            self.shared_len += piece.len();
            self.shared.push((self.copied.len(), piece.clone()));
        }
    }

    pub(super) fn len(&self) -> usize {
        self.copied.len() + self.shared_len
    }

    /// Calls `visit` with every stretch of bytes from `skip` on, in order, until it says stop.
    fn visit<'a>(&'a self, mut skip: usize, mut visit: impl FnMut(&'a [u8]) -> bool) {
        let mut start = 0;
        let ends = self.shared.iter().map(|(offset, piece)| (*offset, &piece[..]));
        for (end, shared) in ends.chain([(self.copied.len(), &[][..])]) {
            for stretch in [&self.copied[start..end], shared] {
                let (skipped, rest) = stretch.split_at(skip.min(stretch.len()));
                skip -= skipped.len();
                if !rest.is_empty() && !visit(rest) {
                    return;
                }
            }
            start = end;
        }
    }

    /// Fills `slices` with what follows the first `skip` bytes; returns those that it used.
    pub(crate) fn slices<'a, 's>(
        &'a self,
        skip: usize,
        slices: &'s mut [IoSlice<'a>],
    ) -> &'s [IoSlice<'a>] {
        let mut used = 0;
        self.visit(skip, |stretch| {
            slices[used] = IoSlice::new(stretch);
            used += 1;
            used < slices.len()
        });
        &slices[..used]
    }

    /// All of it, copied.
    #[cfg(feature = "golden")]
    pub(crate) fn to_vec(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.len());
        self.visit(0, |stretch| {
            bytes.extend_from_slice(stretch);
            true
        });
        bytes
    }

    pub(super) fn clear(&mut self) {
        self.shared.clear();
        self.shared_len = 0;
        self.copied.clear();
        if self.copied.capacity() > KEEP_CAPACITY {
            self.copied = Vec::new();
        }
    }
}

/// The queue of one connection.
#[derive(Debug, Default)]
pub(crate) struct SendQueue {
    state: Mutex<State>,
    /// Bytes pushed so far; changed under the lock, read without it.
    pushed: AtomicU64,
    /// Bytes handed to the kernel so far.
    written: AtomicU64,
    /// Bytes that may have reached the kernel: more than `written` while a write is under way.
    offered: AtomicU64,
    /// Nothing more may be written, not even what is queued.
    abandoned: AtomicBool,
    /// Fires after every write, for those who wait for room.
    progress: Notify,
}

#[derive(Debug, Default)]
struct State {
    outgoing: Outgoing,
    /// Frames pushed since the last batch was taken.
    frames: u32,
    /// A batch was taken and could not be written whole at once.
    unfinished: bool,
    closed: bool,
    writer: Option<Waker>,
}

/// Who sees to what was pushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Then {
    /// The writer task is woken.
    Wake,
    /// Whoever pushes flushes, too, as soon as nothing more is to be pushed.
    Flush,
}

/// What became of a push.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pushed {
    /// Where it ends in the stream of all bytes.
    pub(crate) end: u64,
    /// So much is queued that it had better be written now.
    pub(crate) due: bool,
}

/// The queue takes nothing more: the connection is closing or gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct QueueClosed;

impl SendQueue {
    /// Lets `append` add whole frames; it is told where they begin in the stream of all bytes.
    pub(crate) fn push(
        &self,
        then: Then,
        append: impl FnOnce(&mut Outgoing, u64),
    ) -> Result<Pushed, QueueClosed> {
        let (pushed, writer) = {
            let mut state = self.lock();
            if state.closed {
                return Err(QueueClosed);
            }
            let start = self.pushed.load(Ordering::Relaxed);
            let before = state.outgoing.len();
            append(&mut state.outgoing, start);
            let added = (state.outgoing.len() - before) as u64;
            let end = start + added;
            // A frame that could not be encoded left nothing.
            state.frames += u32::from(added > 0);
            self.pushed.store(end, Ordering::Relaxed);
            let due = state.frames >= DUE_FRAMES || state.outgoing.len() >= DUE_BYTES;
            let writer = if then == Then::Wake { state.writer.take() } else { None };
            (Pushed { end, due }, writer)
        };
        if let Some(writer) = writer {
            writer.wake();
        }
        Ok(pushed)
    }

    /// Has the writer task see to what is queued, or to what is left of a batch.
    pub(super) fn wake_writer(&self, unfinished: bool) {
        let writer = {
            let mut state = self.lock();
            state.unfinished |= unfinished;
            if state.unfinished || state.outgoing.len() > 0 { state.writer.take() } else { None }
        };
        if let Some(writer) = writer {
            writer.wake();
        }
    }

    /// Takes nothing more; what is queued still goes out.
    pub(crate) fn close(&self) {
        let writer = {
            let mut state = self.lock();
            state.closed = true;
            state.writer.take()
        };
        if let Some(writer) = writer {
            writer.wake();
        }
        self.progress.notify_waiters();
    }

    /// Bytes that were pushed and not yet handed to the kernel.
    pub(crate) fn unwritten(&self) -> usize {
        self.pushed.load(Ordering::Relaxed).saturating_sub(self.written()) as usize
    }

    /// Closes the queue and drops what is in it; returns how many bytes may have reached the peer.
    /// Not one more will.
    pub(crate) fn abandon(&self) -> u64 {
        // Raised before `offered` is read; a write raises `offered` before it looks at this. One of
        // the two sees the other: what is beyond the result is never written.
        self.abandoned.store(true, Ordering::SeqCst);
        let offered = self.offered.load(Ordering::SeqCst);
        self.close();
        offered
    }

    /// Bytes handed to the kernel so far.
    pub(super) fn written(&self) -> u64 {
        self.written.load(Ordering::Acquire)
    }

    /// Waits until at most `limit` bytes are unwritten, or the queue is closed.
    pub(crate) async fn wait_for_room(&self, limit: usize) {
        loop {
            let progress = self.progress.notified();
            if self.unwritten() <= limit || self.lock().closed {
                return;
            }
            progress.await;
        }
    }

    /// Ready when something is queued (true), or when the queue is closed and empty (false).
    pub(super) fn poll_queued(&self, context: &mut Context<'_>) -> Poll<bool> {
        let mut state = self.lock();
        if state.unfinished || state.outgoing.len() > 0 {
            return Poll::Ready(true);
        }
        if state.closed {
            return Poll::Ready(false);
        }
        state.writer = Some(context.waker().clone());
        Poll::Pending
    }

    /// Takes all that is queued, leaves `empty` in its place and returns how many frames it took. The batch
    /// before is written.
    pub(super) fn take(&self, empty: &mut Outgoing) -> u32 {
        let mut state = self.lock();
        state.unfinished = false;
        std::mem::swap(&mut state.outgoing, empty);
        std::mem::take(&mut state.frames)
    }

    /// Hands `len` bytes to the kernel by way of `write`, which says how many it took.
    ///
    /// The peer may act on them before `write` returns, so they count as offered before.
    pub(super) fn write(
        &self,
        len: usize,
        write: impl FnOnce() -> Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        let before = self.written.load(Ordering::Relaxed);
        self.offered.store(before + len as u64, Ordering::SeqCst);
        if self.abandoned.load(Ordering::SeqCst) {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        }
        let outcome = write();
        let count = if let Poll::Ready(Ok(count)) = &outcome { *count as u64 } else { 0 };
        self.written.store(before + count, Ordering::Release);
        self.offered.store(before + count, Ordering::Release);
        if count > 0 {
            self.progress.notify_waiters();
        }
        outcome
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Frames are appended whole or, after a panic in an encoder, in part; a part would spoil
        // the stream, so a poisoned queue counts as closed.
        self.state.lock().unwrap_or_else(|poisoned: PoisonError<_>| {
            let mut state = poisoned.into_inner();
            state.closed = true;
            state
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collect(outgoing: &Outgoing, skip: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        outgoing.visit(skip, |stretch| {
            bytes.extend_from_slice(stretch);
            true
        });
        bytes
    }

    #[test]
    fn pieces_go_out_in_order_whatever_was_written_already() {
        let large = Bytes::from(vec![b'x'; SHARE_FROM]);
        let mut outgoing = Outgoing::default();
        outgoing.buffer().extend_from_slice(b"one");
        outgoing.append(&large);
        outgoing.append(&Bytes::from_static(b"two"));
        outgoing.append(&large);
        let whole = [b"one", &large[..], b"two", &large[..]].concat();
        assert_eq!(outgoing.len(), whole.len());
        for skip in [0, 1, 3, 4, SHARE_FROM + 2, SHARE_FROM + 3, SHARE_FROM + 6, whole.len()] {
            assert!(collect(&outgoing, skip) == whole[skip..], "skip {skip}");
        }
    }

    /// At and above the crossover nothing is copied: the slice that goes out is the piece itself.
    #[test]
    fn large_pieces_are_not_copied() {
        let large = Bytes::from(vec![1; SHARE_FROM]);
        let small = Bytes::from(vec![2; SHARE_FROM - 1]);
        let mut outgoing = Outgoing::default();
        outgoing.append(&large);
        outgoing.append(&small);
        let mut slices = [IoSlice::new(&[]); 4];
        let slices = outgoing.slices(0, &mut slices);
        assert_eq!(slices.len(), 2);
        assert_eq!(slices[0].as_ptr(), large.as_ptr());
        assert_ne!(slices[1].as_ptr(), small.as_ptr());
    }

    /// TRUST C7: while a write is under way its bytes may be executed already.
    #[test]
    fn trust_c07_bytes_count_as_sent_from_the_moment_they_are_offered() {
        let queue = SendQueue::default();
        queue.push(Then::Wake, |out, _| out.buffer().extend_from_slice(&[0; 10])).unwrap();
        assert_eq!(queue.offered.load(Ordering::SeqCst), 0);
        assert!(queue.write(10, || Poll::Pending).is_pending());
        assert_eq!((queue.offered.load(Ordering::SeqCst), queue.unwritten()), (0, 10));
        let outcome = queue.write(10, || {
            assert_eq!(queue.offered.load(Ordering::SeqCst), 10);
            Poll::Ready(Ok(4))
        });
        assert!(matches!(outcome, Poll::Ready(Ok(4))));
        assert_eq!((queue.offered.load(Ordering::SeqCst), queue.unwritten()), (4, 6));
        let outcome = queue.write(6, || {
            assert_eq!(queue.abandon(), 10);
            Poll::Ready(Ok(6))
        });
        assert!(matches!(outcome, Poll::Ready(Ok(6))));
    }

    #[test]
    fn trust_c07_an_abandoned_queue_writes_nothing_more() {
        let queue = SendQueue::default();
        queue.push(Then::Wake, |out, _| out.buffer().extend_from_slice(&[0; 10])).unwrap();
        assert_eq!(queue.abandon(), 0);
        let outcome = queue.write(10, || unreachable!("it is abandoned"));
        assert!(matches!(outcome, Poll::Ready(Err(_))));
    }

    #[test]
    fn a_closed_queue_takes_nothing_and_empties() {
        let queue = SendQueue::default();
        let pushed = queue.push(Then::Wake, |out, _| out.buffer().push(1));
        assert_eq!(pushed, Ok(Pushed { end: 1, due: false }));
        queue.close();
        assert_eq!(queue.push(Then::Wake, |out, _| out.buffer().push(2)), Err(QueueClosed));
        let mut context = Context::from_waker(Waker::noop());
        assert_eq!(queue.poll_queued(&mut context), Poll::Ready(true));
        assert_eq!(queue.take(&mut Outgoing::default()), 1);
        assert_eq!(queue.poll_queued(&mut context), Poll::Ready(false));
    }
}
