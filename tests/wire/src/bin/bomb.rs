//! Decompresses or decodes a file in a process of its own and prints the outcome and by how many bytes that raised
//! the peak of its memory: `bomb gzip LIMIT FILE`.

use std::fs;

use bytes::Bytes;
use stubwire::frame::compress::{Compression, decompress};
use stubwire::payload::proto;
use stubwire_tests_wire::message::{BOMB, Bomb, TRACK, Track};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut argument = || arguments.next().expect("bomb KIND LIMIT FILE");
    let kind = argument();
    let limit = argument().parse().expect("a number of bytes");
    let data = Bytes::from(fs::read(argument()).expect("the file is readable"));
    let before = peak();
    let accepted = match &*kind {
        "gzip" => decompress(Compression::Gzip, &data, limit).is_ok(),
        "zlib" => decompress(Compression::Zlib, &data, limit).is_ok(),
        "snappy" => decompress(Compression::Snappy, &data, limit).is_ok(),
        "elements" => proto::decode::<Bomb>(&BOMB, data, limit).is_ok(),
        "points" => proto::decode::<Track>(&TRACK, data, limit).is_ok(),
        other => panic!("no such kind: {other}"),
    };
    let outcome = if accepted { "accepted" } else { "refused" };
    // The kernel keeps the counters of threads apart and adds them up late, so that a peak that did not
    // rise may read some pages lower.
    println!("{outcome} {}", peak().saturating_sub(before));
}

/// The largest resident size so far, in bytes.
fn peak() -> usize {
    let status = fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("has a peak");
    let kib: usize = line.split_whitespace().nth(1).and_then(|n| n.parse().ok()).expect("a number");
    kib * 1024
}
