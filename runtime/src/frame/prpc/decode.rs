//! `RpcMeta` from bytes, by the rules that protobuf's own C++ parser follows.
//!
//! Fields may come in any order and more than once: the last number or text counts, messages are merged. Unknown
//! fields, and known ones under another wire type, are passed over. Every field that is kept is a view.

use super::super::Error;
use super::super::wire::{MAX_DEPTH, Reader};
use super::{MAX_USER_FIELDS, RequestMeta, ResponseMeta, RpcMeta, tag};

/// Levels left for groups inside `RpcMeta`, and inside one of its parts.
const LEVELS: usize = MAX_DEPTH;
const PART_LEVELS: usize = MAX_DEPTH - 1;

/// The largest number of the closed enum `ContentType`.
const LAST_CONTENT_TYPE: i32 = 3;

/// The required fields of `RpcRequestMeta`, as bytes. They may be spread over several occurrences of it.
#[derive(Default)]
struct Names<'a> {
    service: Option<&'a [u8]>,
    method: Option<&'a [u8]>,
}

/// Decodes the metadata of a frame. Allocates only for `user_fields`.
///
/// # Errors
/// The variant of [`Error`] whose rule is broken first; the required names are asked for last.
pub fn decode_meta(bytes: &[u8]) -> Result<RpcMeta<'_>, Error> {
    let mut meta = RpcMeta::default();
    let mut names = Names::default();
    let mut reader = Reader::new(bytes);
    while !reader.is_empty() {
        match reader.tag()? {
            tag::REQUEST => {
                decode_request(reader.bytes()?, meta.request.get_or_insert_default(), &mut names)?;
            }
            tag::RESPONSE => {
                decode_response(reader.bytes()?, meta.response.get_or_insert_default())?;
            }
            tag::COMPRESS_TYPE => meta.compress_type = Some(int32(&mut reader)?),
            tag::CORRELATION_ID => meta.correlation_id = Some(int64(&mut reader)?),
            tag::ATTACHMENT_SIZE => meta.attachment_size = Some(int32(&mut reader)?),
            tag::AUTHENTICATION_DATA => meta.authentication_data = Some(reader.bytes()?),
            tag::STREAM_SETTINGS => meta.stream_settings = Some(reader.bytes()?),
            tag::USER_FIELDS => push_user_field(&mut meta.user_fields, reader.bytes()?)?,
            tag::CONTENT_TYPE => {
                // A number that a closed enum does not have is an unknown field: it replaces nothing.
                let number = int32(&mut reader)?;
                if (0..=LAST_CONTENT_TYPE).contains(&number) {
                    meta.content_type = Some(number);
                }
            }
            tag::CHECKSUM_TYPE => meta.checksum_type = Some(int32(&mut reader)?),
            tag::CHECKSUM_VALUE => meta.checksum_value = Some(reader.bytes()?),
            tag::CHECKSUM_WITH_ATTACHMENT => {
                meta.checksum_with_attachment = Some(reader.varint()? != 0);
            }
            unknown => reader.skip_rare(unknown, LEVELS)?,
        }
    }
    if let Some(request) = &mut meta.request {
        let service = names.service.ok_or(Error::ServiceNameMissing)?;
        let method = names.method.ok_or(Error::MethodNameMissing)?;
        (request.service_name, request.method_name) = texts_of_names(bytes, service, method)?;
    }
    Ok(meta)
}

fn decode_request<'a>(
    bytes: &'a [u8],
    request: &mut RequestMeta<'a>,
    names: &mut Names<'a>,
) -> Result<(), Error> {
    let mut reader = Reader::new(bytes);
    while !reader.is_empty() {
        match reader.tag()? {
            tag::SERVICE_NAME => names.service = Some(reader.bytes()?),
            tag::METHOD_NAME => names.method = Some(reader.bytes()?),
            tag::LOG_ID => request.log_id = Some(int64(&mut reader)?),
            tag::TRACE_ID => request.trace_id = Some(int64(&mut reader)?),
            tag::SPAN_ID => request.span_id = Some(int64(&mut reader)?),
            tag::PARENT_SPAN_ID => request.parent_span_id = Some(int64(&mut reader)?),
            tag::REQUEST_ID => {
                request.request_id = Some(text(reader.bytes()?, "RpcRequestMeta.request_id")?);
            }
            tag::TIMEOUT_MS => request.timeout_ms = Some(int32(&mut reader)?),
            unknown => reader.skip_rare(unknown, PART_LEVELS)?,
        }
    }
    Ok(())
}

/// Checks both names in one go where the method follows the service, as it does from every encoder: what stands
/// between them is ASCII. Most of what a check of a short text costs is its beginning and its end.
#[inline]
fn texts_of_names<'a>(
    meta: &'a [u8],
    service: &'a [u8],
    method: &'a [u8],
) -> Result<(&'a str, &'a str), Error> {
    /// A tag and a length below 128.
    const BETWEEN: usize = 2;
    let place = |name: &[u8]| name.as_ptr().addr().wrapping_sub(meta.as_ptr().addr());
    let (start, method_start) = (place(service), place(method));
    if method_start == start + service.len() + BETWEEN
        && let Some(both) = meta.get(start..method_start + method.len())
        && let Ok(both) = core::str::from_utf8(both)
        && let Some((service, rest)) = both.split_at_checked(service.len())
        && let Some(method) = rest.get(BETWEEN..)
    {
        return Ok((service, method));
    }
    let service = text(service, "RpcRequestMeta.service_name")?;
    Ok((service, text(method, "RpcRequestMeta.method_name")?))
}

fn decode_response<'a>(bytes: &'a [u8], response: &mut ResponseMeta<'a>) -> Result<(), Error> {
    let mut reader = Reader::new(bytes);
    while !reader.is_empty() {
        match reader.tag()? {
            tag::ERROR_CODE => response.error_code = Some(int32(&mut reader)?),
            tag::ERROR_TEXT => response.error_text = Some(valid_prefix(reader.bytes()?)),
            unknown => reader.skip_rare(unknown, PART_LEVELS)?,
        }
    }
    Ok(())
}

/// Takes one entry of the map `user_fields`; a part that is missing is an empty text.
fn push_user_field<'a>(fields: &mut Vec<(&'a str, &'a str)>, entry: &'a [u8]) -> Result<(), Error> {
    if fields.len() == MAX_USER_FIELDS {
        return Err(Error::TooManyUserFields { limit: MAX_USER_FIELDS });
    }
    let (mut key, mut value) = ("", "");
    let mut reader = Reader::new(entry);
    while !reader.is_empty() {
        match reader.tag()? {
            tag::ENTRY_KEY => key = text(reader.bytes()?, "RpcMeta.user_fields")?,
            tag::ENTRY_VALUE => value = text(reader.bytes()?, "RpcMeta.user_fields")?,
            unknown => reader.skip_rare(unknown, PART_LEVELS)?,
        }
    }
    fields.push((key, value));
    Ok(())
}

/// An `int64`: its varint holds the two's complement.
#[inline]
fn int64(reader: &mut Reader<'_>) -> Result<i64, Error> {
    Ok(reader.varint()?.cast_signed())
}

/// An `int32`: on the wire it is as long as an `int64`; the upper half is dropped.
#[inline]
fn int32(reader: &mut Reader<'_>) -> Result<i32, Error> {
    Ok(int64(reader)? as i32)
}

#[inline]
fn text<'a>(bytes: &'a [u8], field: &'static str) -> Result<&'a str, Error> {
    core::str::from_utf8(bytes).map_err(|_| Error::InvalidUtf8 { field })
}

/// The text up to the first byte that is not UTF-8.
fn valid_prefix(bytes: &[u8]) -> &str {
    match core::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => core::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
    }
}
