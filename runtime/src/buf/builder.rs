//! A finished message in the builder that made it.

use super::builders::{self, Builder, Pooled};
use super::hint::{note_size, size_hint};
use bytes::Bytes;
use flatbuffers::WIPOffset;

/// Room in front of the message for what the frame puts there: header, fixed metadata, and a block of our own with a
/// short text. More than that costs one growth.
const HEAD_ROOM: usize = 128;

/// A finished message. Its builder goes back to a pool when it is dropped, or when the frame made of it is written.
pub(crate) struct Built {
    /// `None` only while it is taken apart.
    builder: Option<Pooled>,
    /// Whether building came to its end. A builder that a panic left halfway remembers fields that `reset` does
    /// not forget, and is not used again.
    whole: bool,
}

impl Built {
    /// Builds a message into a builder as large as the last ones of `key` needed, or as `least` says.
    pub(crate) fn build<Root>(
        key: usize,
        least: usize,
        build: impl FnOnce(&mut Builder) -> WIPOffset<Root>,
    ) -> Self {
        let capacity = size_hint(key).max(least.min(MOST_ASKED)).saturating_add(HEAD_ROOM);
        let mut built = Self { builder: Some(builders::take(capacity)), whole: false };
        if let Some(builder) = &mut built.builder {
            let root = build(builder);
            builder.finish(root, None);
            note_size(key, builder.finished_data().len());
            built.whole = true;
        }
        built
    }

    /// The finished message.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.builder.as_ref().map_or(&[], |builder| builder.finished_data())
    }

    /// Puts `head` in front of the message, in the same memory, and gives both away as one piece. Nothing of the
    /// message moves where the head-room was left.
    pub(crate) fn into_frame(mut self, head: &[u8]) -> Bytes {
        let Some(mut builder) = self.builder.take() else { return Bytes::copy_from_slice(head) };
        // Bytes have an alignment of one, so that no padding comes between; words of other sizes would bring some.
        for byte in head.iter().rev() {
            builder.push(*byte);
        }
        Bytes::from_owner(Frame(Some(builder)))
    }
}

/// A caller's word on the size of its message counts up to here; beyond, the builder grows as it fills.
const MOST_ASKED: usize = 16 << 20;

impl Drop for Built {
    fn drop(&mut self) {
        if let Some(builder) = self.builder.take().filter(|_| self.whole) {
            recycle(builder);
        }
    }
}

/// A frame being written, which gives its builder back.
struct Frame(Option<Pooled>);

impl AsRef<[u8]> for Frame {
    fn as_ref(&self) -> &[u8] {
        // `finished_data` asserts that the message is finished, which it was before the head was put in front.
        self.0.as_ref().map_or(&[], |builder| builder.finished_data())
    }
}

impl Drop for Frame {
    fn drop(&mut self) {
        if let Some(builder) = self.0.take() {
            recycle(builder);
        }
    }
}

fn recycle(mut builder: Pooled) {
    let (memory, _) = builder.mut_finished_buffer();
    let capacity = memory.len();
    builders::give_back(builder, capacity);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(key: usize, text: &str) -> Built {
        Built::build(key, 0, |builder| builder.create_string(text))
    }

    /// Head and message are one piece of memory, and the message stays where it was built.
    #[test]
    fn the_head_goes_in_front_without_moving_the_message() {
        let text = "x".repeat(1000);
        drop(build(11, &text));
        let built = build(11, &text);
        let message = built.bytes().to_vec();
        let place = built.bytes().as_ptr();
        let head = [7_u8; 36];
        let frame = built.into_frame(&head);
        assert_eq!(frame[..36], head);
        assert_eq!(frame[36..], message);
        assert_eq!(frame[36..].as_ptr(), place);
    }

    #[test]
    fn a_head_beyond_the_room_moves_the_message_and_keeps_its_bytes() {
        let built = build(12, "short");
        let message = built.bytes().to_vec();
        let head = vec![9; 5000];
        let frame = built.into_frame(&head);
        assert!(frame[..5000] == head && frame[5000..] == message);
    }

    /// Reused builders make the same bytes as fresh ones: nothing of a head or a message is left in the padding.
    #[test]
    fn reuse_leaves_no_trace() {
        let fresh: Vec<Vec<u8>> = (0..40)
            .map(|len| {
                let mut builder = Builder::new();
                let text = builder.create_string(&"y".repeat(len));
                builder.finish(text, None);
                builder.finished_data().to_vec()
            })
            .collect();
        for round in 0..4 {
            for (len, expected) in fresh.iter().enumerate() {
                let built = build(13, &"y".repeat(len));
                assert_eq!(built.bytes(), expected, "round {round}, length {len}");
                let head = vec![0xAA; 20 + len];
                drop(built.into_frame(&head));
            }
        }
    }

    /// A builder that a panic left halfway, or that was told to write defaults, leaves no trace either.
    #[test]
    fn a_panic_or_a_setting_does_not_reach_the_next_message() {
        let table = |builder: &mut Builder| {
            let start = builder.start_table();
            builder.push_slot::<u32>(4, 0, 0);
            builder.end_table(start)
        };
        let clean = Built::build(15, 0, table).bytes().to_vec();
        drop(Built::build(15, 0, |builder| {
            builder.force_defaults(true);
            table(builder)
        }));
        assert_eq!(Built::build(15, 0, table).bytes(), clean);
        let panicked = std::panic::catch_unwind(|| {
            Built::build(15, 0, |builder| -> WIPOffset<()> {
                builder.start_table();
                builder.push_slot_always::<u32>(10, 7);
                panic!("halfway");
            })
        });
        assert!(panicked.is_err());
        assert_eq!(Built::build(15, 0, table).bytes(), clean);
    }

    /// TRUST D12: a caller's hint may be anything. A builder is never made larger than the bound for it.
    #[test]
    fn trust_d12_any_hint_gives_the_right_message() {
        for least in [0, 1, 1 << 20, usize::MAX / 2, usize::MAX] {
            let mut built = Built::build(14, least, |builder| builder.create_string("hint"));
            assert!(built.bytes().windows(4).any(|bytes| bytes == b"hint"));
            let memory =
                built.builder.as_mut().map(|builder| builder.mut_finished_buffer().0.len());
            assert!(memory.is_some_and(|memory| memory <= MOST_ASKED + HEAD_ROOM), "{memory:?}");
        }
    }
}
