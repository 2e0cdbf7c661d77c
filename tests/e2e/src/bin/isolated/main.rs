//! Cases that need a process of their own, because what they measure belongs to the process: its
//! memory, its descriptors. `isolated CASE` prints what it measured; the test judges.

mod starved;

use std::net::SocketAddr;
use stubwire::Limits;
use stubwire::frame::compress::{Compression, compress};
use stubwire_tests_e2e::hostile::Scripted;
use stubwire_tests_e2e::memory::{peak, reset_peak, resident};
use stubwire_tests_e2e::raw::{Raw, echo_frame, echo_meta, echo_text, frame_of, header, message};
use stubwire_tests_e2e::{Serving, request, until};
use tokio::io::AsyncReadExt;

fn main() {
    let case = std::env::args().nth(1).unwrap_or_default();
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.worker_threads(2).enable_all().build().expect("a runtime");
    runtime.block_on(async {
        match &*case {
            "huge_header" => huge_header().await,
            "huge_reply" => huge_reply().await,
            "promised_bodies" => promised_bodies().await,
            "empty_frames" => empty_frames(true).await,
            "empty_frames_unread" => empty_frames(false).await,
            "bombs" => bombs().await,
            "idle_after_large" => idle_after_large().await,
            "starved" => starved::serve().await,
            other => panic!("no such case: `{other}`"),
        }
    });
}

/// What the peak is measured against.
fn mark() -> usize {
    reset_peak();
    resident()
}

/// By how much the peak grew since the mark, in bytes.
fn grown(before: usize) -> usize {
    peak().saturating_sub(before)
}

/// A connection that has been used, so that everything it needs is there.
async fn warm(address: SocketAddr) -> Raw {
    let mut raw = Raw::connect(address).await;
    raw.ask(&echo_text(1, "x")).await.expect("an answer");
    raw
}

async fn huge_header() {
    let serving = Serving::start().await;
    let mut raw = warm(serving.address).await;
    let before = mark();
    raw.send(&header(u32::MAX, 0)).await;
    raw.read_to_end().await;
    println!("{}", grown(before));
}

async fn huge_reply() {
    let server = Scripted::start(|mut raw, number| async move {
        while let Some(asked) = raw.next().await {
            if number > 0 {
                raw.send(&header(u32::MAX, 0)).await;
                raw.read_to_end().await;
            }
            raw.send(&stubwire_tests_e2e::raw::reply_frame(asked.id, &message("x"))).await;
        }
    })
    .await;
    let call = |group: &str| {
        let mut options = stubwire::ChannelOptions::default();
        (options.policy, options.max_retries) = (stubwire::ConnectionPolicy::Shared(1), 0);
        options.connection_group = group.to_owned();
        let channel = stubwire::Channel::lazy(server.target(), options).expect("a target");
        let client = stubwire_tests_e2e::bench::EchoServiceClient::new(channel);
        async move { client.echo(request("x")).await }
    };
    call("good").await.expect("the first connection is good");
    let before = mark();
    let status = call("bad").await.expect_err("the others are not");
    assert!(status.message().contains("frame too large"), "{status}");
    println!("{}", grown(before));
}

/// A hundred peers that promise 64 MiB each and send nothing of it.
async fn promised_bodies() {
    let serving = Serving::start().await;
    let mut peers = Vec::new();
    for _ in 0..100 {
        peers.push(warm(serving.address).await);
    }
    let before = mark();
    for raw in &mut peers {
        raw.send(&header(64 << 20, 10)).await;
        raw.send(&[0; 1000]).await;
    }
    // What came before is read in order, so a later answer says that these were read too.
    warm(serving.address).await;
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    assert_eq!(serving.handle.snapshot().misbehaved, 0);
    println!("{}", grown(before));
}

/// A million empty frames, by a peer that reads the answers or by one that does not.
async fn empty_frames(reads: bool) {
    let serving = Serving::start().await;
    let raw = warm(serving.address).await;
    let (mut read, mut write) = raw.stream.into_split();
    let mut buffer = vec![0; 64 << 10];
    let frames = header(0, 0).repeat(5000);
    let before = mark();
    let sending = async {
        for _ in 0..200 {
            let send = tokio::io::AsyncWriteExt::write_all(&mut write, &frames);
            let patience = std::time::Duration::from_millis(500);
            if !reads && tokio::time::timeout(patience, send).await.is_err() {
                return;
            } else if reads {
                tokio::io::AsyncWriteExt::write_all(&mut write, &frames).await.expect("it reads");
            }
        }
        tokio::io::AsyncWriteExt::shutdown(&mut write).await.expect("it reads");
    };
    let reading = async { while reads && matches!(read.read(&mut buffer).await, Ok(1..)) {} };
    tokio::join!(sending, reading);
    println!("{}", grown(before));
}

/// Messages that decompress to twice the limit of 8 MiB, or say so.
async fn bombs() {
    let mut limits = Limits::default();
    limits.max_decompressed_size = 8 << 20;
    let serving = Serving::start_with(|server| server.limits(limits)).await;
    let zeros = message(&"\0".repeat(16 << 20));
    let mut bombs: Vec<_> = [Compression::Gzip, Compression::Zlib, Compression::Snappy]
        .map(|kind| (kind, compress(kind, &zeros)))
        .into();
    // A snappy message whose header promises 4 GiB, and gzip in gzip.
    bombs.push((Compression::Snappy, vec![0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0, 0]));
    bombs.push((Compression::Gzip, compress(Compression::Gzip, &bombs[0].1)));
    drop(zeros);
    let mut raw = warm(serving.address).await;
    let before = mark();
    for (kind, bomb) in &bombs {
        let mut meta = echo_meta("Echo", 1);
        meta.compress_type = Some(kind.to_wire());
        let reply = raw.ask(&frame_of(&meta, bomb)).await.expect("the connection lives");
        assert_eq!(reply.code, 1003, "{kind}: {}", reply.text);
    }
    assert_eq!(serving.echo.begun(), 1);
    println!("{}", grown(before));
}

/// Connections that carried 8 MiB once, and are idle now.
async fn idle_after_large() {
    let serving = Serving::start().await;
    let mut peers = Vec::new();
    for _ in 0..8 {
        peers.push(warm(serving.address).await);
    }
    let client = serving.client().await;
    for _ in 0..8 {
        client.echo(request("x")).await.expect("an answer");
    }
    let before = resident();
    let text = "x".repeat(8 << 20);
    let frame = echo_frame("Echo", 1, &message(&text));
    for raw in &mut peers {
        raw.ask(&frame).await.expect("an answer");
        raw.received = Vec::new();
        raw.ask(&echo_text(2, "x")).await.expect("an answer");
        raw.received = Vec::new();
    }
    drop(frame);
    for _ in 0..8 {
        client.echo(request(&text)).await.expect("an answer");
        client.echo(request("x")).await.expect("an answer");
    }
    drop(text);
    until(|| serving.handle.snapshot().calls == 0).await;
    // Room is kept for a moment, in case the next frame is as large.
    let mut left = resident().saturating_sub(before);
    for _ in 0..100 {
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        left = left.min(resident().saturating_sub(before));
        if left < 8 << 20 {
            break;
        }
    }
    println!("{left}");
}
