//! Builders kept for the next message, per thread.

use flatbuffers::FlatBufferBuilder;
use std::cell::RefCell;

pub(super) type Builder = FlatBufferBuilder<'static>;

/// Boxed once and for as long as it is kept: what holds a builder stays small, and moves little.
pub(super) type Pooled = Box<Builder>;

/// Builders kept by one thread.
const MOST_KEPT: usize = 32;

/// Bytes kept by one thread, in all its builders.
const MOST_BYTES: usize = 8 << 20;

/// After this many builders handed out, those that are larger than anything asked for meanwhile are let go: a reply of
/// a megabyte gives its memory back when replies get small.
const ROUND: usize = 256;

#[derive(Default)]
struct Pool {
    /// Smallest first.
    kept: Vec<(usize, Pooled)>,
    bytes: usize,
    handed_out: usize,
    largest_wanted: usize,
}

thread_local! {
    static POOL: RefCell<Pool> = RefCell::default();
}

/// An empty builder with room for `capacity` bytes.
pub(super) fn take(capacity: usize) -> Pooled {
    POOL.with_borrow_mut(|pool| pool.take(capacity))
}

/// Keeps a builder whose memory is `capacity` bytes, unless enough are kept.
pub(super) fn give_back(mut builder: Pooled, capacity: usize) {
    // Zeroes what was written, so that no old byte ends up in the padding of the next message.
    builder.reset();
    // What one handler asked for is not what the next one wants.
    builder.force_defaults(false);
    // A thread that is ending has no pool any more; the builder is then just dropped.
    let _ = POOL.try_with(|pool| pool.borrow_mut().give_back(builder, capacity));
}

impl Pool {
    fn take(&mut self, capacity: usize) -> Pooled {
        self.largest_wanted = self.largest_wanted.max(capacity);
        self.handed_out += 1;
        if self.handed_out == ROUND {
            self.let_go();
        }
        let fits = self.kept.partition_point(|(size, _)| *size < capacity);
        // One far too large would be kept busy, and alive, by small messages.
        let fits = Some(fits).filter(|at| {
            self.kept
                .get(*at)
                .is_some_and(|(size, _)| *size <= capacity.max(1024).saturating_mul(4))
        });
        match fits {
            Some(at) => {
                let (size, builder) = self.kept.remove(at);
                self.bytes -= size;
                builder
            }
            None => Box::new(Builder::with_capacity(capacity)),
        }
    }

    fn give_back(&mut self, builder: Pooled, capacity: usize) {
        if self.kept.len() < MOST_KEPT && self.bytes + capacity <= MOST_BYTES {
            let at = self.kept.partition_point(|(size, _)| *size < capacity);
            self.kept.insert(at, (capacity, builder));
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
    fn a_builder_comes_back_empty_and_large_enough() {
        let mut pool = Pool::default();
        let mut builder = pool.take(4096);
        let text = builder.create_string("old bytes");
        builder.finish_minimal(text);
        builder.reset();
        pool.give_back(builder, 4096);
        let builder = pool.take(4000);
        assert!(builder.unfinished_data().is_empty());
        assert_eq!((pool.kept.len(), pool.bytes), (0, 0));
    }

    #[test]
    fn what_is_kept_has_a_cap() {
        let mut pool = Pool::default();
        for _ in 0..100 {
            pool.give_back(Box::new(Builder::with_capacity(1)), 1 << 20);
        }
        assert_eq!(pool.bytes, MOST_BYTES);
        for _ in 0..100 {
            pool.give_back(Box::new(Builder::with_capacity(1)), 1);
        }
        assert!(pool.kept.len() <= MOST_KEPT);
    }

    /// A large message followed by small ones: its memory goes.
    #[test]
    fn large_builders_are_let_go_when_messages_get_small() {
        let mut pool = Pool::default();
        let large = pool.take(1 << 20);
        pool.give_back(large, 1 << 20);
        for _ in 0..2 * ROUND {
            let small = pool.take(64);
            pool.give_back(small, 64);
        }
        assert!(pool.bytes < 4096, "{} bytes are still kept", pool.bytes);
    }
}
