//! Calls that go well.

use bytes::Bytes;
use stubwire::{Channel, ChannelOptions, ConnectionPolicy};
use stubwire_tests_e2e::bench::EchoServiceClient;
use stubwire_tests_e2e::{Echo, Serving, echo_registry, on_both_runtimes, request};

on_both_runtimes!(a_call_is_answered, || async {
    let serving = Serving::start().await;
    let client = serving.client().await;
    let reply = client.echo(request("hello")).await.unwrap();
    assert_eq!(reply.message(), "hello");
    let reply = client.echo(request("x")).attach(Bytes::from_static(b"attached")).log_id(7).await;
    assert_eq!(reply.unwrap().attachment(), "attached");
    let status = client
        .fail(stubwire_tests_e2e::bench::EchoRequest { code: Some(1234), ..request("boom") })
        .await
        .unwrap_err();
    assert_eq!((status.code().number(), status.message()), (1234, "boom"));
    assert_eq!(status.origin(), Some(&*serving.address.to_string()));
});

on_both_runtimes!(many_calls_share_connections, || async {
    let serving = Serving::start().await;
    for policy in [
        ConnectionPolicy::Shared(1),
        ConnectionPolicy::Shared(4),
        ConnectionPolicy::Pooled { max_idle: 4, max_connections: 8 },
        ConnectionPolicy::Short,
    ] {
        let mut options = ChannelOptions::default();
        options.policy = policy;
        let client = serving.client_with(options).await;
        let calls: Vec<_> = (0..64)
            .map(|caller| {
                let client = client.clone();
                tokio::spawn(async move {
                    for call in 0..10 {
                        let text = format!("{caller}/{call}");
                        assert_eq!(client.echo(request(&text)).await.unwrap().message(), text);
                    }
                })
            })
            .collect();
        for call in calls {
            call.await.unwrap();
        }
    }
});

on_both_runtimes!(an_in_process_channel_needs_no_socket, || async {
    let client = EchoServiceClient::new(Channel::in_process(echo_registry(&Echo::default())));
    let reply = client.echo(request("hello")).attach(Bytes::from_static(b"a")).await.unwrap();
    assert_eq!((reply.message(), &reply.attachment()[..]), ("hello", &b"a"[..]));
});

on_both_runtimes!(large_messages_and_attachments_come_through, || async {
    let serving = Serving::start().await;
    let client = serving.client().await;
    for size in [0, 1, 4095, 16 << 10, 64 << 10, 1 << 20, 5 << 20] {
        let payload = Bytes::from((0..size).map(|index| index as u8).collect::<Vec<_>>());
        let mut large = request("large");
        large.payload = Some(payload.clone());
        let reply = client.echo(large).attach(payload.clone()).await.unwrap();
        assert!(reply.payload() == &payload[..] && reply.attachment() == &payload, "{size}");
    }
});
