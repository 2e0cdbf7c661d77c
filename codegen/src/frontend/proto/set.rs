//! A `FileDescriptorSet` as input: what protoc or buf wrote with `--descriptor_set_out`.

use std::collections::HashMap;

use prost::{Message, bytes::Bytes};
use prost_types::FileDescriptorProto;

use super::{limit, parsed::Parsed, session::Session};
use crate::ir::{Diagnostic, code};

/// The set with its files undecoded: only their bytes hold the custom options.
#[derive(Clone, PartialEq, Message)]
struct RawSet {
    #[prost(bytes = "bytes", repeated, tag = "1")]
    file: Vec<Bytes>,
}

/// Decodes a set. The second value lists its file names in order.
pub(super) fn decode(
    session: &mut Session,
    bytes: &[u8],
) -> Option<(HashMap<String, Parsed>, Vec<String>)> {
    if bytes.len() > limit::SET_BYTES {
        let message = format!("the descriptor set is larger than {} MiB", limit::SET_BYTES >> 20);
        session.report(Diagnostic::error(code::TOO_LARGE, message));
        return None;
    }
    let raw = match RawSet::decode(bytes) {
        Ok(raw) => raw,
        Err(err) => {
            session.report(malformed(format!("the descriptor set does not decode: {err}")));
            return None;
        }
    };
    if raw.file.is_empty() {
        session.report(malformed("the descriptor set holds no file".to_owned()));
        return None;
    }
    let mut files = HashMap::new();
    let mut names = Vec::new();
    for encoded in raw.file {
        let proto = match FileDescriptorProto::decode(encoded.clone()) {
            Ok(proto) => proto,
            Err(err) => {
                let at = names.len();
                session.report(malformed(format!("file {at} of the set does not decode: {err}")));
                continue;
            }
        };
        let name = proto.name().to_owned();
        let source = session.add_source(name.clone(), None);
        let mut file = Parsed::new(proto, source, None);
        file.encoded = Some(encoded);
        names.push(name.clone());
        if files.insert(name.clone(), file).is_some() {
            session.report(malformed(format!("the descriptor set holds `{name}` twice")));
        }
    }
    Some((files, names))
}

/// The bytes of a `FileDescriptorProto` without imports, source info and syntax.
///
/// Done on bytes, because decoding and encoding would lose the custom options.
pub(super) fn without_header(encoded: &[u8]) -> Vec<u8> {
    const DROPPED: [u64; 5] = [3, 9, 10, 11, 12];
    let mut out = Vec::with_capacity(encoded.len());
    let mut rest = encoded;
    while !rest.is_empty() {
        // The bytes were decoded before: only a group, which no descriptor has, ends this early.
        let Some((key, length)) = field(rest) else { break };
        if !DROPPED.contains(&(key >> 3)) {
            out.extend_from_slice(&rest[..length]);
        }
        rest = &rest[length..];
    }
    out
}

/// Key and length of the first field.
fn field(bytes: &[u8]) -> Option<(u64, usize)> {
    let (key, key_len) = varint(bytes)?;
    let value = match key & 7 {
        0 => varint(&bytes[key_len..])?.1,
        1 => 8,
        2 => {
            let (length, prefix) = varint(&bytes[key_len..])?;
            prefix.checked_add(usize::try_from(length).ok()?)?
        }
        5 => 4,
        _ => return None,
    };
    let length = key_len.checked_add(value)?;
    (length <= bytes.len()).then_some((key, length))
}

fn varint(bytes: &[u8]) -> Option<(u64, usize)> {
    let mut value = 0;
    for (at, byte) in bytes.iter().enumerate().take(10) {
        value |= u64::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            return Some((value, at + 1));
        }
    }
    None
}

fn malformed(message: String) -> Diagnostic {
    Diagnostic::error(code::PROTO_SET, message)
}
