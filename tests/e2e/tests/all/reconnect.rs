//! Servers that are not there, come back, or cannot be found.

use std::sync::Arc;
use std::time::Duration;
use stubwire::{BoundServer, Channel, ChannelOptions, ConnectionPolicy, Server};
use stubwire_tests_e2e::bench::EchoServiceClient;
use stubwire_tests_e2e::clock::Clock;
use stubwire_tests_e2e::{Echo, Serving, echo_registry, guarded, on_both_runtimes, request, until};
use tokio::net::TcpSocket;

fn lazy(target: &str, change: impl FnOnce(&mut ChannelOptions)) -> (EchoServiceClient, Channel) {
    let mut options = ChannelOptions::default();
    options.policy = ConnectionPolicy::Shared(1);
    change(&mut options);
    let channel = Channel::lazy(target, options).unwrap();
    (EchoServiceClient::new(channel.clone()), channel)
}

/// An address where nobody listens, kept from others for as long as the socket is.
fn nobody() -> (TcpSocket, String) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let target = format!("prpc://{}", socket.local_addr().unwrap());
    (socket, target)
}

/// Listens where somebody just listened; a connection of another test may have the port for a
/// moment.
async fn bind_again(server: impl Fn() -> Server, address: &str) -> BoundServer {
    loop {
        match server().bind(address).await {
            Ok(bound) => return bound,
            Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::AddrInUse, "{error}"),
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

on_both_runtimes!(trust_c06_a_refused_connection_has_its_own_code, || async {
    let (_socket, target) = nobody();
    let (client, channel) = lazy(&target, |options| options.max_retries = 0);
    let status = client.echo(request("x")).await.unwrap_err();
    assert_eq!(status.code().number(), 111, "{status}");
    assert!(status.message().contains("cannot connect to prpc://127.0.0.1:"), "{status}");
    assert!(std::error::Error::source(&status).is_some());
    assert_eq!(channel.snapshot().failed, 1);
    let status = Channel::connect(&target).await.unwrap_err();
    assert_eq!(status.code().number(), 111);
});

on_both_runtimes!(trust_c06_a_name_that_does_not_resolve_has_its_own_code, || async {
    // The top-level name `invalid` is reserved for this.
    // A resolver without a network may take its time.
    let (client, _) = lazy("prpc://no-such-host.invalid:1", |options| {
        (options.connect_timeout, options.timeout) = (Duration::from_secs(90), None);
        options.max_retries = 0;
    });
    let status = client.echo(request("x")).await.unwrap_err();
    assert_eq!(status.code().number(), 112, "{status}");
    assert!(status.message().contains("no-such-host.invalid"), "{status}");
});

/// A listener whose queue is full drops what comes: no answer at all.
#[tokio::test]
async fn trust_c06_a_black_hole_ends_at_the_connect_timeout() {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let listener = socket.listen(0).unwrap();
    let address = listener.local_addr().unwrap();
    let mut queue = Vec::new();
    let attempt = || tokio::net::TcpStream::connect(address);
    while let Ok(stream) = tokio::time::timeout(Duration::from_millis(200), attempt()).await {
        queue.push(stream);
    }
    let clock = Clock::stopped();
    let (client, channel) = lazy(&format!("prpc://{address}"), |options| options.max_retries = 0);
    let call = tokio::spawn(async move { client.echo(request("x")).await });
    clock.settle().await;
    clock.advance(Duration::from_millis(2900)).await;
    assert!(!call.is_finished());
    clock.advance(Duration::from_millis(200)).await;
    clock.until(|| call.is_finished()).await;
    let status = call.await.unwrap().unwrap_err();
    assert_eq!(status.code().number(), 110, "{status}");
    assert_eq!(channel.snapshot().failed, 1);
}

on_both_runtimes!(trust_c06_a_call_outlives_a_server_that_starts_late, || async {
    let (socket, target) = nobody();
    let (client, channel) = lazy(&target, |options| options.max_retries = 9);
    let call = tokio::spawn(async move { client.echo(request("x")).await });
    until(|| channel.snapshot().failed >= 1).await;
    drop(socket);
    let server = || Server::new(echo_registry(&Echo::default()));
    let bound = bind_again(server, &target["prpc://".len()..]).await;
    let serving = tokio::spawn(bound.serve());
    assert_eq!(call.await.unwrap().unwrap().message(), "x");
    assert!(channel.snapshot().retries >= 1);
    serving.abort();
});

on_both_runtimes!(trust_c05_a_restarted_server_is_found_again, || async {
    let mut serving = Serving::start().await;
    let address = serving.address.to_string();
    let (client, channel) = lazy(&serving.target(), |_| {});
    for restart in 0..3 {
        assert_eq!(client.echo(request("x")).await.unwrap().message(), "x", "restart {restart}");
        serving.handle.stop();
        (&mut serving.task).await.unwrap();
        let bound = bind_again(|| Server::new(serving.registry.clone()), &address).await;
        serving.handle = bound.handle();
        serving.task = tokio::spawn(async move { bound.serve().await.unwrap() });
    }
    assert_eq!(client.echo(request("x")).await.unwrap().message(), "x");
    let snapshot = channel.snapshot();
    assert_eq!((snapshot.opened, snapshot.connections, snapshot.calls), (4, 1, 0));
});

/// Without a server the attempts become rarer: counted over ten minutes of a clock that is moved.
#[tokio::test]
async fn trust_c05_attempts_become_rarer() {
    let (_socket, target) = nobody();
    let clock = Clock::stopped();
    let (client, channel) = lazy(&target, |options| options.max_retries = 0);
    let failures = |seconds: u64| {
        let (clock, client, channel) = (&clock, &client, &channel);
        async move {
            let before = channel.snapshot().failed;
            for _ in 0..seconds * 10 {
                // Callers that come all the time share the attempts.
                let calls: Vec<_> = (0..3)
                    .map(|_| {
                        let client = client.clone();
                        let timeout = Duration::from_millis(50);
                        tokio::spawn(
                            async move { client.echo(request("x")).timeout(timeout).await },
                        )
                    })
                    .collect();
                clock.advance(Duration::from_millis(100)).await;
                for call in calls {
                    call.abort();
                }
            }
            channel.snapshot().failed - before
        }
    };
    let (first, later) = (failures(10).await, failures(60).await);
    assert!((5..=12).contains(&first), "{first} attempts in the first ten seconds");
    assert!((5..=13).contains(&later), "{later} attempts in a minute later");
}

/// A hundred clients of a server that goes and comes back: all find it, at different moments.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn trust_c05_a_hundred_clients_come_back() {
    guarded(async {
        let mut serving = Serving::start().await;
        let address = serving.address.to_string();
        let clients: Vec<_> = (0..100)
            .map(|number| {
                lazy(&serving.target(), |options| {
                    options.connection_group = format!("client {number}");
                    options.max_retries = 20;
                })
            })
            .collect();
        for (client, _) in &clients {
            client.echo(request("x")).await.unwrap();
        }
        assert_eq!(serving.handle.snapshot().connections, 100);
        serving.handle.stop_now();
        (&mut serving.task).await.unwrap();
        let channels: Vec<_> = clients.iter().map(|(_, channel)| channel.clone()).collect();
        until(|| channels.iter().all(|channel| channel.snapshot().connections == 0)).await;
        let calls: Vec<_> = clients
            .into_iter()
            .map(|(client, _)| tokio::spawn(async move { client.echo(request("x")).await }))
            .collect();
        until(|| channels.iter().all(|channel| channel.snapshot().failed >= 2)).await;
        let bound = bind_again(|| Server::new(serving.registry.clone()), &address).await;
        let (handle, task) = (bound.handle(), tokio::spawn(bound.serve()));
        for call in calls {
            assert_eq!(call.await.unwrap().unwrap().message(), "x");
        }
        let snapshot = handle.snapshot();
        assert_eq!((snapshot.accepted, snapshot.misbehaved), (100, 0));
        task.abort();
    })
    .await;
}

// Many callers that find no connection open one between them.
on_both_runtimes!(callers_share_the_attempt_to_connect, || async {
    let serving = Serving::start().await;
    let (client, channel) = lazy(&serving.target(), |_| {});
    let client = Arc::new(client);
    let calls: Vec<_> = (0..200)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(async move { client.echo(request("x")).await.map(drop) })
        })
        .collect();
    for call in calls {
        call.await.unwrap().unwrap();
    }
    assert_eq!((channel.snapshot().opened, serving.handle.snapshot().accepted), (1, 1));
});

// A caller that gives up while connecting takes the attempt of the others not with it.
on_both_runtimes!(a_caller_that_gives_up_leaves_the_attempt_to_the_others, || async {
    let serving = Serving::start().await;
    let (client, _) = lazy(&serving.target(), |_| {});
    let mut first = Box::pin(client.echo(request("x")).into_future());
    let poll = std::future::poll_fn(|context| {
        std::task::Poll::Ready(first.as_mut().poll(context).is_pending())
    });
    assert!(poll.await);
    let second = tokio::spawn({
        let client = client.clone();
        async move { client.echo(request("y")).await }
    });
    tokio::task::yield_now().await;
    drop(first);
    assert_eq!(second.await.unwrap().unwrap().message(), "y");
});

/// A channel outlives the runtime that opened its connections.
#[test]
fn a_channel_moves_to_another_runtime() {
    let runtime = || tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let of_server = runtime();
    let serving = of_server.block_on(Serving::start());
    let (client, channel) = lazy(&serving.target(), |_| {});
    for _ in 0..3 {
        let of_client = runtime();
        let calls = client.clone();
        let held = of_client.spawn(async move { calls.echo(request("hold")).await });
        let reply = of_client.block_on(async { client.echo(request("x")).await });
        assert_eq!(reply.unwrap().message(), "x");
        of_server.block_on(until(|| serving.handle.snapshot().calls == 1));
        drop(of_client);
        drop(held);
        of_server.block_on(until(|| serving.handle.snapshot().connections == 0));
    }
    assert_eq!((channel.snapshot().opened, channel.snapshot().calls), (3, 0));
}
