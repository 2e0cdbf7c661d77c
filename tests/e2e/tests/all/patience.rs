//! Peers that are slow on purpose. The clock stands still and moves only where a test moves it, so
//! the real limits are tested, and nothing depends on how fast the machine is.

use std::time::Duration;
use stubwire::{ChannelOptions, Limits};
use stubwire_tests_e2e::clock::Clock;
use stubwire_tests_e2e::raw::{Raw, echo_frame, echo_text, header, message, reply_frame};
use stubwire_tests_e2e::{Serving, hostile::Scripted, request};

const SECOND: Duration = Duration::from_secs(1);

#[tokio::test]
async fn trust_b03_a_header_that_drips_is_cut_off() {
    let clock = Clock::stopped();
    let serving = Serving::start().await;
    let frame = echo_text(1, "x");
    let mut drips: Vec<_> = Vec::new();
    for _ in 0..50 {
        drips.push(Raw::connect(serving.address).await);
    }
    let mut good = Raw::connect(serving.address).await;
    // A byte every second: each is progress, but ten seconds are what a header may take.
    for second in 0..9 {
        for drip in &mut drips {
            drip.send(&frame[second..=second]).await;
        }
        clock.settle().await;
        clock.advance(SECOND).await;
        assert_eq!(good.ask(&echo_text(1, "x")).await.unwrap().code, 0);
        assert_eq!(serving.handle.snapshot().connections, 51, "second {second}");
    }
    clock.advance(SECOND * 2).await;
    clock.until(|| serving.handle.snapshot().connections == 1).await;
    assert_eq!(serving.handle.snapshot().misbehaved, 50);
    assert_eq!(good.ask(&echo_text(1, "x")).await.unwrap().code, 0);
}

/// The time of a header counts from its own first byte, not from that of an earlier one: a stream
/// whose every read ends inside a header is an honest stream.
#[tokio::test]
async fn trust_b03_headers_cut_by_reads_do_not_add_up() {
    let clock = Clock::stopped();
    let serving = Serving::start().await;
    let mut raw = Raw::connect(serving.address).await;
    let frame = echo_text(1, "x");
    raw.send(&frame[..5]).await;
    for round in 0..20 {
        clock.settle().await;
        clock.advance(SECOND).await;
        raw.send(&[&frame[5..], &frame[..5]].concat()).await;
        assert_eq!(raw.next().await.expect("an honest stream").code, 0, "round {round}");
    }
}

#[tokio::test]
async fn trust_b03_an_idle_connection_may_stay() {
    let clock = Clock::stopped();
    let serving = Serving::start().await;
    let mut raw = Raw::connect(serving.address).await;
    for _ in 0..3 {
        assert_eq!(raw.ask(&echo_text(1, "x")).await.unwrap().code, 0);
        clock.advance(SECOND * 3600).await;
    }
}

#[tokio::test]
async fn trust_b04_a_body_that_stands_still_is_cut_off() {
    let clock = Clock::stopped();
    let serving = Serving::start().await;
    let mut raw = Raw::connect(serving.address).await;
    raw.send(&header(64 << 20, 10)).await;
    clock.settle().await;
    clock.advance(SECOND * 29).await;
    assert_eq!(serving.handle.snapshot().connections, 1);
    clock.advance(SECOND * 2).await;
    clock.until(|| serving.handle.snapshot().connections == 0).await;
    assert_eq!(serving.handle.snapshot().misbehaved, 1);
}

/// 64 MiB at 1 KB a second would take eighteen hours.
#[tokio::test]
async fn trust_b04_a_body_that_drips_is_cut_off() {
    let clock = Clock::stopped();
    let serving = Serving::start().await;
    let mut raw = Raw::connect(serving.address).await;
    raw.send(&header(64 << 20, 10)).await;
    let mut seconds = 0;
    while serving.handle.snapshot().misbehaved == 0 {
        raw.send(&[0; 1000]).await;
        clock.settle().await;
        clock.advance(SECOND).await;
        seconds += 1;
        assert!(seconds < 100, "the server holds on for ever");
    }
    assert!(seconds >= 29, "cut off after {seconds} s already");
}

/// A slow link that carries a body at a useful pace is not an attack, however long it takes.
#[tokio::test]
async fn trust_b04_a_slow_but_steady_body_is_served() {
    let clock = Clock::stopped();
    let serving = Serving::start().await;
    let mut raw = Raw::connect(serving.address).await;
    let frame = echo_frame("Echo", 1, &message(&"x".repeat(2 << 20)));
    for piece in frame.chunks(16 << 10) {
        raw.send(piece).await;
        clock.settle().await;
        clock.advance(SECOND).await;
    }
    assert_eq!(raw.next().await.expect("a reply").code, 0);
}

#[tokio::test]
async fn trust_b05_a_peer_that_never_reads_is_cut_off() {
    let clock = Clock::stopped();
    let mut limits = Limits::default();
    limits.max_unwritten = 64 << 10;
    let serving = Serving::start_with(|server| server.limits(limits)).await;
    let mut raw = Raw::connect(serving.address).await;
    let frame = echo_frame("Echo", 1, &message(&"x".repeat(8 << 20)));
    raw.send(&frame).await;
    clock.until(|| serving.echo.ended() == 1).await;
    clock.settle().await;
    clock.advance(SECOND * 29).await;
    assert_eq!(serving.handle.snapshot().connections, 1);
    clock.advance(SECOND * 2).await;
    clock.until(|| serving.handle.snapshot().connections == 0).await;
}

#[tokio::test]
async fn trust_c03_a_reply_that_stands_still_costs_its_connection() {
    let clock = Clock::stopped();
    let server = Scripted::start(|mut raw, _| async move {
        let asked = raw.next().await.expect("a request");
        let reply = reply_frame(asked.id, &message("half"));
        raw.send(&reply[..reply.len() - 1]).await;
        raw.read_to_end().await;
    })
    .await;
    let mut options = ChannelOptions::default();
    options.timeout = None;
    let channel = stubwire::Channel::lazy(server.target(), options).unwrap();
    let client = stubwire_tests_e2e::bench::EchoServiceClient::new(channel);
    let call = tokio::spawn(async move { client.echo(request("x")).await });
    clock.until(|| server.accepted() == 1).await;
    clock.settle().await;
    clock.advance(SECOND * 29).await;
    assert!(!call.is_finished());
    clock.advance(SECOND * 2).await;
    let status = call.await.unwrap().unwrap_err();
    assert_eq!(status.code().number(), 1009);
    assert!(status.message().contains("did not go on"), "{status}");
}
