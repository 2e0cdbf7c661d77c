//! One attempt at a call as bytes on a connection.

use super::connection::{ConnectionSettings, Dialect};
use super::request::Request;
use crate::conn::{Outgoing, SHARE_FROM, append_head, append_within};
use crate::frame::Error;
use crate::frame::frpc::{Appended, ByteOrder, RequestHead, encode_request};
use crate::frame::prpc::encode_plain_request;
use crate::registry::service_id;

/// What differs between the attempts at one call.
pub(super) struct Outward {
    pub(super) id: i64,
    pub(super) timeout_ms: Option<i32>,
    /// True for the first request of its connection.
    pub(super) first: bool,
}

impl Outward {
    /// Appends the request to what goes out; nothing, when it cannot be sent.
    pub(super) fn write(
        &self,
        request: &mut Request,
        settings: &ConnectionSettings,
        out: &mut Outgoing,
    ) -> Result<(), Error> {
        match settings.dialect {
            Dialect::Prpc => self.write_prpc(request, settings, out),
            Dialect::Frpc { order, append } => {
                self.write_frpc(request, settings, order, append, out)
            }
        }
    }

    fn write_prpc(
        &self,
        request: &mut Request,
        settings: &ConnectionSettings,
        out: &mut Outgoing,
    ) -> Result<(), Error> {
        let introduced = self.first && !settings.authentication_data.is_empty();
        let (limit, payload_len) = (settings.limits.max_body_size, request.payload_len());
        let plain = match request.plain(self.id, self.timeout_ms) {
            Some(plain) if !introduced => append_within(out.buffer(), payload_len, limit, |out| {
                encode_plain_request(out, &plain, payload_len)
            })?,
            _ => false,
        };
        if !plain {
            let mut meta = request.meta(self.id, self.timeout_ms);
            if introduced {
                meta.authentication_data = Some(&settings.authentication_data);
            }
            append_head(out.buffer(), &meta, payload_len, limit)?;
        }
        request.message.append(out, &[]);
        out.append(&request.attachment);
        Ok(())
    }

    fn write_frpc(
        &self,
        request: &mut Request,
        settings: &ConnectionSettings,
        order: ByteOrder,
        append: bool,
        out: &mut Outgoing,
    ) -> Result<(), Error> {
        let too_large = Error::TooLargeToEncode { size: request.payload_len() as u64 };
        let size = |len: usize| i32::try_from(len).map_err(|_| too_large);
        let head = RequestHead {
            service_id: service_id(request.method.service()),
            // Calls of methods without a number were refused before.
            method_id: request
                .method
                .explicit_id()
                .and_then(|id| i32::try_from(id).ok())
                .unwrap_or(-1),
            message_size: size(request.message.bytes().len())?,
            attachment_size: size(request.attachment.len())?,
            correlation_id: self.id as u64,
        };
        let (limit, payload_len) = (settings.limits.max_body_size, request.payload_len());
        let append_head = |out: &mut Vec<u8>, request: &Request| {
            append_within(out, payload_len, limit, |out| {
                encode_request(out, &head, &self.appended(request, append), order)
            })
        };
        if request.message.bytes().len() < SHARE_FROM {
            append_head(out.buffer(), request)?;
            request.message.append(out, &[]);
        } else {
            // Goes in front of the message, in the message's own memory.
            let mut bytes = Vec::with_capacity(64);
            append_head(&mut bytes, request)?;
            request.message.append(out, &bytes);
        }
        out.append(&request.attachment);
        Ok(())
    }

    fn appended<'a>(&self, request: &'a Request, append: bool) -> Appended<'a> {
        let mut block = Appended { present: append, ..Appended::default() };
        if append {
            block.timeout_ms = self.timeout_ms.and_then(|timeout| u32::try_from(timeout).ok());
            if let Some(extras) = &request.extras {
                let fields = &extras.metadata.user_fields;
                block.user_fields = fields.iter().map(|(key, value)| (&**key, &**value)).collect();
                block.log_id = extras.metadata.log_id;
            }
        }
        block
    }
}
