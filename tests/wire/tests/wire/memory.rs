//! How much memory hostile data takes. The peak is that of a process, so each case has one of its own.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::Command;

use stubwire_tests_wire::bytes_of::{delimited, number};

use crate::compressed::deflate_bomb;

const MIB: usize = 1 << 20;

/// Runs the helper on these bytes. Gives the outcome and the growth of its peak in bytes.
fn peak_of(kind: &str, limit: usize, data: &[u8]) -> (String, usize) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("memory.{kind}"));
    std::fs::write(&path, data).expect("a scratch file is writable");
    let output = Command::new(env!("CARGO_BIN_EXE_bomb"))
        .args([kind, &limit.to_string()])
        .arg(&path)
        .output()
        .expect("the helper runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let (outcome, peak) = text.trim().split_once(' ').unwrap_or_else(|| panic!("{output:?}"));
    (outcome.into(), peak.parse().expect("a number of bytes"))
}

#[test]
fn trust_a14_bomb_takes_no_more_memory_than_the_limit() {
    let limit = 8 * MIB;
    let deflated = deflate_bomb();
    let cases = [
        ("gzip", [&b"\x1f\x8b\x08\0\0\0\0\0\0\x03"[..], &deflated].concat()),
        ("zlib", [&b"\x78\x9c"[..], &deflated].concat()),
        // Says that it holds as much as the limit allows, and has just enough bytes for that to be possible.
        ("snappy", [&b"\x80\x80\x80\x04"[..], &vec![0xfe; 400_000]].concat()),
    ];
    for (kind, data) in cases {
        let (outcome, peak) = peak_of(kind, limit, &data);
        assert_eq!(outcome, "refused", "{kind}");
        assert!(peak <= limit + MIB, "{kind}: {peak} bytes");
    }
}

#[test]
fn trust_d08_refused_bomb_takes_no_memory() {
    let bomb = delimited(1, "").repeat(1 << 20);
    let (outcome, peak) = peak_of("elements", 8 * bomb.len() + MIB, &bomb);
    assert_eq!(outcome, "refused");
    assert!(peak <= MIB, "{peak} bytes");
}

#[test]
fn trust_d08_honest_points_take_what_they_may() {
    let points = delimited(1, [number(1, 3), number(2, 4)].concat()).repeat(699_050);
    let budget = 8 * points.len() + MIB;
    let (outcome, peak) = peak_of("points", budget, &points);
    assert_eq!(outcome, "accepted");
    assert!(peak <= budget, "{peak} bytes");
}
