//! Generated FlatBuffers stubs, client to server over FRPC.

use std::sync::{Arc, Mutex};
use std::time::Duration;
use stubwire::frame::frpc::ByteOrder;
use stubwire::{Call, Channel, ChannelOptions, Compression, ConnectionPolicy, MethodDescriptor};
use stubwire_tests_e2e::benchmark_fb::{BenchmarkServiceClient, Request, RequestArgs, Response};
use stubwire_tests_e2e::frpc::{
    ECHO, ORDERS, SERVICE, client, message, next_request, reply_frame, start, start_with,
};
use stubwire_tests_e2e::hostile::Scripted;
use stubwire_tests_e2e::{on_both_runtimes, request, until};

type Builder = flatbuffers::FlatBufferBuilder<'static>;

/// Builds a request.
fn asking(
    request_id: u64,
    text: &str,
) -> impl FnOnce(&mut Builder) -> flatbuffers::WIPOffset<Request<'static>> {
    move |builder| {
        let message = Some(builder.create_string(text));
        Request::create(builder, &RequestArgs { request_id, message })
    }
}

fn frpc(address: std::net::SocketAddr) -> String {
    format!("frpc://{address}")
}

on_both_runtimes!(calls_are_answered_in_both_orders, || async {
    let (serving, _) = start().await;
    for order in ORDERS {
        for append in [false, true] {
            let (client, channel) = client(frpc(serving.address), |options| {
                options.frpc_byte_order = order;
                options.frpc_append = append;
            });
            for len in [0, 1, 100, 16_300, 16_384, 16_500, 65_736, 1 << 20] {
                let text = "é".repeat(len / 2);
                let attachment = vec![5; len];
                let call = client.echo(asking(len as u64, &text)).attach(attachment.clone());
                let reply = call.await.unwrap();
                let root: Response<'_> = reply.root();
                assert_eq!(root.request_id(), len as u64);
                assert!(root.message() == Some(&*text), "{len} bytes");
                assert_eq!(root.attachment_size(), len as u64);
                assert!(reply.attachment()[..] == attachment, "{len} bytes attached");
            }
            assert_eq!(channel.snapshot().calls, 0);
        }
    }
    assert_eq!(serving.handle.snapshot().misbehaved, 0);
});

// Sizes around the one that reads the same both ways, as first requests of their connections.
on_both_runtimes!(first_requests_of_ambiguous_sizes_are_answered, || async {
    let (serving, _) = start().await;
    for order in ORDERS {
        for len in 65_740..65_790 {
            let (client, _) = client(frpc(serving.address), |options| {
                options.frpc_byte_order = order;
                options.policy = ConnectionPolicy::Short;
            });
            let reply = client.echo(asking(1, &"x".repeat(len))).await.unwrap();
            assert_eq!(reply.root().message().map(str::len), Some(len));
        }
    }
});

on_both_runtimes!(many_calls_share_the_connections, || async {
    let (serving, _) = start().await;
    for policy in [ConnectionPolicy::Shared(2), ConnectionPolicy::Short] {
        let (client, channel) = client(frpc(serving.address), |options| options.policy = policy);
        let calls: Vec<_> = (0..100_u64)
            .map(|id| {
                let client = client.clone();
                tokio::spawn(async move {
                    let text = format!("call {id}").repeat(id as usize * 7);
                    let reply = client.echo(asking(id, &text)).await.unwrap();
                    let root = reply.root();
                    assert_eq!((root.request_id(), root.message()), (id, Some(&*text)));
                })
            })
            .collect();
        for call in calls {
            call.await.unwrap();
        }
        assert_eq!(channel.snapshot().calls, 0);
    }
});

on_both_runtimes!(an_error_has_a_text_where_a_block_was_appended, || async {
    let (serving, _) = start().await;
    for order in ORDERS {
        for (append, text) in [(false, "FlatBuffers server error"), (true, "no such key")] {
            let (client, _) = client(frpc(serving.address), |options| {
                options.frpc_byte_order = order;
                options.frpc_append = append;
            });
            for code in [2001, 1001, 1003, -1, i32::MAX] {
                let call = client.fail(asking(code as u32 as u64, "no such key"));
                let status = call.await.unwrap_err();
                assert_eq!((status.code().number(), status.message()), (code, text));
            }
        }
    }
});

on_both_runtimes!(user_fields_travel_in_the_block_alone, || async {
    let (serving, _) = start().await;
    for append in [false, true] {
        let (client, _) = client(frpc(serving.address), |options| options.frpc_append = append);
        let call = client.echo(asking(1, "x")).user_field("tenant", "a1").log_id(7);
        let reply = call.await.unwrap();
        let fields = &reply.metadata().user_fields;
        let expected = [("tenant".to_owned(), "a1".to_owned())];
        assert_eq!(fields[..], expected[..usize::from(append)]);
    }
    // More than a receiver takes cost their call alone.
    let (client, channel) = client(frpc(serving.address), |options| {
        options.frpc_append = true;
        options.policy = ConnectionPolicy::Shared(1);
    });
    let mut call = client.echo(asking(1, "x"));
    for _ in 0..5000 {
        call = call.user_field("k", "v");
    }
    assert_eq!(call.await.unwrap_err().code().number(), 1003);
    assert!(client.echo(asking(2, "x")).await.is_ok());
    assert_eq!(channel.snapshot().opened, 1);
});

on_both_runtimes!(a_call_that_takes_too_long_ends, || async {
    let (serving, benchmark) = start().await;
    for order in ORDERS {
        let (client, channel) =
            client(frpc(serving.address), |options| options.frpc_byte_order = order);
        let before = benchmark.begun();
        let call = client.hold(asking(1, "x")).timeout(Duration::from_millis(50));
        assert_eq!(call.await.unwrap_err().code().number(), 1008);
        assert_eq!(benchmark.begun(), before + 1);
        benchmark.release.notify_one();
        // Its reply comes for nobody, and nobody minds.
        until(|| channel.snapshot().stray_replies == 1).await;
        assert!(client.echo(asking(2, "x")).await.is_ok());
    }
});

// What goes out is what the recorded client sent, but for the id.
on_both_runtimes!(a_request_is_the_recorded_one, || async {
    for order in ORDERS {
        let server = Scripted::start(move |mut raw, _| async move {
            let (head, frame) = next_request(&mut raw, order).await.expect("a request");
            assert_eq!((head.service_id, head.method_id), (SERVICE, ECHO));
            let little = order == ByteOrder::Little;
            let recorded = stubwire_tests_support::frpc();
            let recorded = recorded
                .iter()
                .find(|exchange| {
                    exchange.little_endian == little && exchange.name.ends_with("echo")
                })
                .expect("the capture is there");
            assert_eq!(frame[..28], recorded.request[..28]);
            assert_eq!(frame[36..], recorded.request[36..]);
            raw.send(&reply_frame(head.correlation_id, 0, &message(0, "hello"), order)).await;
            raw.read_to_end().await;
        })
        .await;
        let (client, _) = client(frpc(server.address), |options| options.frpc_byte_order = order);
        let reply = client.echo(asking(0, "hello")).await.unwrap();
        assert_eq!(reply.root().message(), Some("hello"));
    }
});

on_both_runtimes!(a_target_that_does_not_fit_the_codec_is_told_the_right_one, || async {
    let (serving, _) = start().await;
    let (flat, _) = client(serving.target(), |_| {});
    let status = flat.echo(asking(1, "x")).await.unwrap_err();
    assert_eq!(status.code().number(), 1003);
    assert!(status.message().contains("connect to frpc://"), "{status}");
    assert!(status.message().contains("benchmark_fb.BenchmarkService/Echo"), "{status}");

    let channel = Channel::lazy(frpc(serving.address), ChannelOptions::default()).unwrap();
    let proto = stubwire_tests_e2e::bench::EchoServiceClient::new(channel);
    let status = proto.echo(request("x")).await.unwrap_err();
    assert_eq!(status.code().number(), 1003);
    assert!(status.message().contains("connect to prpc://"), "{status}");
});

on_both_runtimes!(what_frpc_cannot_carry_is_refused_before_it_is_sent, || async {
    let (serving, benchmark) = start().await;
    let (client, _) = client(frpc(serving.address), |options| {
        options.limits.max_body_size = 10_000;
    });
    let refused = [
        client.echo(asking(1, "x")).compress(Compression::Gzip).await,
        client.echo(asking(1, "x")).checksum().await,
        client.echo(asking(1, &"x".repeat(10_000))).await,
        client.echo(asking(1, "x")).attach(vec![0; 10_000]).await,
    ];
    for outcome in refused {
        assert_eq!(outcome.unwrap_err().code().number(), 1003);
    }
    assert_eq!(benchmark.begun(), 0);
    assert!(client.echo(asking(1, "x")).await.is_ok());
});

on_both_runtimes!(both_codecs_in_one_process, || async {
    let (serving, _) = start().await;
    let channel = Channel::in_process(serving.registry.clone());
    let client = BenchmarkServiceClient::new(channel);
    for len in [0, 5, 100_000] {
        let text = "x".repeat(len);
        let reply = client.echo(asking(1, &text)).attach(vec![1, 2]).await.unwrap();
        assert!(reply.root().message() == Some(&*text));
        assert_eq!((reply.root().attachment_size(), &reply.attachment()[..]), (2, &[1, 2][..]));
    }
    assert_eq!(client.fail(asking(0, "why")).await.unwrap_err().message(), "why");
});

on_both_runtimes!(over_a_unix_socket, || async {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("frpc.sock");
    let (serving, _) = start_with(|server| server).await;
    let server = stubwire::Server::new(serving.registry.clone());
    let bound = server.bind(format!("unix:{}", path.display())).await.unwrap();
    let task = tokio::spawn(bound.serve());
    let (client, _) = client(format!("frpc+unix:{}", path.display()), |_| {});
    let reply = client.echo(asking(4, "by path")).await.unwrap();
    assert_eq!(reply.root().message(), Some("by path"));
    task.abort();
});

// The server knows the caller's patience only where a block says it.
on_both_runtimes!(a_timeout_travels_in_the_block_alone, || async {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sink = seen.clone();
    let (serving, _) = start_with(|server| {
        server.interceptor(move |call: &mut Call, _: &MethodDescriptor| {
            sink.lock().unwrap().push((call.timeout(), call.log_id()));
            Ok(())
        })
    })
    .await;
    let patience = Duration::from_secs(70);
    for (append, send_timeout) in [(false, true), (true, true), (true, false)] {
        let (client, _) = client(frpc(serving.address), |options| {
            options.frpc_append = append;
            options.send_timeout = send_timeout;
            options.policy = ConnectionPolicy::Short;
        });
        client.echo(asking(1, "x")).timeout(patience).log_id(-5).await.unwrap();
        let (timeout, log_id) = seen.lock().unwrap().pop().unwrap();
        assert_eq!(timeout.is_some(), append && send_timeout);
        // Opening the connection took some of it.
        assert!(timeout.is_none_or(|told| told > Duration::ZERO && told <= patience));
        assert_eq!(log_id, append.then_some(-5));
    }
});

// The message of the second attempt is the first one's, head replaced, small or in its own memory.
on_both_runtimes!(a_request_sent_again_is_the_same_but_for_its_id, || async {
    for len in [10, 64 << 10] {
        let frames = Arc::new(Mutex::new(Vec::new()));
        let sink = frames.clone();
        let server = Scripted::start(move |mut raw, number| {
            let sink = sink.clone();
            async move {
                let (head, frame) = next_request(&mut raw, ByteOrder::Big).await.expect("asked");
                sink.lock().unwrap().push(frame);
                if number == 0 {
                    return;
                }
                let reply = message(1, "at last");
                raw.send(&reply_frame(head.correlation_id, 0, &reply, ByteOrder::Big)).await;
                raw.read_to_end().await;
            }
        })
        .await;
        let (client, _) = client(frpc(server.address), |options| {
            options.policy = ConnectionPolicy::Shared(1);
            options.max_retries = 3;
        });
        let text = "y".repeat(len);
        let call = client.echo(asking(1, &text)).attach(vec![9; 5]).idempotent();
        let reply = call.await.unwrap();
        assert_eq!(reply.root().message(), Some("at last"));
        let frames = frames.lock().unwrap();
        assert_eq!(frames.len(), 2);
        assert!(frames[0][..28] == frames[1][..28] && frames[0][36..] == frames[1][36..]);
        assert!(frames[0].len() > 36 + len && frames[0].ends_with(&[9; 5]));
    }
});
