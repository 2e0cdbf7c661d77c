//! Frames of FRPC in both byte orders: pinned, and read back from the pinned bytes.

use crate::files::pinned;
use bytes::Bytes;
use std::time::Duration;
use stubwire::flat::Verified;
use stubwire::frame::Protocol;
use stubwire::frame::frpc::{
    Appended, ByteOrder, HEADER_LEN, RequestHead, ResponseHead, decode_header, decode_request,
    decode_response,
};
use stubwire::golden::{self, Frame, Side, assert_frame};
use stubwire::{Channel, ChannelOptions, Limits, service_id};
use stubwire_tests_golden::benchmark_fb::{
    BENCHMARK_SERVICE_ECHO, BenchmarkServiceClient, Request, RequestArgs, Response,
};
use stubwire_tests_golden::services::registry;
use stubwire_tests_golden::values::flat_request;

fn channel(order: ByteOrder, append: bool) -> Channel {
    let mut options = ChannelOptions::default();
    options.timeout = None;
    options.frpc_byte_order = order;
    options.frpc_append = append;
    golden::channel_with(Protocol::Frpc, options)
}

fn client(order: ByteOrder) -> BenchmarkServiceClient {
    BenchmarkServiceClient::new(channel(order, false))
}

/// Metadata and payload of a pinned frame.
fn split(frame: &[u8]) -> (&[u8], &[u8]) {
    let header = decode_header(frame, 1 << 20).expect("a header");
    assert_eq!(frame.len(), HEADER_LEN + header.body_size as usize);
    frame[HEADER_LEN..].split_at(header.meta_size as usize)
}

fn request_of(frame: &[u8], order: ByteOrder) -> (RequestHead, Appended<'_>, &[u8], &[u8]) {
    let (meta, payload) = split(frame);
    let (head, appended) = decode_request(meta, order).expect("metadata");
    let (message, _) = head.sizes(payload.len()).expect("sizes");
    let (message, attachment) = payload.split_at(message);
    (head, Appended::decode(appended).expect("a block"), message, attachment)
}

fn reply_of(frame: &[u8], order: ByteOrder) -> (ResponseHead, Appended<'_>, &[u8], &[u8]) {
    let (meta, payload) = split(frame);
    let (head, appended) = decode_response(meta, order).expect("metadata");
    let (message, _) = head.sizes(payload.len()).expect("sizes");
    let (message, attachment) = payload.split_at(message);
    (head, Appended::decode(appended).expect("a block"), message, attachment)
}

fn expect_request(message: &[u8]) {
    let message = Bytes::copy_from_slice(message);
    let request = Verified::<Request<'static>>::new(message, &Limits::default()).expect("verified");
    assert_eq!((request.root().request_id(), request.root().message()), (7, Some("hello")));
}

fn check_request(order: ByteOrder, name: &str) {
    let bytes = pinned(name);
    let (head, appended, message, attachment) = request_of(&bytes, order);
    assert_eq!(head.service_id, service_id("benchmark_fb.BenchmarkService"));
    assert_eq!((head.method_id, head.correlation_id), (7, 1));
    assert!(!appended.present && attachment.is_empty());
    expect_request(message);
}

#[test]
fn golden_frpc_request_big_endian() {
    assert_frame!("golden/frpc_request_big_endian", client(ByteOrder::Big).echo(flat_request));
    check_request(ByteOrder::Big, "frpc_request_big_endian");
}

#[test]
fn golden_frpc_request_little_endian() {
    let client = client(ByteOrder::Little);
    assert_frame!("golden/frpc_request_little_endian", client.echo(flat_request));
    check_request(ByteOrder::Little, "frpc_request_little_endian");
}

#[test]
fn golden_frpc_request_with_attachment() {
    let client = client(ByteOrder::Big);
    let call = client.echo(flat_request).attach(&b"raw bytes"[..]);
    assert_frame!("golden/frpc_request_with_attachment", call);
    let bytes = pinned("frpc_request_with_attachment");
    let (_, _, message, attachment) = request_of(&bytes, ByteOrder::Big);
    expect_request(message);
    assert_eq!(attachment, b"raw bytes");
}

/// The block of our own, which a channel opts in to.
#[test]
fn golden_frpc_request_with_appended_block() {
    let client = BenchmarkServiceClient::new(channel(ByteOrder::Big, true));
    let call = client
        .echo(flat_request)
        .timeout(Duration::from_millis(50))
        .log_id(9)
        .user_field("tenant", "blue");
    assert_frame!("golden/frpc_request_with_appended_block", call);
    let bytes = pinned("frpc_request_with_appended_block");
    let (_, appended, message, _) = request_of(&bytes, ByteOrder::Big);
    assert_eq!((appended.timeout_ms, appended.log_id), (Some(50), Some(9)));
    assert_eq!(appended.user_fields, [("tenant", "blue")]);
    expect_request(message);
}

async fn check_reply(order: ByteOrder, name: &str) {
    let bytes = pinned(name);
    let (head, appended, message, attachment) = reply_of(&bytes, order);
    assert_eq!((head.error_code, head.correlation_id), (0, 1));
    assert!(!appended.present);
    let message = Bytes::copy_from_slice(message);
    let reply = Verified::<Response<'static>>::new(message, &Limits::default()).expect("verified");
    assert_eq!((reply.root().message(), reply.root().attachment_size()), (Some("hello"), 3));
    assert_eq!(attachment, b"raw");
}

#[tokio::test]
async fn golden_frpc_reply_big_endian() {
    let client = client(ByteOrder::Big);
    let call = client.echo(flat_request).attach(&b"raw"[..]);
    let frame = golden::reply_frame(&registry(), call).await.expect("a reply");
    assert_frame!("golden/frpc_reply_big_endian", frame);
    check_reply(ByteOrder::Big, "frpc_reply_big_endian").await;
}

#[tokio::test]
async fn golden_frpc_reply_little_endian() {
    let client = client(ByteOrder::Little);
    let call = client.echo(flat_request).attach(&b"raw"[..]);
    let frame = golden::reply_frame(&registry(), call).await.expect("a reply");
    assert_frame!("golden/frpc_reply_little_endian", frame);
    check_reply(ByteOrder::Little, "frpc_reply_little_endian").await;
}

#[tokio::test]
async fn golden_frpc_error() {
    let client = client(ByteOrder::Big);
    let frame = golden::reply_frame(&registry(), client.fail(flat_request)).await;
    assert_frame!("golden/frpc_error", frame.expect("a reply"));
    let bytes = pinned("frpc_error");
    let (head, appended, message, attachment) = reply_of(&bytes, ByteOrder::Big);
    assert_eq!((head.error_code, appended.present), (2001, false));
    assert!(message.is_empty() && attachment.is_empty());
}

#[tokio::test]
async fn golden_frpc_error_with_appended_text() {
    let client = BenchmarkServiceClient::new(channel(ByteOrder::Big, true));
    let frame = golden::reply_frame(&registry(), client.fail(flat_request)).await;
    assert_frame!("golden/frpc_error_with_appended_text", frame.expect("a reply"));
    let bytes = pinned("frpc_error_with_appended_text");
    let (head, appended, ..) = reply_of(&bytes, ByteOrder::Big);
    assert_eq!((head.error_code, appended.error_text), (2001, Some("on purpose")));
}

/// Sizes that read the same both ways do not show the order; a frame of a channel knows it all the same.
#[test]
fn frpc_sizes_that_are_palindromes_keep_the_order_of_their_channel() {
    let call = |order| {
        let client = client(order);
        let frame = Frame::of(client.echo(flat_request)).expect("a frame");
        let message = frame.bytes().len() - 36;
        // 0x00010100 bytes of message and none of attachment: both sizes are palindromes.
        let filler = "x".repeat(0x0001_0100 - message + "hello".len());
        Frame::of(client.echo(|builder| {
            let message = builder.create_string(&filler);
            let args = RequestArgs { request_id: 7, message: Some(message) };
            Request::create(builder, &args)
        }))
        .expect("a frame")
    };
    for (order, word) in [(ByteOrder::Big, "big"), (ByteOrder::Little, "little")] {
        let frame = call(order);
        assert_eq!(frame.bytes().len(), 36 + 0x0001_0100);
        let dump = frame.to_string();
        assert!(dump.starts_with(&format!("FRPC, {word}-endian")), "{dump}");
        assert!(dump.contains("meta.method_id                    7 Echo"), "{dump}");
        assert!(dump.len() < 8_000, "{} bytes of dump", dump.len());
    }
}

/// What others append is theirs.
#[test]
fn frpc_appended_bytes_of_others_are_told_as_that() {
    let client = client(ByteOrder::Big);
    let frame = Frame::of(client.echo(flat_request)).expect("a frame");
    let mut bytes = frame.bytes().to_vec();
    bytes.splice(36..36, *b"XXXX\0\0\0\x01\xff");
    bytes[7] += 9;
    bytes[11] += 9;
    let frame = Frame::captured(&BENCHMARK_SERVICE_ECHO, Side::Request, bytes).expect("a frame");
    let dump = frame.to_string();
    assert!(dump.contains("meta.unknown                      |XXXX.....|"), "{dump}");
    assert!(dump.contains("message.request_id                7"), "{dump}");
}
