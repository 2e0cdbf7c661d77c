//! Frames on their way out, as one write: small ones copied behind each other, large bodies from where
//! they are.

use crate::{SLICE_FROM, header};
use std::io::IoSlice;

/// Frames to write. `B` says where a large body is.
#[derive(Debug)]
pub struct Batch<B> {
    copied: Vec<u8>,
    /// A body, and how much of `copied` goes before it.
    large: Vec<(usize, B)>,
}

/// What a batch keeps of its memory when it is cleared.
const KEPT: usize = 4 << 20;

impl<B> Default for Batch<B> {
    fn default() -> Self {
        Self { copied: Vec::with_capacity(64 << 10), large: Vec::new() }
    }
}

impl<B> Batch<B> {
    /// Adds a frame; `large` is asked for its body when that is better not copied.
    pub fn push(&mut self, id: u64, body: &[u8], large: impl FnOnce() -> B) {
        if body.len() < SLICE_FROM {
            return self.push_copied(id, body);
        }
        self.copied.extend_from_slice(&header(id, body.len()));
        self.large.push((self.copied.len(), large()));
    }

    /// Adds a frame whose body does not stay where it is.
    pub fn push_copied(&mut self, id: u64, body: &[u8]) {
        self.copied.reserve(crate::HEADER + body.len());
        self.copied.extend_from_slice(&header(id, body.len()));
        self.copied.extend_from_slice(body);
    }

    /// Whether there is nothing to write.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.copied.is_empty()
    }

    /// Everything, when it is one piece.
    #[must_use]
    pub fn contiguous(&self) -> Option<&[u8]> {
        self.large.is_empty().then_some(&self.copied)
    }

    /// Everything, in pieces.
    pub fn slices<'a>(&'a self, bytes: impl Fn(&'a B) -> &'a [u8]) -> Vec<IoSlice<'a>> {
        let mut slices = Vec::with_capacity(2 * self.large.len() + 1);
        let mut from = 0;
        for (until, body) in &self.large {
            slices.push(IoSlice::new(&self.copied[from..*until]));
            slices.push(IoSlice::new(bytes(body)));
            from = *until;
        }
        if from < self.copied.len() {
            slices.push(IoSlice::new(&self.copied[from..]));
        }
        slices
    }

    /// Forgets what was written.
    pub fn clear(&mut self) {
        self.copied.clear();
        self.copied.shrink_to(KEPT);
        self.large.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Inbox;

    #[test]
    fn large_bodies_stay_in_their_place_between_the_small_ones() {
        let sizes = [10, SLICE_FROM, SLICE_FROM - 1, 0, 2 * SLICE_FROM];
        let body = |id: usize| vec![id as u8 + 1; sizes[id]];
        let mut batch = Batch::default();
        for id in 0..sizes.len() {
            batch.push(id as u64, &body(id), || body(id));
        }
        assert!(batch.contiguous().is_none());
        let slices = batch.slices(|body| body);
        assert_eq!(slices.len(), 4);
        let all: Vec<u8> = slices.iter().flat_map(|slice| slice.to_vec()).collect();
        let mut inbox = Inbox::default();
        let (mut rest, mut seen) = (&all[..], 0);
        while seen < sizes.len() {
            let space = inbox.space().unwrap();
            let count = space.len().min(rest.len());
            space[..count].copy_from_slice(&rest[..count]);
            rest = &rest[count..];
            inbox.filled(count);
            while let Some(frame) = inbox.take().unwrap() {
                assert_eq!(frame.id, seen as u64);
                assert_eq!(inbox.body(&frame.body), body(seen));
                seen += 1;
            }
        }
        batch.clear();
        assert!(batch.is_empty() && batch.contiguous() == Some(&[]));
    }
}
