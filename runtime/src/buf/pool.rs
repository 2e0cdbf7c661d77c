//! Memory kept for the next message, per thread.

/// Pieces kept by one pool.
const MOST_KEPT: usize = 32;

/// Bytes kept by one pool, in all its pieces.
const MOST_BYTES: usize = 8 << 20;

/// After this many pieces handed out, those that are larger than anything asked for meanwhile are let go: a reply of
/// a megabyte gives its memory back when replies get small.
const ROUND: usize = 256;

/// Memory of some kind, empty and ready to be filled.
pub(super) struct Pool<Memory> {
    /// Smallest first.
    kept: Vec<(usize, Memory)>,
    bytes: usize,
    handed_out: usize,
    largest_wanted: usize,
}

impl<Memory> Default for Pool<Memory> {
    fn default() -> Self {
        Self { kept: Vec::new(), bytes: 0, handed_out: 0, largest_wanted: 0 }
    }
}

impl<Memory> Pool<Memory> {
    /// A piece with room for `capacity` bytes, if one is kept.
    pub(super) fn take(&mut self, capacity: usize) -> Option<Memory> {
        self.largest_wanted = self.largest_wanted.max(capacity);
        self.handed_out += 1;
        if self.handed_out == ROUND {
            self.let_go();
        }
        let at = self.kept.partition_point(|(size, _)| *size < capacity);
        // One far too large would be kept busy, and alive, by small messages.
        let fits = |size: usize| size <= capacity.max(1024).saturating_mul(4);
        if !self.kept.get(at).is_some_and(|(size, _)| fits(*size)) {
            return None;
        }
        let (size, memory) = self.kept.remove(at);
        self.bytes -= size;
        Some(memory)
    }

    /// Keeps a piece of `capacity` bytes, unless enough are kept.
    pub(super) fn give_back(&mut self, memory: Memory, capacity: usize) {
        if self.kept.len() < MOST_KEPT && self.bytes.saturating_add(capacity) <= MOST_BYTES {
            let at = self.kept.partition_point(|(size, _)| *size < capacity);
            self.kept.insert(at, (capacity, memory));
            self.bytes += capacity;
        }
    }

    fn let_go(&mut self) {
        let largest = self.largest_wanted.max(1024).saturating_mul(4);
        self.kept.retain(|(size, _)| *size <= largest);
        self.bytes = self.kept.iter().map(|(size, _)| size).sum();
        (self.handed_out, self.largest_wanted) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_comes_back_to_those_it_fits() {
        let mut pool = Pool::default();
        pool.give_back("medium", 8000);
        assert_eq!(pool.take(8001), None);
        assert_eq!(pool.take(512), None, "four times as large as wanted at most");
        assert_eq!(pool.take(4000), Some("medium"));
        assert_eq!((pool.kept.len(), pool.bytes), (0, 0));
    }

    #[test]
    fn what_is_kept_has_a_cap() {
        let mut pool = Pool::default();
        for _ in 0..100 {
            pool.give_back((), 1 << 20);
        }
        assert_eq!(pool.bytes, MOST_BYTES);
        for _ in 0..100 {
            pool.give_back((), 1);
        }
        assert!(pool.kept.len() <= MOST_KEPT);
    }

    /// A large message followed by small ones: its memory goes.
    #[test]
    fn large_pieces_are_let_go_when_messages_get_small() {
        let mut pool = Pool::default();
        pool.give_back((), 1 << 20);
        for _ in 0..2 * ROUND {
            pool.take(64);
            pool.give_back((), 64);
        }
        assert!(pool.bytes < 4096, "{} bytes are still kept", pool.bytes);
    }
}
