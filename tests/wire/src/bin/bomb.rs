//! Decompresses a file in a process of its own and prints the outcome and by how many bytes that raised the peak
//! of its memory: `bomb gzip LIMIT FILE`.

use std::fs;

use stubwire::frame::compress::{Compression, decompress};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut argument = || arguments.next().expect("bomb KIND LIMIT FILE");
    let kind = match &*argument() {
        "gzip" => Compression::Gzip,
        "zlib" => Compression::Zlib,
        "snappy" => Compression::Snappy,
        other => panic!("no such kind: {other}"),
    };
    let limit = argument().parse().expect("a number of bytes");
    let data = fs::read(argument()).expect("the file is readable");
    let before = peak();
    let outcome = if decompress(kind, &data, limit).is_err() { "refused" } else { "accepted" };
    println!("{outcome} {}", peak() - before);
}

/// The largest resident size so far, in bytes.
fn peak() -> usize {
    let status = fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).expect("has a peak");
    let kib: usize = line.split_whitespace().nth(1).and_then(|n| n.parse().ok()).expect("a number");
    kib * 1024
}
