//! Builders kept for the next message, per thread.

use super::pool::Pool;
use flatbuffers::FlatBufferBuilder;
use std::cell::RefCell;

pub(super) type Builder = FlatBufferBuilder<'static>;

/// Boxed once and for as long as it is kept: what holds a builder stays small, and moves little.
pub(super) type Pooled = Box<Builder>;

thread_local! {
    static POOL: RefCell<Pool<Pooled>> = RefCell::default();
}

/// An empty builder with room for `capacity` bytes.
pub(super) fn take(capacity: usize) -> Pooled {
    let kept = POOL.with_borrow_mut(|pool| pool.take(capacity));
    kept.unwrap_or_else(|| Box::new(Builder::with_capacity(capacity)))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_builder_comes_back_empty() {
        let mut builder = take(4096);
        let text = builder.create_string("old bytes");
        builder.finish_minimal(text);
        let place = std::ptr::from_ref(&*builder);
        give_back(builder, 4096);
        let builder = take(4000);
        assert_eq!(std::ptr::from_ref(&*builder), place);
        assert!(builder.unfinished_data().is_empty());
    }
}
