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

fn malformed(message: String) -> Diagnostic {
    Diagnostic::error(code::PROTO_SET, message)
}
