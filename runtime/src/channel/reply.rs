//! What a call returns.

use crate::call::{Metadata, RawReply, ReplyChecksum};
use crate::frame::checksum::verify_crc32c;
use crate::frame::compress::{Compression, decompress};
use crate::limits::Limits;
use crate::registry::MethodDescriptor;
use crate::status::{Code, Status};
use bytes::Bytes;
use std::ops::{Deref, DerefMut};

/// A reply: the message, to which it derefs, and what came beside it.
///
/// A field of the message that is named like a method here is reached through `(*reply)`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply<Message> {
    message: Message,
    attachment: Bytes,
    metadata: Option<Box<Metadata>>,
}

impl<Message> Reply<Message> {
    /// The raw bytes that came behind the message; empty when there were none.
    pub fn attachment(&self) -> &Bytes {
        &self.attachment
    }

    /// What else came with the reply.
    pub fn metadata(&self) -> &Metadata {
        Metadata::of(&self.metadata)
    }

    /// The message alone.
    pub fn into_inner(self) -> Message {
        self.message
    }
}

impl<Message> Deref for Reply<Message> {
    type Target = Message;

    fn deref(&self) -> &Message {
        &self.message
    }
}

impl<Message> DerefMut for Reply<Message> {
    fn deref_mut(&mut self) -> &mut Message {
        &mut self.message
    }
}

/// Decodes the message of a reply.
pub(crate) type Decode<Message> =
    fn(&'static MethodDescriptor, Bytes, &Limits) -> Result<Message, Status>;

/// Checks, decompresses and decodes a reply; runs where the caller waits, not on the connection.
pub(crate) fn open<Message>(
    raw: RawReply,
    method: &'static MethodDescriptor,
    limits: &Limits,
    decode: Decode<Message>,
) -> Result<Reply<Message>, Status> {
    if let Some(status) = raw.status {
        return Err(status);
    }
    let refuse = |reason: &dyn std::fmt::Display| {
        Status::new(
            Code::ERESPONSE,
            format!("cannot read the reply to `{}`: {reason}", method.full_name()),
        )
    };
    if !checksum_fits(&raw) {
        return Err(refuse(&"the checksum does not fit"));
    }
    let message = match Compression::from_wire(raw.compress_type) {
        Ok(Compression::None) => raw.message,
        Ok(kind) => decompress(kind, &raw.message, limits.max_decompressed_size)
            .map_err(|error| refuse(&error))?
            .into(),
        Err(error) => return Err(refuse(&error)),
    };
    let message = decode(method, message, limits)?;
    Ok(Reply { message, attachment: raw.attachment, metadata: raw.metadata })
}

fn checksum_fits(raw: &RawReply) -> bool {
    match &raw.checksum {
        ReplyChecksum::None => true,
        ReplyChecksum::Malformed => false,
        ReplyChecksum::Crc32c { value, with_attachment } => {
            let attachment = if *with_attachment { &raw.attachment[..] } else { &[] };
            verify_crc32c(value, &[&raw.message, attachment])
        }
    }
}

/// Verifies a FlatBuffers message.
#[cfg(feature = "flatbuffers")]
pub(crate) fn verify_flat<Message: crate::flat::Table>(
    method: &'static MethodDescriptor,
    bytes: Bytes,
    limits: &Limits,
) -> Result<crate::flat::Verified<Message>, Status> {
    crate::flat::Verified::new(bytes, limits).map_err(|error| {
        let text = format!("cannot read the reply to `{}`: {error}", method.full_name());
        Status::new(Code::ERESPONSE, text).with_source(error)
    })
}

/// Decodes a Protobuf message.
#[cfg(feature = "protobuf")]
pub(crate) fn decode_protobuf<Message: prost::Message + Default>(
    method: &'static MethodDescriptor,
    bytes: Bytes,
    limits: &Limits,
) -> Result<Message, Status> {
    let budget = limits.decode_budget(bytes.len());
    crate::payload::proto::decode(method.reply(), bytes, budget).map_err(|error| {
        let text = format!("cannot read the reply to `{}`: {error}", method.full_name());
        Status::new(Code::ERESPONSE, text).with_source(error)
    })
}
