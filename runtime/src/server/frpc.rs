//! FRPC on the server: its requests read, its replies written.

use super::connection::Connection;
use super::incoming::{Encoding, Incoming, Wanted};
use crate::call::{EncodeMessage, FrpcForm, Metadata, ReplyForm, ReplyParts, Ticket};
use crate::conn::{Frame, QueueClosed, SHARE_FROM};
use crate::frame::Error;
use crate::frame::compress::Compression;
use crate::frame::frpc::{
    Appended, ByteOrder, Recognised, RequestHead, ResponseHead, decode_request, encode_response,
    recognise,
};
use crate::registry::Table;
use crate::status::{Status, prefix};
use bytes::Bytes;
use std::time::Duration;

/// The longest error text that an appended block carries, in bytes.
const MAX_ERROR_TEXT: usize = 4 << 10;

/// The request in a frame. `order` is what the connection has shown so far.
///
/// # Errors
/// Metadata that cannot be read: the connection is of no use any more.
pub(super) fn incoming<'a>(
    frame: &'a Frame,
    order: &mut Option<ByteOrder>,
    table: &Table,
) -> Result<Incoming<'a>, Error> {
    let (meta, payload_len) = (frame.meta(), frame.payload_len());
    let used = order.unwrap_or_else(|| first_order(meta, payload_len, table));
    let (head, appended) = decode_request(meta, used)?;
    // Only a request that makes sense shows the order of those to come.
    if head.sizes(payload_len).is_some() {
        *order = Some(used);
    }
    let appended = Appended::decode(appended)?;
    Ok(Incoming {
        wanted: Wanted::Numbered { service: head.service_id, method: head.method_id },
        correlation_id: Some(head.correlation_id as i64),
        form: ReplyForm::Frpc(FrpcForm { order: used, appended: appended.present }),
        authentication_data: &[],
        payload: split_payload(frame, &head),
        timeout: appended.timeout_ms.filter(|timeout| *timeout > 0).map(millis),
        metadata: metadata(&appended),
        encoding: Encoding::default(),
    })
}

fn millis(timeout: u32) -> Duration {
    Duration::from_millis(timeout.into())
}

/// The order of a connection's first request: the one in which its sizes add up; where that is both, the one that
/// names a method that is served; else the one that was decided on.
fn first_order(meta: &[u8], payload_len: usize, table: &Table) -> ByteOrder {
    match recognise(meta, payload_len) {
        Recognised::As(order) => order,
        Recognised::Neither => ByteOrder::default(),
        Recognised::Both => [ByteOrder::Big, ByteOrder::Little]
            .into_iter()
            .find(|order| {
                decode_request(meta, *order).is_ok_and(|(head, _)| {
                    table.find_by_id(head.service_id, head.method_id).is_some()
                })
            })
            .unwrap_or_default(),
    }
}

fn split_payload(frame: &Frame, head: &RequestHead) -> Result<(Bytes, Bytes), Status> {
    let size = frame.payload_len();
    let (message_size, _) = head.sizes(size).ok_or_else(|| {
        let (message, attachment) = (head.message_size, head.attachment_size);
        Status::invalid_request(format!(
            "message_size={message} and attachment_size={attachment} do not make a request of {size} bytes"
        ))
    })?;
    let mut message = frame.payload();
    let attachment = message.split_off(message_size);
    Ok((message, attachment))
}

fn metadata(appended: &Appended<'_>) -> Option<Box<Metadata>> {
    let owned = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
    Metadata {
        log_id: appended.log_id,
        user_fields: appended.user_fields.iter().map(owned).collect(),
        ..Metadata::default()
    }
    .boxed()
}

impl Connection {
    pub(super) fn write_frpc_reply(
        &self,
        ticket: &Ticket,
        form: FrpcForm,
        parts: &ReplyParts,
        message: &mut dyn EncodeMessage,
    ) -> Result<(), QueueClosed> {
        if parts.compression != Compression::None || parts.checksum {
            let status = Status::internal("FRPC carries no compression and no checksum");
            return self.write_frpc_error(ticket, form, &status);
        }
        let len = message.encoded_len();
        // Both are within max_body_size; one beyond i32 is refused like one beyond the limit.
        let (Ok(message_size), Ok(attachment_size)) =
            (i32::try_from(len), i32::try_from(parts.attachment.len()))
        else {
            let status = Status::internal("the reply is larger than FRPC can say");
            return self.write_frpc_error(ticket, form, &status);
        };
        let head = ResponseHead { message_size, attachment_size, ..response_head(ticket) };
        let mut appended = Appended { present: form.appended, ..Appended::default() };
        if form.appended {
            appended.user_fields =
                parts.user_fields.iter().map(|(key, value)| (&**key, &**value)).collect();
        }
        if len >= SHARE_FROM {
            let mut bytes = Vec::with_capacity(64);
            let encoded = encode_response(&mut bytes, &head, &appended, form.order);
            debug_assert!(encoded.is_ok());
            let frame = message.take_frame(&bytes);
            self.queue.push(|out, _| {
                out.append(&frame);
                out.append(&parts.attachment);
            })?;
            return Ok(());
        }
        self.queue.push(|out, _| {
            let encoded = encode_response(out.buffer(), &head, &appended, form.order);
            debug_assert!(encoded.is_ok());
            message.encode(out.buffer());
            out.append(&parts.attachment);
        })?;
        Ok(())
    }

    /// An error has a number alone; its text travels only in an appended block, to a caller who sent one.
    pub(super) fn write_frpc_error(
        &self,
        ticket: &Ticket,
        form: FrpcForm,
        status: &Status,
    ) -> Result<(), QueueClosed> {
        let error_code = match status.code().number() {
            1001 => 1002,
            code => code,
        };
        let head = ResponseHead { error_code, ..response_head(ticket) };
        let text = prefix(status.message(), MAX_ERROR_TEXT);
        let appended = Appended {
            present: form.appended,
            error_text: form.appended.then_some(text),
            ..Appended::default()
        };
        self.queue.push(|out, _| {
            let encoded = encode_response(out.buffer(), &head, &appended, form.order);
            debug_assert!(encoded.is_ok());
        })?;
        Ok(())
    }
}

fn response_head(ticket: &Ticket) -> ResponseHead {
    ResponseHead {
        correlation_id: ticket.correlation_id.unwrap_or(0) as u64,
        ..ResponseHead::default()
    }
}
