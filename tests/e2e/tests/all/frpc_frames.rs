//! FRPC frames whose sizes, cuts, pieces, orders or neighbours are hostile, sent to the server.

use std::sync::{Arc, Mutex};
use stubwire::frame::Protocol;
use stubwire::frame::frpc::{Appended, ByteOrder};
use stubwire_tests_e2e::frpc::{
    ECHO, ORDERS, ask, echo_text, header, message, next_frame, next_reply, request_frame,
    request_with, seen_reply, start, start_with, text_of,
};
use stubwire_tests_e2e::raw::{Raw, echo_text as prpc_text};
use stubwire_tests_e2e::{guarded, on_both_runtimes, until};

/// The connection is closed without an answer, the fault counted, and the event says why.
async fn is_refused(bytes: &[u8], spoken: &[Protocol], why: &str) {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let sink = lines.clone();
    let (serving, benchmark) = start_with(|server| {
        server.protocols(spoken).on_event(move |event| sink.lock().unwrap().push(event.to_string()))
    })
    .await;
    let mut raw = Raw::connect(serving.address).await;
    raw.send(bytes).await;
    raw.read_to_end().await;
    assert!(raw.received.is_empty(), "{:?}", raw.received);
    until(|| serving.handle.snapshot().misbehaved == 1).await;
    let lines = lines.lock().unwrap();
    assert!(lines.len() == 1 && lines[0].contains(why), "{lines:?} lack `{why}`");
    assert_eq!((benchmark.begun(), serving.echo.begun()), (0, 0));
}

on_both_runtimes!(trust_a01_a03_sizes_that_cannot_be_are_refused_at_the_header, || async {
    let all = Protocol::ALL;
    is_refused(&header(u32::MAX, 24), all, "frame too large: 4294967295 > 67108864").await;
    is_refused(&header(u32::MAX, u32::MAX), all, "frame too large").await;
    is_refused(&header(0, 24), all, "meta_size 24 is larger than body_size 0").await;
});

on_both_runtimes!(metadata_shorter_than_its_fixed_part_closes, || async {
    let body = [0; 40];
    for meta_size in [0, 1, 20, 23] {
        let frame = [&header(40, meta_size)[..], &body].concat();
        is_refused(&frame, Protocol::ALL, "which needs 24 at least").await;
    }
    // So does a block of ours that cannot be read.
    let good = request_frame(ECHO, 1, &message(1, "x"), ByteOrder::Big);
    let block = b"SWX1\0\0\0\x01\xff";
    let mut frame = [&good[..36], block, &good[36..]].concat();
    frame[7] += block.len() as u8;
    frame[11] += block.len() as u8;
    is_refused(&frame, Protocol::ALL, "metadata").await;
});

on_both_runtimes!(trust_a08_a_port_refuses_frames_of_what_it_does_not_speak, || async {
    let frpc = echo_text(1, "x", ByteOrder::Big);
    is_refused(&frpc, &[Protocol::Prpc], "FRPC: not served here").await;
    is_refused(&prpc_text(1, "x"), &[Protocol::Frpc], "PRPC: not served here").await;
    is_refused(b"FR", &[Protocol::Prpc], "not").await;
    // Malformed beyond its magic number: nobody looked.
    is_refused(&header(0, 24), &[Protocol::Prpc], "FRPC: not served here").await;
    is_refused(b"FRPX\0\0\0\0\0\0\0\0", Protocol::ALL, "not a known protocol").await;
    is_refused(b"BRPC\0\0\0\0\0\0\0\0", Protocol::ALL, "BRPC: an older FlatBuffers trial").await;
});

/// Two requests, cut at every byte: the whole ones before the cut are answered.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn trust_a05_a_stream_cut_at_every_offset_ends_cleanly() {
    guarded(async {
        let (serving, _) = start().await;
        for order in ORDERS {
            let first = echo_text(1, "one", order);
            let stream = [&first[..], &echo_text(2, "two", order)].concat();
            for cut in 0..=stream.len() {
                let mut raw = Raw::connect(serving.address).await;
                raw.send(&stream[..cut]).await;
                raw.end().await;
                let mut ids = Vec::new();
                while let Some(reply) = next_reply(&mut raw, order).await {
                    assert_eq!(reply.code, 0);
                    ids.push(reply.id);
                }
                let expected: &[u64] = match cut {
                    cut if cut < first.len() => &[],
                    cut if cut < stream.len() => &[1],
                    _ => &[1, 2],
                };
                // Handlers that take long may overtake each other.
                ids.sort_unstable();
                assert_eq!(ids, expected, "cut at {cut}");
                assert!(raw.received.is_empty());
            }
        }
        until(|| serving.handle.snapshot().connections == 0).await;
        let snapshot = serving.handle.snapshot();
        assert_eq!((snapshot.calls, snapshot.misbehaved, snapshot.panics), (0, 0, 0));
    })
    .await;
}

on_both_runtimes!(trust_a06_one_byte_at_a_time_gets_the_same_replies, || async {
    let (serving, _) = start().await;
    for order in ORDERS {
        let mut raw = Raw::connect(serving.address).await;
        for byte in [echo_text(1, "one", order), echo_text(2, "two", order)].concat() {
            raw.send(&[byte]).await;
            tokio::task::yield_now().await;
        }
        for (id, text) in [(1, "one"), (2, "two")] {
            let reply = next_reply(&mut raw, order).await.unwrap();
            assert_eq!((reply.id, text_of(&reply.message)), (id, text.to_owned()));
        }
    }
});

on_both_runtimes!(both_protocols_share_one_connection, || async {
    let (serving, _) = start().await;
    let mut raw = Raw::connect(serving.address).await;
    let stream: Vec<u8> = (0..200_u64)
        .flat_map(|id| match id % 2 {
            0 => echo_text(id, "flat", ByteOrder::Little),
            _ => prpc_text(id as i64, "proto"),
        })
        .collect();
    for piece in stream.chunks(777) {
        raw.send(piece).await;
    }
    // Handlers that take long may overtake each other.
    let mut answered = std::collections::BTreeSet::new();
    for _ in 0..200 {
        let frame = next_frame(&mut raw).await.unwrap();
        let id = if frame.starts_with(b"FRPC") {
            let reply = seen_reply(&frame, ByteOrder::Little);
            assert_eq!((reply.id % 2, reply.code, &*text_of(&reply.message)), (0, 0, "flat"));
            reply.id
        } else {
            raw.received.splice(0..0, frame);
            let reply = raw.next().await.unwrap();
            assert_eq!((reply.id % 2, reply.code), (1, 0));
            reply.id as u64
        };
        answered.insert(id);
    }
    assert!(answered.into_iter().eq(0..200));
});

on_both_runtimes!(a_connection_keeps_the_order_that_its_first_request_showed, || async {
    let (serving, _) = start().await;
    for (order, other) in [(ORDERS[0], ORDERS[1]), (ORDERS[1], ORDERS[0])] {
        let mut raw = Raw::connect(serving.address).await;
        assert_eq!(ask(&mut raw, &echo_text(1, "x", order), order).await.unwrap().code, 0);
        // One that changes its mind is malformed, and told so in the order it began with.
        let reply = ask(&mut raw, &echo_text(2, "x", other), order).await.unwrap();
        assert_eq!((reply.id, reply.code), (2_u64.swap_bytes(), 1003));
        assert_eq!(ask(&mut raw, &echo_text(3, "x", order), order).await.unwrap().code, 0);
        // Another connection has an order of its own.
        let mut raw = Raw::connect(serving.address).await;
        assert_eq!(ask(&mut raw, &echo_text(4, "x", other), other).await.unwrap().code, 0);
    }
});

/// A message of 65,792 bytes, whose size reads the same both ways.
fn ambiguous(method_id: i32, id: u64, order: ByteOrder) -> Vec<u8> {
    let rest = message(id, "").len();
    let mut bytes = message(id, &"x".repeat(65_792 - rest));
    // Padding differs with the length of the text; what is missing is put behind the message.
    bytes.resize(65_792, 0);
    request_frame(method_id, id, &bytes, order)
}

on_both_runtimes!(sizes_that_fit_both_orders_are_told_by_the_method, || async {
    for order in ORDERS {
        let (serving, _) = start().await;
        let mut raw = Raw::connect(serving.address).await;
        let reply = ask(&mut raw, &ambiguous(ECHO, 1, order), order).await.unwrap();
        assert_eq!((reply.id, reply.code), (1, 0), "{order:?}");
        assert_eq!(ask(&mut raw, &echo_text(2, "x", order), order).await.unwrap().code, 0);
    }
});

// A first request that shows nothing is answered big-endian, and decides nothing for those behind it.
on_both_runtimes!(an_undecided_request_leaves_the_order_open, || async {
    for order in ORDERS {
        let (serving, _) = start().await;
        let mut raw = Raw::connect(serving.address).await;
        let undecided = ambiguous(99, 1, order);
        let reply = ask(&mut raw, &undecided, ByteOrder::Big).await.unwrap();
        assert_eq!(reply.code, 1002);
        assert_eq!(ask(&mut raw, &echo_text(2, "x", order), order).await.unwrap().code, 0);
    }
});

on_both_runtimes!(a_malformed_request_leaves_the_order_open, || async {
    for order in ORDERS {
        let (serving, _) = start().await;
        let mut raw = Raw::connect(serving.address).await;
        let mut malformed = echo_text(1, "x", order);
        malformed[24..28].fill(0xff);
        assert_eq!(ask(&mut raw, &malformed, ByteOrder::Big).await.unwrap().code, 1003);
        assert_eq!(ask(&mut raw, &echo_text(2, "x", order), order).await.unwrap().code, 0);
    }
});

on_both_runtimes!(bytes_appended_by_others_are_passed_over, || async {
    let (serving, _) = start().await;
    for order in ORDERS {
        for appended in [&b"\x01"[..], b"SWX", b"SWX1\xff\xff\xff\xff", &[7; 5000]] {
            let good = request_frame(ECHO, 1, &message(1, "x"), order);
            let mut frame = [&good[..36], appended, &good[36..]].concat();
            let meta_size = 24 + appended.len() as u32;
            let body_size = frame.len() as u32 - 12;
            frame[4..8].copy_from_slice(&body_size.to_be_bytes());
            frame[8..12].copy_from_slice(&meta_size.to_be_bytes());
            let mut raw = Raw::connect(serving.address).await;
            let reply = ask(&mut raw, &frame, order).await.unwrap();
            assert_eq!((reply.id, reply.code), (1, 0));
            assert!(reply.appended.is_empty());
        }
    }
});

on_both_runtimes!(a_block_is_answered_with_a_block, || async {
    let (serving, _) = start().await;
    for order in ORDERS {
        let mut raw = Raw::connect(serving.address).await;
        let mut block = Appended::new();
        block.user_fields = vec![("tenant", "a1"), ("", "")];
        let frame = request_with(ECHO, 1, &message(1, "x"), b"ATT", &block, order);
        let reply = ask(&mut raw, &frame, order).await.unwrap();
        assert_eq!((reply.code, &reply.attachment[..]), (0, &b"ATT"[..]));
        assert_eq!(Appended::decode(&reply.appended), Ok(block));
        let frame = request_with(99, 1, &message(1, "x"), &[], &Appended::new(), order);
        let reply = ask(&mut raw, &frame, order).await.unwrap();
        assert_eq!(reply.code, 1002);
        assert_eq!(reply.text.as_deref(), Some("Fail to find method=0x01e1e2ce/99"));
    }
});
