//! The metadata that most frames have, read and written in one go.
//!
//! A call without log id, trace, user fields, compression and checksum has the same few fields in the same order from
//! brpc and from here. What looks otherwise in the least is left to [`decode_meta`](super::decode_meta) and
//! [`encode_head`](super::encode_head), whose results these must equal.

use super::super::Error;
use super::super::wire::Reader;
use super::encode::{put_long_varint, varint_len};
use super::{HEADER_LEN, Header, tag};

/// A request with nothing beside message, attachment and timeout. The names are bytes: whoever knows them already
/// need not look whether they are text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlainRequest<'a> {
    pub(crate) service_name: &'a [u8],
    pub(crate) method_name: &'a [u8],
    pub(crate) timeout_ms: Option<i32>,
    pub(crate) frame: PlainFrame,
}

/// What plain requests and replies have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlainFrame {
    pub(crate) correlation_id: i64,
    pub(crate) attachment_size: Option<i32>,
}

/// `compress_type`, which is 0, and the tag of `correlation_id`.
const BEFORE_ID: [u8; 3] = [tag::COMPRESS_TYPE as u8, 0, tag::CORRELATION_ID as u8];

/// `content_type` and `checksum_type`, which are 0, and an empty `checksum_value`.
const END: [u8; 6] =
    [tag::CONTENT_TYPE as u8, 0, tag::CHECKSUM_TYPE as u8, 0, tag::CHECKSUM_VALUE as u8, 0];

/// A `response` whose `error_code` is 0.
const SUCCESS: [u8; 4] = [tag::RESPONSE as u8, 2, tag::ERROR_CODE as u8, 0];

/// Names together longer than this are not plain: the request part would need a longer length.
const MAX_NAMES: usize = 96;

/// Two tags and two lengths, and a timeout; then everything outside the request part.
const MAX_REQUEST: usize = HEADER_LEN + 2 + MAX_NAMES + 4 + 11 + MAX_FRAME;
const MAX_FRAME: usize = BEFORE_ID.len() + 10 + 11 + END.len();

/// Reads the metadata of a request, if it is plain.
#[inline]
pub(crate) fn decode_plain_request(meta: &[u8]) -> Option<PlainRequest<'_>> {
    let (request, rest) = short_field(tag::REQUEST, meta)?;
    let (service_name, request) = short_field(tag::SERVICE_NAME, request)?;
    let (method_name, request) = short_field(tag::METHOD_NAME, request)?;
    let timeout_ms = match request.split_first() {
        None => None,
        Some((tag, number)) if u32::from(*tag) == tag::TIMEOUT_MS => {
            let mut reader = Reader::new(number);
            let timeout = reader.varint().ok()? as i32;
            reader.is_empty().then_some(Some(timeout))?
        }
        Some(_) => return None,
    };
    Some(PlainRequest { service_name, method_name, timeout_ms, frame: decode_frame(rest)? })
}

/// Reads the metadata of a reply, if it is a plain success.
#[inline]
pub(crate) fn decode_plain_reply(meta: &[u8]) -> Option<PlainFrame> {
    decode_frame(meta.strip_prefix(&SUCCESS)?)
}

#[inline]
fn decode_frame(meta: &[u8]) -> Option<PlainFrame> {
    let mut reader = Reader::new(meta.strip_prefix(&BEFORE_ID)?);
    let correlation_id = reader.varint().ok()?.cast_signed();
    if reader.rest() == END {
        return Some(PlainFrame { correlation_id, attachment_size: None });
    }
    let mut reader = Reader::new(reader.rest().strip_prefix(&[tag::ATTACHMENT_SIZE as u8])?);
    let attachment_size = Some(reader.varint().ok()? as i32);
    (reader.rest() == END).then_some(PlainFrame { correlation_id, attachment_size })
}

/// The bytes of a field whose length fits one byte, and what follows it.
#[inline]
fn short_field(tag: u32, bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    match bytes {
        [found, len, rest @ ..] if u32::from(*found) == tag && *len < 0x80 => {
            rest.split_at_checked(usize::from(*len))
        }
        _ => None,
    }
}

/// Appends header and metadata of a plain request; `Ok(false)` when its names are too long to be plain.
///
/// # Errors
/// As [`encode_head`](super::encode_head); `out` is left as it was.
#[inline]
pub(crate) fn encode_plain_request(
    out: &mut Vec<u8>,
    request: &PlainRequest<'_>,
    payload_len: usize,
) -> Result<bool, Error> {
    let (service, method) = (request.service_name, request.method_name);
    if service.len() + method.len() > MAX_NAMES {
        return Ok(false);
    }
    let timeout = request.timeout_ms.map(|timeout| i64::from(timeout).cast_unsigned());
    let timeout_len = timeout.map_or(0, |timeout| 1 + varint_len(timeout));
    let request_len = 4 + service.len() + method.len() + timeout_len;
    let mut head = Head::<MAX_REQUEST>::new();
    head.put(&[
        tag::REQUEST as u8,
        request_len as u8,
        tag::SERVICE_NAME as u8,
        service.len() as u8,
    ]);
    head.put(service);
    head.put(&[tag::METHOD_NAME as u8, method.len() as u8]);
    head.put(method);
    if let Some(timeout) = timeout {
        head.put(&[tag::TIMEOUT_MS as u8]);
        head.varint(timeout);
    }
    head.frame(&request.frame);
    head.append_to(out, payload_len).map(|()| true)
}

/// Appends header and metadata of a plain success.
///
/// # Errors
/// As [`encode_head`](super::encode_head); `out` is left as it was.
#[inline]
pub(crate) fn encode_plain_reply(
    out: &mut Vec<u8>,
    frame: &PlainFrame,
    payload_len: usize,
) -> Result<(), Error> {
    let mut head = Head::<{ HEADER_LEN + SUCCESS.len() + MAX_FRAME }>::new();
    head.put(&SUCCESS);
    head.frame(frame);
    head.append_to(out, payload_len)
}

/// A head under way, its header still to come.
struct Head<const MAX: usize> {
    bytes: [u8; MAX],
    at: usize,
}

impl<const MAX: usize> Head<MAX> {
    #[inline]
    fn new() -> Self {
        Self { bytes: [0; MAX], at: HEADER_LEN }
    }

    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        self.bytes[self.at..self.at + bytes.len()].copy_from_slice(bytes);
        self.at += bytes.len();
    }

    #[inline]
    fn varint(&mut self, value: u64) {
        if value < 0x80 {
            self.put(&[value as u8]);
        } else {
            self.at = put_long_varint(&mut self.bytes, self.at, value);
        }
    }

    #[inline]
    fn frame(&mut self, frame: &PlainFrame) {
        self.put(&BEFORE_ID);
        self.varint(frame.correlation_id.cast_unsigned());
        if let Some(size) = frame.attachment_size {
            self.put(&[tag::ATTACHMENT_SIZE as u8]);
            self.varint(i64::from(size).cast_unsigned());
        }
        self.put(&END);
    }

    #[inline]
    fn append_to(mut self, out: &mut Vec<u8>, payload_len: usize) -> Result<(), Error> {
        let meta_size = (self.at - HEADER_LEN) as u32;
        let size = u64::from(meta_size).saturating_add(payload_len as u64);
        let body_size = u32::try_from(size).map_err(|_| Error::TooLargeToEncode { size })?;
        self.bytes[..HEADER_LEN].copy_from_slice(&Header { body_size, meta_size }.to_bytes());
        out.extend_from_slice(&self.bytes[..self.at]);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{RequestMeta, ResponseMeta, RpcMeta, decode_meta, encode_head};
    use super::*;
    use proptest::prelude::*;

    fn whole<'a>(frame: &PlainFrame) -> RpcMeta<'a> {
        RpcMeta {
            compress_type: Some(0),
            correlation_id: Some(frame.correlation_id),
            attachment_size: frame.attachment_size,
            content_type: Some(0),
            checksum_type: Some(0),
            checksum_value: Some(&[]),
            ..RpcMeta::default()
        }
    }

    fn frames() -> impl Strategy<Value = PlainFrame> {
        (any::<i64>(), any::<u32>(), proptest::option::of(any::<i32>())).prop_map(
            |(id, shift, attachment_size)| PlainFrame {
                correlation_id: id >> (shift % 64),
                attachment_size,
            },
        )
    }

    proptest! {
        #[test]
        fn a_plain_request_is_what_the_general_way_makes_of_it(
            service in "[a-zA-Z.]{0,60}",
            method in "[a-zA-Z]{0,60}",
            timeout_ms in proptest::option::of(any::<i32>()),
            frame in frames(),
            payload_len in 0_usize..1 << 33,
        ) {
            let (service_name, method_name) = (service.as_bytes(), method.as_bytes());
            let request = PlainRequest { service_name, method_name, timeout_ms, frame };
            let (service_name, method_name) = (&*service, &*method);
            let named = RequestMeta { service_name, method_name, timeout_ms, ..Default::default() };
            let meta = RpcMeta { request: Some(named), ..whole(&frame) };
            let (mut plain, mut general) = (vec![7], vec![7]);
            let encoded = encode_plain_request(&mut plain, &request, payload_len);
            if service.len() + method.len() > MAX_NAMES {
                prop_assert_eq!((encoded, &plain[..]), (Ok(false), &[7][..]));
                return Ok(());
            }
            match encode_head(&mut general, &meta, payload_len) {
                Err(error) => prop_assert_eq!(encoded.map(drop), Err(error)),
                Ok(()) => {
                    prop_assert_eq!((encoded, &plain), (Ok(true), &general));
                    let meta = &plain[1 + HEADER_LEN..];
                    prop_assert_eq!(decode_plain_request(meta), Some(request));
                }
            }
        }

        #[test]
        fn a_plain_reply_is_what_the_general_way_makes_of_it(
            frame in frames(),
            payload_len in 0_usize..1 << 33,
        ) {
            let response = Some(ResponseMeta { error_code: Some(0), error_text: None });
            let meta = RpcMeta { response, ..whole(&frame) };
            let (mut plain, mut general) = (vec![7], vec![7]);
            let encoded = encode_plain_reply(&mut plain, &frame, payload_len);
            prop_assert_eq!(&encoded, &encode_head(&mut general, &meta, payload_len));
            prop_assert_eq!(&plain, &general);
            if encoded.is_ok() {
                prop_assert_eq!(decode_plain_reply(&plain[1 + HEADER_LEN..]), Some(frame));
            }
        }

        /// Whatever is taken for plain means the same to the general way, whoever wrote it.
        #[test]
        fn bytes_that_are_taken_for_plain_are(
            frame in frames(),
            timeout_ms in proptest::option::of(any::<i32>()),
            changes in proptest::collection::vec((any::<usize>(), any::<u8>()), 0..3),
        ) {
            let (service_name, method_name) = (&b"a.B"[..], &b"C"[..]);
            let mut out = Vec::new();
            let request = PlainRequest { service_name, method_name, timeout_ms, frame };
            encode_plain_request(&mut out, &request, 0).unwrap();
            let mut meta = out.split_off(HEADER_LEN);
            for (place, byte) in changes {
                let place = place % meta.len();
                meta[place] = byte;
            }
            if let Some(plain) = decode_plain_request(&meta) {
                let (Ok(service_name), Ok(method_name)) = (
                    std::str::from_utf8(plain.service_name),
                    std::str::from_utf8(plain.method_name),
                ) else {
                    prop_assert!(decode_meta(&meta).is_err());
                    return Ok(());
                };
                let timeout_ms = plain.timeout_ms;
                let named =
                    RequestMeta { service_name, method_name, timeout_ms, ..Default::default() };
                let expected = RpcMeta { request: Some(named), ..whole(&plain.frame) };
                prop_assert_eq!(decode_meta(&meta), Ok(expected));
            }
        }
    }
}
