//! The message of a request, in whichever form it was made.

#[cfg(feature = "flatbuffers")]
use crate::buf::Built;
use crate::conn::Outgoing;
#[cfg(feature = "flatbuffers")]
use crate::conn::SHARE_FROM;
use bytes::Bytes;
use std::fmt;

/// A message to be sent, and to be sent again.
pub(crate) enum Body {
    /// Its bytes.
    Encoded(Bytes),
    /// In the builder that made it.
    #[cfg(feature = "flatbuffers")]
    Built(Built),
}

impl Body {
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Encoded(bytes) => bytes,
            #[cfg(feature = "flatbuffers")]
            Self::Built(built) => built.bytes(),
        }
    }

    pub(crate) fn into_bytes(self) -> Bytes {
        match self {
            Self::Encoded(bytes) => bytes,
            #[cfg(feature = "flatbuffers")]
            Self::Built(built) => built.into_frame(&[]),
        }
    }

    /// Appends `head` and the message: small ones are copied, a large one that was built goes out in its own memory
    /// with the head in front, and stays at hand there for another attempt.
    pub(crate) fn append(&mut self, out: &mut Outgoing, head: &[u8]) {
        match self {
            #[cfg(feature = "flatbuffers")]
            Self::Built(_) if self.bytes().len() >= SHARE_FROM => {
                let built = std::mem::replace(self, Self::Encoded(Bytes::new()));
                let frame = match built {
                    Self::Built(built) => built.into_frame(head),
                    Self::Encoded(bytes) => bytes,
                };
                out.append(&frame);
                *self = Self::Encoded(frame.slice(head.len()..));
            }
            #[cfg(feature = "flatbuffers")]
            Self::Built(built) => {
                out.buffer().extend_from_slice(head);
                out.buffer().extend_from_slice(built.bytes());
            }
            Self::Encoded(bytes) => {
                out.buffer().extend_from_slice(head);
                out.append(bytes);
            }
        }
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Body({} bytes)", self.bytes().len())
    }
}
