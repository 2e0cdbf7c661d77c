//! One connection of either side: what was read, and what is still to be written.

use crate::poller::Poller;
use crate::socket::Socket;
use peer_raw::{Batch, Inbox};
use std::io::{self, IoSlice};
use std::ops::Range;

/// A connection. `B` says where a large body to write is.
pub(crate) struct Connection<B> {
    pub(crate) socket: Socket,
    pub(crate) inbox: Inbox,
    pub(crate) out: Batch<B>,
    /// How much of `out` is written.
    written: usize,
    /// Its token, and whether it waits until it can write.
    token: u64,
    blocked: bool,
}

/// What a read brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Read {
    /// Bytes, and perhaps there are more.
    More,
    /// Bytes, and the socket had no more.
    Last,
    /// Nothing now.
    Nothing,
    /// The other side is gone.
    End,
}

impl<B> Connection<B> {
    /// Watches a socket.
    pub(crate) fn new(socket: Socket, poller: &Poller, token: u64) -> io::Result<Self> {
        poller.add(&socket, token)?;
        let (inbox, out) = (Inbox::default(), Batch::default());
        Ok(Self { socket, inbox, out, written: 0, token, blocked: false })
    }

    /// Whether it waits until it can write. Nothing is read meanwhile on the serving side: whoever
    /// does not take replies gets no more of them.
    pub(crate) fn is_blocked(&self) -> bool {
        self.blocked
    }

    /// Reads once.
    pub(crate) fn read(&mut self) -> io::Result<Read> {
        let space = self.inbox.space()?;
        let room = space.len();
        match self.socket.read(space) {
            Ok(0) => Ok(Read::End),
            Ok(count) => {
                self.inbox.filled(count);
                Ok(if count < room { Read::Last } else { Read::More })
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(Read::Nothing),
            Err(error) => Err(error),
        }
    }

    /// Writes what the socket takes; the rest when it can be written again.
    pub(crate) fn flush<'a>(
        &'a mut self,
        poller: &Poller,
        bytes: impl Fn(&'a Inbox, &'a B) -> &'a [u8],
    ) -> io::Result<()> {
        let Self { socket, inbox, out, written, token, blocked } = self;
        let all = match out.contiguous() {
            Some(all) => write_all(socket, all, written)?,
            None => {
                let inbox = &*inbox;
                write_slices(socket, &mut out.slices(|body| bytes(inbox, body)), written)?
            }
        };
        if *blocked == all {
            *blocked = !all;
            poller.writing(socket, *token, !all)?;
        }
        Ok(())
    }

    /// Forgets what is written, once it all is.
    pub(crate) fn cleared(&mut self) -> bool {
        if !self.blocked {
            self.out.clear();
            self.written = 0;
        }
        !self.blocked
    }
}

/// A large body that lies in the inbox.
pub(crate) fn in_inbox<'a>(inbox: &'a Inbox, body: &'a Range<usize>) -> &'a [u8] {
    inbox.body(body)
}

/// True when there is nothing left.
fn write_all(socket: &mut Socket, bytes: &[u8], written: &mut usize) -> io::Result<bool> {
    while *written < bytes.len() {
        match socket.write(&bytes[*written..]) {
            Ok(count) => *written += count,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(false),
            Err(error) => return Err(error),
        }
    }
    Ok(true)
}

fn write_slices(
    socket: &mut Socket,
    mut slices: &mut [IoSlice<'_>],
    written: &mut usize,
) -> io::Result<bool> {
    IoSlice::advance_slices(&mut slices, *written);
    while !slices.is_empty() {
        match socket.write_vectored(slices) {
            Ok(count) => {
                *written += count;
                IoSlice::advance_slices(&mut slices, count);
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(false),
            Err(error) => return Err(error),
        }
    }
    Ok(true)
}
