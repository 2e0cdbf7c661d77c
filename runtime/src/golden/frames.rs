//! Heads of frames, and what stands behind them: each protocol's own words for every byte.
//!
//! The sizes that a frame declares are believed as far as its bytes go.

use super::meta::{APPENDED, APPENDED_BLOCK, BAIDU_STD, RPC_META};
use super::sheet::{Path, ROOT, Sheet};
use super::types::Types;
use super::{Side, flat, protobuf, value};
use crate::frame::Protocol;
use crate::frame::compress::Compression;
use crate::frame::frpc::{
    ByteOrder, REQUEST_META_LEN, RESPONSE_META_LEN, Recognised, RequestHead, ResponseHead,
    decode_request, decode_response, recognise,
};
use crate::frame::prpc::{HEADER_LEN, decode_meta};
use crate::registry::{Codec, MethodDescriptor, service_id};
use std::ops::Range;

/// What is told: which message, of which method.
#[derive(Clone, Copy)]
pub(super) struct Subject {
    pub(super) method: &'static MethodDescriptor,
    pub(super) side: Side,
}

/// Tells a whole frame.
pub(super) fn frame(sheet: &mut Sheet<'_>, subject: Subject, protocol: Protocol, order: ByteOrder) {
    let Some((meta, payload)) = header(sheet) else { return };
    match protocol {
        Protocol::Prpc => prpc(sheet, subject, meta, payload),
        Protocol::Frpc => frpc(sheet, subject, order, meta, payload),
    }
}

/// The twelve bytes that both protocols begin with; gives metadata and payload.
fn header(sheet: &mut Sheet<'_>) -> Option<(Range<usize>, Range<usize>)> {
    let len = sheet.bytes().len();
    if len < HEADER_LEN {
        sheet.claim(0, len, ROOT, "less than a header");
        return None;
    }
    let magic = value::text(sheet.get(0..4));
    let path = sheet.field(ROOT, "magic");
    sheet.claim(0, 4, path, magic);
    let word = |at: usize| sheet.get(at..at + 4).try_into().map_or(0, u32::from_be_bytes);
    let (body_size, meta_size) = (word(4), word(8));
    let there = len - HEADER_LEN;
    let note =
        if body_size as usize == there { String::new() } else { format!(", {there} are here") };
    let path = sheet.field(ROOT, "body_size");
    sheet.claim(4, 4, path, format!("{body_size}{note}"));
    let path = sheet.field(ROOT, "meta_size");
    sheet.claim(8, 4, path, meta_size.to_string());
    let meta_end = HEADER_LEN + there.min(meta_size as usize);
    Some((HEADER_LEN..meta_end, meta_end..len))
}

fn prpc(sheet: &mut Sheet<'_>, subject: Subject, meta: Range<usize>, payload: Range<usize>) {
    let path = sheet.field(ROOT, "meta");
    protobuf::message(sheet, &Types::parse(BAIDU_STD), RPC_META, meta.clone(), path);
    let Ok(decoded) = decode_meta(sheet.get(meta)) else {
        return rest(sheet, payload, "payload");
    };
    let message_len = decoded.message_len(payload.len()).unwrap_or(payload.len());
    let split = payload.start + message_len;
    match encoding(decoded.compress_type, decoded.content_type) {
        None => message(sheet, subject, payload.start..split),
        // What is inside shows in a golden of the message alone.
        Some(encoding) => {
            let path = sheet.field(ROOT, "message");
            sheet.run(payload.start, message_len, path, |row| {
                format!("{encoding} {}", value::ascii(row))
            });
        }
    }
    rest(sheet, split..payload.end, "attachment");
}

/// What hides the message, if anything does.
fn encoding(compress_type: Option<i32>, content_type: Option<i32>) -> Option<&'static str> {
    match (Compression::from_wire(compress_type.unwrap_or(0)), content_type.unwrap_or(0)) {
        (Ok(Compression::None), 0) => None,
        (Ok(Compression::None), _) => Some("not in binary form"),
        (Ok(Compression::Snappy), _) => Some("snappy"),
        (Ok(Compression::Gzip), _) => Some("gzip"),
        (Ok(Compression::Zlib), _) => Some("zlib"),
        (Err(_), _) => Some("compressed some other way"),
    }
}

fn frpc(
    sheet: &mut Sheet<'_>,
    subject: Subject,
    order: ByteOrder,
    meta: Range<usize>,
    payload: Range<usize>,
) {
    let bytes = sheet.get(meta.clone());
    let sizes = match subject.side {
        Side::Request => decode_request(bytes, order).map(|(head, _)| {
            tell_request(sheet, subject.method, &head, meta.start);
            (REQUEST_META_LEN, head.message_size)
        }),
        Side::Reply => decode_response(bytes, order).map(|(head, _)| {
            tell_response(sheet, &head, meta.start);
            (RESPONSE_META_LEN, head.message_size)
        }),
    };
    let Ok((fixed, message_size)) = sizes else {
        rest(sheet, meta, "meta");
        return rest(sheet, payload, "payload");
    };
    appended(sheet, meta.start + fixed..meta.end);
    let message_len = usize::try_from(message_size).unwrap_or(0).min(payload.len());
    let split = payload.start + message_len;
    message(sheet, subject, payload.start..split);
    rest(sheet, split..payload.end, "attachment");
}

fn tell_request(
    sheet: &mut Sheet<'_>,
    method: &'static MethodDescriptor,
    head: &RequestHead,
    at: usize,
) {
    let (service, id) = (method.service(), head.service_id);
    let service = if service_id(service) == id { service } else { "of another service" };
    let is_method = u32::try_from(head.method_id).is_ok_and(|id| method.explicit_id() == Some(id));
    let name = if is_method { method.name() } else { "of another method" };
    fixed(
        sheet,
        at,
        &[
            ("service_id", 4, format!("{id:#010x} {service}")),
            ("method_id", 4, format!("{} {name}", head.method_id)),
            ("message_size", 4, head.message_size.to_string()),
            ("attachment_size", 4, head.attachment_size.to_string()),
            ("correlation_id", 8, head.correlation_id.to_string()),
        ],
    );
}

fn tell_response(sheet: &mut Sheet<'_>, head: &ResponseHead, at: usize) {
    fixed(
        sheet,
        at,
        &[
            ("error_code", 4, value::error_code(head.error_code)),
            ("message_size", 4, head.message_size.to_string()),
            ("attachment_size", 4, head.attachment_size.to_string()),
            ("correlation_id", 8, head.correlation_id.to_string()),
        ],
    );
}

fn fixed(sheet: &mut Sheet<'_>, mut at: usize, fields: &[(&'static str, usize, String)]) {
    let meta = sheet.field(ROOT, "meta");
    for (name, len, text) in fields {
        let path = sheet.field(meta, *name);
        sheet.claim(at, *len, path, text.clone());
        at += len;
    }
}

/// What follows the fixed metadata: our own block, or what we know nothing of.
fn appended(sheet: &mut Sheet<'_>, range: Range<usize>) {
    const PREFIX: usize = 8;
    let bytes = sheet.get(range.clone());
    let len = bytes.get(4..).and_then(<[u8]>::first_chunk).copied().map(u32::from_be_bytes);
    let ours = bytes.starts_with(b"SWX1");
    let Some(len) = len.map(|len| len as usize).filter(|len| ours && *len <= range.len() - PREFIX)
    else {
        return rest(sheet, range, "meta.unknown");
    };
    let meta = sheet.field(ROOT, "meta");
    let path = sheet.field(meta, "appended");
    sheet.claim(range.start, 4, path, "a block of stubwire's own");
    sheet.claim(range.start + 4, 4, path, format!("length {len}"));
    let fields = range.start + PREFIX;
    protobuf::message(sheet, &Types::parse(APPENDED), APPENDED_BLOCK, fields..fields + len, path);
    rest(sheet, fields + len..range.end, "meta.unknown");
}

/// Tells a message by the layout of its method; without one, its bytes stay bytes.
pub(super) fn message(sheet: &mut Sheet<'_>, subject: Subject, range: Range<usize>) {
    let path = sheet.field(ROOT, "message");
    let method = subject.method;
    let types = method.layout_text().map(Types::parse);
    match (method.codec(), types) {
        (Codec::Protobuf, types) => {
            let types = types.unwrap_or_default();
            protobuf::message(sheet, &types, subject.message_name(), range, path);
        }
        (Codec::FlatBuffers, types) => {
            flat::message(sheet, &types.unwrap_or_default(), subject.message_name(), range, path);
        }
    }
}

/// Bytes without a form.
fn rest(sheet: &mut Sheet<'_>, range: Range<usize>, name: &'static str) {
    let path: Path = sheet.field(ROOT, name);
    sheet.run(range.start, range.len(), path, value::ascii);
}

/// The byte order of a frame of FRPC that does not say it, by its sizes; big-endian where both fit, as is written now.
pub(super) fn byte_order(bytes: &[u8], side: Side) -> ByteOrder {
    let word = bytes.get(8..).and_then(<[u8]>::first_chunk).copied().map_or(0, u32::from_be_bytes);
    let meta = bytes.get(HEADER_LEN..).unwrap_or_default();
    let (meta, payload) = meta.split_at(meta.len().min(word as usize));
    match side {
        Side::Request => match recognise(meta, payload.len()) {
            Recognised::As(order) => order,
            Recognised::Both | Recognised::Neither => ByteOrder::Big,
        },
        Side::Reply => {
            let head = |order| decode_response(meta, order).ok().map(|(head, _)| head);
            // An error has no sizes to tell by, but a small number.
            let fits = |order| {
                head(order).is_some_and(|head| {
                    head.sizes(payload.len()).is_some() && head.error_code.unsigned_abs() <= 0xffff
                })
            };
            if !fits(ByteOrder::Big) && fits(ByteOrder::Little) {
                ByteOrder::Little
            } else {
                ByteOrder::Big
            }
        }
    }
}

impl Subject {
    /// The full name of the message or table.
    pub(super) fn message_name(self) -> &'static str {
        match self.side {
            Side::Request => self.method.request().name(),
            Side::Reply => self.method.reply().name(),
        }
    }
}
