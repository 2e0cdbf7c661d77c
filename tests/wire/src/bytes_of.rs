//! Protobuf bytes, field by field. Nothing here is checked: tests need wrong bytes as often as right ones.

/// A varint in its shortest form.
pub fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

/// A field tag.
pub fn tag(number: u32, wire_type: u32) -> Vec<u8> {
    varint(u64::from(number << 3 | wire_type))
}

/// A varint field.
pub fn number(number: u32, value: i64) -> Vec<u8> {
    [tag(number, 0), varint(value.cast_unsigned())].concat()
}

/// A length-delimited field.
pub fn delimited(number: u32, value: impl AsRef<[u8]>) -> Vec<u8> {
    let value = value.as_ref();
    [tag(number, 2), varint(value.len() as u64), value.to_vec()].concat()
}

/// A group.
pub fn group(number: u32, inside: impl AsRef<[u8]>) -> Vec<u8> {
    [tag(number, 3), inside.as_ref().to_vec(), tag(number, 4)].concat()
}

/// `levels` groups inside each other.
pub fn nested_groups(number: u32, levels: usize) -> Vec<u8> {
    [tag(number, 3).repeat(levels), tag(number, 4).repeat(levels)].concat()
}

/// A whole `baidu_std` frame around metadata and payload, with true sizes.
pub fn frame(meta: &[u8], payload: &[u8]) -> Vec<u8> {
    let mut frame = header((meta.len() + payload.len()) as u32, meta.len() as u32).to_vec();
    frame.extend_from_slice(meta);
    frame.extend_from_slice(payload);
    frame
}

/// A frame header with these sizes.
pub fn header(body_size: u32, meta_size: u32) -> [u8; 12] {
    let mut header = *b"PRPC........";
    header[4..8].copy_from_slice(&body_size.to_be_bytes());
    header[8..].copy_from_slice(&meta_size.to_be_bytes());
    header
}
