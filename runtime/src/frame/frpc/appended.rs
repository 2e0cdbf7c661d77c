//! What stubwire may append to the fixed metadata: a block of its own that brpc skips by `meta_size`.
//!
//! No number, order or encoding of appended fields is public yet in brpc, so the block identifies itself by four
//! bytes and a length; whatever else is appended is passed over. It is sent only where a channel opts in, and in
//! replies to requests that carry it.

use crate::frame::Error;
use crate::frame::wire::{BYTES, MAX_DEPTH, Reader, VARINT};

/// What the block starts with.
const TAG: [u8; 4] = *b"SWX1";

/// Tag and length, in bytes.
const PREFIX_LEN: usize = 8;

/// More user fields than this are not taken from a peer.
const MAX_USER_FIELDS: usize = 4096;

/// The fields of the block, in Protobuf's wire format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Appended<'a> {
    /// False where there is no block at all.
    pub present: bool,
    /// How long the caller waits, in milliseconds.
    pub timeout_ms: Option<u32>,
    /// The text of an error.
    pub error_text: Option<&'a str>,
    /// Fields of the users' own, in order.
    pub user_fields: Vec<(&'a str, &'a str)>,
    /// A number that ties log lines together.
    pub log_id: Option<i64>,
}

const TIMEOUT_MS: u32 = 1 << 3 | VARINT;
const ERROR_TEXT: u32 = 2 << 3 | BYTES;
const USER_FIELD: u32 = 3 << 3 | BYTES;
const LOG_ID: u32 = 4 << 3 | VARINT;
const KEY: u32 = 1 << 3 | BYTES;
const VALUE: u32 = 2 << 3 | BYTES;

impl<'a> Appended<'a> {
    /// A block without fields.
    pub fn new() -> Self {
        Self { present: true, ..Self::default() }
    }

    /// Finds the block in appended bytes. Bytes that are no block, or none of ours, are passed over.
    ///
    /// # Errors
    /// A block of ours whose fields cannot be read.
    pub fn decode(bytes: &'a [u8]) -> Result<Self, Error> {
        let Some((tag, rest)) = bytes.split_first_chunk::<4>() else { return Ok(Self::default()) };
        let Some((len, rest)) = rest.split_first_chunk::<4>() else { return Ok(Self::default()) };
        let len = u32::from_be_bytes(*len) as usize;
        match rest.get(..len) {
            Some(fields) if *tag == TAG => Self::decode_fields(fields),
            _ => Ok(Self::default()),
        }
    }

    fn decode_fields(fields: &'a [u8]) -> Result<Self, Error> {
        let mut block = Self::new();
        let mut reader = Reader::new(fields);
        while !reader.is_empty() {
            match reader.tag()? {
                TIMEOUT_MS => block.timeout_ms = u32::try_from(reader.varint()?).ok(),
                ERROR_TEXT => block.error_text = Some(text(reader.bytes()?)?),
                LOG_ID => block.log_id = Some(reader.varint()? as i64),
                USER_FIELD => {
                    if block.user_fields.len() == MAX_USER_FIELDS {
                        return Err(Error::TooManyUserFields { limit: MAX_USER_FIELDS });
                    }
                    block.user_fields.push(entry(reader.bytes()?)?);
                }
                tag => reader.skip(tag, MAX_DEPTH)?,
            }
        }
        Ok(block)
    }

    /// Refuses what no receiver takes.
    pub(super) fn check(&self) -> Result<(), Error> {
        if self.present && self.user_fields.len() > MAX_USER_FIELDS {
            return Err(Error::TooManyUserFields { limit: MAX_USER_FIELDS });
        }
        Ok(())
    }

    pub(super) fn encoded_len(&self) -> usize {
        if self.present { PREFIX_LEN + self.fields_len() } else { 0 }
    }

    pub(super) fn encode(&self, out: &mut Vec<u8>) {
        if !self.present {
            return;
        }
        out.extend_from_slice(&TAG);
        // A block beyond 4 GiB does not fit its frame, whose size was checked.
        out.extend_from_slice(&(self.fields_len() as u32).to_be_bytes());
        if let Some(timeout) = self.timeout_ms {
            put_number(out, TIMEOUT_MS, timeout.into());
        }
        if let Some(text) = self.error_text {
            put_text(out, ERROR_TEXT, text);
        }
        for (key, value) in &self.user_fields {
            put_varint(out, USER_FIELD.into());
            put_varint(out, (text_len(key) + text_len(value)) as u64);
            put_text(out, KEY, key);
            put_text(out, VALUE, value);
        }
        if let Some(log_id) = self.log_id {
            put_number(out, LOG_ID, log_id as u64);
        }
    }

    fn fields_len(&self) -> usize {
        let timeout = self.timeout_ms.map_or(0, |timeout| 1 + varint_len(timeout.into()));
        let log_id = self.log_id.map_or(0, |log_id| 1 + varint_len(log_id as u64));
        let entries = self.user_fields.iter().map(|(key, value)| {
            let len = text_len(key) + text_len(value);
            1 + varint_len(len as u64) + len
        });
        timeout + log_id + self.error_text.map_or(0, text_len) + entries.sum::<usize>()
    }
}

fn text(bytes: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(bytes).map_err(|_| Error::InvalidUtf8 { field: "appended metadata" })
}

fn entry(bytes: &[u8]) -> Result<(&str, &str), Error> {
    let (mut key, mut value) = ("", "");
    let mut reader = Reader::new(bytes);
    while !reader.is_empty() {
        match reader.tag()? {
            KEY => key = text(reader.bytes()?)?,
            VALUE => value = text(reader.bytes()?)?,
            tag => reader.skip(tag, MAX_DEPTH)?,
        }
    }
    Ok((key, value))
}

/// The length of a text with its one-byte tag.
fn text_len(text: &str) -> usize {
    1 + varint_len(text.len() as u64) + text.len()
}

fn put_text(out: &mut Vec<u8>, tag: u32, text: &str) {
    put_number(out, tag, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

fn put_number(out: &mut Vec<u8>, tag: u32, number: u64) {
    put_varint(out, tag.into());
    put_varint(out, number);
}

fn put_varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn varint_len(number: u64) -> usize {
    (64 - (number | 1).leading_zeros() as usize).div_ceil(7)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(block: &Appended<'_>) -> Vec<u8> {
        let mut bytes = Vec::new();
        block.encode(&mut bytes);
        assert_eq!(bytes.len(), block.encoded_len());
        bytes
    }

    #[test]
    fn a_block_reads_back() {
        let mut block = Appended::new();
        assert_eq!(Appended::decode(&encoded(&block)), Ok(block.clone()));
        block.timeout_ms = Some(300_000);
        block.error_text = Some("no key");
        block.user_fields = vec![("a", "1"), ("", ""), ("a", "2")];
        block.log_id = Some(-1);
        assert_eq!(Appended::decode(&encoded(&block)), Ok(block));
        assert!(encoded(&Appended::default()).is_empty());
    }

    #[test]
    fn bytes_of_others_are_passed_over() {
        for bytes in
            [&b""[..], b"\x01\x02\x03\x04\x05", b"XXXX\0\0\0\x01\xff", b"SWX1\xff\xff\xff\xff"]
        {
            assert_eq!(Appended::decode(bytes), Ok(Appended::default()), "{bytes:?}");
        }
    }

    #[test]
    fn fields_to_come_are_passed_over() {
        let bytes = b"SWX1\0\0\0\x04\xf8\x07\x05\x08";
        assert!(matches!(Appended::decode(bytes), Err(Error::MetaTruncated)));
        let bytes = b"SWX1\0\0\0\x05\xf8\x07\x05\x08\x09";
        assert_eq!(Appended::decode(bytes).map(|block| block.timeout_ms), Ok(Some(9)));
    }
}
