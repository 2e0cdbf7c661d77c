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

#[cfg(all(test, feature = "flatbuffers"))]
mod tests {
    use super::*;
    use std::io::IoSlice;

    /// Every attempt sends the message from where it was built, under a head of its own.
    #[test]
    fn a_built_request_goes_out_from_where_it_was_built() {
        let text = "x".repeat(64 << 10);
        let build = || Built::build(22, 0, |builder| builder.create_string(&text));
        drop(build());
        let mut body = Body::Built(build());
        let (place, len) = (body.bytes().as_ptr(), body.bytes().len());
        for head in [[1_u8; 36], [2; 36], [3; 36]] {
            let mut outgoing = Outgoing::default();
            body.append(&mut outgoing, &head);
            let mut slices = [IoSlice::new(&[]); 4];
            let slices = outgoing.slices(0, &mut slices);
            let whole: Vec<u8> = slices.iter().flat_map(|slice| slice.to_vec()).collect();
            assert_eq!((whole.len(), &whole[..36]), (36 + len, &head[..]));
            let last = slices.last().unwrap();
            assert_eq!(last[last.len() - len..].as_ptr(), place);
            assert_eq!((body.bytes().as_ptr(), body.bytes().len()), (place, len));
        }
    }

    #[test]
    fn a_small_request_is_copied_behind_its_head_every_time() {
        let mut body = Body::Built(Built::build(23, 0, |builder| builder.create_string("small")));
        let message = body.bytes().to_vec();
        for head in [&b"first"[..], b"", b"third"] {
            let mut outgoing = Outgoing::default();
            body.append(&mut outgoing, head);
            assert_eq!(*outgoing.buffer(), [head, &message].concat());
        }
    }
}
