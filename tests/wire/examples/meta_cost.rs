//! What decoding and encoding the metadata costs, by hand and by prost, on frames of brpc.
//!
//! `meta_cost` prints a table. `meta_cost NAME COUNT` runs one row of it, for an instruction counter.

use std::hint::black_box;
use std::time::Instant;

use prost::Message;
use stubwire::frame::prpc::{HEADER_LEN, RpcMeta, decode_header, decode_meta, encode_head};
use stubwire_tests_wire::reference::ReferenceMeta;

/// Metadata of a request and of a reply, as brpc sends them.
const REQUEST: &[u8] = b"\x0a\x1b\x0a\x11bench.EchoService\x12\x04Echo\x18\x07\x18\0\x20\x82\x80\x80\x80\x80\x20\x50\0\x58\0\x62\0";
const REPLY: &[u8] = b"\x12\x02\x08\0\x18\0\x20\x82\x80\x80\x80\x80\x20\x50\0\x58\0\x62\0";

fn main() {
    let mut arguments = std::env::args().skip(1);
    match (arguments.next(), arguments.next()) {
        (Some(name), Some(count)) => run(&name, count.parse().expect("a number")),
        _ => {
            for name in NAMES {
                // Short rounds, so that some of them run undisturbed.
                const COUNT: u32 = 20_000;
                let rounds = (0..300).map(|_| {
                    let start = Instant::now();
                    run(name, COUNT);
                    start.elapsed()
                });
                let best = rounds.min().expect("rounds were run").as_secs_f64() * 1e9;
                println!("{name:24} {:6.1} ns", best / f64::from(COUNT));
            }
        }
    }
}

const NAMES: [&str; 8] = [
    "decode-request",
    "decode-request-prost",
    "decode-reply",
    "decode-reply-prost",
    "encode-request",
    "encode-request-prost",
    "encode-reply",
    "encode-reply-prost",
];

fn run(name: &str, count: u32) {
    match name {
        "decode-request" => decode(REQUEST, count),
        "decode-request-prost" => decode_by_prost(REQUEST, count),
        "decode-reply" => decode(REPLY, count),
        "decode-reply-prost" => decode_by_prost(REPLY, count),
        "encode-request" => encode(&decode_meta(REQUEST).expect("sound"), count),
        "encode-request-prost" => {
            encode_by_prost(&ReferenceMeta::decode(REQUEST).expect("sound"), count)
        }
        "encode-reply" => encode(&decode_meta(REPLY).expect("sound"), count),
        "encode-reply-prost" => {
            encode_by_prost(&ReferenceMeta::decode(REPLY).expect("sound"), count)
        }
        other => panic!("no such row: {other}"),
    }
}

fn decode(meta: &[u8], count: u32) {
    for _ in 0..count {
        assert!(black_box(&decode_meta(black_box(meta))).is_ok());
    }
}

fn decode_by_prost(meta: &[u8], count: u32) {
    let meta = bytes::Bytes::copy_from_slice(meta);
    for _ in 0..count {
        assert!(black_box(&ReferenceMeta::decode(black_box(&meta).clone())).is_ok());
    }
}

fn encode(meta: &RpcMeta<'_>, count: u32) {
    let mut out = Vec::with_capacity(4096);
    for _ in 0..count {
        out.clear();
        encode_head(&mut out, black_box(meta), black_box(64)).expect("small");
        black_box(&out);
    }
    assert!(decode_header(&out, 1 << 20).is_ok());
}

fn encode_by_prost(meta: &ReferenceMeta, count: u32) {
    let mut out = Vec::with_capacity(4096);
    for _ in 0..count {
        out.clear();
        let meta = black_box(meta);
        let meta_size = meta.encoded_len();
        out.extend_from_slice(b"PRPC");
        out.extend_from_slice(&((meta_size + black_box(64)) as u32).to_be_bytes());
        out.extend_from_slice(&(meta_size as u32).to_be_bytes());
        meta.encode_raw(&mut out);
        black_box(&out);
    }
    assert!(out.len() > HEADER_LEN);
}
