//! Limits on calls at once: of one method, changed while it serves, and of the server.

use stubwire_tests_e2e::raw::{Raw, echo_frame, echo_text, message};
use stubwire_tests_e2e::{Serving, on_both_runtimes, until};

on_both_runtimes!(a_methods_limit_changes_while_it_serves, || async {
    let serving = Serving::start().await;
    let method = serving.registry.method("bench.EchoService/Echo").unwrap();
    let mut raw = Raw::connect(serving.address).await;
    let mut id = 0;
    assert_eq!(method.concurrency_limit(), None);
    for limit in [2, 1, 3] {
        method.max_concurrency(limit);
        assert_eq!(method.concurrency_limit(), Some(limit));
        let begun = serving.echo.begun();
        for _ in 0..limit {
            id += 1;
            raw.send(&echo_text(id, "stubborn")).await;
        }
        until(|| serving.echo.begun() == begun + limit).await;
        id += 1;
        let reply = raw.ask(&echo_text(id, "x")).await.unwrap();
        assert_eq!((reply.id, reply.code), (id, 2004));
        let words = "Rejected by bench.EchoService.Echo's ConcurrencyLimiter, concurrency=";
        assert!(reply.text.ends_with(&format!("{words}{limit}")), "{}", reply.text);
        // Other methods have limits of their own.
        id += 1;
        assert_eq!(raw.ask(&echo_frame("Slow", id, &message("x"))).await.unwrap().code, 0);
        // Raised, it lets the next in at once.
        method.max_concurrency(limit + 1);
        id += 1;
        assert_eq!(raw.ask(&echo_text(id, "x")).await.unwrap().code, 0);
        method.max_concurrency(limit);
        for _ in 0..limit {
            serving.echo.release.notify_one();
            assert_eq!(raw.next().await.unwrap().code, 0);
        }
        until(|| method.stats().in_flight == 0).await;
    }
    method.max_concurrency(0);
    for _ in 0..50 {
        id += 1;
        raw.send(&echo_text(id, "stubborn")).await;
    }
    until(|| method.stats().in_flight == 50).await;
    assert_eq!(method.stats().refused, 3);
});

on_both_runtimes!(a_limit_holds_however_many_come_at_once, || async {
    let serving = Serving::start().await;
    let method = serving.registry.method("bench.EchoService/Slow").unwrap();
    method.max_concurrency(5);
    let mut options = stubwire::ChannelOptions::default();
    options.max_retries = 0;
    let client = serving.client_with(options).await;
    let calls: Vec<_> = (0..200)
        .map(|_| {
            let client = client.clone();
            let sleeps = stubwire_tests_e2e::bench::EchoRequest {
                sleep_us: Some(1000),
                ..Default::default()
            };
            tokio::spawn(async move { client.slow(sleeps).await.map(drop) })
        })
        .collect();
    let mut most = 0;
    while calls.iter().any(|call| !call.is_finished()) {
        // Counted in the handlers, and in this order, so that it is never too high: the statistics may
        // for an instant hold a call that is just being refused.
        let begun = serving.echo.begun();
        most = most.max(begun.saturating_sub(serving.echo.ended()));
        tokio::task::yield_now().await;
    }
    assert!(most <= 5, "{most} at once");
    let mut served = 0;
    for call in calls {
        match call.await.unwrap() {
            Ok(()) => served += 1,
            Err(status) => assert_eq!(status.code().number(), 2004),
        }
    }
    let stats = method.stats();
    assert_eq!((stats.finished, stats.refused, stats.in_flight), (served, 200 - served, 0));
    assert!(served >= 5);
});

on_both_runtimes!(the_servers_own_limit_counts_all_connections, || async {
    let serving = Serving::start_with(|server| server.max_concurrency(3)).await;
    let mut peers = Vec::new();
    for id in 0..3 {
        let mut raw = Raw::connect(serving.address).await;
        raw.send(&echo_text(id, "stubborn")).await;
        peers.push(raw);
    }
    until(|| serving.echo.begun() == 3).await;
    let mut fourth = Raw::connect(serving.address).await;
    let reply = fourth.ask(&echo_text(4, "x")).await.unwrap();
    let expected = format!("[{}][E2004]Reached server's max_concurrency=3", serving.address);
    assert_eq!((reply.code, reply.text), (2004, expected));
    serving.echo.release.notify_one();
    until(|| serving.handle.snapshot().calls == 2).await;
    assert_eq!(fourth.ask(&echo_text(5, "x")).await.unwrap().code, 0);
    // A caller that leaves gives its place back once its handler ends.
    serving.echo.release.notify_waiters();
    until(|| serving.handle.snapshot().calls == 0).await;
});
