//! A call that a client makes, before it is sent.

use super::body::Body;
use crate::call::Metadata;
use crate::frame::checksum::{CRC32C, masked_crc32c};
use crate::frame::compress::{Compression, compress};
use crate::frame::prpc::{PlainFrame, PlainRequest, RequestMeta, RpcMeta};
use crate::registry::MethodDescriptor;
use bytes::Bytes;
use std::time::Duration;

/// Everything that is sent, kept until the reply is there so that it can be sent again.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) method: &'static MethodDescriptor,
    pub(crate) message: Body,
    pub(crate) attachment: Bytes,
    pub(crate) timeout: Option<Duration>,
    /// What few calls set, out of the way of those that do not.
    pub(crate) extras: Option<Box<Extras>>,
}

#[derive(Debug, Default)]
pub(crate) struct Extras {
    pub(crate) metadata: Metadata,
    pub(crate) compression: Compression,
    pub(crate) checksum: bool,
    pub(crate) checksum_value: [u8; 4],
    pub(crate) idempotent: bool,
    pub(crate) max_retries: Option<u32>,
}

impl Request {
    pub(crate) fn new(method: &'static MethodDescriptor, message: Body) -> Self {
        Self { method, message, attachment: Bytes::new(), timeout: None, extras: None }
    }

    pub(crate) fn extras(&mut self) -> &mut Extras {
        self.extras.get_or_insert_default()
    }

    pub(crate) fn is_idempotent(&self) -> bool {
        self.method.is_idempotent() || self.extras.as_ref().is_some_and(|extras| extras.idempotent)
    }

    pub(crate) fn max_retries(&self) -> Option<u32> {
        self.extras.as_ref().and_then(|extras| extras.max_retries)
    }

    /// What FRPC cannot carry: baidu_std's compression, checksum and credentials.
    pub(crate) fn only_baidu_std(&self) -> Option<&'static str> {
        let extras = self.extras.as_ref()?;
        if extras.compression != Compression::None {
            return Some("compression");
        }
        extras.checksum.then_some("a checksum")
    }

    /// Compresses and checksums the message as asked. Called once, before the first attempt.
    pub(crate) fn seal(&mut self) {
        let Some(extras) = &mut self.extras else { return };
        if extras.compression != Compression::None {
            self.message = Body::Encoded(compress(extras.compression, self.message.bytes()).into());
        }
        if extras.checksum {
            extras.checksum_value = masked_crc32c(&[self.message.bytes(), &self.attachment]);
        }
    }

    pub(crate) fn payload_len(&self) -> usize {
        self.message.bytes().len().saturating_add(self.attachment.len())
    }

    /// The metadata of one attempt, where it is no more than most calls have.
    pub(crate) fn plain(
        &self,
        correlation_id: i64,
        timeout_ms: Option<i32>,
    ) -> Option<PlainRequest<'_>> {
        if self.extras.is_some() {
            return None;
        }
        let frame = PlainFrame { correlation_id, attachment_size: self.attachment_size() };
        Some(PlainRequest {
            service_name: self.method.service().as_bytes(),
            method_name: self.method.name().as_bytes(),
            timeout_ms,
            frame,
        })
    }

    fn attachment_size(&self) -> Option<i32> {
        i32::try_from(self.attachment.len()).ok().filter(|size| *size > 0)
    }

    /// The metadata of one attempt, with the zero fields that brpc always writes.
    pub(crate) fn meta(&self, correlation_id: i64, timeout_ms: Option<i32>) -> RpcMeta<'_> {
        let request = RequestMeta {
            service_name: self.method.service(),
            method_name: self.method.name(),
            timeout_ms,
            ..RequestMeta::default()
        };
        let plain = RpcMeta {
            request: Some(request),
            compress_type: Some(0),
            correlation_id: Some(correlation_id),
            attachment_size: self.attachment_size(),
            content_type: Some(0),
            checksum_type: Some(0),
            checksum_value: Some(&[]),
            ..RpcMeta::default()
        };
        match &self.extras {
            None => plain,
            Some(extras) => extras.add_to(plain),
        }
    }
}

impl Extras {
    fn add_to<'a>(&'a self, mut meta: RpcMeta<'a>) -> RpcMeta<'a> {
        let metadata = &self.metadata;
        if let Some(request) = &mut meta.request {
            request.log_id = metadata.log_id;
            request.request_id = metadata.request_id.as_deref();
            request.trace_id = metadata.trace_id;
            request.span_id = metadata.span_id;
            request.parent_span_id = metadata.parent_span_id;
        }
        meta.compress_type = Some(self.compression.to_wire());
        meta.authentication_data = metadata.authentication_data.as_deref();
        meta.user_fields =
            metadata.user_fields.iter().map(|(key, value)| (&**key, &**value)).collect();
        if self.checksum {
            meta.checksum_type = Some(CRC32C);
            meta.checksum_value = Some(&self.checksum_value);
            meta.checksum_with_attachment = Some(true);
        }
        meta
    }
}
