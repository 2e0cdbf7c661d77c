//! Code as users write it for serving and calling: it compiles, and does what it looks like.

use bytes::Bytes;
use std::time::Duration;
use stubwire::{Call, Channel, ChannelOptions, Registry, Server, Status};
use stubwire_tests_e2e::bench::{
    EchoRequest, EchoResponse, EchoService, EchoServiceClient, EchoServiceServer,
};
use stubwire_tests_e2e::{guarded, on_both_runtimes};

struct Echo;

impl EchoService for Echo {
    async fn echo(&self, call: &mut Call, request: EchoRequest) -> Result<EchoResponse, Status> {
        call.attach(call.attachment().clone());
        Ok(EchoResponse { message: request.message, ..Default::default() })
    }

    async fn fail(&self, _: &mut Call, request: EchoRequest) -> Result<EchoResponse, Status> {
        Err(Status::new(request.code(), request.message().to_owned()))
    }

    async fn slow(&self, call: &mut Call, _: EchoRequest) -> Result<EchoResponse, Status> {
        tokio::select! {
            () = tokio::time::sleep(Duration::from_millis(1)) => Ok(EchoResponse::default()),
            () = call.cancelled() => Err(Status::new(1234, "nobody waits")),
        }
    }
}

on_both_runtimes!(serving_and_calling_as_documented, || async {
    let registry = Registry::new();
    registry.register(EchoServiceServer::new(Echo)).unwrap();
    registry.method("bench.EchoService/Slow").unwrap().max_concurrency(64);
    let mut lines = Vec::new();
    for method in registry.methods() {
        lines.push(format!("{:40} {:?} {:?}", method.full_name(), method.codec(), method.stats()));
    }
    assert!(lines[0].starts_with("bench.EchoService/Echo "), "{lines:?}");

    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let bound = Server::new(registry.clone()).bind("127.0.0.1:0").await.unwrap();
    let target = format!("prpc://{}", bound.local_addr().unwrap());
    let serving = tokio::spawn(bound.serve_until(async { drop(stopped.await) }));

    let echo = EchoServiceClient::new(Channel::connect(&target).await.unwrap());
    let request = EchoRequest { message: Some("hello".into()), ..Default::default() };
    let reply = echo.echo(request.clone()).await.unwrap();
    assert_eq!(reply.message(), "hello");

    let bytes = Bytes::from_static(b"attached");
    let timeout = Duration::from_secs(50);
    let reply = echo.echo(request).timeout(timeout).attach(bytes).log_id(7).await.unwrap();
    assert_eq!(reply.attachment().len(), 8);

    let boom = EchoRequest { code: Some(1234), message: Some("boom".into()), ..Default::default() };
    match echo.fail(boom).await {
        Ok(_) => panic!("it fails"),
        Err(status) => assert_eq!(status.to_string(), format!("E1234 from {}: boom", &target[7..])),
    }
    stop.send(()).unwrap();
    serving.await.unwrap().unwrap();
});

on_both_runtimes!(tests_without_sockets_as_documented, || async {
    let registry = Registry::new();
    registry.register(EchoServiceServer::new(Echo)).unwrap();
    let echo = EchoServiceClient::new(Channel::in_process(registry));
    assert_eq!(echo.slow(EchoRequest::default()).await.unwrap().message(), "");
});

/// Calls fit into joins, selects and tasks, and a function may return one.
#[tokio::test]
async fn calls_compose() {
    guarded(async {
        let registry = Registry::new();
        registry.register(EchoServiceServer::new(Echo)).unwrap();
        let echo = EchoServiceClient::new(Channel::in_process(registry));
        let ask = |text: &str| {
            echo.echo(EchoRequest { message: Some(text.into()), ..Default::default() })
        };
        let (one, two) = tokio::join!(ask("1"), ask("2"));
        assert_eq!((one.unwrap().message(), two.unwrap().message()), ("1", "2"));
        let patience = Duration::from_secs(50);
        let reply = tokio::time::timeout(patience, ask("3")).await.unwrap().unwrap();
        assert_eq!(reply.into_inner().message(), "3");
        let first = tokio::select! {
            biased;
            reply = ask("4").into_future() => reply,
            () = std::future::pending() => unreachable!("the call ends"),
        };
        assert_eq!(first.unwrap().message(), "4");
        let task = tokio::spawn({
            let echo = echo.clone();
            async move { echo.echo(EchoRequest::default()).await.map(|reply| reply.into_inner()) }
        });
        assert_eq!(task.await.unwrap().unwrap(), EchoResponse::default());
    })
    .await;
}

/// Options are plain fields over their defaults, and a target of another form is told the right
/// one.
#[tokio::test]
async fn options_and_targets() {
    let mut options = ChannelOptions::default();
    options.timeout = Some(Duration::from_secs(1));
    assert!(Channel::lazy("prpc://127.0.0.1:8000", options).is_ok());
    let status = Channel::connect("127.0.0.1:8000").await.unwrap_err();
    assert!(status.message().contains("write `prpc://host:port`"), "{status}");
}
