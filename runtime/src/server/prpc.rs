//! baidu_std on the server: its requests read, its replies written.

use super::connection::Connection;
use super::incoming::{Encoding, Incoming, Wanted};
use crate::call::{
    EncodeMessage, Metadata, ReplyForm, ReplyParts, ReplyPath, Ticket, owned_fields,
};
use crate::conn::{Frame, Outgoing, QueueClosed, SHARE_FROM, append_head, append_within};
use crate::frame::Error;
use crate::frame::checksum::{CRC32C, masked_crc32c};
use crate::frame::compress::{Compression, compress};
use crate::frame::prpc::{
    PlainFrame, PlainRequest, RequestMeta, ResponseMeta, RpcMeta, decode_meta,
    decode_plain_request, encode_head, encode_plain_reply, message_len,
};
use crate::registry::MethodDescriptor;
use crate::status::{Status, prefix};
use bytes::Bytes;
use std::time::Duration;

/// The request in a frame.
///
/// # Errors
/// Metadata that cannot be read: the connection is of no use any more.
pub(super) fn incoming<'a>(
    frame: &'a mut Frame,
    last: Option<&'static MethodDescriptor>,
) -> Result<Incoming<'a>, Error> {
    if let Some((wanted, plain, timeout_ms)) = same_again(frame.meta(), last) {
        let size = frame.payload_len();
        return Ok(Incoming {
            wanted,
            correlation_id: Some(plain.correlation_id),
            form: ReplyForm::Prpc,
            authentication_data: &[],
            payload: message_size(plain.attachment_size, size).map(|len| frame.take_payload(len)),
            timeout: patience(timeout_ms),
            metadata: None,
            encoding: Encoding::default(),
        });
    }
    let frame = &*frame;
    let meta = decode_meta(frame.meta())?;
    let wanted = match &meta.request {
        None => Wanted::Nothing,
        Some(request) => {
            Wanted::Named { service: request.service_name, method: request.method_name }
        }
    };
    let timeout_ms = meta.request.as_ref().and_then(|request| request.timeout_ms);
    Ok(Incoming {
        wanted,
        correlation_id: meta.correlation_id,
        form: ReplyForm::Prpc,
        authentication_data: meta.authentication_data.unwrap_or_default(),
        payload: message_size(meta.attachment_size, frame.payload_len())
            .map(|len| frame.split_payload(len)),
        timeout: patience(timeout_ms),
        metadata: meta.request.as_ref().and_then(|request| metadata(&meta, request)),
        encoding: Encoding::of(&meta),
    })
}

/// The common request: with nothing that needs more than a look, for the method of the request before, whose names
/// are known to be text.
#[inline]
fn same_again(
    meta: &[u8],
    last: Option<&'static MethodDescriptor>,
) -> Option<(Wanted<'static>, PlainFrame, Option<i32>)> {
    let last = last?;
    let PlainRequest { service_name, method_name, timeout_ms, frame } = decode_plain_request(meta)?;
    let again = last.service().as_bytes() == service_name && last.name().as_bytes() == method_name;
    let wanted = Wanted::Named { service: last.service(), method: last.name() };
    again.then_some((wanted, frame, timeout_ms))
}

/// How long the caller waits. None and less is no limit.
fn patience(timeout_ms: Option<i32>) -> Option<Duration> {
    let timeout_ms = timeout_ms.and_then(|timeout| u64::try_from(timeout).ok());
    timeout_ms.filter(|timeout| *timeout > 0).map(Duration::from_millis)
}

/// How much of a payload of `size` bytes is message. A negative size of the attachment is taken as none, as brpc does.
fn message_size(attachment_size: Option<i32>, size: usize) -> Result<usize, Status> {
    message_len(attachment_size, size).ok_or_else(|| {
        let attachment = attachment_size.unwrap_or(0);
        Status::invalid_request(format!(
            "attachment_size={attachment} is larger than request_size={size}"
        ))
    })
}

/// True when nothing came beside message and attachment, as with most calls.
fn is_bare(meta: &RpcMeta<'_>, request: &RequestMeta<'_>) -> bool {
    let named = RequestMeta { service_name: "", method_name: "", timeout_ms: None, ..*request };
    named == RequestMeta::default()
        && meta.user_fields.is_empty()
        && meta.authentication_data.is_none()
}

fn metadata(meta: &RpcMeta<'_>, request: &RequestMeta<'_>) -> Option<Box<Metadata>> {
    if is_bare(meta, request) {
        return None;
    }
    Metadata {
        log_id: request.log_id,
        request_id: request.request_id.map(str::to_owned),
        trace_id: request.trace_id,
        span_id: request.span_id,
        parent_span_id: request.parent_span_id,
        user_fields: owned_fields(&meta.user_fields),
        authentication_data: meta.authentication_data.map(<[u8]>::to_vec),
    }
    .boxed()
}

impl Connection {
    /// Writes a success.
    pub(super) fn write_prpc_reply(
        &self,
        ticket: &Ticket,
        parts: &ReplyParts,
        message: &mut dyn EncodeMessage,
    ) -> Result<(), QueueClosed> {
        let len = message.encoded_len();
        let plain = parts.compression == Compression::None && !parts.checksum;
        if plain && len < SHARE_FROM {
            return self.write_small(ticket, parts, message, len);
        }
        if plain && message.shared().is_none() {
            return self.write_large(ticket, parts, message, len);
        }
        let body = match message.shared() {
            Some(bytes) if parts.compression == Compression::None => bytes,
            _ => encode_body(parts.compression, message, len),
        };
        let checksum = parts.checksum.then(|| masked_crc32c(&[&body, &parts.attachment]));
        let mut meta = success_meta(ticket, parts);
        meta.compress_type = Some(parts.compression.to_wire());
        if let Some(value) = &checksum {
            meta.checksum_type = Some(CRC32C);
            meta.checksum_value = Some(value);
            meta.checksum_with_attachment = Some(true);
        }
        let payload_len = body.len() + parts.attachment.len();
        self.write_frame(ticket, &meta, payload_len, |out| {
            out.append(&body);
            out.append(&parts.attachment);
        })
    }

    /// The common case: the message is encoded straight into the connection's buffer.
    fn write_small(
        &self,
        ticket: &Ticket,
        parts: &ReplyParts,
        message: &dyn EncodeMessage,
        len: usize,
    ) -> Result<(), QueueClosed> {
        let payload_len = len + parts.attachment.len();
        let append_payload = |out: &mut Outgoing| {
            message.encode(out.buffer());
            out.append(&parts.attachment);
        };
        if !parts.user_fields.is_empty() {
            return self.write_frame(
                ticket,
                &success_meta(ticket, parts),
                payload_len,
                append_payload,
            );
        }
        let plain = PlainFrame {
            correlation_id: ticket.correlation_id.unwrap_or(0),
            attachment_size: attachment_size(parts),
        };
        self.write_framed(
            ticket,
            |out, limit| {
                append_within(out, payload_len, limit, |out| {
                    encode_plain_reply(out, &plain, payload_len)
                })
            },
            append_payload,
        )
    }

    /// A large message is encoded once, behind its head, into a buffer of its exact size that goes out as it is.
    fn write_large(
        &self,
        ticket: &Ticket,
        parts: &ReplyParts,
        message: &mut dyn EncodeMessage,
        len: usize,
    ) -> Result<(), QueueClosed> {
        let meta = success_meta(ticket, parts);
        let (payload_len, limit) = (len + parts.attachment.len(), self.limits().max_body_size);
        let mut head = Vec::with_capacity(64);
        if let Err(error) = append_head(&mut head, &meta, payload_len, limit) {
            return self.refuse_reply(ticket, &error);
        }
        let frame = message.take_frame(&head);
        self.push(ticket, |out| {
            out.append(&frame);
            out.append(&parts.attachment);
        })?;
        Ok(())
    }

    fn refuse_reply(&self, ticket: &Ticket, error: &Error) -> Result<(), QueueClosed> {
        let status = Status::internal(format!("the reply cannot be sent: {error}"));
        self.write_prpc_error(ticket, &status)
    }

    /// Writes a frame, or an error in place of one that the caller would not take.
    fn write_frame(
        &self,
        ticket: &Ticket,
        meta: &RpcMeta<'_>,
        payload_len: usize,
        append_payload: impl FnOnce(&mut Outgoing),
    ) -> Result<(), QueueClosed> {
        self.write_framed(
            ticket,
            |out, limit| append_head(out, meta, payload_len, limit),
            append_payload,
        )
    }

    fn write_framed(
        &self,
        ticket: &Ticket,
        append_head: impl FnOnce(&mut Vec<u8>, usize) -> Result<(), Error>,
        append_payload: impl FnOnce(&mut Outgoing),
    ) -> Result<(), QueueClosed> {
        let mut head = Ok(());
        self.push(ticket, |out| {
            head = append_head(out.buffer(), self.limits().max_body_size);
            if head.is_ok() {
                append_payload(out);
            }
        })?;
        match head {
            Ok(()) => Ok(()),
            Err(error) => self.refuse_reply(ticket, &error),
        }
    }

    /// Writes an error: code and text, no message, no attachment.
    pub(super) fn write_prpc_error(
        &self,
        ticket: &Ticket,
        status: &Status,
    ) -> Result<(), QueueClosed> {
        let text = error_text(&self.local_name, status);
        let meta = RpcMeta {
            response: Some(ResponseMeta {
                error_code: Some(wire_code(status)),
                error_text: Some(&text),
            }),
            ..empty_meta(ticket.correlation_id)
        };
        self.push(ticket, |out| {
            let head = encode_head(out.buffer(), &meta, 0);
            debug_assert!(head.is_ok());
        })?;
        Ok(())
    }
}

fn encode_body(compression: Compression, message: &dyn EncodeMessage, len: usize) -> Bytes {
    let mut body = Vec::with_capacity(len);
    message.encode(&mut body);
    match compression {
        Compression::None => body.into(),
        compression => compress(compression, &body).into(),
    }
}

fn attachment_size(parts: &ReplyParts) -> Option<i32> {
    i32::try_from(parts.attachment.len()).ok().filter(|size| *size > 0)
}

fn success_meta<'a>(ticket: &Ticket, parts: &'a ReplyParts) -> RpcMeta<'a> {
    RpcMeta {
        response: Some(ResponseMeta { error_code: Some(0), error_text: None }),
        attachment_size: attachment_size(parts),
        user_fields: parts.user_fields.iter().map(|(key, value)| (&**key, &**value)).collect(),
        ..empty_meta(ticket.correlation_id)
    }
}

/// The fields that brpc always writes, zero as they are.
fn empty_meta(correlation_id: Option<i64>) -> RpcMeta<'static> {
    RpcMeta {
        compress_type: Some(0),
        correlation_id: Some(correlation_id.unwrap_or(0)),
        content_type: Some(0),
        checksum_type: Some(0),
        checksum_value: Some(&[]),
        ..RpcMeta::default()
    }
}

/// brpc sends its "failed, no code" (-1) as EINTERNAL.
fn wire_code(status: &Status) -> i32 {
    match status.code().number() {
        -1 => 2001,
        code => code,
    }
}

/// The longest error text that is sent, in bytes. A longer one says nothing more to a reader, and
/// one of megabytes could make the reply too large for the caller, who would close the connection
/// and lose every other call on it.
const MAX_ERROR_TEXT: usize = 64 << 10;

/// `[address][E<code>]text`, without the code for -1.
fn error_text(local_name: &str, status: &Status) -> String {
    let (code, text) = (status.code().number(), status.message());
    let text = prefix(text, MAX_ERROR_TEXT);
    match code {
        -1 => format!("[{local_name}]{text}"),
        code => format!("[{local_name}][E{code}]{text}"),
    }
}
