//! Random bytes to every root: refused, or safe to walk. `random_bytes COUNT` gives so many buffers to
//! each entry, half of them of any bytes and half of small numbers, which are more often offsets.
//! With `RUSTFLAGS=-Zsanitizer=address` and a nightly compiler it runs under AddressSanitizer.

use stubwire_tests_walker::choices::Choices;
use stubwire_tests_walker::walk::Walker;
use stubwire_tests_walker::{ENTRIES, LONGEST_WALK};

fn main() {
    let count = std::env::args().nth(1).and_then(|count| count.parse().ok());
    let count: u64 = count.expect("random_bytes COUNT");
    for entry in ENTRIES {
        let mut accepted = 0;
        let mut buffer = Vec::new();
        for seed in 0..count {
            let mut choices = Choices::endless(seed);
            let len = choices.below(64);
            buffer.clear();
            if seed % 2 == 0 {
                buffer.extend((0..len).map(|_| choices.byte()));
            } else {
                // Even, and every second one zero: two of them make an offset.
                let small = |byte: u8| if byte & 1 == 0 { 0 } else { ((byte >> 1) % 40) & !1 };
                buffer.extend((0..len / 2).flat_map(|_| [small(choices.byte()), 0]));
            }
            let walked = entry.check(&buffer, seed as usize % 8, Walker::new(LONGEST_WALK));
            accepted += u64::from(walked.is_some());
        }
        println!("{}, prefixed {}: {accepted} of {count} accepted", entry.table, entry.prefixed);
    }
}
