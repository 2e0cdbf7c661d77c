//! The frame of brpc's `baidu_std` protocol.
//!
//! ```text
//! "PRPC" | body_size u32 | meta_size u32 | RpcMeta (protobuf) | message | attachment
//! ```
//!
//! Both sizes are big-endian; `body_size` counts everything after these twelve bytes, `meta_size` the metadata
//! alone. The metadata is a proto2 message with twelve fields in use; it is decoded by hand into views of the
//! bytes it was received in, and it keeps which fields were present, so that encoding a decoded frame gives the
//! same bytes again.

mod decode;
mod encode;
mod header;
mod plain;

pub use decode::decode_meta;
pub use encode::encode_head;
pub(super) use header::decode_header_of;
pub use header::{HEADER_LEN, Header, MAGIC, decode_header};
pub(crate) use plain::{
    PlainFrame, PlainRequest, decode_plain_reply, decode_plain_request, encode_plain_reply,
    encode_plain_request,
};

/// The most `user_fields` that one frame may carry. An empty entry takes two bytes on the wire and 32 in memory,
/// so their number needs a limit of its own.
pub const MAX_USER_FIELDS: usize = 4096;

/// `RpcMeta`: what a frame says about its payload.
///
/// `None` is a field that is not on the wire, which is not the same as its default value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RpcMeta<'a> {
    /// Present in a request.
    pub request: Option<RequestMeta<'a>>,
    /// Present in a reply.
    pub response: Option<ResponseMeta<'a>>,
    /// How the message is compressed: see [`Compression`](super::compress::Compression). The attachment never is.
    pub compress_type: Option<i32>,
    /// Chosen by the caller, copied into the reply.
    pub correlation_id: Option<i64>,
    /// How many bytes at the end of the payload are the attachment. A negative number counts as none.
    pub attachment_size: Option<i32>,
    /// Credentials; looked at in the first frame of a connection.
    pub authentication_data: Option<&'a [u8]>,
    /// `StreamSettings`, undecoded.
    pub stream_settings: Option<&'a [u8]>,
    /// Pairs of the user, in wire order. A key that occurs twice means its last value.
    pub user_fields: Vec<(&'a str, &'a str)>,
    /// 0 protobuf, 1 JSON, 2 protobuf's JSON, 3 protobuf's text. Other numbers count as absent, as in any closed
    /// proto2 enum.
    pub content_type: Option<i32>,
    /// 0 none, 1 CRC32C.
    pub checksum_type: Option<i32>,
    /// The checksum: see [`masked_crc32c`](super::checksum::masked_crc32c). Means nothing unless `checksum_type`
    /// is set.
    pub checksum_value: Option<&'a [u8]>,
    /// Whether the checksum covers the attachment too.
    pub checksum_with_attachment: Option<bool>,
}

impl RpcMeta<'_> {
    /// How many bytes of a payload are the message; the rest is the attachment. `None` if `attachment_size` is
    /// larger than the payload: such a request is answered with an error, the frame itself is sound.
    #[inline]
    pub fn message_len(&self, payload_len: usize) -> Option<usize> {
        message_len(self.attachment_size, payload_len)
    }
}

/// The same from that one field.
#[inline]
pub(crate) fn message_len(attachment_size: Option<i32>, payload_len: usize) -> Option<usize> {
    payload_len.checked_sub(usize::try_from(attachment_size.unwrap_or(0)).unwrap_or(0))
}

/// `RpcRequestMeta`: which method is called, and on whose behalf.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestMeta<'a> {
    /// Package and service, `bench.EchoService`, or the bare service name of older callers.
    pub service_name: &'a str,
    /// The method as the schema spells it.
    pub method_name: &'a str,
    /// A number for the logs.
    pub log_id: Option<i64>,
    /// Tracing: the whole request tree.
    pub trace_id: Option<i64>,
    /// Tracing: this call.
    pub span_id: Option<i64>,
    /// Tracing: the call that this one serves.
    pub parent_span_id: Option<i64>,
    /// A text for the logs.
    pub request_id: Option<&'a str>,
    /// How long the caller waits, in milliseconds.
    pub timeout_ms: Option<i32>,
}

/// `RpcResponseMeta`: how the call ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResponseMeta<'a> {
    /// 0 is success; see the runtime's `Code` for the others.
    pub error_code: Option<i32>,
    /// Why, in words. brpc passes on whatever bytes its handler set: a text that is not UTF-8 is cut at the first
    /// byte that is not, for it should not cost the connection and every other call on it.
    pub error_text: Option<&'a str>,
}

/// Field tags (number and wire type) of `RpcMeta` and its two parts. All fit one byte.
mod tag {
    pub(super) const REQUEST: u32 = 0x0a;
    pub(super) const RESPONSE: u32 = 0x12;
    pub(super) const COMPRESS_TYPE: u32 = 0x18;
    pub(super) const CORRELATION_ID: u32 = 0x20;
    pub(super) const ATTACHMENT_SIZE: u32 = 0x28;
    pub(super) const AUTHENTICATION_DATA: u32 = 0x3a;
    pub(super) const STREAM_SETTINGS: u32 = 0x42;
    pub(super) const USER_FIELDS: u32 = 0x4a;
    pub(super) const CONTENT_TYPE: u32 = 0x50;
    pub(super) const CHECKSUM_TYPE: u32 = 0x58;
    pub(super) const CHECKSUM_VALUE: u32 = 0x62;
    pub(super) const CHECKSUM_WITH_ATTACHMENT: u32 = 0x68;

    pub(super) const SERVICE_NAME: u32 = 0x0a;
    pub(super) const METHOD_NAME: u32 = 0x12;
    pub(super) const LOG_ID: u32 = 0x18;
    pub(super) const TRACE_ID: u32 = 0x20;
    pub(super) const SPAN_ID: u32 = 0x28;
    pub(super) const PARENT_SPAN_ID: u32 = 0x30;
    pub(super) const REQUEST_ID: u32 = 0x3a;
    pub(super) const TIMEOUT_MS: u32 = 0x40;

    pub(super) const ERROR_CODE: u32 = 0x08;
    pub(super) const ERROR_TEXT: u32 = 0x12;

    pub(super) const ENTRY_KEY: u32 = 0x0a;
    pub(super) const ENTRY_VALUE: u32 = 0x12;
}
