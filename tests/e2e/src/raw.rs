//! A client that speaks bytes: for frames that no well-behaved client sends.

use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A raw connection.
#[derive(Debug)]
pub struct Raw {
    /// The socket.
    pub stream: TcpStream,
    /// What was received so far.
    pub received: Vec<u8>,
}

impl Raw {
    /// Connects.
    pub async fn connect(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).await.expect("the server listens");
        stream.set_nodelay(true).expect("a fresh socket takes options");
        Self { stream, received: Vec::new() }
    }

    /// Sends bytes; false when the server closed already.
    pub async fn send(&mut self, bytes: &[u8]) -> bool {
        self.stream.write_all(bytes).await.is_ok()
    }

    /// Reads once; false at the end of the stream or after a reset.
    pub async fn read(&mut self) -> bool {
        matches!(self.stream.read_buf(&mut self.received).await, Ok(1..))
    }

    /// Reads until `len` bytes are there in all; false when the stream ends before.
    pub async fn read_to(&mut self, len: usize) -> bool {
        while self.received.len() < len {
            if !self.read().await {
                return false;
            }
        }
        true
    }

    /// Reads to the end of the stream.
    pub async fn read_to_end(&mut self) {
        while self.read().await {}
    }

    /// True when nothing comes and the stream stays open for `patience`.
    pub async fn stays_silent(&mut self, patience: Duration) -> bool {
        tokio::time::timeout(patience, self.read()).await.is_err()
    }
}

/// A baidu_std frame out of its parts.
pub fn frame(meta: &[u8], payload: &[u8]) -> Vec<u8> {
    let body = u32::try_from(meta.len() + payload.len()).expect("a test frame is small");
    let meta_size = u32::try_from(meta.len()).expect("a test frame is small");
    [b"PRPC", &body.to_be_bytes()[..], &meta_size.to_be_bytes(), meta, payload].concat()
}

/// A request to `bench.EchoService` with just a name and an id.
pub fn echo_frame(method: &str, id: i64, payload: &[u8]) -> Vec<u8> {
    let meta = stubwire::frame::prpc::RpcMeta {
        request: Some(stubwire::frame::prpc::RequestMeta {
            service_name: "bench.EchoService",
            method_name: method,
            ..Default::default()
        }),
        correlation_id: Some(id),
        ..Default::default()
    };
    let mut head = Vec::new();
    stubwire::frame::prpc::encode_head(&mut head, &meta, payload.len()).expect("it is small");
    head.extend_from_slice(payload);
    head
}

/// The Protobuf bytes of a message field of an `EchoRequest`.
pub fn message(text: &str) -> Vec<u8> {
    prost::Message::encode_to_vec(&crate::request(text))
}
