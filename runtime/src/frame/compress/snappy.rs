//! Snappy's raw block format: the length of the message as a varint, then literals and copies.

use super::CompressError;

/// A copy of three bytes makes at most 64: no block decompresses to more than this many times its length. A
/// header that claims more lies, and nothing is allocated for it.
const MAX_RATIO: usize = 22;

pub(super) fn compress(message: &[u8]) -> Vec<u8> {
    // Fails beyond 4 GiB only, which no frame could carry. No bytes are no snappy block: the receiver refuses them.
    snap::raw::Encoder::new().compress_vec(message).unwrap_or_default()
}

pub(super) fn decompress(data: &[u8], limit: usize) -> Result<Vec<u8>, CompressError> {
    let declared = snap::raw::decompress_len(data).map_err(|error| explain(&error))?;
    // `decompress_len` answers 0 for no bytes at all, but an empty message is the header `00`.
    if data.is_empty() {
        return Err(CompressError::Truncated);
    }
    if declared > limit {
        return Err(CompressError::TooLarge { limit });
    }
    if declared > data.len().saturating_mul(MAX_RATIO) {
        return Err(CompressError::Corrupt);
    }
    // The block starts out zeroed and has to fill exactly.
    snap::raw::Decoder::new().decompress_vec(data).map_err(|error| explain(&error))
}

fn explain(error: &snap::Error) -> CompressError {
    match error {
        snap::Error::Empty => CompressError::Truncated,
        _ => CompressError::Corrupt,
    }
}
