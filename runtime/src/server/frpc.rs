//! FRPC on the server: its requests read, its replies written.

use super::connection::Connection;
use super::incoming::{Encoding, Incoming, Wanted};
use crate::call::{
    EncodeMessage, FrpcForm, Metadata, ReplyForm, ReplyParts, ReplyPath, Ticket, owned_fields,
};
use crate::conn::{Frame, QueueClosed, SHARE_FROM};
use crate::frame::Error;
use crate::frame::compress::Compression;
use crate::frame::frpc::{
    Appended, ByteOrder, HEADER_LEN, Recognised, RequestHead, ResponseHead, decode_request,
    encode_response, recognise,
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
    // Only a request that makes sense in one order shows that of those to come.
    if order.is_none() {
        *order = shown_order(meta, payload_len, table);
    }
    let used = order.unwrap_or_default();
    let (head, appended) = decode_request(meta, used)?;
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

/// The order that a request shows: the one in which its sizes add up; where that is both, the one in which it names a
/// method that is served.
fn shown_order(meta: &[u8], payload_len: usize, table: &Table) -> Option<ByteOrder> {
    let head = |order| decode_request(meta, order).ok().map(|(head, _)| head);
    let order = match recognise(meta, payload_len) {
        Recognised::As(order) => Some(order),
        Recognised::Neither => None,
        Recognised::Both => [ByteOrder::Big, ByteOrder::Little].into_iter().find(|order| {
            head(*order)
                .is_some_and(|head| table.find_by_id(head.service_id, head.method_id).is_some())
        }),
    };
    order.filter(|order| head(*order).is_some_and(|head| head.sizes(payload_len).is_some()))
}

fn split_payload(frame: &Frame, head: &RequestHead) -> Result<(Bytes, Bytes), Status> {
    let size = frame.payload_len();
    let (message_size, _) = head.sizes(size).ok_or_else(|| {
        let (message, attachment) = (head.message_size, head.attachment_size);
        Status::invalid_request(format!(
            "message_size={message} and attachment_size={attachment} do not make a request of {size} bytes"
        ))
    })?;
    Ok(frame.split_payload(message_size))
}

fn metadata(appended: &Appended<'_>) -> Option<Box<Metadata>> {
    // Most requests append nothing: they should not pay for a look at fields that FRPC does not have.
    if appended.log_id.is_none() && appended.user_fields.is_empty() {
        return None;
    }
    Metadata {
        log_id: appended.log_id,
        user_fields: owned_fields(&appended.user_fields),
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
        if len == 0 {
            let status = Status::internal("FRPC carries no empty message");
            return self.write_frpc_error(ticket, form, &status);
        }
        let written = if len < SHARE_FROM {
            self.push_frpc_copied(ticket, form, parts, message)?
        } else {
            self.push_frpc_shared(ticket, form, parts, message)?
        };
        match written {
            Ok(()) => Ok(()),
            Err(error) => self.write_frpc_error(ticket, form, &Status::internal(error.to_string())),
        }
    }

    fn push_frpc_copied(
        &self,
        ticket: &Ticket,
        form: FrpcForm,
        parts: &ReplyParts,
        message: &dyn EncodeMessage,
    ) -> Result<Result<(), Error>, QueueClosed> {
        let mut written = Ok(());
        self.push(ticket, |out| {
            let len = message.encoded_len();
            written = self.append_frpc_head(out.buffer(), ticket, form, parts, len);
            if written.is_ok() {
                message.encode(out.buffer());
                out.append(&parts.attachment);
            }
        })?;
        Ok(written)
    }

    /// The message goes out as a slice of its own, from where it stands.
    fn push_frpc_shared(
        &self,
        ticket: &Ticket,
        form: FrpcForm,
        parts: &ReplyParts,
        message: &mut dyn EncodeMessage,
    ) -> Result<Result<(), Error>, QueueClosed> {
        let mut head = Vec::with_capacity(64);
        let len = message.encoded_len();
        if let Err(error) = self.append_frpc_head(&mut head, ticket, form, parts, len) {
            return Ok(Err(error));
        }
        // What is in a builder has the head put in front of it; what is not stays as it is, behind the head.
        let (head, message) = match message.shared() {
            Some(bytes) => (head, bytes),
            None => (Vec::new(), message.take_frame(&head)),
        };
        self.push(ticket, |out| {
            out.buffer().extend_from_slice(&head);
            out.append(&message);
            out.append(&parts.attachment);
        })?;
        Ok(Ok(()))
    }

    /// Appends header and metadata of a success.
    ///
    /// # Errors
    /// What the peer would find wrong with the frame, and close the connection over; `out` is left as it was.
    fn append_frpc_head(
        &self,
        out: &mut Vec<u8>,
        ticket: &Ticket,
        form: FrpcForm,
        parts: &ReplyParts,
        message_len: usize,
    ) -> Result<(), Error> {
        let payload_len = message_len.saturating_add(parts.attachment.len());
        let too_large = Error::TooLargeToEncode { size: payload_len as u64 };
        let size = |len: usize| i32::try_from(len).map_err(|_| too_large);
        let head = ResponseHead {
            message_size: size(message_len)?,
            attachment_size: size(parts.attachment.len())?,
            ..response_head(ticket)
        };
        let mut appended = Appended { present: form.appended, ..Appended::default() };
        if form.appended {
            appended.user_fields =
                parts.user_fields.iter().map(|(key, value)| (&**key, &**value)).collect();
        }
        let start = out.len();
        encode_response(out, &head, &appended, form.order)?;
        let body_size = out.len() - start - HEADER_LEN + payload_len;
        let limit = self.limits().max_body_size;
        if body_size > limit {
            out.truncate(start);
            let size = u32::try_from(body_size).unwrap_or(u32::MAX);
            return Err(Error::FrameTooLarge { size, limit });
        }
        Ok(())
    }

    /// An error has a number alone; its text travels only in an appended block, to a caller who sent one.
    pub(super) fn write_frpc_error(
        &self,
        ticket: &Ticket,
        form: FrpcForm,
        status: &Status,
    ) -> Result<(), QueueClosed> {
        let head = ResponseHead { error_code: status.code().number(), ..response_head(ticket) };
        let text = prefix(status.message(), MAX_ERROR_TEXT);
        let appended = Appended {
            present: form.appended,
            error_text: form.appended.then_some(text),
            ..Appended::default()
        };
        self.push(ticket, |out| {
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

#[cfg(all(test, feature = "flatbuffers"))]
mod tests {
    use super::*;
    use crate::buf::Built;
    use crate::conn::Outgoing;
    use std::io::IoSlice;

    /// Above the crossover nothing is copied between builder and socket. A reply of 64 KiB is handed over
    /// from where its handler built it, head in front and attachment behind.
    #[test]
    fn a_built_reply_goes_out_from_where_it_was_built() {
        let text = "x".repeat(64 << 10);
        let build = || Built::build(21, 0, |builder| builder.create_string(&text));
        // What the method's replies need is known from the second on.
        drop(build());
        for _ in 0..3 {
            let mut reply = crate::Flat::<()>::new(build());
            let (place, len) = (reply.bytes().as_ptr(), reply.bytes().len());
            let head = ResponseHead { message_size: len as i32, ..ResponseHead::default() };
            let mut bytes = Vec::new();
            let block = Appended {
                error_text: Some("of forty bytes, for instance, or so."),
                ..Appended::new()
            };
            encode_response(&mut bytes, &head, &block, ByteOrder::Big).unwrap();
            let mut outgoing = Outgoing::default();
            outgoing.buffer().extend_from_slice(b"before");
            outgoing.append(&reply.take_frame(&bytes));
            outgoing.append(&Bytes::from_static(b"ATT"));
            let mut slices = [IoSlice::new(&[]); 8];
            let slices = outgoing.slices(0, &mut slices);
            assert_eq!(slices.len(), 3);
            assert_eq!(slices[1][..bytes.len()], bytes);
            assert_eq!(slices[1][bytes.len()..].as_ptr(), place);
            assert_eq!((slices[1].len(), &slices[2][..]), (bytes.len() + len, &b"ATT"[..]));
        }
    }
}
