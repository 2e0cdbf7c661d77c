//! Channels without sockets: to a registry of this process, and over a user's own transport.

use bytes::Bytes;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use stubwire::{
    Channel, Compression, Registry, Status, Transport, TransportFuture, TransportReply,
    TransportRequest,
};
use stubwire_tests_e2e::bench::{EchoRequest, EchoServiceClient};
use stubwire_tests_e2e::clock::Clock;
use stubwire_tests_e2e::raw::message;
use stubwire_tests_e2e::{Echo, echo_registry, on_both_runtimes, request, until};

fn here() -> (EchoServiceClient, Echo, Registry) {
    let echo = Echo::default();
    let registry = echo_registry(&echo);
    (EchoServiceClient::new(Channel::in_process(registry.clone())), echo, registry)
}

on_both_runtimes!(an_in_process_call_ends_as_a_remote_one_would, || async {
    let (client, echo, registry) = here();
    let asked = EchoRequest { code: Some(77), ..request("no") };
    let status = client.fail(asked).await.unwrap_err();
    assert_eq!((status.code().number(), status.message(), status.origin()), (77, "no", None));
    for text in ["panic", "panic later"] {
        let status = client.echo(request(text)).await.unwrap_err();
        assert_eq!(status.code().number(), 2001);
        assert!(!status.to_string().contains("secret"), "{status}");
    }
    let reply = client.echo(request("x")).user_field("k", "v").log_id(1).checksum();
    let reply = reply.compress(Compression::Gzip).attach(&b"raw"[..]).await.unwrap();
    assert_eq!((reply.message(), &reply.attachment()[..]), ("x", &b"raw"[..]));
    let method = registry.method("bench.EchoService/Echo").unwrap();
    method.max_concurrency(1);
    let held = tokio::spawn({
        let client = client.clone();
        async move { client.echo(request("stubborn")).await }
    });
    until(|| echo.begun() == 5).await;
    assert_eq!(client.echo(request("x")).await.unwrap_err().code().number(), 2004);
    echo.release.notify_one();
    held.await.unwrap().unwrap();
    registry.remove("bench.EchoService");
    assert_eq!(client.echo(request("x")).await.unwrap_err().code().number(), 1001);
    assert_eq!(method.stats().in_flight, 0);
});

#[tokio::test]
async fn an_in_process_call_has_a_deadline() {
    let clock = Clock::stopped();
    let (client, echo, registry) = here();
    let call =
        tokio::spawn(
            async move { client.echo(request("hold")).timeout(Duration::from_secs(5)).await },
        );
    clock.until(|| echo.begun() == 1).await;
    clock.advance(Duration::from_millis(4990)).await;
    assert!(!call.is_finished());
    clock.advance(Duration::from_millis(20)).await;
    assert_eq!(call.await.unwrap().unwrap_err().code().number(), 1008);
    // The handler hears of it.
    clock.until(|| echo.cancelled() == 1).await;
    assert_eq!(registry.method("bench.EchoService/Echo").unwrap().stats().in_flight, 0);
}

on_both_runtimes!(dropping_an_in_process_call_cancels_its_handler, || async {
    let (client, echo, _) = here();
    let call = tokio::spawn(async move { client.echo(request("hold")).await });
    until(|| echo.begun() == 1).await;
    call.abort();
    until(|| echo.cancelled() == 1 && echo.ended() == 1).await;
});

on_both_runtimes!(an_in_process_call_without_time_is_not_executed, || async {
    let (client, echo, _) = here();
    let status = client.echo(request("x")).timeout(Duration::ZERO).await.unwrap_err();
    assert_eq!((status.code().number(), echo.begun()), (1008, 0));
});

/// Records what it carries, answers by the text of the message.
#[derive(Clone, Default)]
struct Recorder {
    seen: Arc<Mutex<Vec<TransportRequest>>>,
    dropped: Arc<AtomicUsize>,
}

struct CountDrop(Arc<AtomicUsize>);

impl Drop for CountDrop {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl Transport for Recorder {
    fn call(&self, request: TransportRequest) -> TransportFuture<'_> {
        self.seen.lock().unwrap().push(request.clone());
        let count = CountDrop(self.dropped.clone());
        Box::pin(async move {
            let _count = count;
            match &request.message {
                bytes if *bytes == message("never") => std::future::pending().await,
                bytes if *bytes == message("bad") => Ok(TransportReply {
                    message: Bytes::from_static(&[0xff; 9]),
                    ..TransportReply::default()
                }),
                bytes if *bytes == message("refuse") => Err(Status::new(77, "refused")),
                _ => Ok(TransportReply {
                    message: request.message,
                    attachment: request.attachment,
                    metadata: request.metadata,
                }),
            }
        })
    }
}

on_both_runtimes!(a_users_transport_carries_calls, || async {
    let recorder = Recorder::default();
    let client = EchoServiceClient::new(recorder.clone());
    let reply = client
        .echo(request("x"))
        .attach(&b"raw"[..])
        .log_id(7)
        .user_field("k", "v")
        .timeout(Duration::from_secs(60))
        .await
        .unwrap();
    assert_eq!((reply.message(), &reply.attachment()[..]), ("x", &b"raw"[..]));
    assert_eq!(reply.metadata().user_field("k"), Some("v"));
    let seen = recorder.seen.lock().unwrap().pop().unwrap();
    assert_eq!(seen.method.full_name(), "bench.EchoService/Echo");
    assert_eq!((seen.metadata.log_id, seen.deadline.is_some()), (Some(7), true));
    assert_eq!(client.echo(request("refuse")).await.unwrap_err().code().number(), 77);
    assert_eq!(client.echo(request("bad")).await.unwrap_err().code().number(), 2002);
    let never = client.echo(request("never")).timeout(Duration::from_millis(1));
    assert_eq!(never.await.unwrap_err().code().number(), 1008);
    assert_eq!(recorder.dropped.load(Ordering::SeqCst), 4);
    assert_eq!(Channel::from(recorder).snapshot(), Default::default());
});
