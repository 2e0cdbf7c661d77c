//! A connection with one call in flight: write, read, compare, on the caller's own task.

use crate::queue::write_batch;
use peer_raw::{Batch, Inbox};
use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use stubwire_bench_load::{Address, Failure, Request, Stream, Verified};
use tokio::io::AsyncReadExt;

/// The first clone that calls has the connection; it is locked then and never again.
pub(crate) struct Lone {
    own: Option<Connection>,
    free: Arc<Mutex<Option<Connection>>>,
}

struct Connection {
    stream: Stream,
    inbox: Inbox,
    frame: Batch<&'static [u8]>,
}

impl Clone for Lone {
    fn clone(&self) -> Self {
        Self { own: None, free: self.free.clone() }
    }
}

impl Lone {
    /// Connects.
    pub(crate) async fn connect(address: &Address) -> io::Result<Self> {
        let stream = Stream::connect(address).await?;
        let connection = Connection { stream, inbox: Inbox::default(), frame: Batch::default() };
        Ok(Self { own: None, free: Arc::new(Mutex::new(Some(connection))) })
    }

    /// Calls.
    pub(crate) async fn echo(&mut self, request: &Request) -> Result<Verified, Failure> {
        if self.own.is_none() {
            self.own = self.free.lock().unwrap_or_else(PoisonError::into_inner).take();
        }
        let taken = || Failure::Call("another lane has this connection".to_owned());
        let connection = self.own.as_mut().ok_or_else(taken)?;
        let (id, body) = connection.exchange(request).await.map_err(Failure::of)?;
        request.check(id, connection.inbox.body(&body))
    }
}

impl Connection {
    async fn exchange(&mut self, request: &Request) -> io::Result<(u64, Range<usize>)> {
        let body = request.text().as_bytes();
        self.frame.clear();
        self.frame.push(request.id(), body, || body);
        write_batch(&mut self.stream, &self.frame, |body| body).await?;
        loop {
            if let Some(frame) = self.inbox.take()? {
                return Ok((frame.id, frame.body));
            }
            let count = self.stream.read(self.inbox.space()?).await?;
            if count == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            self.inbox.filled(count);
        }
    }
}
