//! Valid buffers are accepted, and whatever is accepted can be walked.

use proptest::prelude::*;
use stubwire_tests_walker::choices::Choices;
use stubwire_tests_walker::walk::Walker;
use stubwire_tests_walker::{ENTRIES, Entry, LONGEST_WALK, damage};

fn walk(entry: &Entry, bytes: &[u8], misaligned: usize) -> Option<u64> {
    entry.check(bytes, misaligned, Walker::new(LONGEST_WALK)).map(|walker| walker.hash())
}

/// What another writer makes than ours is accepted: shared values, vtables behind their tables, longer
/// vtables, empty vectors, values of enums that nobody declared, variants of later schemas.
#[test]
fn trust_d06_valid_buffers_of_another_writer_are_accepted() {
    for entry in ENTRIES {
        for seed in 0..60 {
            let bytes = entry.valid(&mut Choices::endless(seed));
            assert!(walk(entry, &bytes, 0).is_some(), "{entry:?}, seed {seed}");
        }
    }
}

/// The same buffer reads the same, wherever it stands.
#[test]
fn trust_d05_every_buffer_at_all_eight_addresses() {
    for entry in ENTRIES {
        for seed in 0..20 {
            let bytes = entry.valid(&mut Choices::endless(seed));
            let aligned = walk(entry, &bytes, 0);
            for misaligned in 1..8 {
                assert_eq!(walk(entry, &bytes, misaligned), aligned, "{entry:?}, seed {seed}");
            }
        }
    }
}

/// Buffers that were changed in a few places: both verdicts come up often.
#[test]
fn trust_d01_what_is_verified_is_walked() {
    let (mut accepted, mut refused) = (0, 0);
    for entry in ENTRIES {
        for seed in 0..300 {
            let mut choices = Choices::endless(seed);
            let mut bytes = entry.valid(&mut choices);
            damage::change(&mut bytes, 3, &mut choices);
            match walk(entry, &bytes, seed as usize % 8) {
                Some(_) => accepted += 1,
                None => refused += 1,
            }
        }
    }
    assert!(accepted > 500 && refused > 500, "{accepted} accepted, {refused} refused");
}

/// Every cut, and every byte at seven values, of one small buffer of each kind.
#[test]
fn trust_d01_every_cut_and_every_byte() {
    for entry in ENTRIES {
        // Decisions that run out give a small buffer.
        let decisions: Vec<u8> = (0..24).map(|step| (step * 37 + 5) as u8).collect();
        let bytes = entry.valid(&mut Choices::new(&decisions));
        assert!(bytes.len() < 1000, "{} bytes", bytes.len());
        for len in 0..bytes.len() {
            walk(entry, &bytes[..len], 0);
        }
        let mut lie = bytes.clone();
        for at in 0..bytes.len() {
            for value in [0, 1, 2, 4, 0x7f, 0x80, 0xff] {
                lie[at] = value;
                walk(entry, &lie, 1);
            }
            lie[at] = bytes[at];
        }
    }
}

fn changed() -> impl Strategy<Value = (usize, Vec<u8>, usize)> {
    (0..ENTRIES.len(), prop::collection::vec(any::<u8>(), 0..2000), 0..8_usize)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    /// The same with decisions that shrink.
    #[test]
    fn trust_d01_chosen_buffers((entry, bytes, misaligned) in changed()) {
        let entry = &ENTRIES[entry];
        let mut choices = Choices::new(&bytes);
        let mut buffer = entry.valid(&mut choices);
        let valid = walk(entry, &buffer, 0);
        prop_assert!(valid.is_some());
        prop_assert_eq!(walk(entry, &buffer, misaligned), valid);
        damage::change(&mut buffer, 6, &mut choices);
        walk(entry, &buffer, misaligned);
    }

    /// Bytes without any structure.
    #[test]
    fn trust_d01_any_bytes((entry, bytes, misaligned) in changed()) {
        walk(&ENTRIES[entry], &bytes, misaligned);
    }
}
