//! The head of a frame to be sent, within what the peer takes.
//!
//! A peer closes the connection over a frame beyond its limits, and with it every other call on
//! it. So such a frame is refused here, at the cost of its own call alone.

use crate::frame::Error;
use crate::frame::prpc::{HEADER_LEN, MAX_USER_FIELDS, RpcMeta, encode_head};

/// Appends header and metadata of a frame with `payload_len` bytes of message and attachment.
///
/// # Errors
/// What the peer would find wrong with the frame; `out` is left as it was.
pub(crate) fn append_head(
    out: &mut Vec<u8>,
    meta: &RpcMeta<'_>,
    payload_len: usize,
    max_body_size: usize,
) -> Result<(), Error> {
    if meta.user_fields.len() > MAX_USER_FIELDS {
        return Err(Error::TooManyUserFields { limit: MAX_USER_FIELDS });
    }
    append_within(out, payload_len, max_body_size, |out| encode_head(out, meta, payload_len))
}

/// Appends a head by way of `encode`, unless it makes the frame too large.
///
/// # Errors
/// As [`append_head`].
#[inline]
pub(crate) fn append_within<Done>(
    out: &mut Vec<u8>,
    payload_len: usize,
    max_body_size: usize,
    encode: impl FnOnce(&mut Vec<u8>) -> Result<Done, Error>,
) -> Result<Done, Error> {
    let start = out.len();
    let done = encode(out)?;
    // `encode` may have left it to another way; its payload counts all the same.
    let size = (out.len() - start).saturating_add(payload_len).saturating_sub(HEADER_LEN);
    if size > max_body_size {
        out.truncate(start);
        let size = u32::try_from(size).unwrap_or(u32::MAX);
        return Err(Error::FrameTooLarge { size, limit: max_body_size });
    }
    Ok(done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_beyond_a_limit_leaves_no_trace() {
        let meta = RpcMeta { correlation_id: Some(1), ..RpcMeta::default() };
        let mut out = vec![7];
        assert_eq!(append_head(&mut out, &meta, 8, 10), Ok(()));
        assert_eq!(out.len(), 1 + HEADER_LEN + 2);
        let before = out.clone();
        let too_large = Error::FrameTooLarge { size: 11, limit: 10 };
        assert_eq!(append_head(&mut out, &meta, 9, 10), Err(too_large));
        let user_fields = vec![("k", "v"); MAX_USER_FIELDS + 1];
        let crowded = RpcMeta { user_fields, ..meta };
        let too_many = Error::TooManyUserFields { limit: MAX_USER_FIELDS };
        assert_eq!(append_head(&mut out, &crowded, 0, usize::MAX), Err(too_many));
        assert_eq!(out, before);
    }
}
