//! More of everything than a server takes: connections, calls, bytes that nobody reads.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use stubwire::{EventKind, Limits};
use stubwire_tests_e2e::raw::{Raw, echo_frame, echo_text, message};
use stubwire_tests_e2e::{Serving, guarded, on_both_runtimes, request, until};

on_both_runtimes!(trust_b09_connections_beyond_the_limit_are_closed_at_once, || async {
    let mut limits = Limits::default();
    limits.max_connections = 3;
    let events = Arc::new(AtomicUsize::new(0));
    let sink = events.clone();
    let serving = Serving::start_with(|server| {
        server.limits(limits).on_event(move |event| {
            assert_eq!(event.kind, EventKind::ConnectionRefused);
            sink.fetch_add(1, Ordering::SeqCst);
        })
    })
    .await;
    let mut welcome = Vec::new();
    for id in 0..3 {
        let mut raw = Raw::connect(serving.address).await;
        assert_eq!(raw.ask(&echo_text(id, "x")).await.unwrap().code, 0);
        welcome.push(raw);
    }
    for _ in 0..20 {
        let mut raw = Raw::connect(serving.address).await;
        assert!(!raw.read().await, "one too many was let in");
    }
    let snapshot = serving.handle.snapshot();
    assert_eq!((snapshot.connections, snapshot.connections_refused), (3, 20));
    assert!(events.load(Ordering::SeqCst) >= 1);
    for raw in &mut welcome {
        assert_eq!(raw.ask(&echo_text(9, "x")).await.unwrap().code, 0);
    }
    drop(welcome.pop());
    until(|| serving.handle.snapshot().connections == 2).await;
    let mut raw = Raw::connect(serving.address).await;
    assert_eq!(raw.ask(&echo_text(1, "x")).await.unwrap().code, 0);
});

on_both_runtimes!(trust_b10_pipelined_requests_are_left_unread_at_the_call_limit, || async {
    let mut limits = Limits::default();
    limits.max_calls_per_connection = 8;
    let serving = Serving::start_with(|server| server.limits(limits)).await;
    let mut raw = Raw::connect(serving.address).await;
    let stream: Vec<u8> = (0..1000).flat_map(|id| echo_text(id, "stubborn")).collect();
    raw.send(&stream).await;
    let mut answered = 0;
    while answered < 1000 {
        until(|| serving.echo.begun() == (answered + 8).min(1000)).await;
        assert_eq!(serving.handle.snapshot().calls, serving.echo.begun() - answered);
        serving.echo.release.notify_one();
        assert_eq!(raw.next().await.unwrap().code, 0);
        answered += 1;
    }
    until(|| serving.handle.snapshot().calls == 0).await;
});

// The peer sends requests and reads no reply until the server is full; then it reads them all.
on_both_runtimes!(trust_b05_replies_that_nobody_reads_are_bounded, || async {
    let mut limits = Limits::default();
    limits.max_unwritten = 64 << 10;
    let serving = Serving::start_with(|server| server.limits(limits)).await;
    let mut raw = Raw::connect(serving.address).await;
    let attachment = "x".repeat(100 << 10);
    let body = message(&attachment);
    let sending = async {
        let mut sent = 0_usize;
        // Until the server stops reading and both sockets are full, whose buffers may grow to some
        // megabytes each.
        while sent < 1000 {
            // A number of its own: one in flight would be refused, and its refusal takes no room.
            let frame = echo_frame("Echo", sent as i64, &body);
            let send =
                tokio::time::timeout(std::time::Duration::from_millis(300), raw.send(&frame));
            if send.await.is_err() {
                break;
            }
            sent += 1;
        }
        sent
    };
    let sent = sending.await;
    assert!(sent < 1000, "the server read {sent} requests although no reply was read");
    let begun = serving.echo.begun();
    assert!(begun <= sent, "{begun} of {sent}");
});

on_both_runtimes!(trust_b05_a_batch_behind_unread_replies_is_told_so, || async {
    let mut limits = Limits::default();
    limits.max_unwritten = 1 << 20;
    let serving = Serving::start_with(|server| server.limits(limits)).await;
    let mut raw = Raw::connect(serving.address).await;
    // The first fills the queue beyond its limit; those read in the same batch find it so, since
    // nothing is written before the reader steps back.
    let large = echo_frame("Echo", 0, &message(&"x".repeat(4 << 20)));
    let small: Vec<u8> = (1..=50).flat_map(|id| echo_text(id, "x")).collect();
    raw.send(&[large, small].concat()).await;
    let mut codes = Vec::new();
    for _ in 0..=50 {
        codes.push(raw.next().await.unwrap().code);
    }
    codes.sort_unstable();
    assert_eq!(codes[0], 0);
    assert!(codes.iter().all(|code| *code == 0 || *code == 1011), "{codes:?}");
    let crowded = codes.iter().filter(|code| **code == 1011).count();
    let method = serving.registry.method("bench.EchoService/Echo").unwrap();
    assert_eq!(method.stats().refused as usize, crowded);
    assert_eq!(serving.echo.begun() + crowded, 51);

    // A method that ignores it is served all the same.
    method.ignore_overcrowded(true);
    let large = echo_frame("Echo", 0, &message(&"x".repeat(4 << 20)));
    let small: Vec<u8> = (1..=50).flat_map(|id| echo_text(id, "x")).collect();
    raw.send(&[large, small].concat()).await;
    for _ in 0..=50 {
        assert_eq!(raw.next().await.unwrap().code, 0);
    }
});

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn trust_b11_beyond_the_servers_limit_calls_are_refused_and_the_rest_served() {
    guarded(async {
        let serving = Serving::start_with(|server| server.max_concurrency(50)).await;
        let mut options = stubwire::ChannelOptions::default();
        options.max_retries = 0;
        let client = serving.client_with(options).await;
        let calls: Vec<_> = (0..150)
            .map(|_| {
                let client = client.clone();
                tokio::spawn(async move { client.echo(request("stubborn")).await })
            })
            .collect();
        let refused = || async {
            let handle = serving.registry.method("bench.EchoService/Echo").unwrap();
            handle.stats().finished
        };
        until(|| serving.echo.begun() == 50).await;
        // All others are answered while the fifty are still held.
        let finished = |calls: &[tokio::task::JoinHandle<_>]| {
            calls.iter().filter(|call| call.is_finished()).count()
        };
        until(|| finished(&calls) == 100).await;
        assert_eq!((serving.echo.begun(), refused().await), (50, 0));
        while serving.echo.ended() < 50 {
            serving.echo.release.notify_waiters();
            tokio::task::yield_now().await;
        }
        let (mut served, mut limited) = (0, 0);
        for call in calls {
            match call.await.unwrap() {
                Ok(_) => served += 1,
                Err(status) => {
                    assert_eq!(status.code().number(), 2004);
                    assert_eq!(status.message(), "Reached server's max_concurrency=50");
                    limited += 1;
                }
            }
        }
        assert_eq!((served, limited), (50, 100));
    })
    .await;
}

// A wrong frame among replies that still wait: its connection alone is closed.
on_both_runtimes!(a_connection_that_breaks_the_protocol_takes_no_other_with_it, || async {
    let serving = Serving::start().await;
    let client = serving.client().await;
    let held = tokio::spawn({
        let client = client.clone();
        async move { client.echo(request("stubborn")).await }
    });
    until(|| serving.echo.begun() == 1).await;
    for _ in 0..20 {
        let mut raw = Raw::connect(serving.address).await;
        raw.send(&[echo_text(1, "hold"), b"garbage".to_vec()].concat()).await;
        raw.read_to_end().await;
    }
    until(|| serving.handle.snapshot().calls == 1).await;
    serving.echo.release.notify_one();
    assert_eq!(held.await.unwrap().unwrap().message(), "stubborn");
});

on_both_runtimes!(limits_of_zero_do_not_hang, || async {
    let mut limits = Limits::default();
    (limits.max_calls_per_connection, limits.max_unwritten) = (0, 0);
    let serving = Serving::start_with(|server| server.limits(limits)).await;
    let client = serving.client().await;
    for _ in 0..10 {
        assert_eq!(client.echo(request("x")).await.unwrap().message(), "x");
    }
    let mut limits = Limits::default();
    limits.max_calls = 0;
    let serving = Serving::start_with(|server| server.limits(limits)).await;
    let client = serving.client().await;
    assert_eq!(client.echo(request("x")).await.unwrap_err().code().number(), 2004);
});
