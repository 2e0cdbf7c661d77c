//! Which connections a channel opens, keeps, shares and closes.

use stubwire::{Channel, ChannelOptions, ConnectionPolicy};
use stubwire_tests_e2e::bench::EchoServiceClient;
use stubwire_tests_e2e::hostile::Scripted;
use stubwire_tests_e2e::raw::reply_frame;
use stubwire_tests_e2e::{Serving, on_both_runtimes, request, until};

fn lazy(
    serving: &Serving,
    change: impl FnOnce(&mut ChannelOptions),
) -> (EchoServiceClient, Channel) {
    let mut options = ChannelOptions::default();
    change(&mut options);
    let channel = Channel::lazy(serving.target(), options).unwrap();
    (EchoServiceClient::new(channel.clone()), channel)
}

on_both_runtimes!(channels_to_one_target_share_connections_by_group, || async {
    let serving = Serving::start().await;
    let one = |group: &str| {
        lazy(&serving, |options| {
            options.policy = ConnectionPolicy::Shared(1);
            options.connection_group = group.to_owned();
        })
    };
    let channels = [one(""), one(""), one("a"), one("a"), one("b")];
    for (client, _) in &channels {
        client.echo(request("x")).await.unwrap();
    }
    assert_eq!(serving.handle.snapshot().connections, 3);
    assert_eq!(channels[0].1.snapshot(), channels[1].1.snapshot());
    // Whatever shapes a connection keeps it apart as well.
    let (client, _) = lazy(&serving, |options| {
        options.policy = ConnectionPolicy::Shared(1);
        options.limits.max_body_size = 1 << 20;
    });
    client.echo(request("x")).await.unwrap();
    assert_eq!(serving.handle.snapshot().connections, 4);
    // The last channel of a group closes its connections.
    drop((channels, client));
    until(|| serving.handle.snapshot().connections == 0).await;
});

on_both_runtimes!(shared_connections_are_opened_up_to_their_number, || async {
    let serving = Serving::start().await;
    for number in [1, 2, 5] {
        let (client, channel) = lazy(&serving, |options| {
            options.policy = ConnectionPolicy::Shared(number);
        });
        for _ in 0..20 {
            client.echo(request("x")).await.unwrap();
        }
        until(|| channel.snapshot().connections == number).await;
        for _ in 0..20 {
            client.echo(request("x")).await.unwrap();
        }
        assert_eq!(channel.snapshot().opened as usize, number);
    }
    // None at all is taken as one.
    let (client, channel) = lazy(&serving, |options| options.policy = ConnectionPolicy::Shared(0));
    client.echo(request("x")).await.unwrap();
    assert_eq!(channel.snapshot().opened, 1);
});

on_both_runtimes!(pooled_connections_carry_one_call_each_and_are_capped, || async {
    let serving = Serving::start().await;
    let (client, channel) = lazy(&serving, |options| {
        options.policy = ConnectionPolicy::Pooled { max_idle: 2, max_connections: 5 };
    });
    let calls: Vec<_> = (0..20)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(async move { client.echo(request("stubborn")).await.map(drop) })
        })
        .collect();
    until(|| serving.echo.begun() == 5).await;
    for _ in 0..50 {
        tokio::task::yield_now().await;
    }
    // The others wait for a connection.
    assert_eq!((serving.echo.begun(), serving.handle.snapshot().connections), (5, 5));
    while serving.echo.ended() < 20 {
        serving.echo.release.notify_waiters();
        // As the handlers count: a call's place is given back a little after its reply.
        let begun = serving.echo.begun();
        assert!(begun - serving.echo.ended().min(begun) <= 5);
        tokio::task::yield_now().await;
    }
    for call in calls {
        call.await.unwrap().unwrap();
    }
    // Two are kept; what was closed although it worked is counted.
    let snapshot = channel.snapshot();
    assert_eq!(snapshot.connections, 2);
    assert_eq!(snapshot.opened - snapshot.churned, 2);
    until(|| serving.handle.snapshot().connections == 2).await;
    // One after the other, one connection does.
    for _ in 0..20 {
        client.echo(request("x")).await.unwrap();
    }
    assert_eq!(channel.snapshot().opened, snapshot.opened);
});

on_both_runtimes!(a_pooled_call_that_is_given_up_takes_its_connection_with_it, || async {
    let serving = Serving::start().await;
    let (client, channel) = lazy(&serving, |options| {
        options.policy = ConnectionPolicy::Pooled { max_idle: 4, max_connections: 1 };
    });
    for round in 1..=5 {
        let call = tokio::spawn({
            let client = client.clone();
            async move { client.echo(request("hold")).await }
        });
        until(|| serving.echo.begun() == round * 2 - 1).await;
        call.abort();
        until(|| serving.echo.cancelled() == round).await;
        // Its place is free, and the reply that may still come meets nobody.
        assert_eq!(client.echo(request("x")).await.unwrap().message(), "x");
        assert_eq!(channel.snapshot().connections, 1);
        assert_eq!(channel.snapshot().calls, 0);
    }
    assert_eq!(channel.snapshot().stray_replies, 0);
});

on_both_runtimes!(a_call_that_waits_for_a_connection_has_its_deadline_too, || async {
    let serving = Serving::start().await;
    let (client, channel) = lazy(&serving, |options| {
        options.policy = ConnectionPolicy::Pooled { max_idle: 1, max_connections: 1 };
    });
    let held = tokio::spawn({
        let client = client.clone();
        async move { client.echo(request("stubborn")).await }
    });
    until(|| serving.echo.begun() == 1).await;
    let waits = client.echo(request("x")).timeout(std::time::Duration::from_millis(20));
    assert_eq!(waits.await.unwrap_err().code().number(), 1008);
    assert_eq!((serving.echo.begun(), channel.snapshot().opened), (1, 1));
    serving.echo.release.notify_one();
    assert_eq!(held.await.unwrap().unwrap().message(), "stubborn");
    assert_eq!(client.echo(request("y")).await.unwrap().message(), "y");
    assert_eq!(channel.snapshot().opened, 1);
});

on_both_runtimes!(short_connections_last_one_call, || async {
    let serving = Serving::start().await;
    let (client, channel) = lazy(&serving, |options| options.policy = ConnectionPolicy::Short);
    for _ in 0..10 {
        assert_eq!(client.echo(request("x")).await.unwrap().message(), "x");
    }
    assert_eq!((channel.snapshot().opened, channel.snapshot().connections), (10, 0));
    until(|| serving.handle.snapshot().connections == 0).await;
    assert_eq!(serving.handle.snapshot().accepted, 10);
    // Connecting checks nothing for them: there is no connection to keep.
    let mut options = ChannelOptions::default();
    options.policy = ConnectionPolicy::Short;
    assert!(Channel::connect_with("prpc://127.0.0.1:1", options).await.is_ok());
});

on_both_runtimes!(connections_that_the_server_closed_are_not_used, || async {
    for policy in
        [ConnectionPolicy::Shared(2), ConnectionPolicy::Pooled { max_idle: 2, max_connections: 2 }]
    {
        // Closes every connection after its second reply.
        let server = Scripted::start(|mut raw, _| async move {
            for _ in 0..2 {
                let Some(asked) = raw.next().await else { return };
                raw.send(&reply_frame(asked.id, &asked.payload)).await;
            }
        })
        .await;
        let mut options = ChannelOptions::default();
        (options.policy, options.max_retries) = (policy, 0);
        let channel = Channel::lazy(server.target(), options).unwrap();
        let client = EchoServiceClient::new(channel.clone());
        for round in 0..10 {
            let (before, text) = (channel.snapshot(), format!("{round}"));
            assert_eq!(client.echo(request(&text)).await.unwrap().message(), text);
            assert!(channel.snapshot().failed == 0 && before.calls == 0);
            // Let the end of the stream arrive.
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    }
});
