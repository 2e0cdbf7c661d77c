//! How many frames go out in one write, on both sides of one connection: a batch is written once, and a
//! caller with nobody beside it waits for no batch.

use stubwire::{Channel, ChannelOptions, ChannelSnapshot, ConnectionPolicy, ServerSnapshot};
use stubwire_tests_e2e::bench::EchoServiceClient;
use stubwire_tests_e2e::{Serving, on_both_runtimes, request, until};

/// Frames a write. It is 32, where a batch is due, on one thread, and around 28 at the server and 19 at the client on
/// two; the bound leaves room for a machine that takes threads off their cores. A writer that does not step back before
/// it takes a batch has one frame a write.
const AT_LEAST: u64 = 8;

/// What both sides count when `callers` have made `calls` each, one after the other, on one connection.
async fn counts(callers: usize, calls: usize) -> (ServerSnapshot, ChannelSnapshot) {
    let serving = Serving::start().await;
    let mut options = ChannelOptions::default();
    options.policy = ConnectionPolicy::Shared(1);
    let channel =
        Channel::connect_with(serving.target(), options).await.expect("the server listens");
    let client = EchoServiceClient::new(channel.clone());
    let callers: Vec<_> = (0..callers)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(async move {
                for _ in 0..calls {
                    client.echo(request("x".repeat(64))).await.expect("it is an echo");
                }
            })
        })
        .collect();
    let all = (callers.len() * calls) as u64;
    for caller in callers {
        caller.await.expect("no caller panics");
    }
    // A write is counted when it has returned, by which time its reply may be read.
    until(|| serving.handle.snapshot().frames_written == all).await;
    until(|| channel.snapshot().frames_written == all).await;
    (serving.handle.snapshot(), channel.snapshot())
}

on_both_runtimes!(at_64_in_flight_a_write_takes_many_frames, || async {
    let (server, client) = counts(64, 200).await;
    for (side, frames, writes) in [
        ("server", server.frames_written, server.writes),
        ("client", client.frames_written, client.writes),
    ] {
        assert!(writes * AT_LEAST <= frames, "the {side} took {writes} writes for {frames} frames");
    }
});

on_both_runtimes!(a_single_caller_has_a_write_a_frame, || async {
    let (server, client) = counts(1, 200).await;
    assert_eq!((server.frames_written, server.writes), (200, 200));
    assert_eq!((client.frames_written, client.writes), (200, 200));
});
