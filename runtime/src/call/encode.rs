//! A message that can be written, whatever its codec.

use crate::buf::encode_in_one_piece;
use bytes::Bytes;

/// A message ready to be encoded, borrowed from the handler's result.
pub(crate) trait EncodeMessage {
    /// The exact length of what [`encode`](Self::encode) appends.
    fn encoded_len(&self) -> usize;
    /// Appends the bytes.
    fn encode(&self, out: &mut Vec<u8>);
    /// The bytes, where they exist already and can be shared instead of copied.
    fn shared(&self) -> Option<Bytes> {
        None
    }
    /// The message behind `head`, in one piece where it can be. Called at most once, instead of
    /// [`encode`](Self::encode).
    fn take_frame(&mut self, head: &[u8]) -> Bytes {
        encode_in_one_piece(head.len() + self.encoded_len(), |frame| {
            frame.extend_from_slice(head);
            self.encode(frame);
        })
    }
}

impl EncodeMessage for Bytes {
    fn encoded_len(&self) -> usize {
        self.len()
    }

    fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self);
    }

    fn shared(&self) -> Option<Bytes> {
        Some(self.clone())
    }
}

/// A Protobuf message.
#[cfg(feature = "protobuf")]
pub(crate) struct ProtobufMessage<'a, Message>(pub(crate) &'a Message);

#[cfg(feature = "protobuf")]
impl<Message: prost::Message> EncodeMessage for ProtobufMessage<'_, Message> {
    fn encoded_len(&self) -> usize {
        self.0.encoded_len()
    }

    fn encode(&self, out: &mut Vec<u8>) {
        self.0.encode_raw(out);
    }
}
