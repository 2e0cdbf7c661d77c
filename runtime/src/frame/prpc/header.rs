//! The twelve bytes in front of every `baidu_std` frame.

use super::super::Error;

/// How many bytes a frame header has.
pub const HEADER_LEN: usize = 12;

/// What every frame starts with.
pub const MAGIC: [u8; 4] = *b"PRPC";

/// The two sizes that a frame header declares; they fit together, and within the receiver's limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Everything after the header: metadata, message and attachment, in bytes.
    pub body_size: u32,
    /// The metadata, in bytes; at most `body_size`.
    pub meta_size: u32,
}

impl Header {
    /// The header as it stands on the wire.
    #[inline]
    pub(super) fn to_bytes(self) -> [u8; HEADER_LEN] {
        let mut bytes = [0; HEADER_LEN];
        bytes[..4].copy_from_slice(&MAGIC);
        bytes[4..8].copy_from_slice(&self.body_size.to_be_bytes());
        bytes[8..].copy_from_slice(&self.meta_size.to_be_bytes());
        bytes
    }
}

/// Decodes the header at the start of `bytes`; what follows it is not looked at.
///
/// # Errors
/// [`Error::HeaderTruncated`], [`Error::WrongMagic`], [`Error::FrameTooLarge`] beyond `max_body_size`, and
/// [`Error::MetaLargerThanBody`], where brpc drops the frame without a word and keeps the connection.
#[inline]
pub fn decode_header(bytes: &[u8], max_body_size: usize) -> Result<Header, Error> {
    decode_header_of(MAGIC, bytes, max_body_size)
}

/// The same for a protocol whose header has the same form.
#[inline]
pub(in crate::frame) fn decode_header_of(
    magic: [u8; 4],
    bytes: &[u8],
    max_body_size: usize,
) -> Result<Header, Error> {
    let Some(&[m0, m1, m2, m3, b0, b1, b2, b3, t0, t1, t2, t3]) = bytes.first_chunk::<HEADER_LEN>()
    else {
        return Err(Error::HeaderTruncated { len: bytes.len() });
    };
    let found = [m0, m1, m2, m3];
    if found != magic {
        return Err(Error::WrongMagic { found });
    }
    let body_size = u32::from_be_bytes([b0, b1, b2, b3]);
    let meta_size = u32::from_be_bytes([t0, t1, t2, t3]);
    if body_size as usize > max_body_size {
        return Err(Error::FrameTooLarge { size: body_size, limit: max_body_size });
    }
    if meta_size > body_size {
        return Err(Error::MetaLargerThanBody { meta_size, body_size });
    }
    Ok(Header { body_size, meta_size })
}
