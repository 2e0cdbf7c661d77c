//! Stopping a server: what was accepted is answered, what comes later is told, and it ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use stubwire::{Channel, ChannelOptions, ConnectionPolicy, Limits, Server};
use stubwire_tests_e2e::bench::EchoServiceClient;
use stubwire_tests_e2e::clock::Clock;
use stubwire_tests_e2e::raw::{Raw, echo_frame, echo_text, message};
use stubwire_tests_e2e::{Echo, Serving, echo_registry, on_both_runtimes, request, until};
use tokio::task::JoinHandle;

async fn ends(mut serving: Serving) {
    (&mut serving.task).await.expect("serving ends well");
}

on_both_runtimes!(trust_b20_accepted_calls_are_answered_and_new_ones_told, || async {
    let serving = Serving::start().await;
    let mut raw = Raw::connect(serving.address).await;
    for id in 0..10 {
        raw.send(&echo_text(id, "stubborn")).await;
    }
    until(|| serving.echo.begun() == 10).await;
    serving.handle.stop();
    for id in 10..15 {
        let reply = raw.ask(&echo_text(id, "x")).await.expect("the connection is still open");
        assert_eq!((reply.id, reply.code), (id, 2003));
        assert!(reply.text.ends_with("[E2003]Server is stopping"), "{}", reply.text);
    }
    // Nobody new is let in.
    until(|| std::net::TcpStream::connect(serving.address).is_err()).await;
    assert!(!serving.task.is_finished());
    while serving.echo.ended() < 10 {
        serving.echo.release.notify_waiters();
        tokio::task::yield_now().await;
    }
    let mut answered = 0;
    while let Some(reply) = raw.next().await {
        assert_eq!(reply.code, 0);
        answered += 1;
    }
    assert_eq!((answered, serving.echo.begun()), (10, 10));
    drop(raw);
    ends(serving).await;
});

/// Callers that never pause, several rounds: whatever a handler began, its caller got.
async fn stop_under_load(policy: ConnectionPolicy) {
    let serving = Serving::start().await;
    let succeeded = Arc::new(AtomicUsize::new(0));
    let mut options = ChannelOptions::default();
    (options.policy, options.max_retries) = (policy, 0);
    options.connection_group = format!("{policy:?}");
    let callers: Vec<JoinHandle<()>> = (0..16)
        .map(|_| {
            let channel = Channel::lazy(serving.target(), options.clone()).unwrap();
            let (client, succeeded) = (EchoServiceClient::new(channel), succeeded.clone());
            tokio::spawn(async move {
                loop {
                    match client.echo(request("x")).await {
                        Ok(_) => succeeded.fetch_add(1, Ordering::SeqCst),
                        Err(status) => {
                            // Told so, cut off when all was answered, or refused at the door.
                            let expected = [2003, 1009, 111];
                            assert!(expected.contains(&status.code().number()), "{status}");
                            break;
                        }
                    };
                }
            })
        })
        .collect();
    until(|| succeeded.load(Ordering::SeqCst) > 200).await;
    serving.handle.stop();
    for caller in callers {
        caller.await.expect("only expected errors");
    }
    let begun = serving.echo.begun.clone();
    let snapshot = serving.handle.snapshot();
    assert_eq!((snapshot.calls, snapshot.misbehaved, snapshot.dropped_replies), (0, 0, 0));
    ends(serving).await;
    assert_eq!(begun.load(Ordering::SeqCst), succeeded.load(Ordering::SeqCst));
}

on_both_runtimes!(trust_b20_no_accepted_call_is_lost_under_load, || async {
    for _ in 0..5 {
        stop_under_load(ConnectionPolicy::Shared(2)).await;
        stop_under_load(ConnectionPolicy::Pooled { max_idle: 16, max_connections: 16 }).await;
    }
});

on_both_runtimes!(trust_b20_a_second_stop_ends_at_once, || async {
    for second in [true, false] {
        let serving = Serving::start().await;
        let mut raw = Raw::connect(serving.address).await;
        raw.send(&echo_text(1, "stubborn")).await;
        until(|| serving.echo.begun() == 1).await;
        if second {
            serving.handle.stop();
            tokio::task::yield_now().await;
            serving.handle.stop();
        } else {
            serving.handle.stop_now();
        }
        raw.read_to_end().await;
        let (echo, handle) = (serving.echo.clone(), serving.handle.clone());
        ends(serving).await;
        // The handler was dropped, not finished.
        until(|| handle.snapshot().calls == 0).await;
        assert_eq!((echo.ended(), handle.snapshot().connections), (0, 0));
    }
});

#[tokio::test]
async fn trust_b20_a_handler_that_never_returns_is_dropped_at_the_deadline() {
    let clock = Clock::stopped();
    let mut serving = Serving::start().await;
    let mut raw = Raw::connect(serving.address).await;
    raw.send(&echo_text(1, "stubborn")).await;
    clock.until(|| serving.echo.begun() == 1).await;
    serving.handle.stop();
    clock.settle().await;
    clock.advance(Duration::from_secs(29)).await;
    assert!(!serving.task.is_finished(), "the drain timeout is 30 s");
    for _ in 0..10 {
        clock.advance(Duration::from_millis(500)).await;
    }
    clock.until(|| serving.task.is_finished()).await;
    (&mut serving.task).await.unwrap();
    clock.until(|| serving.handle.snapshot().calls == 0).await;
    assert_eq!(serving.echo.ended(), 0);
}

/// A reply that is on its way when the server stops has the drain timeout to get there, not less.
#[tokio::test]
async fn trust_b20_a_slow_reader_gets_its_whole_reply() {
    let clock = Clock::stopped();
    let mut serving = Serving::start().await;
    let mut raw = Raw::connect(serving.address).await;
    let text = "x".repeat(16 << 20);
    raw.send(&echo_frame("Echo", 1, &message(&text))).await;
    clock.until(|| serving.echo.ended() == 1).await;
    clock.settle().await;
    serving.handle.stop();
    clock.settle().await;
    // It takes a fifth of the reply every three seconds.
    for part in 1..=5 {
        clock.advance(Duration::from_secs(3)).await;
        assert!(raw.read_to(part * (3 << 20)).await, "cut off in part {part}");
    }
    let reply = raw.next().await.expect("the whole reply");
    assert_eq!(reply.payload.len(), message(&text).len());
    assert_eq!(raw.next().await, None);
    drop(raw);
    clock.settle().await;
    clock.advance(Duration::from_secs(1)).await;
    clock.until(|| serving.task.is_finished()).await;
    (&mut serving.task).await.unwrap();
}

on_both_runtimes!(serve_until_stops_with_its_signal, || async {
    let bound = Server::new(echo_registry(&Echo::default())).bind("127.0.0.1:0").await.unwrap();
    let target = format!("prpc://{}", bound.local_addr().unwrap());
    let (signal, signalled) = tokio::sync::oneshot::channel::<()>();
    let task = tokio::spawn(bound.serve_until(async { signalled.await.unwrap() }));
    let client = EchoServiceClient::new(Channel::connect(&target).await.unwrap());
    assert_eq!(client.echo(request("x")).await.unwrap().message(), "x");
    signal.send(()).unwrap();
    task.await.unwrap().unwrap();
});

on_both_runtimes!(dropping_the_server_ends_everything_at_once, || async {
    let serving = Serving::start().await;
    let mut raw = Raw::connect(serving.address).await;
    raw.send(&echo_text(1, "stubborn")).await;
    until(|| serving.echo.begun() == 1).await;
    serving.task.abort();
    raw.read_to_end().await;
    until(|| serving.handle.snapshot().calls == 0).await;
    until(|| serving.handle.snapshot().connections == 0).await;
});

on_both_runtimes!(stopping_before_and_after_serving_is_harmless, || async {
    let mut limits = Limits::default();
    limits.drain_timeout = Duration::ZERO;
    let server = Server::new(echo_registry(&Echo::default())).limits(limits);
    let bound = server.bind("127.0.0.1:0").await.unwrap();
    let handle = bound.handle();
    handle.stop();
    bound.serve().await.unwrap();
    handle.stop();
    handle.stop_now();
    assert_eq!(handle.snapshot(), Default::default());
});
