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
