//! What both floors share: a frame of twelve bytes and a body, and batches of them.
//!
//! A floor has no codec, no registry, no deadlines and no limits but one on the size of a body. It
//! does what any engine has to do with the same sockets, and shows what they allow.

mod batch;
mod inbox;

pub use batch::Batch;
pub use inbox::{Frame, Inbox};

/// Length of the body (4 bytes), then the id of the call (8), both little-endian.
pub const HEADER: usize = 12;

/// The largest body that is read.
pub const MAX_BODY: usize = 64 << 20;

/// Bodies from here on are written from where they are, smaller ones copied behind each other.
pub const SLICE_FROM: usize = 16 << 10;

/// The header of a frame.
#[must_use]
pub fn header(id: u64, body: usize) -> [u8; HEADER] {
    // Bodies are as long as requests are; those are made in memory, from a number in `usize`.
    let length = u32::try_from(body).unwrap_or(u32::MAX);
    let mut header = [0; HEADER];
    header[..4].copy_from_slice(&length.to_le_bytes());
    header[4..].copy_from_slice(&id.to_le_bytes());
    header
}

/// The id of a call on the wire: its slot below, the number of its request above. A reply so finds
/// its caller without a search, and cannot be another's unseen.
#[must_use]
pub fn call_id(slot: usize, request: u64) -> u64 {
    u64::from(request as u32) << 32 | u64::from(slot as u32)
}

/// The slot in the id of a reply, and the number of the request that it answers. What the wire has no
/// room for is that of the request in the slot.
#[must_use]
pub fn answered(id: u64, request: impl FnOnce(usize) -> Option<u64>) -> Option<(usize, u64)> {
    let slot = id as u32 as usize;
    let request = request(slot)?;
    Some((slot, request >> 32 << 32 | id >> 32))
}

/// Reads a header: the id, and how long the body is.
///
/// # Errors
/// The body is longer than [`MAX_BODY`].
pub fn read_header(bytes: &[u8; HEADER]) -> std::io::Result<(u64, usize)> {
    let [l0, l1, l2, l3, id @ ..] = *bytes;
    let length = u32::from_le_bytes([l0, l1, l2, l3]) as usize;
    if length > MAX_BODY {
        let message = "a body is longer than any that is sent";
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidData, message));
    }
    Ok((u64::from_le_bytes(id), length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_names_its_slot_and_its_request() {
        for (slot, request) in [(0, 0), (3, 77), (70_000, u64::from(u32::MAX) + 9)] {
            let id = call_id(slot, request);
            assert_eq!(answered(id, |_| Some(request)), Some((slot, request)));
            let wrong = answered(id, |_| Some(request + 1)).unwrap();
            assert_ne!(wrong.1, request + 1, "another request is in the slot now");
        }
        assert_eq!(answered(5, |_| None), None);
    }

    #[test]
    fn headers_read_back() {
        assert_eq!(read_header(&header(9, 1 << 20)).unwrap(), (9, 1 << 20));
        assert!(read_header(&header(9, MAX_BODY + 1)).is_err());
    }
}
