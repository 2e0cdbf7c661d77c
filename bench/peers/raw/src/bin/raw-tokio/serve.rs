//! The server's side of a connection.

use crate::queue::{Queue, write_batch, write_queue};
use peer_raw::{Batch, Inbox};
use std::io;
use std::ops::Range;
use std::sync::Arc;
use stubwire_bench_load::{Stream, Work};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};

/// Answers until the connection ends.
pub(crate) async fn serve(stream: Stream, work: Work) -> io::Result<()> {
    if work.sleep().is_zero() {
        return in_place(stream, work).await;
    }
    match stream {
        Stream::Tcp(stream) => {
            let (read, write) = stream.into_split();
            a_task_each(read, write, work).await
        }
        Stream::Unix(stream) => {
            let (read, write) = stream.into_split();
            a_task_each(read, write, work).await
        }
    }
}

/// Handlers that do not wait: one write for what one read brought.
async fn in_place(mut stream: Stream, work: Work) -> io::Result<()> {
    let mut inbox = Inbox::default();
    let mut replies: Batch<Range<usize>> = Batch::default();
    loop {
        let count = stream.read(inbox.space()?).await?;
        if count == 0 {
            return Ok(());
        }
        inbox.filled(count);
        while let Some(frame) = inbox.take()? {
            work.run_busy();
            replies.push(frame.id, inbox.body(&frame.body), || frame.body.clone());
        }
        if !replies.is_empty() {
            write_batch(&mut stream, &replies, |body| inbox.body(body)).await?;
            replies.clear();
        }
    }
}

/// Handlers that wait are tasks; their replies are written as those of callers are.
async fn a_task_each<R, W>(mut read: R, write: W, work: Work) -> io::Result<()>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin + Send + 'static,
{
    let queue = Arc::new(Queue::default());
    let writer = tokio::spawn(write_queue(write, queue.clone()));
    let mut inbox = Inbox::default();
    loop {
        // The writer ends when the connection breaks, and reading then fails as well.
        let count = read.read(inbox.space()?).await?;
        if count == 0 {
            queue.close();
            return writer.await.map_err(io::Error::other)?;
        }
        inbox.filled(count);
        while let Some(frame) = inbox.take()? {
            let body = bytes::Bytes::copy_from_slice(inbox.body(&frame.body));
            let queue = queue.clone();
            tokio::spawn(async move {
                work.run().await;
                queue.push(frame.id, body);
            });
        }
    }
}
