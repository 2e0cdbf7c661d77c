//! Header and fixed metadata, both ways.

use super::{Appended, ByteOrder, HEADER_LEN, MAGIC, REQUEST_META_LEN, RESPONSE_META_LEN};
use crate::frame::Error;

/// The fixed metadata of a request. Sizes are as they came: what they mean is judged by [`RequestHead::sizes`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestHead {
    /// The hash of the service's full name.
    pub service_id: u32,
    /// The method's number in the schema; negative ones name no method.
    pub method_id: i32,
    /// Bytes of the message; more than none.
    pub message_size: i32,
    /// Bytes behind it.
    pub attachment_size: i32,
    /// Comes back with the response.
    pub correlation_id: u64,
}

/// The fixed metadata of a response.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResponseHead {
    /// Zero for success, else one of brpc's numbers.
    pub error_code: i32,
    /// Bytes of the message.
    pub message_size: i32,
    /// Bytes behind it.
    pub attachment_size: i32,
    /// As in the request.
    pub correlation_id: u64,
}

impl RequestHead {
    /// The lengths of message and attachment in a payload of `payload_len` bytes; `None` when they are none: a
    /// message of no bytes, a negative size, or a sum that is not the payload.
    pub fn sizes(&self, payload_len: usize) -> Option<(usize, usize)> {
        sizes(self.message_size, self.attachment_size, payload_len).filter(|sizes| sizes.0 > 0)
    }
}

impl ResponseHead {
    /// The lengths of message and attachment. An error carries neither, a success always a message; `None` where
    /// that does not hold or the sizes do not add up.
    pub fn sizes(&self, payload_len: usize) -> Option<(usize, usize)> {
        let sizes = sizes(self.message_size, self.attachment_size, payload_len)?;
        let fits = if self.error_code == 0 { sizes.0 > 0 } else { payload_len == 0 };
        fits.then_some(sizes)
    }
}

fn sizes(message: i32, attachment: i32, payload_len: usize) -> Option<(usize, usize)> {
    let (message, attachment) = (usize::try_from(message).ok()?, usize::try_from(attachment).ok()?);
    (message.checked_add(attachment)? == payload_len).then_some((message, attachment))
}

/// Reads the metadata of a request; the appended bytes come back beside it.
///
/// # Errors
/// [`Error::FixedMetaTruncated`].
pub fn decode_request(meta: &[u8], order: ByteOrder) -> Result<(RequestHead, &[u8]), Error> {
    let (fixed, appended) = split::<REQUEST_META_LEN>(meta)?;
    let reader = Fixed { bytes: fixed, order };
    let head = RequestHead {
        service_id: reader.word(0),
        method_id: reader.word(4) as i32,
        message_size: reader.word(8) as i32,
        attachment_size: reader.word(12) as i32,
        correlation_id: reader.long(16),
    };
    Ok((head, appended))
}

/// Reads the metadata of a response; the appended bytes come back beside it.
///
/// # Errors
/// [`Error::FixedMetaTruncated`].
pub fn decode_response(meta: &[u8], order: ByteOrder) -> Result<(ResponseHead, &[u8]), Error> {
    let (fixed, appended) = split::<RESPONSE_META_LEN>(meta)?;
    let reader = Fixed { bytes: fixed, order };
    let head = ResponseHead {
        error_code: reader.word(0) as i32,
        message_size: reader.word(4) as i32,
        attachment_size: reader.word(8) as i32,
        correlation_id: reader.long(12),
    };
    Ok((head, appended))
}

fn split<const LEN: usize>(meta: &[u8]) -> Result<(&[u8], &[u8]), Error> {
    meta.split_at_checked(LEN)
        .ok_or(Error::FixedMetaTruncated { meta_size: meta.len(), needed: LEN })
}

/// Appends header and metadata of a request to `out`; the caller appends message and attachment of the sizes that
/// `head` names.
///
/// # Errors
/// [`Error::TooLargeToEncode`], or [`Error::TooManyUserFields`]; `out` is left as it was.
pub fn encode_request(
    out: &mut Vec<u8>,
    head: &RequestHead,
    appended: &Appended<'_>,
    order: ByteOrder,
) -> Result<(), Error> {
    let words = [
        head.service_id,
        head.method_id as u32,
        head.message_size as u32,
        head.attachment_size as u32,
    ];
    encode(out, &words, head.correlation_id, appended, order)
}

/// Appends header and metadata of a response to `out`.
///
/// # Errors
/// As [`encode_request`].
pub fn encode_response(
    out: &mut Vec<u8>,
    head: &ResponseHead,
    appended: &Appended<'_>,
    order: ByteOrder,
) -> Result<(), Error> {
    let words = [head.error_code as u32, head.message_size as u32, head.attachment_size as u32];
    encode(out, &words, head.correlation_id, appended, order)
}

/// The two sizes are the last words in both kinds of metadata.
fn encode(
    out: &mut Vec<u8>,
    words: &[u32],
    correlation_id: u64,
    appended: &Appended<'_>,
    order: ByteOrder,
) -> Result<(), Error> {
    appended.check()?;
    let payload: u64 = words[words.len() - 2..].iter().map(|size| u64::from(*size)).sum();
    let meta_size = 4 * words.len() + 8 + appended.encoded_len();
    let size = payload.saturating_add(meta_size as u64);
    let body_size = u32::try_from(size).map_err(|_| Error::TooLargeToEncode { size })?;
    out.reserve(HEADER_LEN + meta_size);
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&body_size.to_be_bytes());
    // Part of the body, which fits.
    out.extend_from_slice(&(meta_size as u32).to_be_bytes());
    match order {
        ByteOrder::Big => {
            words.iter().for_each(|word| out.extend_from_slice(&word.to_be_bytes()));
            out.extend_from_slice(&correlation_id.to_be_bytes());
        }
        ByteOrder::Little => {
            words.iter().for_each(|word| out.extend_from_slice(&word.to_le_bytes()));
            out.extend_from_slice(&correlation_id.to_le_bytes());
        }
    }
    appended.encode(out);
    Ok(())
}

/// Fixed metadata whose length was checked.
struct Fixed<'a> {
    bytes: &'a [u8],
    order: ByteOrder,
}

impl Fixed<'_> {
    fn word(&self, at: usize) -> u32 {
        let bytes = self.bytes.get(at..).and_then(<[u8]>::first_chunk).copied().unwrap_or_default();
        match self.order {
            ByteOrder::Big => u32::from_be_bytes(bytes),
            ByteOrder::Little => u32::from_le_bytes(bytes),
        }
    }

    fn long(&self, at: usize) -> u64 {
        let bytes = self.bytes.get(at..).and_then(<[u8]>::first_chunk).copied().unwrap_or_default();
        match self.order {
            ByteOrder::Big => u64::from_be_bytes(bytes),
            ByteOrder::Little => u64::from_le_bytes(bytes),
        }
    }
}
