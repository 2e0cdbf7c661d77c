//! Buffers for large messages that are encoded in one piece, kept for the next one.
//!
//! A fresh buffer of this size comes from the top of the heap and goes back to the system when it is freed: every
//! message would pay for its pages again.

use super::pool::Pool;
use bytes::Bytes;
use std::cell::RefCell;

thread_local! {
    static POOL: RefCell<Pool<Vec<u8>>> = RefCell::default();
}

/// Lets `encode` fill a buffer with room for `capacity` bytes, and gives it away as one piece. The buffer goes back to
/// the pool of the thread that drops the last of it.
pub(crate) fn encode_in_one_piece(capacity: usize, encode: impl FnOnce(&mut Vec<u8>)) -> Bytes {
    let kept = POOL.with_borrow_mut(|pool| pool.take(capacity));
    let mut buffer = kept.unwrap_or_else(|| Vec::with_capacity(capacity));
    encode(&mut buffer);
    Bytes::from_owner(Frame(buffer))
}

struct Frame(Vec<u8>);

impl AsRef<[u8]> for Frame {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for Frame {
    fn drop(&mut self) {
        let mut buffer = std::mem::take(&mut self.0);
        buffer.clear();
        let capacity = buffer.capacity();
        // A thread that is ending has no pool any more; the buffer is then just freed.
        let _ = POOL.try_with(|pool| pool.borrow_mut().give_back(buffer, capacity));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(byte: u8, len: usize) -> Bytes {
        encode_in_one_piece(len, |buffer| buffer.resize(len, byte))
    }

    #[test]
    fn the_next_message_finds_the_buffer_empty_and_in_its_place() {
        let first = filled(1, 20_000);
        let place = first.as_ptr();
        drop(first.slice(..7));
        drop(first);
        let second = filled(2, 19_000);
        assert_eq!((second.as_ptr(), second.len()), (place, 19_000));
        assert!(second.iter().all(|byte| *byte == 2));
    }

    #[test]
    fn a_buffer_in_use_is_nobody_elses() {
        let first = filled(1, 20_000);
        let second = filled(2, 20_000);
        assert_ne!(first.as_ptr(), second.as_ptr());
        assert!(first.iter().all(|byte| *byte == 1));
    }
}
