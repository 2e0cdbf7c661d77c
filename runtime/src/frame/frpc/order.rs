//! Which way round the metadata of a request is.

use super::REQUEST_META_LEN;

/// The byte order of FRPC's metadata. The header is big-endian in both, the message little-endian.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ByteOrder {
    /// As the review of 28 October 2026 decided; what is written unless asked otherwise.
    #[default]
    Big,
    /// As every build before that writes it.
    Little,
}

/// What the sizes in a request's metadata say about its byte order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recognised {
    /// The sizes add up in this order alone.
    As(ByteOrder),
    /// They add up in both: each size reads the same both ways, the first such body is 65,792 bytes long.
    Both,
    /// They add up in neither, so the request is malformed whichever it is.
    Neither,
}

/// Tells the byte order of a request by the sizes in its metadata, whose sum is the length of the payload.
///
/// `meta` shorter than the fixed metadata is [`Recognised::Neither`].
pub fn recognise(meta: &[u8], payload_len: usize) -> Recognised {
    let Some(meta) = meta.first_chunk::<REQUEST_META_LEN>() else { return Recognised::Neither };
    let word = |at: usize| [meta[at], meta[at + 1], meta[at + 2], meta[at + 3]];
    let adds_up = |read: fn([u8; 4]) -> u32| {
        let sum = u64::from(read(word(8))) + u64::from(read(word(12)));
        sum == payload_len as u64
    };
    match (adds_up(u32::from_be_bytes), adds_up(u32::from_le_bytes)) {
        (true, true) => Recognised::Both,
        (true, false) => Recognised::As(ByteOrder::Big),
        (false, true) => Recognised::As(ByteOrder::Little),
        (false, false) => Recognised::Neither,
    }
}
