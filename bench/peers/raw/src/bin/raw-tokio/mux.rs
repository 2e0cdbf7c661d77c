//! A connection with many calls in flight: a slot a call, one task that writes, one that reads.

use crate::queue::{Queue, write_queue};
use bytes::{Buf, Bytes, BytesMut};
use peer_raw::{HEADER, answered, call_id, read_header};
use slab::Slab;
use std::future::poll_fn;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};
use stubwire_bench_load::{Address, Failure, Request, Stream, Verified};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};

/// The connection.
pub(crate) struct Mux {
    calls: Mutex<Calls>,
    queue: Arc<Queue>,
}

#[derive(Default)]
struct Calls {
    slots: Slab<Slot>,
    broken: bool,
}

/// A call in flight: its request's number, and that of the request which the reply answers.
struct Slot {
    request: u64,
    caller: Option<Waker>,
    reply: Option<(u64, Bytes)>,
}

/// Gives a slot back, whatever becomes of its call.
struct Held<'a> {
    mux: &'a Mux,
    slot: usize,
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.mux.calls().slots.try_remove(self.slot);
    }
}

impl Mux {
    /// Connects.
    pub(crate) async fn connect(address: &Address) -> io::Result<Arc<Self>> {
        Ok(match Stream::connect(address).await? {
            Stream::Tcp(stream) => {
                let (read, write) = stream.into_split();
                Self::start(read, write)
            }
            Stream::Unix(stream) => {
                let (read, write) = stream.into_split();
                Self::start(read, write)
            }
        })
    }

    fn start<R, W>(read: R, write: W) -> Arc<Self>
    where
        R: AsyncRead + Unpin + Send + 'static,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let queue = Arc::new(Queue::default());
        let mux = Arc::new(Self { calls: Mutex::default(), queue: queue.clone() });
        tokio::spawn(write_queue(write, queue));
        let reader = mux.clone();
        tokio::spawn(async move {
            // Callers are told that it broke; in which words is of no use to them.
            let _ = reader.read(read).await;
            reader.break_off();
        });
        mux
    }

    fn calls(&self) -> MutexGuard<'_, Calls> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls.
    pub(crate) async fn echo(&self, request: &Request) -> Result<Verified, Failure> {
        let call = Slot { request: request.id(), caller: None, reply: None };
        let slot = self.calls().slots.insert(call);
        let held = Held { mux: self, slot };
        let sent = self.queue.push(call_id(slot, request.id()), request.bytes());
        let reply = if sent { self.reply(slot).await } else { None };
        // The slot is free again before the reply is compared.
        drop(held);
        let (id, body) = reply.ok_or_else(|| Failure::Call("disconnected".to_owned()))?;
        request.check(id, &body)
    }

    async fn reply(&self, slot: usize) -> Option<(u64, Bytes)> {
        poll_fn(|context| {
            let mut calls = self.calls();
            let broken = calls.broken;
            let Some(slot) = calls.slots.get_mut(slot) else { return Poll::Ready(None) };
            match slot.reply.take() {
                Some(reply) => Poll::Ready(Some(reply)),
                None if broken => Poll::Ready(None),
                None => {
                    slot.caller = Some(context.waker().clone());
                    Poll::Pending
                }
            }
        })
        .await
    }

    async fn read(&self, mut read: impl AsyncRead + Unpin) -> io::Result<()> {
        let mut inbox = BytesMut::with_capacity(READ);
        let mut wakers = Vec::new();
        loop {
            if inbox.capacity() - inbox.len() < LEAST {
                inbox.reserve(READ);
            }
            if read.read_buf(&mut inbox).await? == 0 {
                return Ok(());
            }
            {
                let mut calls = self.calls();
                while let Some((id, body)) = take(&mut inbox)? {
                    calls.deliver(id, body, &mut wakers);
                }
            }
            wakers.drain(..).for_each(Waker::wake);
        }
    }

    fn break_off(&self) {
        self.queue.close();
        let mut calls = self.calls();
        calls.broken = true;
        let callers: Vec<_> =
            calls.slots.iter_mut().filter_map(|(_, slot)| slot.caller.take()).collect();
        drop(calls);
        callers.into_iter().for_each(Waker::wake);
    }
}

/// What a read is offered, and at least.
const READ: usize = 64 << 10;
const LEAST: usize = 4 << 10;

impl Calls {
    fn deliver(&mut self, id: u64, body: Bytes, wakers: &mut Vec<Waker>) {
        let request = |slot| self.slots.get(slot).map(|slot: &Slot| slot.request);
        // A reply that nobody waits for any more is dropped.
        let Some((slot, request)) = answered(id, request) else { return };
        if let Some(slot) = self.slots.get_mut(slot) {
            slot.reply = Some((request, body));
            wakers.extend(slot.caller.take());
        }
    }
}

/// The next whole frame; makes room for one that is not.
fn take(inbox: &mut BytesMut) -> io::Result<Option<(u64, Bytes)>> {
    let Some(header) = inbox.first_chunk::<HEADER>() else { return Ok(None) };
    let (id, length) = read_header(header)?;
    if inbox.len() < HEADER + length {
        inbox.reserve(HEADER + length - inbox.len());
        return Ok(None);
    }
    inbox.advance(HEADER);
    Ok(Some((id, inbox.split_to(length).freeze())))
}
