//! Replies as they come in frames.

use super::connection::Dialect;
use crate::call::{Metadata, RawReply, ReplyChecksum, owned_fields};
use crate::conn::Frame;
use crate::frame::checksum::CRC32C;
use crate::frame::frpc::{Appended, ByteOrder, decode_response};
use crate::frame::prpc::{ResponseMeta, RpcMeta, decode_meta, decode_plain_reply, message_len};
use crate::frame::{self, Protocol};
use crate::status::{Code, Status};
use bytes::Bytes;

/// The reply in a frame, and the id of its call.
///
/// # Errors
/// A frame whose metadata cannot be read: the connection is of no use any more.
pub(super) fn reply(mut frame: Frame, dialect: Dialect) -> Result<(i64, RawReply), frame::Error> {
    match (frame.protocol, dialect) {
        (Protocol::Frpc, Dialect::Frpc { order, .. }) => frpc_reply(&frame, order),
        // Not cut out of the stream in the first place; an id of -1 names no call.
        (Protocol::Frpc, Dialect::Prpc) | (Protocol::Prpc, Dialect::Frpc { .. }) => {
            Ok((-1, RawReply::default()))
        }
        (Protocol::Prpc, Dialect::Prpc) => {
            if let Some(plain) = decode_plain_reply(frame.meta())
                && let Some(message_len) = message_len(plain.attachment_size, frame.payload_len())
            {
                let (message, attachment) = frame.take_payload(message_len);
                let reply = RawReply { message, attachment, ..RawReply::default() };
                return Ok((plain.correlation_id, reply));
            }
            let meta = decode_meta(frame.meta())?;
            let id = meta.correlation_id.unwrap_or(0);
            let reply = raw_reply(&frame, &meta).unwrap_or_else(|text| RawReply {
                status: Some(Status::new(Code::ERESPONSE, text)),
                ..RawReply::default()
            });
            Ok((id, reply))
        }
    }
}

/// What brpc's own clients say for an FRPC error, which has no text on the wire.
pub(super) const NO_TEXT: &str = "FlatBuffers server error";

/// An FRPC reply.
fn frpc_reply(frame: &Frame, order: ByteOrder) -> Result<(i64, RawReply), frame::Error> {
    let (head, appended) = decode_response(frame.meta(), order)?;
    let appended = Appended::decode(appended)?;
    let id = head.correlation_id as i64;
    let Some((message_size, _)) = head.sizes(frame.payload_len()) else {
        let text = "the sizes of the reply do not fit its error code, or do not add up";
        let status = Some(Status::new(Code::ERESPONSE, text));
        return Ok((id, RawReply { status, ..RawReply::default() }));
    };
    let (message, attachment) = frame.split_payload(message_size);
    let status = (head.error_code != 0).then(|| {
        let text = appended.error_text.unwrap_or(NO_TEXT);
        Status::new(head.error_code, text.to_owned())
    });
    let metadata = metadata(&appended.user_fields);
    Ok((id, RawReply { status, message, attachment, metadata, ..RawReply::default() }))
}

fn metadata(user_fields: &[(&str, &str)]) -> Option<Box<Metadata>> {
    if user_fields.is_empty() {
        return None;
    }
    Metadata { user_fields: owned_fields(user_fields), ..Metadata::default() }.boxed()
}

fn raw_reply(frame: &Frame, meta: &RpcMeta<'_>) -> Result<RawReply, String> {
    let response = meta.response.as_ref().ok_or("the reply has no response metadata")?;
    let (message, attachment) = split_payload(frame, meta)?;
    Ok(RawReply {
        status: status(response),
        message,
        attachment,
        metadata: metadata(&meta.user_fields),
        compress_type: meta.compress_type.unwrap_or(0),
        checksum: checksum(meta),
    })
}

fn checksum(meta: &RpcMeta<'_>) -> ReplyChecksum {
    if meta.checksum_type != Some(CRC32C) {
        return ReplyChecksum::None;
    }
    let with_attachment = meta.checksum_with_attachment == Some(true);
    match meta.checksum_value.unwrap_or_default().try_into() {
        Ok(value) => ReplyChecksum::Crc32c { value, with_attachment },
        Err(_) => ReplyChecksum::Malformed,
    }
}

fn split_payload(frame: &Frame, meta: &RpcMeta<'_>) -> Result<(Bytes, Bytes), String> {
    let size = frame.payload_len();
    let message_len = meta.message_len(size).ok_or_else(|| {
        let attachment = meta.attachment_size.unwrap_or(0);
        format!("attachment_size={attachment} is larger than response_size={size}")
    })?;
    Ok(frame.split_payload(message_len))
}

/// The error a server reports. `[address][E1003]text` is taken apart into origin and text, where
/// the code in it is the reply's own.
fn status(response: &ResponseMeta<'_>) -> Option<Status> {
    let code = response.error_code.filter(|code| *code != 0)?;
    let text = response.error_text.unwrap_or_default();
    let parted = text.strip_prefix('[').and_then(|rest| {
        let (origin, rest) = rest.split_once(']')?;
        let rest = rest.strip_prefix(&format!("[E{code}]"))?;
        Some((origin.to_owned(), rest.to_owned()))
    });
    Some(match parted {
        Some((origin, text)) => Status::new(code, text).with_origin(origin),
        None => Status::new(code, text.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(code: i32, text: &str) -> Status {
        status(&ResponseMeta { error_code: Some(code), error_text: Some(text) }).unwrap()
    }

    #[test]
    fn address_and_code_are_taken_off_the_text() {
        let status = parse(1234, "[127.0.0.1:8800][E1234]boom");
        assert_eq!((status.message(), status.origin()), ("boom", Some("127.0.0.1:8800")));
    }

    #[test]
    fn other_texts_stay_whole() {
        for text in ["boom", "[x", "[a][E1]boom", "[127.0.0.1:1]no code", ""] {
            let status = parse(1234, text);
            assert_eq!((status.message(), status.origin()), (text, None));
        }
    }
}
