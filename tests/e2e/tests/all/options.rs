//! What may be set on a call and on its reply, and that it arrives.

use bytes::Bytes;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use stubwire::{Call, ChannelOptions, Compression, Limits, Metadata, MethodDescriptor};
use stubwire_tests_e2e::bench::{
    EchoRequest, EchoResponse, EchoService, EchoServiceClient, EchoServiceServer,
};
use stubwire_tests_e2e::{Serving, on_both_runtimes, request};

/// Answers with everything that a reply can carry, as the request's user fields ask.
#[derive(Clone, Default)]
struct Mirror {
    seen: Arc<Mutex<Metadata>>,
}

impl EchoService for Mirror {
    async fn echo(
        &self,
        call: &mut Call,
        request: EchoRequest,
    ) -> Result<EchoResponse, stubwire::Status> {
        *self.seen.lock().unwrap() = call.metadata().clone();
        for (key, value) in call.metadata().user_fields.clone() {
            call.set_reply_field(key, value);
        }
        match call.user_field("compress") {
            Some("gzip") => call.compress_reply(Compression::Gzip),
            Some("zlib") => call.compress_reply(Compression::Zlib),
            Some("snappy") => call.compress_reply(Compression::Snappy),
            _ => {}
        }
        call.checksum_reply(call.user_field("checksum").is_some());
        let attachment = call.take_attachment();
        call.attach(attachment);
        Ok(EchoResponse { message: request.message, payload: request.payload })
    }

    async fn fail(
        &self,
        call: &mut Call,
        _: EchoRequest,
    ) -> Result<EchoResponse, stubwire::Status> {
        let fields = call.user_field("fields").and_then(|count| count.parse().ok()).unwrap_or(0);
        (0..fields).for_each(|_: usize| call.set_reply_field("k", "v"));
        let size = call.user_field("size").and_then(|size| size.parse().ok()).unwrap_or(0);
        call.attach(vec![1; size]);
        Ok(EchoResponse::default())
    }

    async fn slow(&self, _: &mut Call, _: EchoRequest) -> Result<EchoResponse, stubwire::Status> {
        Ok(EchoResponse::default())
    }
}

async fn mirror_with(limits: Limits) -> (Serving, EchoServiceClient, Mirror) {
    let mirror = Mirror::default();
    let mut options = ChannelOptions::default();
    options.limits = limits.clone();
    options.policy = stubwire::ConnectionPolicy::Shared(1);
    let serving = Serving::start_with(|server| server.limits(limits)).await;
    serving.registry.remove("bench.EchoService");
    serving.registry.register(EchoServiceServer::new(mirror.clone())).unwrap();
    let client = serving.client_with(options).await;
    (serving, client, mirror)
}

async fn mirror() -> (Serving, EchoServiceClient, Mirror) {
    mirror_with(Limits::default()).await
}

on_both_runtimes!(everything_that_can_be_set_on_a_call_arrives, || async {
    let (_serving, client, mirror) = mirror().await;
    let reply = client
        .echo(request("x"))
        .timeout(std::time::Duration::from_secs(5))
        .attach(&b"attached"[..])
        .log_id(i64::MIN)
        .request_id("id \u{1F980}")
        .trace(1, -2, i64::MAX)
        .user_field("b", "1")
        .user_field("a", "2")
        .user_field("b", "3")
        .user_field("", "")
        .await
        .unwrap();
    let seen = mirror.seen.lock().unwrap().clone();
    assert_eq!(seen.log_id, Some(i64::MIN));
    assert_eq!(seen.request_id.as_deref(), Some("id \u{1F980}"));
    let trace = (seen.trace_id, seen.span_id, seen.parent_span_id);
    assert_eq!(trace, (Some(1), Some(-2), Some(i64::MAX)));
    // In wire order, a key that stands twice included; by name the later counts.
    let fields = [("b", "1"), ("a", "2"), ("b", "3"), ("", "")];
    let fields = fields.map(|(key, value)| (key.to_owned(), value.to_owned()));
    assert_eq!(seen.user_fields, fields);
    assert_eq!(seen.user_field("b"), Some("3"));
    assert_eq!(reply.metadata().user_fields, fields);
    assert_eq!(reply.attachment(), "attached");
});

on_both_runtimes!(compression_and_checksums_both_ways, || async {
    let (_serving, client, _) = mirror().await;
    let kinds = [
        ("none", Compression::None),
        ("gzip", Compression::Gzip),
        ("zlib", Compression::Zlib),
        ("snappy", Compression::Snappy),
    ];
    let noise: String = (0..20_000_u64)
        .map(|n| char::from(b'!' + (n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58) as u8))
        .collect();
    for (_, up) in kinds {
        for (down, _) in kinds {
            for checksum in [false, true] {
                for text in ["", "short", &"long ".repeat(10_000), &noise] {
                    let call = client.echo(request(text)).compress(up);
                    let call = call.attach(Bytes::from_static(b"raw")).user_field("compress", down);
                    let call =
                        if checksum { call.checksum().user_field("checksum", "yes") } else { call };
                    let reply = call.await.unwrap();
                    assert!(reply.message() == text && reply.attachment() == "raw", "{up} {down}");
                }
            }
        }
    }
});

on_both_runtimes!(trust_interop_special_status_message, || async {
    let serving = Serving::start().await;
    let client = serving.client().await;
    let special =
        "\t\ntest with whitespace\r\nand Unicode BMP \u{263A} and non-BMP \u{1F608}\t\n\0[1][E7]";
    for text in [special, "", "[x]", "[127.0.0.1:1][E77]nested"] {
        let asked = EchoRequest { code: Some(77), ..request(text) };
        let status = client.fail(asked).await.unwrap_err();
        assert_eq!((status.code().number(), status.message()), (77, text));
    }
    for code in [i32::MIN, -2, 1, 999, 1_000_000, i32::MAX] {
        let asked = EchoRequest { code: Some(code), ..request("x") };
        let status = client.fail(asked).max_retries(0).await.unwrap_err();
        assert_eq!(status.code().number(), code);
    }
    // Controller::SetFailed without a code.
    let asked = EchoRequest { code: Some(-1), ..request("x") };
    assert_eq!(client.fail(asked).await.unwrap_err().code().number(), 2001);
});

on_both_runtimes!(trust_interop_empty_and_large_unary, || async {
    let serving = Serving::start().await;
    let client = serving.client().await;
    let reply = client.echo(EchoRequest::default()).await.unwrap();
    assert_eq!((&*reply, reply.attachment().len()), (&EchoResponse::default(), 0));
    let large = EchoRequest { payload: Some(vec![0; 271_828].into()), ..EchoRequest::default() };
    let reply = client.echo(large).attach(vec![1; 314_159]).await.unwrap();
    assert_eq!((reply.payload().len(), reply.attachment().len()), (271_828, 314_159));
});

on_both_runtimes!(trust_interop_a_thousand_large_calls_at_once, || async {
    let serving = Serving::start().await;
    // A hundred times the largest reply of one connection waits in all; the default of 64 MiB a
    // connection would push back, which the next test looks at.
    let mut options = ChannelOptions::default();
    options.max_unwritten = 512 << 20;
    let client = serving.client_with(options).await;
    let payload = Bytes::from(vec![7; 271_828]);
    let calls: Vec<_> = (0..1000)
        .map(|_| {
            let (client, payload) = (client.clone(), payload.clone());
            tokio::spawn(async move {
                let large = EchoRequest { payload: Some(payload), ..EchoRequest::default() };
                client.echo(large).await.map(|reply| reply.payload().len())
            })
        })
        .collect();
    for call in calls {
        assert_eq!(call.await.unwrap().unwrap(), 271_828);
    }
});

on_both_runtimes!(trust_interop_a_client_with_too_much_to_write_is_pushed_back, || async {
    let serving = Serving::start().await;
    let mut options = ChannelOptions::default();
    (options.max_unwritten, options.max_retries) = (1 << 20, 0);
    options.policy = stubwire::ConnectionPolicy::Shared(1);
    let client = serving.client_with(options).await;
    let large = || client.echo(EchoRequest::default()).attach(vec![0; 300 << 10]).into_future();
    // All are sent before the first byte is written: nothing else runs meanwhile.
    let mut calls: Vec<_> = (0..50).map(|_| Box::pin(large())).collect();
    let mut outcomes = Vec::new();
    std::future::poll_fn(|context| {
        calls.retain_mut(|call| match call.as_mut().poll(context) {
            std::task::Poll::Ready(outcome) => {
                outcomes.push(outcome.map(drop));
                false
            }
            std::task::Poll::Pending => true,
        });
        if calls.is_empty() { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    let pushed_back = outcomes.iter().filter(|outcome| outcome.is_err()).count();
    let crowded = |status: &stubwire::Status| status.code() == stubwire::Code::EOVERCROWDED;
    assert!(outcomes.iter().filter_map(|outcome| outcome.as_ref().err()).all(crowded));
    assert!(pushed_back > 0 && pushed_back < 50, "{pushed_back}");
    // None of them was executed.
    assert_eq!(serving.echo.begun(), 50 - pushed_back);
    assert!(large().await.is_ok());
});

on_both_runtimes!(trust_a02_what_is_too_large_costs_its_own_call_alone, || async {
    let mut limits = Limits::default();
    limits.max_body_size = 100_000;
    let (serving, client, _) = mirror_with(limits).await;
    // Replies around the limit, byte by byte: metadata counts too.
    for size in 99_900..100_010 {
        match client.fail(request("")).user_field("size", size.to_string()).await {
            Ok(reply) => assert_eq!(reply.attachment().len(), size),
            Err(status) => {
                assert_eq!(status.code().number(), 2001, "{size}: {status}");
                assert!(size > 99_950, "{size}: {status}");
            }
        }
    }
    for size in 99_800..100_010 {
        match client.echo(EchoRequest::default()).attach(vec![0; size]).await {
            Ok(reply) => assert_eq!(reply.attachment().len(), size),
            Err(status) => {
                assert!([1003, 2001].contains(&status.code().number()), "{size}: {status}");
                assert!(size > 99_850, "{size}: {status}");
            }
        }
    }
    // Compression that makes a message larger than it was.
    let noise: Vec<u8> =
        (0..99_900_u64).map(|n| (n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect();
    let request = EchoRequest { payload: Some(noise.into()), ..EchoRequest::default() };
    for kind in ["gzip", "zlib", "snappy"] {
        let _ = client.echo(request.clone()).user_field("compress", kind).await;
    }
    for fields in [4096, 4097, 5000] {
        let reply = client.fail(EchoRequest::default()).user_field("fields", fields.to_string());
        match reply.await {
            Ok(reply) => assert_eq!(reply.metadata().user_fields.len(), 4096),
            Err(status) => assert_eq!((status.code().number(), fields > 4096), (2001, true)),
        }
        let mut call = client.echo(EchoRequest::default());
        for _ in 0..fields {
            call = call.user_field("k", "v");
        }
        assert_eq!(call.await.is_ok(), fields <= 4096);
    }
    let snapshot = serving.handle.snapshot();
    assert_eq!((snapshot.accepted, snapshot.misbehaved), (1, 0), "the one connection lives");
    assert_eq!(serving.registry.method("bench.EchoService/Echo").unwrap().stats().in_flight, 0);
});

on_both_runtimes!(an_error_text_of_megabytes_arrives_shortened, || async {
    let serving = Serving::start().await;
    let client = serving.client().await;
    let asked = EchoRequest { code: Some(77), ..request("é".repeat(2 << 20)) };
    let status = client.fail(asked).await.unwrap_err();
    assert_eq!(status.code().number(), 77);
    assert!(status.message().len() <= 64 << 10 && status.message().starts_with("éé"));
    assert_eq!(serving.handle.snapshot().misbehaved, 0);
});

on_both_runtimes!(a_runtime_that_spins_serves_calls_after_a_pause_too, || async {
    let window = Duration::from_micros(50);
    let serving = Serving::start_with(|server| server.spin_for(window)).await;
    let mut options = ChannelOptions::default();
    options.spin_for = Some(window);
    let client = serving.client_with(options).await;
    for pause in [0, 1, 20] {
        tokio::time::sleep(Duration::from_millis(pause)).await;
        for _ in 0..10 {
            assert_eq!(client.echo(request("x")).await.unwrap().message(), "x");
        }
    }
});

/// Calls may be held, sent to tasks and dropped unsent.
#[tokio::test]
async fn a_pending_call_is_send_and_lazy() {
    fn is_send<T: Send>(value: T) -> T {
        value
    }
    let serving = Serving::start().await;
    let client = serving.client().await;
    drop(client.echo(request("never sent")));
    let pending = is_send(client.echo(request("x")));
    assert_eq!(format!("{pending:?}"), "Pending(\"bench.EchoService/Echo\")");
    let future = is_send(pending.into_future());
    assert_eq!(serving.echo.begun(), 0);
    assert_eq!(future.await.unwrap().into_inner().message(), "x");
    assert_eq!(serving.echo.begun(), 1);
    fn is_sync<T: Send + Sync + Clone + 'static>(_: &T) {}
    is_sync(&client);
    is_sync(&serving.registry);
    is_sync(&serving.handle);
    let _: fn(&MethodDescriptor) -> &'static str = MethodDescriptor::full_name;
}
