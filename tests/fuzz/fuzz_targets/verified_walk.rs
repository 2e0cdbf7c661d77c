//! Verified means safe to walk: what the verification at the product's edge accepts is read by every
//! accessor that was generated, at an aligned address and at another one, with the same outcome.
//!
//! cargo-fuzz builds with AddressSanitizer unless told otherwise, so that a read beyond the buffer is a
//! finding even where nothing panics: a buffer ends where its memory ends.
//!
//! The first byte says how the others are meant: as a buffer, or as the decisions that make a valid
//! one and then change it in a few places.
#![no_main]

use libfuzzer_sys::fuzz_target;
use stubwire_tests_walker::choices::Choices;
use stubwire_tests_walker::walk::Walker;
use stubwire_tests_walker::{ENTRIES, LONGEST_WALK, damage};

fuzz_target!(|data: &[u8]| {
    let Some((&kind, data)) = data.split_first() else { return };
    let entry = &ENTRIES[usize::from(kind >> 1) % ENTRIES.len()];
    let walk = |bytes: &[u8], misaligned: usize| {
        entry.check(bytes, misaligned, Walker::new(LONGEST_WALK)).map(|walker| walker.hash())
    };
    let misaligned = 1 + data.len() % 7;
    if kind & 1 == 0 {
        assert_eq!(walk(data, 0), walk(data, misaligned));
        return;
    }
    let mut choices = Choices::new(data);
    let mut bytes = entry.valid(&mut choices);
    assert!(walk(&bytes, 0).is_some(), "a valid buffer was refused");
    damage::change(&mut bytes, 6, &mut choices);
    assert_eq!(walk(&bytes, 0), walk(&bytes, misaligned));
});
