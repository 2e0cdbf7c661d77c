//! Deadlines on both sides.

use std::time::Duration;
use stubwire::frame::prpc::{RequestMeta, RpcMeta};
use stubwire::{Channel, ChannelOptions, ConnectionPolicy, Limits};
use stubwire_tests_e2e::bench::{EchoRequest, EchoServiceClient};
use stubwire_tests_e2e::clock::Clock;
use stubwire_tests_e2e::hostile::Scripted;
use stubwire_tests_e2e::raw::{Raw, echo_meta, echo_text, frame_of, message, reply_frame};
use stubwire_tests_e2e::{Serving, on_both_runtimes, request, until};

fn with_timeout(id: i64, timeout_ms: i32, text: &[u8]) -> Vec<u8> {
    let meta = echo_meta("Echo", id);
    let request = meta.request.map(|it| RequestMeta { timeout_ms: Some(timeout_ms), ..it });
    frame_of(&RpcMeta { request, ..meta }, text)
}

/// Held back by the call limit until its time is over, it is neither executed nor decoded: its
/// body is no message at all, which nobody notices.
#[tokio::test]
async fn trust_b12_an_expired_request_is_not_executed() {
    let clock = Clock::stopped();
    let mut limits = Limits::default();
    limits.max_calls_per_connection = 1;
    let serving = Serving::start_with(|server| server.limits(limits)).await;
    let mut raw = Raw::connect(serving.address).await;
    let held = echo_text(1, "stubborn");
    let (late, bad) = (with_timeout(2, 100, &message("x")), with_timeout(3, 100, &[0xff; 9]));
    let patient = with_timeout(4, 60_000, &message("x"));
    raw.send(&[held, late, bad, patient].concat()).await;
    clock.until(|| serving.echo.begun() == 1).await;
    clock.settle().await;
    clock.advance(Duration::from_millis(100)).await;
    serving.echo.release.notify_one();
    let replies = [raw.next().await, raw.next().await, raw.next().await, raw.next().await];
    let codes = replies.map(|reply| reply.map(|reply| (reply.id, reply.code)).unwrap());
    assert_eq!(codes, [(1, 0), (2, 1008), (3, 1008), (4, 0)]);
    assert_eq!(serving.echo.begun(), 2);
    let method = serving.registry.method("bench.EchoService/Echo").unwrap().stats();
    assert_eq!((method.finished, method.refused), (2, 2));
}

on_both_runtimes!(timeouts_of_any_value_reach_the_server_as_what_they_are, || async {
    let serving = Serving::start().await;
    let mut raw = Raw::connect(serving.address).await;
    // Zero and less say nothing about the caller's patience.
    for timeout_ms in [0, -1, i32::MIN, 1_000_000, i32::MAX] {
        let meta = echo_meta("Slow", 1);
        let request = meta.request.map(|it| RequestMeta { timeout_ms: Some(timeout_ms), ..it });
        let reply = raw.ask(&frame_of(&RpcMeta { request, ..meta }, &[])).await.unwrap();
        let shown = if timeout_ms > 0 { timeout_ms } else { -1 };
        assert_eq!(reply.payload, message(&format!("timeout_ms={shown} deadline_us=-1")));
    }
});

on_both_runtimes!(timeouts_of_any_value_are_fit_for_a_call, || async {
    let serving = Serving::start().await;
    let client = serving.client().await;
    for timeout in [Duration::from_secs(1 << 40), Duration::MAX, Duration::from_secs(86_400 * 365)]
    {
        let reply = client.slow(request("x")).timeout(timeout).await.unwrap();
        let expected = i32::try_from(timeout.as_millis()).unwrap_or(i32::MAX);
        assert_eq!(reply.message(), format!("timeout_ms={expected} deadline_us=-1"));
    }
    // No time at all is over before it began: nothing is sent.
    let begun = serving.echo.begun();
    for _ in 0..10 {
        let status = client.slow(request("x")).timeout(Duration::ZERO).await.unwrap_err();
        assert_eq!(status.code().number(), 1008, "{status}");
    }
    assert_eq!(client.echo(request("x")).await.unwrap().message(), "x");
    assert_eq!(serving.echo.begun() - begun, 1);
});

on_both_runtimes!(trust_interop_timeout_on_sleeping_server, || async {
    let serving = Serving::start().await;
    let client = serving.client().await;
    let sleeps = EchoRequest { sleep_us: Some(60_000_000), ..request("x") };
    let status = client.slow(sleeps).timeout(Duration::from_millis(1)).await.unwrap_err();
    assert_eq!(status.code().number(), 1008);
    assert_eq!(status.code().grpc().0, 4);
    assert!(status.message().starts_with("Reached timeout=1ms"), "{status}");
});

/// A server that never answers, then does, too late.
#[tokio::test]
async fn trust_c03_a_late_reply_is_ignored_and_counted() {
    let clock = Clock::stopped();
    let (go, gone) = tokio::sync::watch::channel(false);
    let server = Scripted::start(move |mut raw, _| {
        let mut gone = gone.clone();
        async move {
            let late = raw.next().await.expect("a request");
            let _ = gone.wait_for(|gone| *gone).await;
            raw.send(&reply_frame(late.id, &message("late"))).await;
            while let Some(asked) = raw.next().await {
                raw.send(&reply_frame(asked.id, &message("in time"))).await;
            }
        }
    })
    .await;
    let mut options = ChannelOptions::default();
    options.policy = ConnectionPolicy::Shared(1);
    let channel = Channel::connect_with(server.target(), options).await.unwrap();
    let client = EchoServiceClient::new(channel.clone());
    let call = tokio::spawn({
        let client = client.clone();
        async move { client.echo(request("x")).timeout(Duration::from_millis(500)).await }
    });
    clock.until(|| channel.snapshot().calls == 1).await;
    clock.settle().await;
    clock.advance(Duration::from_millis(490)).await;
    assert!(!call.is_finished(), "ended before its deadline");
    // At the deadline, give or take the ten milliseconds that a sweep may take.
    clock.advance(Duration::from_millis(20)).await;
    clock.until(|| call.is_finished()).await;
    assert_eq!(call.await.unwrap().unwrap_err().code().number(), 1008);
    assert_eq!(channel.snapshot().calls, 0);
    go.send(true).unwrap();
    clock.until(|| channel.snapshot().stray_replies == 1).await;
    assert_eq!(client.echo(request("x")).await.unwrap().message(), "in time");
    assert_eq!((server.accepted(), channel.snapshot().retries), (1, 0));
}

/// Thousands of calls with deadlines of their own, all timing out: each does, none stays.
#[tokio::test]
async fn trust_c03_thousands_of_calls_time_out_together() {
    let clock = Clock::stopped();
    let server = Scripted::start(|mut raw, _| async move { raw.read_to_end().await }).await;
    let channel = Channel::connect(server.target()).await.unwrap();
    let client = EchoServiceClient::new(channel.clone());
    let calls: Vec<_> = (0..5000)
        .map(|number: u64| {
            let client = client.clone();
            tokio::spawn(async move {
                let timeout = Duration::from_millis(100 + number % 400);
                client.echo(request("x")).timeout(timeout).await.unwrap_err().code().number()
            })
        })
        .collect();
    clock.until(|| channel.snapshot().calls == 5000).await;
    for _ in 0..60 {
        clock.advance(Duration::from_millis(10)).await;
    }
    for call in calls {
        assert_eq!(call.await.unwrap(), 1008);
    }
    assert_eq!(channel.snapshot().calls, 0);
}

/// A server that hears of a call late is told of the time that is left, not of that it had.
#[tokio::test]
async fn trust_b13_a_repeated_call_tells_what_is_left_of_its_time() {
    let clock = Clock::stopped();
    let (told, mut heard) = tokio::sync::mpsc::unbounded_channel();
    let server = Scripted::start(move |mut raw, _| {
        let told = told.clone();
        async move {
            while let Some(asked) = raw.next().await {
                told.send(asked.timeout_ms).unwrap();
                raw.send(&stubwire_tests_e2e::raw::error_frame(asked.id, 2004, "busy")).await;
            }
        }
    })
    .await;
    let client = EchoServiceClient::new(Channel::connect(server.target()).await.unwrap());
    let call = tokio::spawn(async move {
        client.echo(request("x")).timeout(Duration::from_millis(1000)).await
    });
    assert_eq!(heard.recv().await.unwrap(), Some(1000));
    clock.settle().await;
    clock.advance(Duration::from_millis(300)).await;
    let second = heard.recv().await.unwrap().unwrap();
    assert!((1..=700).contains(&second), "told of {second} ms with 700 left");
    call.abort();
}

on_both_runtimes!(a_channel_may_keep_its_patience_to_itself, || async {
    let serving = Serving::start().await;
    let mut options = ChannelOptions::default();
    options.send_timeout = false;
    let client = serving.client_with(options).await;
    let reply = client.slow(request("x")).timeout(Duration::from_secs(5)).await.unwrap();
    assert_eq!(reply.message(), "timeout_ms=-1 deadline_us=-1");
});

on_both_runtimes!(dropping_a_call_frees_its_slot, || async {
    let serving = Serving::start().await;
    let channel = Channel::connect(serving.target()).await.unwrap();
    let client = EchoServiceClient::new(channel.clone());
    for _ in 0..100 {
        let call = tokio::spawn({
            let client = client.clone();
            async move { client.echo(request("stubborn")).await }
        });
        let begun = serving.echo.begun();
        until(|| serving.echo.begun() > begun || channel.snapshot().calls > 0).await;
        call.abort();
        let _ = call.await;
    }
    assert_eq!(channel.snapshot().calls, 0);
    let held = serving.handle.snapshot().calls;
    while serving.handle.snapshot().calls > 0 {
        serving.echo.release.notify_waiters();
        tokio::task::yield_now().await;
    }
    // Their replies come after all, and find nobody.
    until(|| channel.snapshot().stray_replies as usize >= held).await;
    assert_eq!(client.echo(request("x")).await.unwrap().message(), "x");
});
