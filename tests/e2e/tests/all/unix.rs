//! Unix sockets.

use stubwire::{Call, Channel, MethodDescriptor, Peer, Server};
use stubwire_tests_e2e::bench::EchoServiceClient;
use stubwire_tests_e2e::{Echo, echo_registry, on_both_runtimes, request};

fn directory() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary directory")
}

fn server() -> Server {
    Server::new(echo_registry(&Echo::default()))
}

on_both_runtimes!(trust_b24_calls_over_a_unix_socket, || async {
    let directory = directory();
    let path = directory.path().join("echo.sock");
    let server = server().interceptor(|call: &mut Call, _: &MethodDescriptor| {
        assert_eq!(call.peer(), &Peer::Unix);
        Ok(())
    });
    let bound = server.bind(format!("unix:{}", path.display())).await.unwrap();
    assert!(bound.local_addr().is_err());
    let (handle, task) = (bound.handle(), tokio::spawn(bound.serve()));
    let channel = Channel::connect(format!("prpc+unix:{}", path.display())).await.unwrap();
    let client = EchoServiceClient::new(channel);
    for _ in 0..10 {
        let reply = client.echo(request("x")).attach(vec![1; 100_000]).await.unwrap();
        assert_eq!((reply.message(), reply.attachment().len()), ("x", 100_000));
    }
    let asked = stubwire_tests_e2e::bench::EchoRequest { code: Some(77), ..request("no") };
    let status = client.fail(asked).await.unwrap_err();
    let origin = format!("unix:{}", path.display());
    assert_eq!((status.code().number(), status.origin()), (77, Some(&*origin)));
    handle.stop();
    task.await.unwrap().unwrap();
});

on_both_runtimes!(trust_b24_a_stale_socket_file_is_replaced_and_one_in_use_is_not, || async {
    let directory = directory();
    let path = directory.path().join("echo.sock");
    let address = format!("unix:{}", path.display());
    // Left behind by a server that is gone.
    drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
    assert!(path.exists());
    let bound = server().bind(&address).await.unwrap();
    let error = server().bind(&address).await.unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::AddrInUse);
    assert!(error.to_string().contains(&address), "{error}");
    let task = tokio::spawn(bound.serve());
    let channel = Channel::connect(format!("prpc+unix:{}", path.display())).await.unwrap();
    EchoServiceClient::new(channel).echo(request("x")).await.unwrap();
    task.abort();
});

on_both_runtimes!(trust_b24_a_file_that_is_no_socket_is_left_alone, || async {
    let directory = directory();
    let path = directory.path().join("data");
    std::fs::write(&path, "precious").unwrap();
    assert!(server().bind(format!("unix:{}", path.display())).await.is_err());
    assert_eq!(std::fs::read(&path).unwrap(), b"precious");
});

on_both_runtimes!(trust_b24_impossible_paths_are_told, || async {
    let directory = directory();
    let long = directory.path().join("x".repeat(200));
    let missing = directory.path().join("no/such/directory/echo.sock");
    for path in [&long, &missing] {
        let error = server().bind(format!("unix:{}", path.display())).await.unwrap_err();
        assert!(error.to_string().contains("cannot listen on `unix:"), "{error}");
        let status = Channel::connect(format!("prpc+unix:{}", path.display())).await.unwrap_err();
        assert_eq!(status.code().number(), 112, "{status}");
        assert!(status.message().contains("cannot connect to prpc+unix:"), "{status}");
    }
    let nobody = directory.path().join("gone.sock");
    drop(std::os::unix::net::UnixListener::bind(&nobody).unwrap());
    let status = Channel::connect(format!("prpc+unix:{}", nobody.display())).await.unwrap_err();
    assert_eq!(status.code().number(), 111, "{status}");
});
