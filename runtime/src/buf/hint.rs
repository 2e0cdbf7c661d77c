//! What the messages of a method needed before, per thread.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A hint never asks for more than this at once, whatever came before.
const LARGEST_HINT: usize = 16 << 20;

/// A hint above the latest size falls by this share of the difference, so that it forgets one large message over some
/// tens of small ones.
const DECAY: usize = 8;

/// A program has few methods and no peer chooses their addresses, so that any spread will do.
#[derive(Clone, Copy, Default)]
struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_usize(usize::from(*byte)));
    }

    fn write_usize(&mut self, address: usize) {
        // Multiplied by 2^64 over the golden ratio: the upper bits, which choose the place, depend on all of it.
        let mixed = (self.0 ^ address as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

type Hints = HashMap<usize, usize, BuildHasherDefault<AddressHasher>>;

thread_local! {
    static HINTS: RefCell<Hints> = RefCell::default();
}

/// How many bytes the next message of this kind will probably need; zero when none was seen.
///
/// `key` is the address of the method's name, and one more for the request than for the reply: descriptors are
/// constants, whose own addresses may differ between two places that use them.
pub(crate) fn size_hint(key: usize) -> usize {
    HINTS.with_borrow(|hints| hints.get(&key).copied().unwrap_or(0))
}

/// Notes how many bytes a message needed.
pub(crate) fn note_size(key: usize, size: usize) {
    HINTS.with_borrow_mut(|hints| {
        let hint = hints.entry(key).or_insert(0);
        *hint = next_hint(*hint, size);
    });
}

fn next_hint(hint: usize, size: usize) -> usize {
    let next = if size >= hint { size } else { hint - (hint - size).div_ceil(DECAY) };
    next.min(LARGEST_HINT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_grows_at_once_and_falls_slowly() {
        assert_eq!(next_hint(0, 1000), 1000);
        assert_eq!(next_hint(1000, 1001), 1001);
        let mut hint = 1 << 20;
        for _ in 0..100 {
            hint = next_hint(hint, 64);
        }
        assert!(hint < 100, "{hint}");
    }

    /// TRUST D12: whatever was needed before, a hint stays within its bound.
    #[test]
    fn trust_d12_no_hint_is_beyond_its_bound() {
        assert_eq!(next_hint(0, usize::MAX / 2), LARGEST_HINT);
        assert_eq!(next_hint(LARGEST_HINT, 1), LARGEST_HINT - (LARGEST_HINT - 1).div_ceil(DECAY));
    }
}
