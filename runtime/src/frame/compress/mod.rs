//! Compressed messages: gzip, zlib and snappy, decompressed into memory that is bounded while it grows.
//!
//! The bound holds against input that lies about its size as well as against input that does not say. What comes
//! out is either the whole message or an error, never a part of it.

mod deflate;
mod snappy;

use core::fmt;

/// How a message is compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Compression {
    /// Not at all.
    #[default]
    None,
    /// Snappy's raw block format, without framing.
    Snappy,
    /// RFC 1952.
    Gzip,
    /// RFC 1950.
    Zlib,
}

/// Why a message could not be decompressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompressError {
    /// `compress_type` has a number that is not served. 4, LZ4, is among them: no brpc build handles it here.
    UnknownType {
        /// The number.
        number: i32,
    },
    /// The decompressed message would be larger than the receiver accepts.
    TooLarge {
        /// The limit, in bytes.
        limit: usize,
    },
    /// The data does not begin as data of this kind does: the flag is wrong, or the data was never compressed.
    NotCompressed,
    /// The data ends before the message does.
    Truncated,
    /// The data contradicts itself.
    Corrupt,
    /// The checksum or the length at the end is not that of the message.
    ChecksumMismatch,
    /// Bytes follow the end of the compressed message. A second gzip member counts as such.
    TrailingBytes,
}

impl Compression {
    /// The kind that a `compress_type` stands for.
    ///
    /// # Errors
    /// [`CompressError::UnknownType`].
    pub const fn from_wire(number: i32) -> Result<Self, CompressError> {
        match number {
            0 => Ok(Self::None),
            1 => Ok(Self::Snappy),
            2 => Ok(Self::Gzip),
            3 => Ok(Self::Zlib),
            _ => Err(CompressError::UnknownType { number }),
        }
    }

    /// The `compress_type` that stands for this kind.
    pub const fn to_wire(self) -> i32 {
        match self {
            Self::None => 0,
            Self::Snappy => 1,
            Self::Gzip => 2,
            Self::Zlib => 3,
        }
    }
}

/// Compresses a message.
pub fn compress(kind: Compression, message: &[u8]) -> Vec<u8> {
    match kind {
        Compression::None => message.to_vec(),
        Compression::Snappy => snappy::compress(message),
        Compression::Gzip => deflate::gzip(message),
        Compression::Zlib => deflate::zlib(message),
    }
}

/// Decompresses a message of at most `limit` bytes. Besides the result it holds less than 1 MiB at a time.
///
/// No bytes at all are an empty message for gzip and zlib, as brpc has it.
///
/// # Errors
/// See [`CompressError`].
pub fn decompress(kind: Compression, data: &[u8], limit: usize) -> Result<Vec<u8>, CompressError> {
    match kind {
        Compression::None if data.len() > limit => Err(CompressError::TooLarge { limit }),
        Compression::None => Ok(data.to_vec()),
        Compression::Snappy => snappy::decompress(data, limit),
        Compression::Gzip | Compression::Zlib if data.is_empty() => Ok(Vec::new()),
        Compression::Gzip => deflate::gunzip(data, limit),
        Compression::Zlib => deflate::unzlib(data, limit),
    }
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "none",
            Self::Snappy => "snappy",
            Self::Gzip => "gzip",
            Self::Zlib => "zlib",
        })
    }
}

impl fmt::Display for CompressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownType { number } => write!(f, "compress_type {number} is not supported"),
            Self::TooLarge { limit } => {
                write!(f, "decompressed message is larger than {limit} bytes")
            }
            Self::NotCompressed => {
                f.write_str("message is not compressed as its compress_type says")
            }
            Self::Truncated => f.write_str("compressed message is cut short"),
            Self::Corrupt => f.write_str("compressed message is corrupt"),
            Self::ChecksumMismatch => f.write_str("compressed message fails its checksum"),
            Self::TrailingBytes => f.write_str("bytes follow the end of the compressed message"),
        }
    }
}

impl std::error::Error for CompressError {}
