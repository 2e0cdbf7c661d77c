//! Bytes as they come from a socket, and the frames in them, in place.

use crate::{HEADER, read_header};
use std::io;
use std::ops::Range;

/// A frame in an [`Inbox`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Of the call.
    pub id: u64,
    /// Where the body is, until [`Inbox::space`] is called again.
    pub body: Range<usize>,
}

/// A buffer that is read into behind and taken from in front.
#[derive(Debug)]
pub struct Inbox {
    bytes: Vec<u8>,
    begin: usize,
    end: usize,
}

/// What a read is offered at least, and at first.
const LEAST: usize = 4 << 10;
const FIRST: usize = 64 << 10;

impl Default for Inbox {
    fn default() -> Self {
        Self { bytes: vec![0; FIRST], begin: 0, end: 0 }
    }
}

impl Inbox {
    /// Where to read to: room for the rest of the frame that has begun, and some more.
    ///
    /// # Errors
    /// The frame that has begun is too large.
    pub fn space(&mut self) -> io::Result<&mut [u8]> {
        if self.begin == self.end {
            (self.begin, self.end) = (0, 0);
        }
        let needed = match self.bytes[self.begin..self.end].first_chunk::<HEADER>() {
            Some(header) => HEADER + read_header(header)?.1,
            None => HEADER,
        };
        let room = self.bytes.len();
        if room - self.begin < needed || room - self.end < LEAST {
            self.bytes.copy_within(self.begin..self.end, 0);
            (self.begin, self.end) = (0, self.end - self.begin);
            if room < needed + LEAST {
                self.bytes.resize(needed + FIRST, 0);
            }
        }
        Ok(&mut self.bytes[self.end..])
    }

    /// So many bytes were read.
    pub fn filled(&mut self, count: usize) {
        self.end = (self.end + count).min(self.bytes.len());
    }

    /// The next whole frame.
    ///
    /// # Errors
    /// It is too large.
    pub fn take(&mut self) -> io::Result<Option<Frame>> {
        let Some(header) = self.bytes[self.begin..self.end].first_chunk::<HEADER>() else {
            return Ok(None);
        };
        let (id, length) = read_header(header)?;
        let begin = self.begin + HEADER;
        if self.end - begin < length {
            return Ok(None);
        }
        self.begin = begin + length;
        Ok(Some(Frame { id, body: begin..self.begin }))
    }

    /// The bytes of a body.
    #[must_use]
    pub fn body(&self, body: &Range<usize>) -> &[u8] {
        &self.bytes[body.clone()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MAX_BODY, header};

    /// Whatever pieces they come in, frames come out as they were sent.
    #[test]
    fn frames_come_out_of_any_pieces() {
        let sizes = [0, 1, 64, 70_000, 5, 200_000, 0];
        let body = |size: usize| (0..size).map(|at| (at % 251) as u8).collect::<Vec<_>>();
        let mut sent = Vec::new();
        for (id, size) in (0..).zip(sizes) {
            sent.extend_from_slice(&header(id, size));
            sent.extend_from_slice(&body(size));
        }
        for piece in [1, 7, 4096, 65_536, sent.len()] {
            let (mut inbox, mut rest, mut seen) = (Inbox::default(), &sent[..], Vec::new());
            while !rest.is_empty() {
                let space = inbox.space().unwrap();
                let count = piece.min(space.len()).min(rest.len());
                space[..count].copy_from_slice(&rest[..count]);
                rest = &rest[count..];
                inbox.filled(count);
                while let Some(frame) = inbox.take().unwrap() {
                    assert_eq!(inbox.body(&frame.body), body(frame.body.len()), "{piece}");
                    seen.push((frame.id, frame.body.len()));
                }
            }
            assert_eq!(seen, (0..).zip(sizes).collect::<Vec<_>>(), "{piece}");
        }
    }

    #[test]
    fn a_frame_that_is_too_large_is_refused_before_there_is_room_for_it() {
        let mut inbox = Inbox::default();
        let head = header(1, MAX_BODY + 1);
        inbox.space().unwrap()[..HEADER].copy_from_slice(&head);
        inbox.filled(HEADER);
        assert!(inbox.take().is_err());
        assert!(inbox.space().is_err());
    }
}
