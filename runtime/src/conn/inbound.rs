//! What was read of a connection, cut into frames.

use super::socket::ReadHalf;
use super::spin::Spinner;
use crate::frame::{self, Guess, Protocol, Sniff, frpc, prpc, sniff_among};
use crate::limits::Limits;
use bytes::{Buf, Bytes, BytesMut};
use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::time::{Instant, timeout};

/// Room made for one read of small frames.
const READ_SIZE: usize = 64 << 10;

/// Room made ahead for frames as large as those that came before.
const MOST_ROOM: usize = 4 << 20;

/// Less room than this and a read would be too short to be worth its call.
const MIN_ROOM: usize = 4 << 10;

/// What a body must bring within one `progress_timeout`, unless less is missing: a peer that sends a
/// byte now and then makes no progress.
const MIN_PROGRESS: usize = 64 << 10;

/// How long room for a large frame is kept for the next one while nothing comes.
const KEEP_LARGE: Duration = Duration::from_secs(1);

/// One whole frame.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) protocol: Protocol,
    bytes: Bytes,
    head_len: usize,
}

impl Frame {
    /// The metadata.
    pub(crate) fn meta(&self) -> &[u8] {
        &self.bytes[prpc::HEADER_LEN..self.head_len]
    }

    /// The payload cut in two: message and attachment, sharing the memory they were received in. `message_len` is at
    /// most the payload's.
    pub(crate) fn split_payload(&self, message_len: usize) -> (Bytes, Bytes) {
        split(self.bytes.slice(self.head_len..), message_len)
    }

    /// The same where the frame is of no more use: its own reference goes on.
    #[inline]
    pub(crate) fn take_payload(&mut self, message_len: usize) -> (Bytes, Bytes) {
        let mut payload = std::mem::take(&mut self.bytes);
        payload.advance(self.head_len);
        self.head_len = 0;
        split(payload, message_len)
    }

    /// The length of message and attachment.
    pub(crate) fn payload_len(&self) -> usize {
        self.bytes.len() - self.head_len
    }
}

#[inline]
fn split(mut payload: Bytes, message_len: usize) -> (Bytes, Bytes) {
    if message_len == payload.len() {
        return (payload, Bytes::new());
    }
    let attachment = payload.split_off(message_len);
    (payload, attachment)
}

/// Why nothing more can be read of a connection.
#[derive(Debug)]
pub(crate) enum ReadError {
    /// The stream broke.
    Io(io::Error),
    /// It ended inside a frame.
    UnexpectedEof,
    /// It speaks no protocol that is served here.
    Unknown(Guess),
    /// It breaks a rule of its protocol.
    Frame(frame::Error),
    /// A frame that began did not go on in time.
    Stalled,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::UnexpectedEof => f.write_str("the stream ended inside a frame"),
            Self::Unknown(guess) => guess.fmt(f),
            Self::Frame(error) => error.fmt(f),
            Self::Stalled => f.write_str("a frame that began did not go on in time"),
        }
    }
}

/// The receiving end of a connection.
#[derive(Debug)]
pub(crate) struct Inbound {
    /// What is spoken here.
    protocols: Arc<[Protocol]>,
    buffer: BytesMut,
    /// The length of the frame that stands at the front, once its header is read.
    expected: Option<usize>,
    /// The largest frame that came in whole. A peer that sent one may have room for the next of
    /// its size made at once; before that, room grows with what was really received.
    largest: usize,
    /// The size of frames of late: up at once, down by an eighth a frame.
    recent: usize,
    /// When the header that is not yet complete was first waited for, or since when the body has
    /// to make progress, and how much was there then.
    since: Option<(Instant, usize)>,
    /// The buffer has room for a large frame, which an idle connection must not hold on to.
    oversized: bool,
    /// Told of every read, where the runtime is kept awake.
    spinner: Option<Arc<Spinner>>,
}

impl Inbound {
    pub(crate) fn new(protocols: Arc<[Protocol]>, spinner: Option<Arc<Spinner>>) -> Self {
        Self {
            protocols,
            buffer: BytesMut::new(),
            expected: None,
            largest: READ_SIZE,
            recent: 0,
            since: None,
            oversized: false,
            spinner,
        }
    }

    /// The next whole frame, if there is one.
    pub(crate) fn next_frame(&mut self, max_body_size: usize) -> Result<Option<Frame>, ReadError> {
        let protocol = match sniff_among(&self.protocols, &self.buffer) {
            Sniff::Incomplete => return Ok(None),
            Sniff::Unknown(guess) => return Err(ReadError::Unknown(guess)),
            Sniff::Known(protocol) => protocol,
        };
        if self.buffer.len() < prpc::HEADER_LEN {
            return Ok(None);
        }
        let header = match protocol {
            Protocol::Prpc => prpc::decode_header(&self.buffer, max_body_size),
            Protocol::Frpc => frpc::decode_header(&self.buffer, max_body_size),
        }
        .map_err(ReadError::Frame)?;
        // Both fit: the limit is a usize and the body is within it.
        let len = prpc::HEADER_LEN + header.body_size as usize;
        if self.buffer.len() < len {
            if self.expected.replace(len).is_none() {
                self.since = None;
            }
            return Ok(None);
        }
        self.expected = None;
        self.since = None;
        self.largest = self.largest.max(len);
        let bytes = self.buffer.split_to(len).freeze();
        self.recent = len.max(self.recent - self.recent / 8);
        if self.recent <= READ_SIZE {
            self.give_back();
        }
        let head_len = prpc::HEADER_LEN + header.meta_size as usize;
        Ok(Some(Frame { protocol, bytes, head_len }))
    }

    /// Reads once. `Ok(0)` is the end of the stream between two frames.
    pub(crate) async fn read(
        &mut self,
        socket: &mut ReadHalf,
        limits: &Limits,
    ) -> Result<usize, ReadError> {
        self.make_room();
        let patience = self.patience(limits);
        let read = socket.read_buf(&mut self.buffer);
        let count = match patience {
            None if self.oversized => match timeout(KEEP_LARGE, read).await {
                Ok(read) => read,
                Err(_) => {
                    self.recent = 0;
                    self.give_back();
                    self.make_room();
                    socket.read_buf(&mut self.buffer).await
                }
            },
            None => read.await,
            Some(patience) => timeout(patience, read).await.map_err(|_| ReadError::Stalled)?,
        }
        .map_err(ReadError::Io)?;
        if let Some(spinner) = &self.spinner {
            spinner.touch();
        }
        if count == 0 && !self.buffer.is_empty() {
            return Err(ReadError::UnexpectedEof);
        }
        Ok(count)
    }

    /// How long to wait for more. Nothing has begun: as long as it takes. A header must be whole
    /// in time, however many reads it comes in; a body must go on at a useful pace.
    fn patience(&mut self, limits: &Limits) -> Option<Duration> {
        let len = self.buffer.len();
        if len == 0 {
            return None;
        }
        let limit = match self.expected {
            None => limits.header_timeout,
            Some(_) => {
                let went_on = |(_, before): &(Instant, usize)| len - before >= MIN_PROGRESS;
                self.since.take_if(|since| went_on(since));
                limits.progress_timeout
            }
        };
        let (since, _) = *self.since.get_or_insert_with(|| (Instant::now(), len));
        Some(limit.saturating_sub(since.elapsed()))
    }

    /// Lets go of room for a large frame. `BytesMut` would take it up again as soon as the frame is
    /// dropped, and keep it for good.
    fn give_back(&mut self) {
        if self.oversized && self.buffer.len() <= READ_SIZE {
            self.buffer = BytesMut::from(&self.buffer[..]);
            self.oversized = false;
        }
    }

    /// How many bytes a read may usually bring.
    pub(crate) fn room(&self) -> usize {
        match self.recent {
            0..=READ_SIZE => READ_SIZE,
            large => large.saturating_add(MIN_ROOM).min(MOST_ROOM),
        }
    }

    fn make_room(&mut self) {
        let missing = self.expected.map_or(0, |len| len.saturating_sub(self.buffer.len()));
        let trusted = self.buffer.len().max(self.largest);
        let mut wanted = missing.min(trusted).max(MIN_ROOM);
        if self.buffer.is_empty() {
            // A frame that does not fit would have to be moved when its end comes. Nothing is moved now, and
            // where all frames before are gone this takes their memory again.
            wanted = wanted.max(self.recent.saturating_add(MIN_ROOM).min(MOST_ROOM));
            let _ = self.buffer.try_reclaim(wanted.max(READ_SIZE));
        }
        if self.buffer.capacity() - self.buffer.len() < wanted {
            // Frames like those before come whole in one read, and the next one's beginning with them.
            let room = wanted.max(self.room());
            self.oversized |= room > READ_SIZE;
            self.buffer.reserve(room);
        }
    }
}
