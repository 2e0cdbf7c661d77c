//! The writer task: one write per batch.

use super::queue::{Outgoing, SendQueue};
use super::socket::WriteHalf;
use std::future::poll_fn;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::time::Duration;
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;

/// Slices handed to one vectored write; beyond some dozens the kernel gains nothing.
const SLICES: usize = 32;

/// Writes what is queued until the queue is closed and empty, then ends the stream.
///
/// # Errors
/// What the socket says, or `TimedOut` when the peer takes nothing for `stall`.
pub(crate) async fn write_loop(
    mut socket: WriteHalf,
    queue: &SendQueue,
    stall: Duration,
) -> io::Result<()> {
    let mut batch = Outgoing::default();
    while poll_fn(|context| queue.poll_queued(context)).await {
        // The first push of a batch woke this task. tokio's multi-thread scheduler would run it
        // before the other callers and handlers that are ready, and every frame would become a
        // write of its own; stepping back once lets them push first.
        tokio::task::yield_now().await;
        queue.take(&mut batch);
        write_batch(&mut socket, &batch, queue, stall).await?;
        batch.clear();
    }
    socket.shutdown().await
}

async fn write_batch(
    socket: &mut WriteHalf,
    batch: &Outgoing,
    queue: &SendQueue,
    stall: Duration,
) -> io::Result<()> {
    let mut written = 0;
    while written < batch.len() {
        let mut slices = [IoSlice::new(&[]); SLICES];
        let used = batch.slices(written, &mut slices);
        let slices = &slices[..used];
        let len = slices.iter().map(|slice| slice.len()).sum();
        let write = poll_fn(|context| {
            queue.write(len, || Pin::new(&mut *socket).poll_write_vectored(context, slices))
        });
        let count = timeout(stall, write).await.map_err(|_| {
            io::Error::new(io::ErrorKind::TimedOut, "the peer does not read what is sent to it")
        })??;
        if count == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        written += count;
    }
    Ok(())
}
