//! What a server refuses on FRPC, by number and, to callers who append a block, by text.

use bytes::Bytes;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use stubwire::frame::frpc::{Appended, ByteOrder};
use stubwire::{Call, Codec, Limits, MethodDescriptor, Methods, Peer, Service, ServiceDescriptor};
use stubwire_tests_e2e::frpc::{
    ECHO, HOLD, ORDERS, SeenReply, ask, echo_text, head, message, next_reply, request_frame,
    request_with, start, start_with,
};
use stubwire_tests_e2e::raw::Raw;
use stubwire_tests_e2e::services::{method, service_of};
use stubwire_tests_e2e::{Serving, on_both_runtimes, until};

const BIG: ByteOrder = ByteOrder::Big;

/// The same question without a block, which gets a number, and with one, which gets the words, too.
async fn refused(raw: &mut Raw, method: i32, order: ByteOrder) -> (SeenReply, SeenReply) {
    let plain = request_frame(method, 21, &message(1, "x"), order);
    let plain = ask(raw, &plain, order).await.unwrap();
    let told = request_with(method, 22, &message(1, "x"), &[], &Appended::new(), order);
    let told = ask(raw, &told, order).await.unwrap();
    assert_eq!((plain.id, told.id, plain.code), (21, 22, told.code));
    assert!(plain.appended.is_empty() && plain.message.is_empty() && told.message.is_empty());
    (plain, told)
}

on_both_runtimes!(a_stopping_server_says_elogoff, || async {
    for order in ORDERS {
        let (serving, benchmark) = start().await;
        let mut raw = Raw::connect(serving.address).await;
        raw.send(&request_frame(HOLD, 1, &message(1, "x"), order)).await;
        until(|| benchmark.begun() == 1).await;
        serving.handle.stop();
        let (plain, told) = refused(&mut raw, ECHO, order).await;
        assert_eq!((plain.code, told.text.as_deref()), (2003, Some("Server is stopping")));
        benchmark.release.notify_one();
        let held = next_reply(&mut raw, order).await.unwrap();
        assert_eq!((held.id, held.code), (1, 0));
    }
});

on_both_runtimes!(a_full_server_says_elimit, || async {
    let (serving, benchmark) = start_with(|server| server.max_concurrency(1)).await;
    let mut raw = Raw::connect(serving.address).await;
    raw.send(&request_frame(HOLD, 1, &message(1, "x"), BIG)).await;
    until(|| benchmark.begun() == 1).await;
    let (plain, told) = refused(&mut raw, ECHO, BIG).await;
    assert_eq!(plain.code, 2004);
    assert_eq!(told.text.as_deref(), Some("Reached server's max_concurrency=1"));
    benchmark.release.notify_one();
    assert_eq!(next_reply(&mut raw, BIG).await.unwrap().id, 1);
    assert_eq!(ask(&mut raw, &echo_text(2, "x", BIG), BIG).await.unwrap().code, 0);
});

on_both_runtimes!(a_full_method_says_elimit, || async {
    let (serving, benchmark) = start().await;
    let held = "benchmark_fb.BenchmarkService/Hold";
    serving.registry.method(held).unwrap().max_concurrency(1);
    let mut raw = Raw::connect(serving.address).await;
    raw.send(&request_frame(HOLD, 1, &message(1, "x"), BIG)).await;
    until(|| benchmark.begun() == 1).await;
    assert_eq!(refused(&mut raw, HOLD, BIG).await.0.code, 2004);
    assert_eq!(ask(&mut raw, &echo_text(2, "x", BIG), BIG).await.unwrap().code, 0);
    benchmark.release.notify_one();
    assert_eq!(next_reply(&mut raw, BIG).await.unwrap().id, 1);
});

on_both_runtimes!(an_id_in_flight_is_not_taken_twice, || async {
    let (serving, benchmark) = start().await;
    let mut raw = Raw::connect(serving.address).await;
    let id = u64::MAX - 1;
    raw.send(&request_frame(HOLD, id, &message(1, "x"), BIG)).await;
    until(|| benchmark.begun() == 1).await;
    let again = ask(&mut raw, &request_frame(ECHO, id, &message(1, "x"), BIG), BIG).await.unwrap();
    assert_eq!((again.id, again.code), (id, 1003));
    benchmark.release.notify_one();
    assert_eq!(next_reply(&mut raw, BIG).await.unwrap().code, 0);
});

on_both_runtimes!(an_interceptor_refuses_by_its_code, || async {
    let (serving, benchmark) = start_with(|server| {
        server.interceptor(|call: &mut Call, _: &MethodDescriptor| {
            assert!(call.user_field("tenant").is_none());
            Err(stubwire::Status::new(7001, "not you"))
        })
    })
    .await;
    let mut raw = Raw::connect(serving.address).await;
    let (plain, told) = refused(&mut raw, ECHO, BIG).await;
    assert_eq!((plain.code, told.text.as_deref()), (7001, Some("Reject by Interceptor: not you")));
    assert_eq!(benchmark.begun(), 0);
});

// FRPC has no place for credentials: an authenticator sees none, and whoever it turns away is told nothing.
on_both_runtimes!(an_authenticator_closes_without_a_reply, || async {
    for order in ORDERS {
        let asked = Arc::new(AtomicUsize::new(0));
        let counter = asked.clone();
        let (serving, benchmark) = start_with(|server| {
            server.authenticator(move |data: &[u8], _: &Peer| {
                assert!(data.is_empty());
                counter.fetch_add(1, Ordering::SeqCst);
                Err("no".to_owned())
            })
        })
        .await;
        let mut raw = Raw::connect(serving.address).await;
        raw.send(&echo_text(1, "x", order).repeat(100)).await;
        raw.read_to_end().await;
        assert!(raw.received.is_empty());
        assert_eq!((asked.load(Ordering::SeqCst), benchmark.begun()), (1, 0));
    }
});

on_both_runtimes!(an_authenticator_that_lets_in_is_asked_once, || async {
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = asked.clone();
    let (serving, _) = start_with(|server| {
        server.authenticator(move |_: &[u8], _: &Peer| {
            counter.fetch_add(1, Ordering::SeqCst);
            Ok(())
        })
    })
    .await;
    let mut raw = Raw::connect(serving.address).await;
    for id in 0..3 {
        assert_eq!(ask(&mut raw, &echo_text(id, "x", BIG), BIG).await.unwrap().code, 0);
    }
    assert_eq!(asked.load(Ordering::SeqCst), 1);
});

/// Replies that FRPC cannot carry: method 0 has no bytes, 1 compresses, 2 has as many bytes as were asked for.
struct Odd(&'static ServiceDescriptor);

impl Odd {
    fn new() -> Self {
        let numbered = |(name, id)| -> &'static MethodDescriptor {
            Box::leak(Box::new(method(Codec::FlatBuffers, name).id(id)))
        };
        let methods = [("odd.Odd/Empty", 0), ("odd.Odd/Compressed", 1), ("odd.Odd/Sized", 2)];
        let methods = methods.into_iter().map(numbered).collect();
        Self(service_of(Codec::FlatBuffers, "odd.Odd", methods))
    }
}

impl Service for Odd {
    fn descriptor(&self) -> &'static ServiceDescriptor {
        self.0
    }

    fn register(self, methods: &mut Methods) {
        let [empty, compressed, sized] = self.0.methods() else { return };
        methods.raw(empty, |call, _| async move { (call, Ok(Bytes::new())) });
        methods.raw(compressed, |mut call: Call, message: Bytes| async move {
            call.compress_reply(stubwire::Compression::Gzip);
            (call, Ok(message))
        });
        methods.raw(sized, |call: Call, message: Bytes| async move {
            let len = String::from_utf8_lossy(&message).parse().unwrap_or(0);
            (call, Ok(vec![7; len].into()))
        });
    }
}

fn odd_frame(method_id: i32, message: &[u8]) -> Vec<u8> {
    let mut frame = request_frame(method_id, 3, message, BIG);
    frame[12..16].copy_from_slice(&stubwire::service_id("odd.Odd").to_be_bytes());
    frame
}

async fn odd_server(max_body_size: usize) -> Serving {
    let mut limits = Limits::default();
    limits.max_body_size = max_body_size;
    let (serving, _) = start_with(|server| server.limits(limits)).await;
    serving.registry.register(Odd::new()).unwrap();
    serving
}

on_both_runtimes!(replies_that_frpc_cannot_carry_become_errors, || async {
    let serving = odd_server(64 << 20).await;
    let mut raw = Raw::connect(serving.address).await;
    for method_id in [0, 1] {
        let reply = ask(&mut raw, &odd_frame(method_id, b"x"), BIG).await.unwrap();
        assert_eq!((reply.id, reply.code), (3, 2001), "method {method_id}");
    }
    // Large ones and small ones that it can.
    for len in [1, 16_383, 16_384, 1 << 20] {
        let reply = ask(&mut raw, &odd_frame(2, len.to_string().as_bytes()), BIG).await.unwrap();
        assert!((reply.code, reply.message) == (0, vec![7; len]), "{len} bytes");
    }
});

// The metadata is a part of the body: a caller with the same limit would close over one byte more.
on_both_runtimes!(trust_a02_a_reply_at_the_limit_is_sent_and_one_above_is_an_error, || async {
    for limit in [1000_usize, 50_000] {
        let serving = odd_server(limit).await;
        let mut raw = Raw::connect(serving.address).await;
        for (len, code) in [(limit - 20, 0), (limit - 19, 2001), (limit, 2001), (limit + 1, 2001)] {
            let reply =
                ask(&mut raw, &odd_frame(2, len.to_string().as_bytes()), BIG).await.unwrap();
            assert_eq!(reply.code, code, "{len} bytes under {limit}");
        }
    }
});

on_both_runtimes!(a_reply_sent_to_a_server_is_a_request_of_nothing, || async {
    let (serving, benchmark) = start().await;
    // 20 bytes of metadata are too few for a request.
    let mut raw = Raw::connect(serving.address).await;
    let reply = stubwire_tests_e2e::frpc::reply_of(head(1, 0, 4, 0), &[4, 0, 0, 0], BIG);
    raw.send(&reply).await;
    raw.read_to_end().await;
    assert!(raw.received.is_empty());
    assert_eq!(benchmark.begun(), 0);
});
