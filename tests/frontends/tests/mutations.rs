//! Valid schemas, damaged at random (with a fixed seed): there is a verdict, never a panic, and
//! every finding has a place. The fuzz target `proto_frontend` goes on where this ends.

use std::fs;

use prost::Message;
use stubwire_codegen::{
    frontend::proto::{Failed, Loaded, load, load_descriptor_set, load_texts},
    ir::code,
    render::{compact, rich},
};
use stubwire_tests_frontends::{cases, show_loaded};

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

/// Pieces that mean something to a parser.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    "(",
    ")",
    ";",
    "=",
    ".",
    ",",
    "\"",
    "'",
    "\\",
    "/*",
    "*/",
    "//",
    "message ",
    "enum ",
    "oneof ",
    "map<",
    "group ",
    "extend ",
    "extensions ",
    "reserved ",
    "option ",
    "import ",
    "package ",
    "syntax ",
    "service ",
    "rpc ",
    "stream ",
    "returns ",
    "repeated ",
    "optional ",
    "required ",
    "public ",
    "to max",
    "-",
    "0",
    "1",
    "536870911",
    "4294967296",
    "-1",
    "1e999",
    "inf",
    "nan",
    "0x",
    "M",
    "M.M",
    ".M",
    "true",
    "\r",
    "\n",
    "é",
    "\u{feff}",
    "\u{2028}",
    "_",
    "option (x).y.z = { a: [ 1, { b < c: 2 > } ] };",
    "option deprecated = true;",
    "google.protobuf.FileOptions",
    "[packed = true]",
    "[default = 1]",
    "[json_name = \"a\"]",
];

fn damage(random: &mut Random, text: &mut Vec<u8>, pieces: &[&str]) {
    for _ in 0..=random.below(4) {
        let at = random.below(text.len() + 1);
        let end = (at + random.below(12)).min(text.len());
        match random.below(4) {
            0 => {
                text.drain(at..end);
            }
            1 => {
                let copy = text[at..end].to_vec();
                let to = random.below(text.len() + 1);
                text.splice(to..to, copy);
            }
            2 if at < text.len() => text[at] = random.next() as u8,
            _ => {
                let piece = pieces[random.below(pieces.len())].bytes();
                text.splice(at..at, piece);
            }
        }
    }
}

fn check(result: Result<Loaded, Failed>, input: &[u8]) {
    let shown = || String::from_utf8_lossy(input).into_owned();
    match result {
        Ok(loaded) => assert!(!show_loaded(&loaded).is_empty(), "{}", shown()),
        Err(failed) => {
            assert!(failed.diagnostics.has_errors(), "{}", shown());
            for found in &failed.diagnostics.0 {
                assert_ne!(found.code, code::PROTO_PANIC, "{}\n{}", found.message, shown());
            }
            assert!(!rich(&failed.diagnostics, &failed.sources, true).is_empty());
            assert!(!compact(&failed.diagnostics, &failed.sources).is_empty());
        }
    }
}

#[test]
fn trust_e21_damaged_texts_get_a_verdict() {
    let mut random = Random(1);
    for (_, path) in cases("valid") {
        let text = fs::read(&path).expect("a readable case");
        for _ in 0..rounds() {
            let mut text = text.clone();
            damage(&mut random, &mut text, PIECES);
            check(load_texts(&[("main.proto", &text)]), &text);
        }
    }
}

#[test]
fn trust_e21_damaged_descriptor_sets_get_a_verdict() {
    let mut random = Random(2);
    for (_, path) in cases("valid") {
        let Ok(loaded) = load(&[path], &[]) else { panic!("a valid case") };
        let mut set = loaded.descriptors;
        set.file.retain(|file| !file.name().starts_with("google/protobuf/descriptor"));
        let bytes = set.encode_to_vec();
        for _ in 0..rounds() / 2 {
            let mut bytes = bytes.clone();
            damage(&mut random, &mut bytes, PIECES);
            check(load_descriptor_set(&bytes), &bytes);
        }
    }
}

/// `STUBWIRE_MUTATIONS` asks for more than a test run should take.
fn rounds() -> usize {
    let asked = std::env::var("STUBWIRE_MUTATIONS").ok().and_then(|it| it.parse().ok());
    asked.unwrap_or(60)
}
