//! brpc's FlatBuffers protocol: a header like `baidu_std`'s, then fixed metadata instead of Protobuf.
//!
//! ```text
//! "FRPC" | body_size u32 | meta_size u32      big-endian; body_size counts what follows these twelve bytes
//! metadata: 24 bytes of a request, 20 of a response, then appended bytes that a reader may skip
//! message | attachment
//! ```
//!
//! The fields, their order and their widths come from apache/brpc pull request 3559. Its review of 28 October 2026
//! settled that the metadata is big-endian; whatever could be built before that writes it little-endian, so both
//! orders are read and either can be written. There is no padding: a message starts at byte 36 of a request and at
//! byte 32 of a response, plus what is appended.

mod appended;
mod head;
mod order;

pub use appended::Appended;
pub use head::{
    RequestHead, ResponseHead, decode_request, decode_response, encode_request, encode_response,
};
pub use order::{ByteOrder, Recognised, recognise};

use super::Error;
use super::prpc;

/// How many bytes a frame header has.
pub const HEADER_LEN: usize = prpc::HEADER_LEN;

/// What every frame starts with.
pub const MAGIC: [u8; 4] = *b"FRPC";

/// The fixed metadata of a request, in bytes.
pub const REQUEST_META_LEN: usize = 24;

/// The fixed metadata of a response, in bytes.
pub const RESPONSE_META_LEN: usize = 20;

/// Decodes the header at the start of `bytes`.
///
/// # Errors
/// As [`prpc::decode_header`].
pub fn decode_header(bytes: &[u8], max_body_size: usize) -> Result<prpc::Header, Error> {
    prpc::decode_header_of(MAGIC, bytes, max_body_size)
}
