//! Header and metadata to bytes, as brpc writes them: fields in the order of their numbers, those that are `None`
//! left out, zeros that are present written.

use super::super::Error;
use super::{HEADER_LEN, Header, RequestMeta, ResponseMeta, RpcMeta, tag};

/// Appends the header and the metadata of a frame to `out`; the caller appends `payload_len` bytes of message and
/// attachment.
///
/// # Errors
/// [`Error::TooLargeToEncode`] when metadata and payload do not fit the 32 bits of the header's size field. `out`
/// is left as it was.
pub fn encode_head(out: &mut Vec<u8>, meta: &RpcMeta<'_>, payload_len: usize) -> Result<(), Error> {
    let request_len = meta.request.as_ref().map_or(0, request_len);
    let response_len = meta.response.as_ref().map_or(0, response_len);
    let meta_len = meta_len(meta, request_len, response_len);
    let size = (meta_len as u64).saturating_add(payload_len as u64);
    let body_size = u32::try_from(size).map_err(|_| Error::TooLargeToEncode { size })?;
    // Not larger than the body size, which fits.
    let meta_size = meta_len as u32;

    let start = out.len();
    out.resize(start + HEADER_LEN + meta_len, 0);
    let mut writer = Writer { bytes: &mut out[start..], at: 0 };
    writer.put(Header { body_size, meta_size }.to_bytes());
    put_meta(&mut writer, meta, request_len, response_len);
    debug_assert!(writer.at == writer.bytes.len(), "the length was computed field by field");
    Ok(())
}

fn put_meta(writer: &mut Writer<'_>, meta: &RpcMeta<'_>, request_len: usize, response_len: usize) {
    if let Some(request) = &meta.request {
        writer.len(tag::REQUEST, request_len);
        put_request(writer, request);
    }
    if let Some(response) = &meta.response {
        writer.len(tag::RESPONSE, response_len);
        writer.int(tag::ERROR_CODE, response.error_code);
        writer.bytes(tag::ERROR_TEXT, response.error_text.map(str::as_bytes));
    }
    writer.int(tag::COMPRESS_TYPE, meta.compress_type);
    writer.int(tag::CORRELATION_ID, meta.correlation_id);
    writer.int(tag::ATTACHMENT_SIZE, meta.attachment_size);
    writer.bytes(tag::AUTHENTICATION_DATA, meta.authentication_data);
    writer.bytes(tag::STREAM_SETTINGS, meta.stream_settings);
    for (key, value) in &meta.user_fields {
        writer.len(tag::USER_FIELDS, entry_len(key, value));
        writer.bytes(tag::ENTRY_KEY, Some(key.as_bytes()));
        writer.bytes(tag::ENTRY_VALUE, Some(value.as_bytes()));
    }
    writer.int(tag::CONTENT_TYPE, meta.content_type);
    writer.int(tag::CHECKSUM_TYPE, meta.checksum_type);
    writer.bytes(tag::CHECKSUM_VALUE, meta.checksum_value);
    writer.int(tag::CHECKSUM_WITH_ATTACHMENT, meta.checksum_with_attachment.map(i32::from));
}

fn put_request(writer: &mut Writer<'_>, request: &RequestMeta<'_>) {
    // Required fields are written even when they are empty.
    writer.bytes(tag::SERVICE_NAME, Some(request.service_name.as_bytes()));
    writer.bytes(tag::METHOD_NAME, Some(request.method_name.as_bytes()));
    writer.int(tag::LOG_ID, request.log_id);
    writer.int(tag::TRACE_ID, request.trace_id);
    writer.int(tag::SPAN_ID, request.span_id);
    writer.int(tag::PARENT_SPAN_ID, request.parent_span_id);
    writer.bytes(tag::REQUEST_ID, request.request_id.map(str::as_bytes));
    writer.int(tag::TIMEOUT_MS, request.timeout_ms);
}

fn meta_len(meta: &RpcMeta<'_>, request_len: usize, response_len: usize) -> usize {
    let part = |present: bool, len: usize| if present { delimited_len(len) } else { 0 };
    part(meta.request.is_some(), request_len)
        + part(meta.response.is_some(), response_len)
        + int_len(meta.compress_type)
        + int_len(meta.correlation_id)
        + int_len(meta.attachment_size)
        + bytes_len(meta.authentication_data)
        + bytes_len(meta.stream_settings)
        + meta
            .user_fields
            .iter()
            .map(|(key, value)| delimited_len(entry_len(key, value)))
            .sum::<usize>()
        + int_len(meta.content_type)
        + int_len(meta.checksum_type)
        + bytes_len(meta.checksum_value)
        + if meta.checksum_with_attachment.is_some() { 2 } else { 0 }
}

fn request_len(request: &RequestMeta<'_>) -> usize {
    delimited_len(request.service_name.len())
        + delimited_len(request.method_name.len())
        + int_len(request.log_id)
        + int_len(request.trace_id)
        + int_len(request.span_id)
        + int_len(request.parent_span_id)
        + bytes_len(request.request_id.map(str::as_bytes))
        + int_len(request.timeout_ms)
}

fn response_len(response: &ResponseMeta<'_>) -> usize {
    int_len(response.error_code) + bytes_len(response.error_text.map(str::as_bytes))
}

/// The length of a map entry: both parts are always written.
fn entry_len(key: &str, value: &str) -> usize {
    delimited_len(key.len()) + delimited_len(value.len())
}

/// The length of a number field with its tag, 0 if absent. Numbers are signed: a negative one takes ten bytes.
#[inline]
fn int_len(number: Option<impl Into<i64>>) -> usize {
    number.map_or(0, |number| 1 + varint_len(number.into().cast_unsigned()))
}

#[inline]
fn bytes_len(bytes: Option<&[u8]>) -> usize {
    bytes.map_or(0, |bytes| delimited_len(bytes.len()))
}

/// The length of a field of `len` bytes with its tag and its length.
#[inline]
fn delimited_len(len: usize) -> usize {
    1 + varint_len(len as u64) + len
}

/// Seven bits a byte, and a zero takes one.
#[inline]
pub(super) fn varint_len(value: u64) -> usize {
    if value < 0x80 {
        return 1;
    }
    // (bits * 9 + 64) / 64 is bits / 7 rounded up for 1 to 64 bits.
    let bits = 64 - value.leading_zeros();
    (bits * 9 + 64) as usize / 64
}

/// Fills a slice of the exact length from the front.
struct Writer<'a> {
    bytes: &'a mut [u8],
    at: usize,
}

impl Writer<'_> {
    #[inline(always)]
    fn put<const LEN: usize>(&mut self, bytes: [u8; LEN]) {
        self.bytes[self.at..self.at + LEN].copy_from_slice(&bytes);
        self.at += LEN;
    }

    #[inline]
    fn int(&mut self, tag: u32, number: Option<impl Into<i64>>) {
        if let Some(number) = number {
            self.varint_field(tag, number.into().cast_unsigned());
        }
    }

    #[inline]
    fn bytes(&mut self, tag: u32, bytes: Option<&[u8]>) {
        if let Some(bytes) = bytes {
            self.len(tag, bytes.len());
            if !bytes.is_empty() {
                self.bytes[self.at..self.at + bytes.len()].copy_from_slice(bytes);
                self.at += bytes.len();
            }
        }
    }

    #[inline]
    fn len(&mut self, tag: u32, len: usize) {
        self.varint_field(tag, len as u64);
    }

    /// A tag and a varint. Every tag of the metadata fits one byte, and most numbers do.
    #[inline(always)]
    fn varint_field(&mut self, tag: u32, value: u64) {
        let tag = tag as u8;
        if value < 0x80 {
            self.put([tag, value as u8]);
        } else {
            self.put([tag]);
            self.at = put_long_varint(self.bytes, self.at, value);
        }
    }
}

/// Writes a varint of two bytes or more at a place, and gives the place behind it. Up to eight bytes are stored in
/// one go where there is room for eight.
#[inline(never)]
pub(super) fn put_long_varint(bytes: &mut [u8], at: usize, mut value: u64) -> usize {
    let len = varint_len(value);
    if len <= 8
        && let Some(eight) = bytes[at..].first_chunk_mut::<8>()
    {
        // Open a gap for the continuation bit of each byte, by halves, and set those of all bytes but the last.
        let word = value & 0x0fff_ffff | (value & 0x00ff_ffff_f000_0000) << 4;
        let word = word & 0x0000_3fff_0000_3fff | (word & 0x0fff_c000_0fff_c000) << 2;
        let word = word & 0x007f_007f_007f_007f | (word & 0x3f80_3f80_3f80_3f80) << 1;
        let continued = 0x8080_8080_8080_8080 & ((1 << (8 * (len - 1))) - 1);
        // What is stored beyond the varint is overwritten by the field that comes next.
        *eight = (word | continued).to_le_bytes();
        return at + len;
    }
    for byte in &mut bytes[at..at + len - 1] {
        *byte = value as u8 | 0x80;
        value >>= 7;
    }
    bytes[at + len - 1] = value as u8;
    at + len
}
