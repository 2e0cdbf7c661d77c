//! Authenticators, interceptors and the observer of events.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use stubwire::{Call, ChannelOptions, Event, MethodDescriptor, Peer, Status};
use stubwire_tests_e2e::raw::{Raw, echo_frame, echo_meta, echo_text, frame_of};
use stubwire_tests_e2e::{Serving, on_both_runtimes, request, until};

fn authentication_frame(id: i64, data: &[u8]) -> Vec<u8> {
    let mut meta = echo_meta("Echo", id);
    meta.authentication_data = Some(data);
    frame_of(&meta, &stubwire_tests_e2e::raw::message("x"))
}

/// A server that knows one password, and counts how often it is asked.
async fn guarded_server(refusal: &'static str) -> (Serving, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = asked.clone();
    let serving = Serving::start_with(|server| {
        server.authenticator(move |data: &[u8], peer: &Peer| {
            assert!(matches!(peer, Peer::Tcp(_)));
            counter.fetch_add(1, Ordering::SeqCst);
            if data == b"sesame" { Ok(()) } else { Err(refusal.to_owned()) }
        })
    })
    .await;
    (serving, asked)
}

on_both_runtimes!(an_authenticator_is_asked_once_per_connection, || async {
    let (serving, asked) = guarded_server("no").await;
    let mut raw = Raw::connect(serving.address).await;
    assert_eq!(raw.ask(&authentication_frame(1, b"sesame")).await.unwrap().code, 0);
    // What later requests say about themselves is not looked at.
    assert_eq!(raw.ask(&authentication_frame(2, b"wrong")).await.unwrap().code, 0);
    assert_eq!(raw.ask(&echo_text(3, "x")).await.unwrap().code, 0);
    assert_eq!(asked.load(Ordering::SeqCst), 1);
});

on_both_runtimes!(a_peer_without_credentials_is_told_and_closed, || async {
    for (refusal, text) in
        [("bad password", "Fail to authenticate: bad password"), ("", "Fail to authenticate")]
    {
        let (serving, _) = guarded_server(refusal).await;
        for first in [echo_text(1, "x"), authentication_frame(1, b"wrong")] {
            let mut raw = Raw::connect(serving.address).await;
            // More requests behind the first are not served, and do not cost the peer its answer.
            raw.send(&[first, echo_text(2, "x").repeat(1000)].concat()).await;
            let reply = raw.next().await.expect("the refusal arrives");
            assert_eq!((reply.id, reply.code), (1, 1004));
            assert_eq!(reply.text, format!("[{}][E1004]{text}", serving.address));
            assert_eq!(raw.next().await, None);
        }
        assert_eq!(serving.echo.begun(), 0);
    }
});

on_both_runtimes!(a_client_sends_its_credentials_first_on_every_connection, || async {
    let (serving, asked) = guarded_server("no").await;
    let mut options = ChannelOptions::default();
    options.authentication_data = b"sesame".to_vec();
    let client = serving.client_with(options.clone()).await;
    let calls: Vec<_> = (0..50)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(async move { client.echo(request("x")).await.map(drop) })
        })
        .collect();
    for call in calls {
        call.await.unwrap().unwrap();
    }
    let connections = serving.handle.snapshot().accepted as usize;
    assert!(asked.load(Ordering::SeqCst) <= connections);
    options.authentication_data = b"wrong".to_vec();
    let client = serving.client_with(options).await;
    let status = client.echo(request("x")).await.unwrap_err();
    assert_eq!((status.code().number(), status.message()), (1004, "Fail to authenticate: no"));
    assert_eq!(status.code().grpc().0, 16);
});

type Interception = dyn Fn(&mut Call, &MethodDescriptor) -> Result<(), Status> + Send + Sync;

fn interceptor(
    name: &'static str,
    seen: &Arc<Mutex<Vec<String>>>,
) -> impl Fn(&mut Call, &MethodDescriptor) -> Result<(), Status> + Send + Sync + use<> {
    let seen = seen.clone();
    move |call, method| {
        seen.lock().unwrap().push(format!("{name} {}", method.full_name()));
        match call.user_field("refuse") {
            Some(by) if by == name => Err(Status::new(4242, format!("not for {}", call.peer()))),
            _ => Ok(()),
        }
    }
}

on_both_runtimes!(interceptors_run_in_order_and_before_the_body_is_decoded, || async {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let (first, second) = (interceptor("first", &seen), interceptor("second", &seen));
    let serving = Serving::start_with(|server| server.interceptor(first).interceptor(second)).await;
    let mut raw = Raw::connect(serving.address).await;
    let refused = |by| {
        let mut meta = echo_meta("Echo", 1);
        meta.user_fields.push(("refuse", by));
        // No message at all: decoding it would be another error.
        frame_of(&meta, &[0xff; 20])
    };
    let (by_first, by_second) = (refused("first"), refused("second"));
    for (frame, order) in [(by_first, &["first"][..]), (by_second, &["first", "second"])] {
        seen.lock().unwrap().clear();
        let reply = raw.ask(&frame).await.unwrap();
        assert_eq!(reply.code, 4242);
        let text = format!(
            "[{}][E4242]Reject by Interceptor: not for {}",
            serving.address,
            raw.stream.local_addr().unwrap()
        );
        assert_eq!(reply.text, text);
        let expected: Vec<_> =
            order.iter().map(|name| format!("{name} bench.EchoService/Echo")).collect();
        assert_eq!(*seen.lock().unwrap(), expected);
    }
    // One that passes both meets the decoder.
    assert_eq!(raw.ask(&echo_frame("Echo", 2, &[0xff; 20])).await.unwrap().code, 1003);
    assert_eq!(serving.echo.begun(), 0);
    let stats = serving.registry.method("bench.EchoService/Echo").unwrap().stats();
    assert_eq!((stats.refused, stats.in_flight), (2, 0));
    // A method that is not there is nothing to ask an interceptor about.
    seen.lock().unwrap().clear();
    assert_eq!(raw.ask(&echo_frame("Nothing", 3, &[])).await.unwrap().code, 1002);
    assert!(seen.lock().unwrap().is_empty());
});

on_both_runtimes!(an_interceptor_may_change_the_call, || async {
    let serving = Serving::start_with(|server| {
        server.interceptor(|call: &mut Call, _: &MethodDescriptor| {
            call.set_reply_field("seen", "yes");
            Ok(())
        })
    })
    .await;
    let reply = serving.client().await.echo(request("x")).await.unwrap();
    assert_eq!(reply.metadata().user_field("seen"), Some("yes"));
});

on_both_runtimes!(hooks_that_panic_cost_their_call_and_no_more, || async {
    let serving = Serving::start_with(|server| {
        server
            .interceptor(|call: &mut Call, _: &MethodDescriptor| {
                assert!(call.user_field("panic").is_none(), "secret of an interceptor");
                Ok(())
            })
            .on_event(|_: &Event| panic!("secret of an observer"))
    })
    .await;
    let mut raw = Raw::connect(serving.address).await;
    let mut meta = echo_meta("Echo", 1);
    meta.user_fields.push(("panic", "now"));
    for _ in 0..10 {
        let reply = raw.ask(&frame_of(&meta, &[])).await.expect("an answer");
        assert_eq!(reply.code, 2001);
        assert!(!reply.text.contains("secret"), "{}", reply.text);
    }
    assert_eq!(raw.ask(&echo_text(2, "x")).await.unwrap().code, 0);
    // The observer panics over every wrongdoer and every panic; the server goes on.
    for _ in 0..3 {
        let mut stranger = Raw::connect(serving.address).await;
        stranger.send(b"GET / HTTP/1.1\r\n").await;
        stranger.read_to_end().await;
    }
    assert_eq!(raw.ask(&echo_text(3, "panic")).await.unwrap().code, 2001);
    assert_eq!(raw.ask(&echo_text(4, "x")).await.unwrap().code, 0);
    drop(raw);
    until(|| serving.handle.snapshot().connections == 0).await;
    assert_eq!(serving.handle.snapshot().calls, 0);
});

on_both_runtimes!(an_authenticator_that_panics_lets_nobody_in, || async {
    let serving = Serving::start_with(|server| {
        server.authenticator(|_: &[u8], _: &Peer| -> Result<(), String> { panic!("secret") })
    })
    .await;
    let mut raw = Raw::connect(serving.address).await;
    raw.send(&echo_text(1, "x").repeat(2)).await;
    while let Some(reply) = raw.next().await {
        assert_eq!(reply.code, 1004);
        assert!(!reply.text.contains("secret"));
    }
    until(|| serving.handle.snapshot().connections == 0).await;
    assert_eq!((serving.echo.begun(), serving.handle.snapshot().calls), (0, 0));
});

/// Closures of every kind fit, and boxed ones too.
#[test]
fn hooks_are_plain_closures() {
    let _: Box<Interception> = Box::new(|_, _| Ok(()));
    fn takes(_: impl stubwire::Interceptor) {}
    takes(|_: &mut Call, _: &MethodDescriptor| Ok(()));
}
