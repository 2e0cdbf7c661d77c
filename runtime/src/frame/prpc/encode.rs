//! Header and metadata to bytes, as brpc writes them: fields in the order of their numbers, those that are `None`
//! left out, zeros that are present written.

use super::super::Error;
use super::{HEADER_LEN, MAGIC, RequestMeta, ResponseMeta, RpcMeta, tag};

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

    out.reserve(HEADER_LEN + meta_len);
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&body_size.to_be_bytes());
    out.extend_from_slice(&meta_size.to_be_bytes());
    if let Some(request) = &meta.request {
        put_len(out, tag::REQUEST, request_len);
        put_request(out, request);
    }
    if let Some(response) = &meta.response {
        put_len(out, tag::RESPONSE, response_len);
        put_response(out, response);
    }
    put_int(out, tag::COMPRESS_TYPE, meta.compress_type);
    put_int(out, tag::CORRELATION_ID, meta.correlation_id);
    put_int(out, tag::ATTACHMENT_SIZE, meta.attachment_size);
    put_bytes(out, tag::AUTHENTICATION_DATA, meta.authentication_data);
    put_bytes(out, tag::STREAM_SETTINGS, meta.stream_settings);
    for (key, value) in &meta.user_fields {
        put_len(out, tag::USER_FIELDS, entry_len(key, value));
        put_bytes(out, tag::ENTRY_KEY, Some(key.as_bytes()));
        put_bytes(out, tag::ENTRY_VALUE, Some(value.as_bytes()));
    }
    put_int(out, tag::CONTENT_TYPE, meta.content_type);
    put_int(out, tag::CHECKSUM_TYPE, meta.checksum_type);
    put_bytes(out, tag::CHECKSUM_VALUE, meta.checksum_value);
    put_int(out, tag::CHECKSUM_WITH_ATTACHMENT, meta.checksum_with_attachment.map(i32::from));
    Ok(())
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

fn put_request(out: &mut Vec<u8>, request: &RequestMeta<'_>) {
    // Required fields are written even when they are empty.
    put_bytes(out, tag::SERVICE_NAME, Some(request.service_name.as_bytes()));
    put_bytes(out, tag::METHOD_NAME, Some(request.method_name.as_bytes()));
    put_int(out, tag::LOG_ID, request.log_id);
    put_int(out, tag::TRACE_ID, request.trace_id);
    put_int(out, tag::SPAN_ID, request.span_id);
    put_int(out, tag::PARENT_SPAN_ID, request.parent_span_id);
    put_bytes(out, tag::REQUEST_ID, request.request_id.map(str::as_bytes));
    put_int(out, tag::TIMEOUT_MS, request.timeout_ms);
}

fn response_len(response: &ResponseMeta<'_>) -> usize {
    int_len(response.error_code) + bytes_len(response.error_text.map(str::as_bytes))
}

fn put_response(out: &mut Vec<u8>, response: &ResponseMeta<'_>) {
    put_int(out, tag::ERROR_CODE, response.error_code);
    put_bytes(out, tag::ERROR_TEXT, response.error_text.map(str::as_bytes));
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
fn varint_len(value: u64) -> usize {
    // (bits * 9 + 64) / 64 is bits / 7 rounded up for 1 to 64 bits.
    let bits = 64 - (value | 1).leading_zeros();
    (bits * 9 + 64) as usize / 64
}

#[inline]
fn put_int(out: &mut Vec<u8>, tag: u32, number: Option<impl Into<i64>>) {
    if let Some(number) = number {
        // Every tag of the metadata fits one byte.
        out.push(tag as u8);
        put_varint(out, number.into().cast_unsigned());
    }
}

#[inline]
fn put_bytes(out: &mut Vec<u8>, tag: u32, bytes: Option<&[u8]>) {
    if let Some(bytes) = bytes {
        put_len(out, tag, bytes.len());
        out.extend_from_slice(bytes);
    }
}

#[inline]
fn put_len(out: &mut Vec<u8>, tag: u32, len: usize) {
    out.push(tag as u8);
    put_varint(out, len as u64);
}

#[inline]
fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
