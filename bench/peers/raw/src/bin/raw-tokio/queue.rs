//! What many tasks have to say on one connection, and the task that writes it.

use bytes::Bytes;
use peer_raw::Batch;
use std::future::poll_fn;
use std::io::{self, IoSlice};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};
use tokio::io::{AsyncWrite, AsyncWriteExt};

/// Frames that wait for the writer.
#[derive(Default)]
pub(crate) struct Queue(Mutex<State>);

#[derive(Default)]
struct State {
    frames: Batch<Bytes>,
    writer: Option<Waker>,
    closed: bool,
}

impl Queue {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a frame. False when nobody writes any more.
    pub(crate) fn push(&self, id: u64, body: Bytes) -> bool {
        let writer = {
            let mut state = self.state();
            if state.closed {
                return false;
            }
            state.frames.push(id, &body, || body.clone());
            state.writer.take()
        };
        // The lock is given back first: the writer takes it.
        if let Some(writer) = writer {
            writer.wake();
        }
        true
    }

    /// Ends the writer when it has written what is there.
    pub(crate) fn close(&self) {
        let writer = {
            let mut state = self.state();
            state.closed = true;
            state.writer.take()
        };
        if let Some(writer) = writer {
            writer.wake();
        }
    }

    /// Waits for frames. False when there will be none.
    async fn filled(&self) -> bool {
        poll_fn(|context| {
            let mut state = self.state();
            if !state.frames.is_empty() {
                return Poll::Ready(true);
            }
            if state.closed {
                return Poll::Ready(false);
            }
            state.writer = Some(context.waker().clone());
            Poll::Pending
        })
        .await
    }
}

/// Writes until the queue is closed or the connection breaks.
pub(crate) async fn write_queue(
    mut write: impl AsyncWrite + Unpin,
    queue: std::sync::Arc<Queue>,
) -> io::Result<()> {
    let mut frames = Batch::default();
    while queue.filled().await {
        // Whoever is ready to call does so first. Without this the multi-thread runtime runs the
        // writer right after the first caller, and every frame becomes a write of its own.
        tokio::task::yield_now().await;
        std::mem::swap(&mut queue.state().frames, &mut frames);
        if let Err(error) = write_batch(&mut write, &frames, |body| body).await {
            queue.close();
            return Err(error);
        }
        frames.clear();
    }
    Ok(())
}

/// Writes a batch, as one piece when it is one.
pub(crate) async fn write_batch<'a, B>(
    write: &mut (impl AsyncWrite + Unpin),
    frames: &'a Batch<B>,
    bytes: impl Fn(&'a B) -> &'a [u8],
) -> io::Result<()> {
    if let Some(all) = frames.contiguous() {
        return write.write_all(all).await;
    }
    let mut slices = frames.slices(bytes);
    let mut rest = &mut slices[..];
    while !rest.is_empty() {
        let count = write.write_vectored(rest).await?;
        if count == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        IoSlice::advance_slices(&mut rest, count);
    }
    Ok(())
}
