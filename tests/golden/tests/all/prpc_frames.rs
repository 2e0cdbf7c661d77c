//! Frames of baidu_std: pinned, and read back from the pinned bytes.

use crate::files::pinned;
use prost::Message as _;
use std::time::Duration;
use stubwire::frame::Protocol;
use stubwire::frame::checksum::masked_crc32c;
use stubwire::frame::compress::decompress;
use stubwire::frame::prpc::{HEADER_LEN, RpcMeta, decode_header, decode_meta};
use stubwire::golden::{self, assert_frame};
use stubwire::{ChannelOptions, Compression};
use stubwire_tests_golden::bench::{EchoRequest, EchoResponse, EchoServiceClient};
use stubwire_tests_golden::services::registry;
use stubwire_tests_golden::values::echo_request;

fn client() -> EchoServiceClient {
    EchoServiceClient::new(golden::channel(Protocol::Prpc))
}

/// Metadata and payload of a pinned frame.
fn parts(frame: &[u8]) -> (RpcMeta<'_>, &[u8]) {
    let header = decode_header(frame, 1 << 20).expect("a header");
    assert_eq!(frame.len(), HEADER_LEN + header.body_size as usize);
    let (meta, payload) = frame[HEADER_LEN..].split_at(header.meta_size as usize);
    (decode_meta(meta).expect("metadata"), payload)
}

#[test]
fn golden_prpc_request() {
    assert_frame!("golden/prpc_request", client().echo(echo_request()));
    let bytes = pinned("prpc_request");
    let (meta, payload) = parts(&bytes);
    let request = meta.request.expect("a request");
    assert_eq!((request.service_name, request.method_name), ("bench.EchoService", "Echo"));
    assert_eq!((meta.correlation_id, meta.attachment_size), (Some(1), None));
    assert_eq!(EchoRequest::decode(payload), Ok(echo_request()));
}

#[test]
fn golden_prpc_request_with_attachment() {
    assert_frame!(
        "golden/prpc_request_with_attachment",
        client().echo(echo_request()).attach(&b"raw bytes"[..])
    );
    let bytes = pinned("prpc_request_with_attachment");
    let (meta, payload) = parts(&bytes);
    let (message, attachment) = payload.split_at(meta.message_len(payload.len()).expect("sizes"));
    assert_eq!(EchoRequest::decode(message), Ok(echo_request()));
    assert_eq!(attachment, b"raw bytes");
}

/// Everything that a call can set, and credentials of the channel.
#[test]
fn golden_prpc_request_with_everything() {
    let mut options = ChannelOptions::default();
    options.authentication_data = b"secret".to_vec();
    let client = EchoServiceClient::new(golden::channel_with(Protocol::Prpc, options));
    let call = client
        .echo(echo_request())
        .timeout(Duration::from_millis(50))
        .log_id(-7)
        .request_id("r-1")
        .trace(1, 2, 3)
        .user_field("tenant", "blue")
        .user_field("tenant", "green")
        .compress(Compression::Zlib)
        .checksum()
        .attach(&b"raw"[..]);
    assert_frame!("golden/prpc_request_with_everything", call);
    let bytes = pinned("prpc_request_with_everything");
    let (meta, payload) = parts(&bytes);
    let request = meta.request.expect("a request");
    assert_eq!((request.log_id, request.request_id), (Some(-7), Some("r-1")));
    assert_eq!((request.timeout_ms, request.trace_id), (Some(50), Some(1)));
    assert_eq!((request.span_id, request.parent_span_id), (Some(2), Some(3)));
    assert_eq!(meta.user_fields, [("tenant", "blue"), ("tenant", "green")]);
    assert_eq!(meta.authentication_data, Some(&b"secret"[..]));
    assert_eq!((meta.compress_type, meta.checksum_type), (Some(3), Some(1)));
    let (message, attachment) = payload.split_at(meta.message_len(payload.len()).expect("sizes"));
    assert_eq!(meta.checksum_value, Some(&masked_crc32c(&[message, attachment])[..]));
    let message = decompress(Compression::Zlib, message, 1 << 20).expect("zlib");
    assert_eq!(EchoRequest::decode(&message[..]), Ok(echo_request()));
}

#[tokio::test]
async fn golden_prpc_reply_with_attachment() {
    let client = client();
    let call = client.echo(echo_request()).attach(&b"raw bytes"[..]);
    let frame = golden::reply_frame(&registry(), call).await.expect("a reply");
    assert_frame!("golden/prpc_reply_with_attachment", &frame);
    let bytes = pinned("prpc_reply_with_attachment");
    let (meta, payload) = parts(&bytes);
    assert_eq!(meta.response.and_then(|response| response.error_code), Some(0));
    let (message, attachment) = payload.split_at(meta.message_len(payload.len()).expect("sizes"));
    let reply = EchoResponse { message: Some("hello".into()), payload: None };
    assert_eq!(EchoResponse::decode(message), Ok(reply));
    assert_eq!((attachment, meta.correlation_id), (&b"raw bytes"[..], Some(1)));
}

#[tokio::test]
async fn golden_prpc_reply() {
    let client = client();
    let frame = golden::reply_frame(&registry(), client.echo(echo_request())).await;
    assert_frame!("golden/prpc_reply", frame.expect("a reply"));
    let bytes = pinned("prpc_reply");
    let (meta, payload) = parts(&bytes);
    assert_eq!((meta.attachment_size, meta.compress_type), (None, Some(0)));
    let reply = EchoResponse { message: Some("hello".into()), payload: None };
    assert_eq!(EchoResponse::decode(payload), Ok(reply));
}

#[tokio::test]
async fn golden_prpc_reply_compressed_and_checked() {
    let client = client();
    let request = EchoRequest { message: Some("hello ".repeat(20)), ..Default::default() };
    let frame = golden::reply_frame(&registry(), client.slow(request.clone())).await;
    assert_frame!("golden/prpc_reply_compressed_and_checked", frame.expect("a reply"));
    let bytes = pinned("prpc_reply_compressed_and_checked");
    let (meta, payload) = parts(&bytes);
    assert_eq!(meta.user_fields, [("served-by", "golden")]);
    assert_eq!(meta.checksum_value, Some(&masked_crc32c(&[payload])[..]));
    let message = decompress(Compression::Snappy, payload, 1 << 20).expect("snappy");
    let reply = EchoResponse { message: request.message, payload: None };
    assert_eq!(EchoResponse::decode(&message[..]), Ok(reply));
}

/// The address in front of the text is that of a socket without a name.
#[tokio::test]
async fn golden_prpc_error() {
    let client = client();
    let request =
        EchoRequest { code: Some(1234), message: Some("boom".into()), ..Default::default() };
    let call = client.fail(request).attach(&b"is not sent back"[..]);
    let frame = golden::reply_frame(&registry(), call).await.expect("a reply");
    assert_frame!("golden/prpc_error", frame);
    let bytes = pinned("prpc_error");
    let (meta, payload) = parts(&bytes);
    let response = meta.response.expect("a response");
    assert_eq!(response.error_code, Some(1234));
    assert_eq!(response.error_text, Some("[unix:][E1234]boom"));
    assert!(payload.is_empty());
}
