//! A request as its protocol brought it, in a form that they all share.

use super::request::shortened;
use crate::call::{Call, Metadata, ReplyForm};
use crate::frame::checksum::{CRC32C, verify_crc32c};
use crate::frame::compress::{Compression, decompress};
use crate::frame::prpc::RpcMeta;
use crate::status::Status;
use bytes::Bytes;
use std::fmt;
use std::time::Duration;

pub(super) struct Incoming<'a> {
    pub(super) wanted: Wanted<'a>,
    pub(super) correlation_id: Option<i64>,
    pub(super) form: ReplyForm,
    pub(super) authentication_data: &'a [u8],
    /// Message and attachment, or why the payload is not what its sizes say.
    pub(super) payload: Result<(Bytes, Bytes), Status>,
    pub(super) timeout: Option<Duration>,
    pub(super) metadata: Option<Box<Metadata>>,
    pub(super) encoding: Encoding<'a>,
}

impl Incoming<'_> {
    /// True where a peer that is turned away is told so: FRPC just closes, as brpc does.
    pub(super) fn answers_authentication(&self) -> bool {
        matches!(self.form, ReplyForm::Prpc)
    }
}

/// What a request asks for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wanted<'a> {
    /// It does not say.
    Nothing,
    /// A method by its names.
    Named { service: &'a str, method: &'a str },
    /// A method by its numbers.
    Numbered { service: u32, method: i32 },
}

impl Wanted<'_> {
    pub(super) fn service(&self) -> &str {
        match self {
            Self::Named { service, .. } => service,
            Self::Nothing | Self::Numbered { .. } => "",
        }
    }
}

impl fmt::Display for Wanted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => Ok(()),
            Self::Named { service, method } => {
                write!(f, "{}/{}", shortened(service), shortened(method))
            }
            Self::Numbered { service, method } => write!(f, "{service:#010x}/{method}"),
        }
    }
}

/// How the message of a request is encoded; all zero where the protocol knows no other way.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Encoding<'a> {
    content_type: i32,
    compress_type: i32,
    /// The checksum, and whether it covers the attachment.
    checksum: Option<(&'a [u8], bool)>,
}

impl<'a> Encoding<'a> {
    pub(super) fn of(meta: &RpcMeta<'a>) -> Self {
        // An unknown checksum type is ignored, as brpc does.
        let checksum = (meta.checksum_type == Some(CRC32C)).then(|| {
            (meta.checksum_value.unwrap_or_default(), meta.checksum_with_attachment == Some(true))
        });
        Self {
            content_type: meta.content_type.unwrap_or(0),
            compress_type: meta.compress_type.unwrap_or(0),
            checksum,
        }
    }

    /// Checks and decompresses the message.
    pub(super) fn open(&self, call: &Call, message: Bytes, limit: usize) -> Result<Bytes, Status> {
        // Another number is no value of the enum, so a proto2 receiver sees the default.
        if let number @ 1..=3 = self.content_type {
            return Err(Status::invalid_request(format!(
                "content_type={number} is not served, only Protobuf (0) is"
            )));
        }
        let refused = |reason: &dyn fmt::Display| {
            Status::invalid_request(format!(
                "Fail to parse request={}, ContentType=pb, {}, request_size={}: {reason}",
                call.method().request().name(),
                call.wire_form(),
                message.len(),
            ))
        };
        if let Some((value, with_attachment)) = self.checksum {
            let attachment = if with_attachment { &call.attachment()[..] } else { &[] };
            if !verify_crc32c(value, &[&message, attachment]) {
                return Err(refused(&"the checksum does not fit"));
            }
        }
        match Compression::from_wire(self.compress_type) {
            Ok(Compression::None) => Ok(message),
            Ok(kind) => {
                decompress(kind, &message, limit).map(Bytes::from).map_err(|error| refused(&error))
            }
            Err(error) => Err(refused(&error)),
        }
    }

    pub(super) fn compression_name(&self) -> &'static str {
        match Compression::from_wire(self.compress_type) {
            Ok(Compression::None) => "none",
            Ok(Compression::Snappy) => "snappy",
            Ok(Compression::Gzip) => "gzip",
            Ok(Compression::Zlib) => "zlib",
            Err(_) => "unknown",
        }
    }

    pub(super) fn checksum_name(&self) -> &'static str {
        if self.checksum.is_some() { "crc32c" } else { "none" }
    }
}
