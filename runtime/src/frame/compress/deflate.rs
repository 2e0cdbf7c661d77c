//! gzip and zlib: their envelopes, and the bounded growth of what comes out of a deflate stream.

use std::io::Write as _;

use flate2::write::{GzEncoder, ZlibEncoder};
use flate2::{Crc, Decompress, FlushDecompress, Status};

use super::CompressError;

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
/// The one compression method that RFC 1952 and RFC 1950 define.
const DEFLATE: u8 = 8;
const GZIP_HEADER_LEN: usize = 10;
/// CRC32 and length of the message, both little-endian.
const GZIP_TRAILER_LEN: usize = 8;

/// Flags of a gzip header (RFC 1952, 2.3.1).
const HAS_HEADER_CRC: u8 = 1 << 1;
const HAS_EXTRA: u8 = 1 << 2;
const HAS_NAME: u8 = 1 << 3;
const HAS_COMMENT: u8 = 1 << 4;
const RESERVED_FLAGS: u8 = 0b1110_0000;

/// No deflate stream decompresses to more than this many times its length.
const MAX_RATIO: usize = 1032;

/// Where growing starts when nothing is known about the size of the message.
const FIRST_CAPACITY: usize = 4 * 1024;

pub(super) fn gzip(message: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::default());
    // Writing to a Vec does not fail.
    let _ = encoder.write_all(message);
    encoder.finish().unwrap_or_default()
}

pub(super) fn zlib(message: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    // Writing to a Vec does not fail.
    let _ = encoder.write_all(message);
    encoder.finish().unwrap_or_default()
}

pub(super) fn gunzip(data: &[u8], limit: usize) -> Result<Vec<u8>, CompressError> {
    let deflated = &data[gzip_header_len(data)?..];
    // The last four bytes are the length of the message unless something is wrong. They only choose the first
    // capacity, and only if the data can hold that much.
    let declared = deflated.last_chunk().map_or(0, |&len| u32::from_le_bytes(len) as usize);
    let hint = if declared <= deflated.len().saturating_mul(MAX_RATIO) { declared } else { 0 };

    let (message, consumed) = inflate(Decompress::new(false), deflated, limit, hint)?;
    let trailer = &deflated[consumed..];
    let Some(&[c0, c1, c2, c3, l0, l1, l2, l3]) = trailer.first_chunk::<GZIP_TRAILER_LEN>() else {
        return Err(CompressError::Truncated);
    };
    let mut crc = Crc::new();
    crc.update(&message);
    let intact = crc.sum() == u32::from_le_bytes([c0, c1, c2, c3])
        && crc.amount() == u32::from_le_bytes([l0, l1, l2, l3]);
    if !intact {
        return Err(CompressError::ChecksumMismatch);
    }
    // A member after the first would be legal in a file. In a message it has no use, and millions of empty ones
    // would cost far more time than bytes.
    if trailer.len() > GZIP_TRAILER_LEN {
        return Err(CompressError::TrailingBytes);
    }
    Ok(message)
}

pub(super) fn unzlib(data: &[u8], limit: usize) -> Result<Vec<u8>, CompressError> {
    let [method, flags] = *data.first_chunk().ok_or(CompressError::Truncated)?;
    // RFC 1950, 2.2: the low half names the method, the high one a window of at most 32 KiB, and both bytes
    // together are a multiple of 31. A preset dictionary (bit 5) is nothing that the two ends agreed on.
    let checked = u16::from_be_bytes([method, flags]) % 31 == 0;
    if method & 0x0f != DEFLATE || method >> 4 > 7 || !checked || flags & 0x20 != 0 {
        return Err(CompressError::NotCompressed);
    }
    let (message, consumed) = inflate(Decompress::new(true), data, limit, 0)?;
    if consumed < data.len() {
        return Err(CompressError::TrailingBytes);
    }
    Ok(message)
}

/// How many bytes stand before the deflate stream of a gzip member.
fn gzip_header_len(data: &[u8]) -> Result<usize, CompressError> {
    let shared = data.len().min(GZIP_MAGIC.len());
    if data[..shared] != GZIP_MAGIC[..shared] {
        return Err(CompressError::NotCompressed);
    }
    let fixed = data.first_chunk::<GZIP_HEADER_LEN>().ok_or(CompressError::Truncated)?;
    let (method, flags) = (fixed[2], fixed[3]);
    if method != DEFLATE || flags & RESERVED_FLAGS != 0 {
        return Err(CompressError::Corrupt);
    }
    let mut len = GZIP_HEADER_LEN;
    if flags & HAS_EXTRA != 0 {
        let size = data[len..].first_chunk().ok_or(CompressError::Truncated)?;
        len += 2 + usize::from(u16::from_le_bytes(*size));
    }
    for text in [HAS_NAME, HAS_COMMENT] {
        if flags & text != 0 {
            let rest = data.get(len..).ok_or(CompressError::Truncated)?;
            // The text ends with a zero byte.
            len += 1 + rest.iter().position(|&b| b == 0).ok_or(CompressError::Truncated)?;
        }
    }
    if flags & HAS_HEADER_CRC != 0 {
        let header = data.get(..len).ok_or(CompressError::Truncated)?;
        let stated = data[len..].first_chunk().ok_or(CompressError::Truncated)?;
        let mut crc = Crc::new();
        crc.update(header);
        if crc.sum() as u16 != u16::from_le_bytes(*stated) {
            return Err(CompressError::ChecksumMismatch);
        }
        len += 2;
    }
    if len > data.len() { Err(CompressError::Truncated) } else { Ok(len) }
}

/// Runs a deflate stream to its end. Gives the message and how many bytes of `data` it took.
fn inflate(
    mut stream: Decompress,
    data: &[u8],
    limit: usize,
    hint: usize,
) -> Result<(Vec<u8>, usize), CompressError> {
    // One byte more than allowed, so that a message of exactly `limit` bytes still leaves room to see its end.
    let most = limit.saturating_add(1);
    let mut message = Vec::new();
    message.reserve_exact(first_capacity(data.len(), hint).min(most));
    loop {
        let consumed = stream.total_in() as usize;
        let produced = message.len();
        let status = stream
            .decompress_vec(&data[consumed..], &mut message, FlushDecompress::None)
            .map_err(|_| CompressError::Corrupt)?;
        if message.len() > limit {
            return Err(CompressError::TooLarge { limit });
        }
        if status == Status::StreamEnd {
            break;
        }
        if message.len() == message.capacity() {
            grow(&mut message, most);
        } else if stream.total_in() as usize == consumed && message.len() == produced {
            // There was room, and still nothing moved: the stream waits for bytes that do not exist.
            return Err(CompressError::Truncated);
        }
    }
    if message.capacity() / 2 > message.len().max(FIRST_CAPACITY) {
        message.shrink_to_fit();
    }
    Ok((message, stream.total_in() as usize))
}

fn first_capacity(data_len: usize, hint: usize) -> usize {
    // The byte more lets the end of the stream be seen without growing.
    if hint > 0 { hint + 1 } else { data_len.saturating_mul(4).max(FIRST_CAPACITY) }
}

/// Doubles the capacity, but goes to `most` at once when doubling twice would pass it: moving a buffer that holds
/// more than half of the limit would touch more memory than the limit.
fn grow(message: &mut Vec<u8>, most: usize) {
    let doubled = message.capacity().saturating_mul(2);
    let capacity = if doubled.saturating_mul(2) > most { most } else { doubled };
    message.reserve_exact(capacity.saturating_sub(message.len()).max(1));
}
