//! Peers that speak something else, and names that nobody should be called by.

use std::sync::{Arc, Mutex};
use stubwire::frame::Protocol;
use stubwire_tests_e2e::raw::{Raw, echo_text, frame_of, named_meta};
use stubwire_tests_e2e::{Serving, guarded, on_both_runtimes, until};

const STRANGERS: &[(&str, &[u8], &str)] = &[
    ("http", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "looks like HTTP/1"),
    ("http post", b"POST /bench.EchoService/Echo HTTP/1.1\r\n", "looks like HTTP/1"),
    ("http2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "looks like HTTP/2"),
    ("tls", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "looks like a TLS ClientHello"),
    ("almost", b"PRPX\x00\x00\x00\x00\x00\x00\x00\x00", "not a known protocol"),
    ("almost frpc", b"FRPX\x00\x00\x00\x00\x00\x00\x00\x00", "not a known protocol"),
    ("old trial", b"BRPC\x00\x00\x00\x00\x00\x00\x00\x00", "BRPC: an older FlatBuffers trial"),
    ("stream", b"STRM\x00\x00\x00\x00\x00\x00\x00\x00", "STRM: a streaming frame"),
    ("zeros", &[0; 64], "not a known protocol"),
    ("noise", b"\xf3\x19\x00\x7f\x88\x01\x99\xfe", "not a known protocol"),
    ("one byte", b"\n", "not a known protocol"),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn trust_a07_unknown_magic_is_closed_and_named() {
    guarded(async {
        for (name, bytes, words) in STRANGERS {
            let lines = Arc::new(Mutex::new(Vec::new()));
            let sink = lines.clone();
            let serving = Serving::start_with(|server| {
                server.on_event(move |event| sink.lock().unwrap().push(event.to_string()))
            })
            .await;
            let mut raw = Raw::connect(serving.address).await;
            raw.send(bytes).await;
            raw.read_to_end().await;
            assert!(raw.received.is_empty(), "{name} got an answer");
            until(|| serving.handle.snapshot().misbehaved == 1).await;
            let lines = lines.lock().unwrap();
            assert!(lines.len() == 1 && lines[0].contains(words), "{name}: {lines:?}");
            assert!(lines[0].contains("127.0.0.1:"), "{name}: no peer in {lines:?}");
        }
    })
    .await;
}

on_both_runtimes!(trust_a08_a_frame_of_another_protocol_is_refused_between_good_ones, || async {
    let serving = Serving::start_with(|server| server.protocols(&[Protocol::Prpc])).await;
    let mut raw = Raw::connect(serving.address).await;
    assert_eq!(raw.ask(&echo_text(1, "x")).await.unwrap().id, 1);
    raw.send(b"FRPC").await;
    raw.send(&echo_text(2, "x")).await;
    assert_eq!(raw.next().await, None);
    assert_eq!(serving.echo.begun(), 1);
});

/// The clock of the events is the real one, so the test only relies on that a burst is short.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn trust_a07_at_most_one_event_a_second() {
    guarded(async {
        let told = Arc::new(Mutex::new(Vec::new()));
        let sink = told.clone();
        let serving = Serving::start_with(|server| {
            server.on_event(move |event| {
                sink.lock().unwrap().push((std::time::Instant::now(), event.suppressed));
            })
        })
        .await;
        for _ in 0..200 {
            let mut raw = Raw::connect(serving.address).await;
            raw.send(b"GET / HTTP/1.1\r\n\r\n").await;
            raw.read_to_end().await;
        }
        until(|| serving.handle.snapshot().misbehaved == 200).await;
        let told = told.lock().unwrap();
        let gap = std::time::Duration::from_millis(990);
        assert!(told.windows(2).all(|pair| pair[1].0.duration_since(pair[0].0) >= gap));
        assert_eq!(told[0].1, 0);
        let suppressed: u64 = told.iter().map(|(_, suppressed)| suppressed).sum();
        assert!(told.len() as u64 + suppressed <= 200);
    })
    .await;
}

const NAMES: &[(&str, &str)] = &[
    ("nul", "a\0b"),
    ("ansi", "\x1b[2J\x1b[31mred"),
    ("path", "../../etc/passwd"),
    ("bidi", "a\u{202e}b"),
    ("line", "a\r\nb"),
    ("empty", ""),
];

on_both_runtimes!(trust_a17_hostile_names_are_not_found_and_shown_escaped, || async {
    let serving = Serving::start().await;
    let mut raw = Raw::connect(serving.address).await;
    for (what, name) in NAMES {
        // With a dot the method is what is missing, without one the service: as in brpc.
        let code = if name.contains('.') { 1002 } else { 1001 };
        let reply = raw.ask(&frame_of(&named_meta(name, "Echo", 1), &[])).await.unwrap();
        assert_eq!(reply.code, code, "{what}");
        let reply = raw.ask(&frame_of(&named_meta("bench.EchoService", name, 2), &[])).await;
        let reply = reply.unwrap();
        assert_eq!(reply.code, 1002, "{what}");
        let shown = stubwire::Status::new(reply.code, reply.text).to_string();
        let plain = |c: char| !c.is_control() && c != '\u{202e}';
        assert!(shown.chars().all(plain), "{what}: {shown:?}");
    }
});

on_both_runtimes!(trust_a17_a_name_of_a_mebibyte_is_not_echoed_whole, || async {
    let serving = Serving::start().await;
    let mut raw = Raw::connect(serving.address).await;
    let long = "é".repeat(1 << 19);
    for (service, method, code) in
        [(&*long, "Echo", 1001), ("bench.EchoService", &*long, 1002), ("no.such", &*long, 1002)]
    {
        let reply = raw.ask(&frame_of(&named_meta(service, method, 1), &[])).await.unwrap();
        assert_eq!(reply.code, code);
        assert!(reply.text.len() < 2000, "an error text of {} bytes", reply.text.len());
    }
    assert_eq!(raw.ask(&echo_text(2, "x")).await.unwrap().code, 0);
});
