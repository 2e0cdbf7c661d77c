//! What is sent, and the comparison of what comes back. A reply counts only with a [`Verified`].

use crate::command::Payload;
use bytes::Bytes;
use std::fmt;

/// One request: a sequence number and `--size` bytes of ASCII, as the message or as an attachment.
#[derive(Clone, Debug)]
pub struct Request {
    id: u64,
    message: &'static str,
    attachment: &'static [u8],
}

/// The reply was compared with its request, byte by byte. [`Request::check`] alone makes one.
#[derive(Debug)]
pub struct Verified(());

impl Request {
    /// The sequence number; travels as `request_id`.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The message as text; empty when the bytes travel as an attachment.
    pub fn text(&self) -> &'static str {
        self.message
    }

    /// The message as bytes, without a copy.
    pub fn bytes(&self) -> Bytes {
        Bytes::from_static(self.message.as_bytes())
    }

    /// The attachment, without a copy; empty when the bytes travel in the message.
    pub fn attachment(&self) -> Bytes {
        Bytes::from_static(self.attachment)
    }

    /// Compares a reply with this request.
    ///
    /// # Errors
    /// [`Failure::Mismatch`].
    pub fn check(&self, id: u64, message: &[u8]) -> Result<Verified, Failure> {
        if id == self.id && message == self.message.as_bytes() && self.attachment.is_empty() {
            return Ok(Verified(()));
        }
        Err(Failure::Mismatch)
    }

    /// Compares a reply that has an attachment with this request.
    ///
    /// # Errors
    /// [`Failure::Mismatch`].
    pub fn check_attached(
        &self,
        id: u64,
        message: &[u8],
        attachment: &[u8],
    ) -> Result<Verified, Failure> {
        if id == self.id && message == self.message.as_bytes() && attachment == self.attachment {
            return Ok(Verified(()));
        }
        Err(Failure::Mismatch)
    }
}

/// Makes requests. Neighbours differ in every byte, so that replies cannot change places unseen.
#[derive(Clone, Debug)]
pub struct RequestSource {
    texts: [&'static str; VARIANTS],
    attached: bool,
}

/// How many different texts there are.
const VARIANTS: usize = 16;

impl RequestSource {
    /// Texts of `size` bytes. They are kept for as long as the process lives, so that sending one
    /// copies nothing; a process makes one source.
    pub fn new(size: usize, payload: Payload) -> Self {
        let text = |variant: usize| -> &'static str {
            let letters = (0..size).map(|at| {
                // Sixteen letters apart for two variants at one place; a step of 7 along the text.
                char::from(b'A' + ((at * 7 + variant * 3) % 32) as u8)
            });
            letters.collect::<String>().leak()
        };
        Self { texts: std::array::from_fn(text), attached: payload == Payload::Attachment }
    }

    /// The request with this number.
    pub fn request(&self, id: u64) -> Request {
        let text = self.texts[id as usize % VARIANTS];
        match self.attached {
            false => Request { id, message: text, attachment: &[] },
            true => Request { id, message: "", attachment: text.as_bytes() },
        }
    }
}

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The reply is not the echo of the request.
    Mismatch,
    /// The contestant cannot do what was asked: its cell stays empty.
    Unsupported(&'static str),
    /// The call ended with an error, here in its own words. Reports count calls by these words, so
    /// that they had better not contain numbers of the call.
    Call(String),
}

impl Failure {
    /// A failure in the words of an error.
    pub fn of(error: impl fmt::Display) -> Self {
        Self::Call(error.to_string())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mismatch => f.write_str("the reply is not the echo of its request"),
            Self::Unsupported(what) => write!(f, "not supported: {what}"),
            Self::Call(error) => f.write_str(error),
        }
    }
}

impl std::error::Error for Failure {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_echo_is_verified() {
        let source = RequestSource::new(64, Payload::String);
        let (one, other) = (source.request(1), source.request(2));
        assert!(one.check(1, one.text().as_bytes()).is_ok());
        for (id, message) in [(2, one.text()), (1, other.text()), (1, &one.text()[1..]), (1, "")] {
            assert_eq!(one.check(id, message.as_bytes()).unwrap_err(), Failure::Mismatch);
        }
        let attached = RequestSource::new(64, Payload::Attachment).request(1);
        assert!(attached.check_attached(1, b"", one.text().as_bytes()).is_ok());
        assert!(attached.check_attached(1, b"", b"").is_err());
        assert!(attached.check(1, b"").is_err());
    }

    #[test]
    fn texts_of_all_variants_differ_at_every_place() {
        let source = RequestSource::new(100, Payload::String);
        for one in 0..VARIANTS as u64 {
            for other in 0..one {
                let (one, other) = (source.request(one).text(), source.request(other).text());
                assert_eq!(one.len(), 100);
                assert!(one.bytes().zip(other.bytes()).all(|(one, other)| one != other));
            }
        }
        assert_eq!(RequestSource::new(0, Payload::Bytes).request(7).text(), "");
    }
}
