//! Frames whose sizes, cuts or pieces are hostile, sent to the server.

use std::sync::Arc;
use std::sync::Mutex;
use stubwire::Limits;
use stubwire::frame::prpc::{RequestMeta, RpcMeta};
use stubwire_tests_e2e::raw::{
    Raw, echo_frame, echo_meta, echo_text, frame, frame_of, header, message,
};
use stubwire_tests_e2e::{Serving, on_both_runtimes, request, until};

/// A server that keeps the lines of its events, and small limits where they are given.
async fn listening(limits: Limits) -> (Serving, Arc<Mutex<Vec<String>>>) {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let sink = lines.clone();
    let serving = Serving::start_with(|server| {
        server.limits(limits).on_event(move |event| sink.lock().unwrap().push(event.to_string()))
    })
    .await;
    (serving, lines)
}

/// The connection is closed, the fault counted, and the event says why.
async fn is_refused(limits: Limits, bytes: &[u8], why: &str) {
    let (serving, lines) = listening(limits).await;
    let mut raw = Raw::connect(serving.address).await;
    raw.send(bytes).await;
    raw.read_to_end().await;
    assert!(raw.received.is_empty(), "{:?}", raw.received);
    until(|| serving.handle.snapshot().misbehaved == 1).await;
    let lines = lines.lock().unwrap();
    assert!(lines.len() == 1 && lines[0].contains(why), "{lines:?} lack `{why}`");
    assert_eq!(serving.echo.begun(), 0);
}

on_both_runtimes!(trust_a01_a_body_of_4_gib_is_refused_at_the_header, || async {
    let why = "frame too large: 4294967295 > 67108864";
    is_refused(Limits::default(), &header(u32::MAX, 0), why).await;
    is_refused(Limits::default(), &header(u32::MAX, u32::MAX), why).await;
});

on_both_runtimes!(trust_a02_a_body_at_the_limit_is_served_and_one_above_refused, || async {
    let mut limits = Limits::default();
    let attachment = vec![7; 1000];
    let request = message("x");
    let mut meta = echo_meta("Echo", 1);
    meta.attachment_size = Some(1000);
    let at_limit = frame_of(&meta, &[&request[..], &attachment].concat());
    limits.max_body_size = at_limit.len() - 12;
    let (serving, _) = listening(limits.clone()).await;
    let mut raw = Raw::connect(serving.address).await;
    let reply = raw.ask(&at_limit).await.unwrap();
    assert_eq!((reply.code, reply.payload.len()), (0, at_limit.len() - meta_len(&at_limit) - 12));

    meta.attachment_size = Some(1001);
    let above = frame_of(&meta, &[&request[..], &attachment, &[7]].concat());
    let (size, limit) = (above.len() - 12, limits.max_body_size);
    is_refused(limits, &above, &format!("frame too large: {size} > {limit}")).await;
});

fn meta_len(frame: &[u8]) -> usize {
    u32::from_be_bytes(frame[8..12].try_into().unwrap()) as usize
}

on_both_runtimes!(trust_a03_metadata_larger_than_its_body_is_refused, || async {
    is_refused(Limits::default(), &header(10, 11), "meta_size 11 is larger than body_size 10")
        .await;
});

/// The extremes of every number in header and metadata: the server answers or closes, and lives.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn trust_a04_every_integer_at_its_extremes() {
    stubwire_tests_e2e::guarded(async {
        let serving = Serving::start().await;
        let mut frames = Vec::new();
        for size in [0, 1, u32::MAX - 1, u32::MAX] {
            for meta in [0, 1, u32::MAX - 1, u32::MAX] {
                frames.push(header(size, meta));
            }
        }
        for number in [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX] {
            frames.push(with_number(number));
        }
        let answers = frames.len() - 16;
        let mut replies = 0;
        for bytes in &frames {
            let mut raw = Raw::connect(serving.address).await;
            raw.send(bytes).await;
            raw.end().await;
            while let Some(reply) = raw.next().await {
                replies += 1;
                assert!(reply.code == 0 || reply.code == 1001 || reply.code == 1003, "{reply:?}");
            }
        }
        // Header 0/0 is an empty frame, and everything with a sound header is answered.
        assert_eq!(replies, answers + 1);
        assert_eq!(serving.handle.snapshot().panics, 0);
        assert_eq!(
            serving.client().await.echo(request("still here")).await.unwrap().message(),
            "still here"
        );
    })
    .await;
}

fn with_number(number: i64) -> Vec<u8> {
    let small = number.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    let request = RequestMeta {
        service_name: "bench.EchoService",
        method_name: "Echo",
        log_id: Some(number),
        trace_id: Some(number),
        span_id: Some(number),
        parent_span_id: Some(number),
        timeout_ms: Some(small),
        ..RequestMeta::default()
    };
    let meta = RpcMeta {
        request: Some(request),
        correlation_id: Some(number),
        attachment_size: Some(small),
        content_type: Some(small),
        checksum_type: Some(small),
        compress_type: Some(small),
        ..RpcMeta::default()
    };
    frame_of(&meta, &message("x"))
}

/// A stream of two requests, cut at every byte: the whole ones before the cut are answered.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn trust_a05_a_stream_cut_at_every_offset_ends_cleanly() {
    stubwire_tests_e2e::guarded(async {
        let serving = Serving::start().await;
        let first = echo_text(1, "one");
        let stream = [&first[..], &echo_text(2, "two")].concat();
        for cut in 0..=stream.len() {
            let mut raw = Raw::connect(serving.address).await;
            raw.send(&stream[..cut]).await;
            raw.end().await;
            let mut ids = Vec::new();
            while let Some(reply) = raw.next().await {
                assert_eq!(reply.code, 0);
                ids.push(reply.id);
            }
            let expected: &[i64] = match cut {
                cut if cut < first.len() => &[],
                cut if cut < stream.len() => &[1],
                _ => &[1, 2],
            };
            // Handlers that take long may overtake each other.
            ids.sort_unstable();
            assert_eq!(ids, expected, "cut at {cut}");
            assert!(raw.received.is_empty());
        }
        until(|| serving.handle.snapshot().connections == 0).await;
        assert_eq!(serving.handle.snapshot().calls, 0);
        // A peer that goes away is no wrongdoer.
        assert_eq!(serving.handle.snapshot().misbehaved, 0);
    })
    .await;
}

on_both_runtimes!(trust_a06_one_byte_at_a_time_gets_the_same_replies, || async {
    let serving = Serving::start().await;
    let mut raw = Raw::connect(serving.address).await;
    for byte in [echo_text(1, "one"), echo_text(2, "two")].concat() {
        raw.send(&[byte]).await;
        tokio::task::yield_now().await;
    }
    for (id, text) in [(1, "one"), (2, "two")] {
        let reply = raw.next().await.unwrap();
        assert_eq!((reply.id, reply.payload), (id, message(text)));
    }
});

on_both_runtimes!(trust_a06_random_pieces_get_the_same_replies, || async {
    let serving = Serving::start().await;
    let mut raw = Raw::connect(serving.address).await;
    let stream: Vec<u8> =
        (0..50).flat_map(|id| echo_text(id, &"x".repeat(id as usize * 37))).collect();
    let (mut rest, mut random) = (&stream[..], 1_u64);
    while !rest.is_empty() {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let (piece, more) = rest.split_at(((random >> 33) as usize % 200 + 1).min(rest.len()));
        raw.send(piece).await;
        tokio::task::yield_now().await;
        rest = more;
    }
    for id in 0..50 {
        let reply = raw.next().await.unwrap();
        assert_eq!((reply.id, reply.payload), (id, message(&"x".repeat(id as usize * 37))));
    }
});

on_both_runtimes!(trust_a06_a_hundred_frames_in_one_write, || async {
    let serving = Serving::start().await;
    let mut raw = Raw::connect(serving.address).await;
    let stream: Vec<u8> = (0..100).flat_map(|id| echo_text(id, "many")).collect();
    raw.send(&stream).await;
    for id in 0..100 {
        assert_eq!(raw.next().await.unwrap().id, id);
    }
});

on_both_runtimes!(trust_a09_metadata_of_groups_and_unknown_fields, || async {
    let serving = Serving::start().await;
    let known = frame_of(&echo_meta("Echo", 1), &[]);
    // Unknown field 100, a varint: a hundred thousand times.
    let many = [&known[12..], &[0xa0, 0x06, 0x00].repeat(100_000)[..]].concat();
    let mut raw = Raw::connect(serving.address).await;
    assert_eq!(raw.ask(&frame(&many, &message("x"))).await.unwrap().code, 0);
    // Group 100 in group 100, two thousand deep.
    let deep = [&known[12..], &[0xa3, 0x06].repeat(2000)[..], &[0xa4, 0x06].repeat(2000)].concat();
    assert_eq!(raw.ask(&frame(&deep, &message("x"))).await, None);
    until(|| serving.handle.snapshot().misbehaved == 1).await;
});

on_both_runtimes!(trust_a10_empty_frames_are_answered_one_by_one, || async {
    let serving = Serving::start().await;
    let mut raw = Raw::connect(serving.address).await;
    raw.send(&header(0, 0).repeat(1000)).await;
    raw.send(&echo_frame("Echo", 7, &[])).await;
    for _ in 0..1000 {
        assert_eq!(raw.next().await.unwrap().code, 1001);
    }
    assert_eq!(raw.next().await.unwrap().id, 7);
});
