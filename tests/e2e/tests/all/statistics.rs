//! What is counted, and that it adds up.

use stubwire_tests_e2e::bench::EchoRequest;
use stubwire_tests_e2e::raw::{Raw, echo_frame, echo_text};
use stubwire_tests_e2e::{Serving, on_both_runtimes, request, until};

on_both_runtimes!(every_call_is_counted_once, || async {
    let serving = Serving::start().await;
    let client = serving.client().await;
    for round in 0..20 {
        client.echo(request("x")).await.unwrap();
        let code = EchoRequest { code: Some(1000 + round), ..request("x") };
        client.fail(code).max_retries(0).await.unwrap_err();
    }
    client.echo(request("panic")).await.unwrap_err();
    let mut raw = Raw::connect(serving.address).await;
    // A message that cannot be decoded was begun and failed; a method that is not there was not.
    raw.ask(&echo_frame("Echo", 1, &[0xff; 9])).await.unwrap();
    raw.ask(&echo_frame("Nothing", 1, &[])).await.unwrap();
    let stats = |method: &str| {
        let method = serving.registry.method(&format!("bench.EchoService/{method}")).unwrap();
        method.stats()
    };
    let (echo, fail, slow) = (stats("Echo"), stats("Fail"), stats("Slow"));
    assert_eq!((echo.finished, echo.failed, echo.refused, echo.in_flight), (22, 2, 0, 0));
    assert_eq!((fail.finished, fail.failed, fail.refused, fail.in_flight), (20, 20, 0, 0));
    assert_eq!(slow, Default::default());
    assert_eq!((echo.latency.count(), fail.latency.count()), (22, 20));
    assert!(echo.latency.quantile(0.5) <= echo.latency.quantile(0.99));
});

on_both_runtimes!(a_server_counts_what_it_has_open, || async {
    let serving = Serving::start().await;
    let mut peers = Vec::new();
    for id in 0..5 {
        let mut raw = Raw::connect(serving.address).await;
        raw.send(&echo_text(id, "stubborn")).await;
        peers.push(raw);
    }
    until(|| serving.handle.snapshot().calls == 5).await;
    let method = serving.registry.method("bench.EchoService/Echo").unwrap();
    assert_eq!(method.stats().in_flight, 5);
    let snapshot = serving.handle.snapshot();
    assert_eq!((snapshot.connections, snapshot.accepted), (5, 5));
    serving.echo.release.notify_waiters();
    for raw in &mut peers {
        raw.next().await.unwrap();
    }
    drop(peers);
    until(|| serving.handle.snapshot().connections == 0).await;
    let snapshot = serving.handle.snapshot();
    assert_eq!((snapshot.calls, snapshot.accepted, snapshot.misbehaved), (0, 5, 0));
    assert_eq!((snapshot.panics, snapshot.dropped_replies, snapshot.accept_errors), (0, 0, 0));
});
