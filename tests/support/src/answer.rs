//! What a `baidu_std` reply comes down to when its wording does not matter.

/// The parts of a reply frame that two servers have to agree on. Error texts and the zeros that one of them may
/// leave out are not among them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Answer {
    /// 0 is success.
    pub error_code: i64,
    /// Copied from the request.
    pub correlation_id: i64,
    /// How much of the payload is attachment.
    pub attachment_size: i64,
    /// Message and attachment.
    pub payload: Vec<u8>,
}

impl Answer {
    /// Reads one whole frame.
    ///
    /// # Panics
    /// When it is none.
    pub fn of_frame(frame: &[u8]) -> Self {
        let (frames, rest) = split_frames(frame);
        assert!(frames.len() == 1 && rest.is_empty(), "not one frame: {frame:02x?}");
        let meta_size = u32::from_be_bytes(frame[8..12].try_into().expect("four bytes"));
        let (meta, payload) = frame[12..].split_at(meta_size as usize);
        let (mut error_code, mut correlation_id, mut attachment_size) = (0, 0, 0);
        for (number, value) in fields(meta) {
            match (number, value) {
                (2, Value::Bytes(response)) => {
                    for (number, value) in fields(response) {
                        if let (1, Value::Number(code)) = (number, value) {
                            error_code = code;
                        }
                    }
                }
                (4, Value::Number(id)) => correlation_id = id,
                (5, Value::Number(size)) => attachment_size = size,
                _ => {}
            }
        }
        Self { error_code, correlation_id, attachment_size, payload: payload.to_vec() }
    }
}

/// Cuts a stream into the whole frames at its start and the rest.
pub fn split_frames(mut stream: &[u8]) -> (Vec<&[u8]>, &[u8]) {
    let mut frames = Vec::new();
    while let Some(&[a, b, c, d]) = stream.get(4..8) {
        let Some(len) = (u32::from_be_bytes([a, b, c, d]) as usize).checked_add(12) else { break };
        if !stream.starts_with(b"PRPC") || stream.len() < len {
            break;
        }
        let (frame, rest) = stream.split_at(len);
        frames.push(frame);
        stream = rest;
    }
    (frames, stream)
}

enum Value<'a> {
    Number(i64),
    Bytes(&'a [u8]),
}

fn fields(mut bytes: &[u8]) -> Vec<(u64, Value<'_>)> {
    let mut fields = Vec::new();
    while !bytes.is_empty() {
        let tag = varint(&mut bytes);
        let value = match tag & 7 {
            0 => Value::Number(varint(&mut bytes).cast_signed()),
            2 => {
                let len = varint(&mut bytes) as usize;
                let (value, rest) = bytes.split_at(len);
                bytes = rest;
                Value::Bytes(value)
            }
            other => panic!("metadata has wire type {other}"),
        };
        fields.push((tag >> 3, value));
    }
    fields
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (first, rest) = bytes.split_first().expect("a varint ends");
        *bytes = rest;
        value |= u64::from(first & 0x7f) << shift;
        if first & 0x80 == 0 {
            return value;
        }
    }
    panic!("a varint has at most ten bytes");
}
