//! Handlers that panic, that outlive their callers, and callers that leave in every way.

use std::time::Duration;
use stubwire_tests_e2e::raw::{Raw, echo_text, message};
use stubwire_tests_e2e::{Serving, on_both_runtimes, request, until};

on_both_runtimes!(trust_b14_a_thousand_panics_leave_everything_alive, || async {
    let serving = Serving::start().await;
    let client = serving.client().await;
    for round in 0..50 {
        let calls: Vec<_> = (0..20)
            .map(|call| {
                let text = if call % 2 == 0 { "panic" } else { "panic later" };
                let client = client.clone();
                tokio::spawn(async move { client.echo(request(text)).await })
            })
            .collect();
        for call in calls {
            let status = call.await.unwrap().unwrap_err();
            assert_eq!(status.code().number(), 2001);
            assert!(!format!("{status:?} {status}").contains("secret"), "{status:?}");
        }
        assert_eq!(client.echo(request("x")).await.unwrap().message(), "x", "round {round}");
    }
    let snapshot = serving.handle.snapshot();
    assert_eq!((snapshot.panics, snapshot.calls), (1000, 0));
    // The four that the channel shares: none was replaced.
    assert!(snapshot.accepted <= 4 && snapshot.misbehaved == 0, "{snapshot:?}");
    let method = serving.registry.method("bench.EchoService/Echo").unwrap().stats();
    assert_eq!((method.finished, method.failed, method.in_flight), (1050, 1000, 0));
    assert_eq!(client_calls_in_flight(&serving).await, 0);
});

async fn client_calls_in_flight(serving: &Serving) -> usize {
    stubwire::Channel::connect(serving.target()).await.unwrap().snapshot().calls
}

on_both_runtimes!(trust_b14_panics_on_one_raw_connection, || async {
    let serving = Serving::start().await;
    let mut raw = Raw::connect(serving.address).await;
    for id in 0..50 {
        let reply = raw.ask(&echo_text(id, ["panic", "panic later"][id as usize % 2])).await;
        let reply = reply.expect("the connection lives");
        assert_eq!((reply.id, reply.code), (id, 2001));
        assert!(!reply.text.contains("secret"), "{}", reply.text);
    }
});

on_both_runtimes!(trust_b06_a_half_closed_peer_gets_all_its_replies, || async {
    let serving = Serving::start().await;
    let mut raw = Raw::connect(serving.address).await;
    let mut stream: Vec<u8> = (0..100).flat_map(|id| echo_text(id, "x")).collect();
    stream.extend(echo_text(100, "stubborn"));
    raw.send(&stream).await;
    raw.end().await;
    for id in 0..100 {
        assert_eq!(raw.next().await.unwrap().id, id);
    }
    serving.echo.release.notify_one();
    assert_eq!(raw.next().await.unwrap().id, 100);
    assert_eq!(raw.next().await, None);
    until(|| serving.handle.snapshot().connections == 0).await;
});

on_both_runtimes!(trust_b07_a_reset_cancels_only_its_own_calls, || async {
    let serving = Serving::start().await;
    let (mut gone, mut stays) =
        (Raw::connect(serving.address).await, Raw::connect(serving.address).await);
    for id in 0..10 {
        gone.send(&echo_text(id, "hold")).await;
        stays.send(&echo_text(id, "hold")).await;
    }
    until(|| serving.echo.begun() == 20).await;
    gone.reset();
    until(|| serving.handle.snapshot().calls == 10).await;
    assert_eq!((serving.echo.cancelled(), serving.echo.ended()), (10, 10));
    serving.echo.release.notify_waiters();
    for _ in 0..10 {
        let reply = stays.next().await.expect("its calls go on");
        assert_eq!((reply.code, reply.payload), (0, message("hold")));
    }
    until(|| serving.handle.snapshot().connections == 1).await;
    assert_eq!(serving.handle.snapshot().calls, 0);
});

on_both_runtimes!(trust_b16_replies_to_nobody_are_dropped_and_counted, || async {
    let serving = Serving::start().await;
    let mut raw = Raw::connect(serving.address).await;
    for id in 0..10 {
        raw.send(&echo_text(id, "stubborn")).await;
    }
    until(|| serving.echo.begun() == 10).await;
    raw.reset();
    // The handlers do not listen to their cancellation: they run to their end.
    tokio::time::sleep(Duration::from_millis(20)).await;
    assert_eq!(serving.handle.snapshot().calls, 10);
    while serving.echo.ended() < 10 {
        serving.echo.release.notify_waiters();
        tokio::task::yield_now().await;
    }
    until(|| serving.handle.snapshot().calls == 0).await;
    until(|| serving.handle.snapshot().connections == 0).await;
    let snapshot = serving.handle.snapshot();
    assert_eq!((snapshot.dropped_replies, snapshot.misbehaved, snapshot.panics), (10, 0, 0));
});

on_both_runtimes!(trust_b07_a_peer_that_leaves_at_its_call_limit_is_noticed, || async {
    let mut limits = stubwire::Limits::default();
    limits.max_calls_per_connection = 4;
    let serving = Serving::start_with(|server| server.limits(limits)).await;
    for leave in [true, false] {
        let mut raw = Raw::connect(serving.address).await;
        // Four run, and the server reads no further: it has to find out in another way.
        for id in 0..50 {
            raw.send(&echo_text(id, "hold")).await;
        }
        until(|| serving.echo.begun() >= 4 && serving.handle.snapshot().calls == 4).await;
        if leave {
            raw.reset()
        } else {
            drop(raw)
        }
        until(|| serving.handle.snapshot().connections == 0).await;
        assert_eq!(serving.handle.snapshot().calls, 0);
    }
});

on_both_runtimes!(trust_b18_a_second_call_with_an_id_in_flight_is_refused, || async {
    let serving = Serving::start().await;
    let mut raw = Raw::connect(serving.address).await;
    raw.send(&echo_text(5, "stubborn")).await;
    until(|| serving.echo.begun() == 1).await;
    let second = raw.ask(&echo_text(5, "x")).await.unwrap();
    assert_eq!((second.id, second.code), (5, 1003));
    assert!(second.text.contains("in flight"), "{}", second.text);
    // Another id is welcome, and the first call is not harmed.
    assert_eq!(raw.ask(&echo_text(6, "x")).await.unwrap().code, 0);
    serving.echo.release.notify_one();
    let first = raw.next().await.unwrap();
    assert_eq!((first.id, first.code, first.payload), (5, 0, message("stubborn")));
    // The id is free again.
    assert_eq!(raw.ask(&echo_text(5, "again")).await.unwrap().code, 0);
    assert_eq!(serving.echo.begun(), 3);
});

on_both_runtimes!(abort_on_disconnect_drops_waiting_handlers, || async {
    let serving = Serving::start_with(|server| server.abort_on_disconnect(true)).await;
    let mut raw = Raw::connect(serving.address).await;
    for id in 0..10 {
        raw.send(&echo_text(id, "stubborn")).await;
    }
    until(|| serving.echo.begun() == 10).await;
    drop(raw);
    until(|| serving.handle.snapshot().connections == 0).await;
    let snapshot = serving.handle.snapshot();
    assert_eq!((serving.echo.ended(), snapshot.calls, snapshot.panics), (0, 0, 0));
    let method = serving.registry.method("bench.EchoService/Echo").unwrap().stats();
    assert_eq!((method.in_flight, method.failed), (0, 10));
});

on_both_runtimes!(a_handler_hears_that_its_caller_is_gone, || async {
    let serving = Serving::start().await;
    let mut options = stubwire::ChannelOptions::default();
    options.policy = stubwire::ConnectionPolicy::Short;
    let client = serving.client_with(options).await;
    let call = tokio::spawn(async move { client.echo(request("hold")).await });
    until(|| serving.echo.begun() == 1).await;
    assert_eq!(serving.echo.cancelled(), 0);
    call.abort();
    until(|| serving.echo.cancelled() == 1).await;
});
