//! Valid `.fbs` schemas, damaged: every prefix, every byte changed, and at random with a fixed seed.
//! There is a verdict, never a panic, and every finding has a place. The fuzz target `fbs_frontend`
//! goes on where this ends.

use std::fs;

use stubwire_codegen::{
    frontend::fbs::{Failed, Loaded, load_texts},
    ir::code,
    render::{compact, rich},
};
use stubwire_tests_frontends::fbs::{cases, show_loaded};

/// Steele and Vigna's SplitMix64: enough for this, and the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
}

/// Pieces that mean something to the parser.
const PIECES: &str = "{ } [ ] ( ) ; : = . , \" ' \\ /* */ // /// table struct enum union \
    rpc_service namespace include attribute root_type file_identifier file_extension \
    native_include int byte ulong float string bool null true [T] [int:3] [E] (id:0) (key) \
    (required) (deprecated) (bit_flags) (force_align:16) (streaming:\"server\") = -1 = nan = [] \
    1e999 0x -0 18446744073709551616 T E U A.B _ é \u{feff} \u{2028} rad( table\u{20}T{a:T;}";

fn check(result: Result<Loaded, Failed>, input: &[u8]) {
    let shown = || String::from_utf8_lossy(input).into_owned();
    match result {
        Ok(loaded) => assert!(!show_loaded(&loaded).is_empty(), "{}", shown()),
        Err(failed) => {
            assert!(failed.diagnostics.has_errors(), "{}", shown());
            for found in &failed.diagnostics.0 {
                assert_ne!(found.code, code::FBS_PANIC, "{}\n{}", found.message, shown());
                assert!(!found.labels.is_empty(), "{}\n{}", found.message, shown());
            }
            assert!(!rich(&failed.diagnostics, &failed.sources, true).is_empty());
            assert!(!compact(&failed.diagnostics, &failed.sources).is_empty());
        }
    }
}

fn texts() -> Vec<Vec<u8>> {
    let all = ["valid", "cases/accepted"].into_iter().flat_map(cases);
    let texts = all.map(|(_, path)| fs::read(path).expect("a readable case"));
    // The long ones are about length, not about syntax.
    texts.filter(|text| text.len() < 4_000).collect()
}

/// All bytes of all schemas would be a minute in a debug build: a test takes every eleventh, and
/// `STUBWIRE_MUTATIONS` asks for all.
fn step() -> usize {
    if std::env::var_os("STUBWIRE_MUTATIONS").is_some() { 1 } else { 11 }
}

#[test]
fn trust_e21_every_prefix_gets_a_verdict() {
    for (at, text) in texts().iter().enumerate() {
        for end in (at % step()..text.len()).step_by(step()) {
            check(load_texts(&[("main.fbs", &text[..end])]), &text[..end]);
        }
    }
}

#[test]
fn trust_e21_every_changed_byte_gets_a_verdict() {
    for (at, text) in texts().iter().enumerate() {
        for flipped in (at % step()..text.len()).step_by(step()) {
            for bits in [0x01, 0x20, 0x80] {
                let mut text = text.clone();
                text[flipped] ^= bits;
                check(load_texts(&[("main.fbs", &text)]), &text);
            }
        }
    }
}

#[test]
fn trust_e21_damaged_texts_get_a_verdict() {
    let mut random = Random(3);
    let pieces: Vec<_> = PIECES.split(' ').collect();
    for text in texts() {
        for _ in 0..30 {
            let mut text = text.clone();
            for _ in 0..=random.below(4) {
                let at = random.below(text.len() + 1);
                let end = (at + random.below(12)).min(text.len());
                match random.below(3) {
                    0 => drop(text.drain(at..end)),
                    1 => {
                        let copy = text[at..end].to_vec();
                        let to = random.below(text.len() + 1);
                        text.splice(to..to, copy);
                    }
                    _ => {
                        let piece = pieces[random.below(pieces.len())].bytes();
                        text.splice(at..at, piece);
                    }
                }
            }
            check(load_texts(&[("main.fbs", &text)]), &text);
        }
    }
}
