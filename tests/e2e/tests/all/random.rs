//! Random messages and metadata, there and back over a real connection.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use stubwire::Compression;
use stubwire_tests_e2e::Serving;
use stubwire_tests_e2e::bench::{EchoRequest, EchoServiceClient};
use stubwire_tests_e2e::raw::Raw;

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

fn compressions() -> impl Strategy<Value = Compression> {
    prop_oneof![
        Just(Compression::None),
        Just(Compression::Gzip),
        Just(Compression::Zlib),
        Just(Compression::Snappy)
    ]
}

type Asked = (String, Vec<u8>, Vec<u8>, Compression, bool, i64, Vec<(String, String)>);

async fn echoes(client: &EchoServiceClient, asked: Asked) -> Result<(), TestCaseError> {
    let (text, payload, attachment, compression, checksum, log_id, fields) = asked;
    let sent = EchoRequest {
        message: Some(text.clone()),
        payload: Some(payload.clone().into()),
        ..EchoRequest::default()
    };
    let mut call = client.echo(sent).attach(attachment.clone()).compress(compression);
    call = call.log_id(log_id);
    for (key, value) in fields {
        call = call.user_field(key, value);
    }
    if checksum {
        call = call.checksum();
    }
    let reply = call.await.map_err(|status| TestCaseError::fail(status.to_string()))?;
    prop_assert_eq!(reply.message(), text);
    prop_assert_eq!(reply.payload(), payload);
    prop_assert_eq!(reply.attachment(), &attachment);
    Ok(())
}

#[test]
fn trust_a16_whatever_is_sent_comes_back() {
    let runtime = runtime();
    let serving = runtime.block_on(Serving::start());
    let client = runtime.block_on(serving.client());
    let bytes = || prop::collection::vec(any::<u8>(), 0..20_000);
    let asked = (
        any::<String>(),
        bytes(),
        bytes(),
        compressions(),
        any::<bool>(),
        any::<i64>(),
        prop::collection::vec((any::<String>(), any::<String>()), 0..5),
    );
    let mut runner =
        TestRunner::new(Config { failure_persistence: None, ..Config::with_cases(100) });
    runner.run(&asked, |asked| runtime.block_on(echoes(&client, asked))).unwrap();
    // Every one of them over the connections that were there.
    assert_eq!(serving.handle.snapshot().misbehaved, 0);
}

/// Whatever bytes come, the server closes or answers, and counts no call that is not one.
#[test]
fn trust_a18_whatever_bytes_come_the_server_lives() {
    let runtime = runtime();
    let serving = runtime.block_on(Serving::start());
    let noise = prop::collection::vec(any::<u8>(), 0..200);
    // Mostly frames whose header is sound, so that the noise gets further than the first byte.
    let frames = prop::collection::vec((noise.clone(), noise.clone(), any::<bool>()), 1..5);
    let mut runner =
        TestRunner::new(Config { failure_persistence: None, ..Config::with_cases(300) });
    runner
        .run(&(frames, noise), |(frames, tail)| {
            runtime.block_on(async {
                let mut raw = Raw::connect(serving.address).await;
                for (meta, payload, good) in frames {
                    let frame = if good {
                        stubwire_tests_e2e::raw::echo_frame("Slow", 1, &payload)
                    } else {
                        stubwire_tests_e2e::raw::frame(&meta, &payload)
                    };
                    raw.send(&frame).await;
                }
                raw.send(&tail).await;
                raw.end().await;
                while raw.next().await.is_some() {}
            });
            Ok(())
        })
        .unwrap();
    runtime.block_on(async {
        stubwire_tests_e2e::until(|| serving.handle.snapshot().connections == 0).await;
        let client = serving.client().await;
        assert_eq!(client.echo(stubwire_tests_e2e::request("x")).await.unwrap().message(), "x");
    });
    let snapshot = serving.handle.snapshot();
    assert_eq!((snapshot.calls, snapshot.panics), (0, 0));
}
