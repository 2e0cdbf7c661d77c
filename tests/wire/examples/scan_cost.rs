//! What the scan of a message costs beside its decoding by prost.
//!
//! `scan_cost` prints a table. `scan_cost NAME COUNT` runs one row of it, for an instruction counter.

use std::hint::black_box;
use std::time::Instant;

use prost::Message;
use stubwire::payload::{MessageShape, scan};
use stubwire_tests_wire::message::{
    ECHO_REQUEST, EchoRequest, Inner, Member, Point, TRACK, Track, WIDE, Wide,
};

const NAMES: [&str; 8] = [
    "plain-scan",
    "plain-decode",
    "nested-scan",
    "nested-decode",
    "points-scan",
    "points-decode",
    "packed-scan",
    "packed-decode",
];

fn main() {
    let mut arguments = std::env::args().skip(1);
    match (arguments.next(), arguments.next()) {
        (Some(name), Some(count)) => run(&name, count.parse().expect("a number")),
        _ => {
            for name in NAMES {
                let count =
                    if name.starts_with("p") && !name.starts_with("plain") { 20 } else { 20_000 };
                let rounds = (0..200).map(|_| {
                    let start = Instant::now();
                    run(name, count);
                    start.elapsed()
                });
                let best = rounds.min().expect("rounds were run").as_secs_f64() * 1e9;
                println!("{name:16} {:10.1} ns", best / f64::from(count));
            }
        }
    }
}

fn run(name: &str, count: u32) {
    // One text of 54 bytes.
    let plain = Wide { a: "a".repeat(54), ..Wide::default() };
    // A message, a text and two groups: three required fields.
    let member = vec![Member { role: "reader".into() }; 2];
    let inner = Inner { id: 7, name: Some("a".repeat(20)) };
    let nested = EchoRequest { inner: Some(inner), text: Some("b".repeat(20)), member };
    let points = Track { points: vec![Point { x: 3, y: 4 }; 10_000], ..Track::default() };
    let packed = Track { times: vec![300; 10_000], ..Track::default() };
    match name {
        "plain-scan" => scanned(&WIDE, &plain, count),
        "plain-decode" => decoded(&plain, count),
        "nested-scan" => scanned(&ECHO_REQUEST, &nested, count),
        "nested-decode" => decoded(&nested, count),
        "points-scan" => scanned(&TRACK, &points, count),
        "points-decode" => decoded(&points, count),
        "packed-scan" => scanned(&TRACK, &packed, count),
        "packed-decode" => decoded(&packed, count),
        other => panic!("no such row: {other}"),
    }
}

fn scanned(shape: &MessageShape, message: &impl Message, count: u32) {
    let bytes = message.encode_to_vec();
    for _ in 0..count {
        assert!(scan(black_box(shape), black_box(&bytes), 1 << 20).is_ok());
    }
}

fn decoded<M: Message + Default>(message: &M, count: u32) {
    let bytes = bytes::Bytes::from(message.encode_to_vec());
    for _ in 0..count {
        assert!(black_box(&M::decode(black_box(&bytes).clone())).is_ok());
    }
}
