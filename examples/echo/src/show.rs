//! Bytes of one request and one reply with their meaning, and the registry's status.

use crate::bench::EchoRequest;
use prost::Message;
use std::error::Error;
use std::net::SocketAddr;
use stubwire::Registry;
use stubwire::frame::prpc::{HEADER_LEN, RequestMeta, RpcMeta, decode_header, encode_head};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Calls Echo by hand and prints both frames.
pub(crate) async fn frames(address: SocketAddr) -> Result<(), Box<dyn Error>> {
    let message = EchoRequest { message: Some("hello".into()), ..Default::default() };
    let message = message.encode_to_vec();
    let request = RequestMeta {
        service_name: "bench.EchoService",
        method_name: "Echo",
        log_id: Some(7),
        ..Default::default()
    };
    let meta = RpcMeta { request: Some(request), correlation_id: Some(1), ..Default::default() };
    let mut frame = Vec::new();
    encode_head(&mut frame, &meta, message.len())?;
    frame.extend_from_slice(&message);
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(&frame).await?;
    println!("\nthe bytes of one request");
    annotate(&frame)?;

    let mut reply = vec![0; HEADER_LEN];
    stream.read_exact(&mut reply).await?;
    let header = decode_header(&reply, 1 << 20)?;
    reply.resize(HEADER_LEN + header.body_size as usize, 0);
    stream.read_exact(&mut reply[HEADER_LEN..]).await?;
    println!("the bytes of its reply");
    annotate(&reply)
}

fn annotate(frame: &[u8]) -> Result<(), Box<dyn Error>> {
    let header = decode_header(frame, frame.len())?;
    line(0, &frame[..4], "magic");
    line(4, &frame[4..8], &format!("body_size = {}", header.body_size));
    line(8, &frame[8..12], &format!("meta_size = {}", header.meta_size));
    let body = HEADER_LEN + header.meta_size as usize;
    fields(HEADER_LEN, &frame[HEADER_LEN..body], "RpcMeta");
    line(body, &frame[body..], "message");
    println!();
    Ok(())
}

/// The fields of metadata, each with its number; those that are messages themselves one level deep.
fn fields(start: usize, bytes: &[u8], message: &str) {
    let mut at = 0;
    while at < bytes.len() {
        let (number, wire) = (bytes[at] >> 3, bytes[at] & 7);
        let value = at + 1;
        if wire == 2 && value < bytes.len() {
            // Everything shown here is shorter than 128 bytes, so that its length is one byte.
            let end = (value + 1 + usize::from(bytes[value])).min(bytes.len());
            let name = name(message, number);
            if message == "RpcMeta" && matches!(number, 1 | 2) {
                line(start + at, &bytes[at..=value], name);
                fields(start + value + 1, &bytes[value + 1..end], name);
            } else {
                let text = String::from_utf8_lossy(&bytes[value + 1..end]);
                line(start + at, &bytes[at..end], &format!("{message}.{name} = `{text}`"));
            }
            at = end;
        } else {
            let more = bytes[value..].iter().take_while(|byte| **byte >= 0x80).count();
            let end = (value + more + 1).min(bytes.len());
            let name = name(message, number);
            line(start + at, &bytes[at..end], &format!("{message}.{name}"));
            at = end;
        }
    }
}

fn name(message: &str, number: u8) -> &'static str {
    match (message, number) {
        ("RpcMeta", 1) => "RpcRequestMeta",
        ("RpcMeta", 2) => "RpcResponseMeta",
        ("RpcMeta", 3) => "compress_type",
        ("RpcMeta", 4) => "correlation_id",
        ("RpcMeta", 10) => "content_type",
        ("RpcMeta", 11) => "checksum_type",
        ("RpcMeta", 12) => "checksum_value",
        ("RpcRequestMeta", 1) => "service_name",
        ("RpcRequestMeta", 2) => "method_name",
        ("RpcRequestMeta", 3) => "log_id",
        ("RpcResponseMeta", 1) => "error_code",
        _ => "field",
    }
}

fn line(at: usize, bytes: &[u8], meaning: &str) {
    let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    println!("{at:5}  {:<60}  {meaning}", hex.join(" "));
}

/// What every method did.
pub(crate) fn status(registry: &Registry) {
    println!("{:40} {:12} {:>6} {:>6} {:>8}", "method", "codec", "calls", "failed", "p50");
    for method in registry.methods() {
        let stats = method.stats();
        let median = stats.latency.quantile(0.5);
        println!(
            "{:40} {:12} {:>6} {:>6} {:>8}",
            method.full_name(),
            method.codec().to_string(),
            stats.finished,
            stats.failed,
            format!("{median:?}"),
        );
    }
}
