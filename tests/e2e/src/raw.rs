//! A peer that speaks bytes: for frames that no well-behaved one sends.

use std::net::SocketAddr;
use std::time::Duration;
use stubwire::frame::prpc::{
    HEADER_LEN, RequestMeta, ResponseMeta, RpcMeta, decode_header, decode_meta, encode_head,
};
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

/// A frame as a test looks at it: a request or a reply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// The correlation id.
    pub id: i64,
    /// The error code; zero is success.
    pub code: i32,
    /// The error text.
    pub text: String,
    /// What a request says about its timeout.
    pub timeout_ms: Option<i32>,
    /// The method that a request calls.
    pub method: String,
    /// The credentials of a request.
    pub authentication: Option<Vec<u8>>,
    /// Message and attachment.
    pub payload: Vec<u8>,
}

impl Raw {
    /// Connects.
    pub async fn connect(address: SocketAddr) -> Self {
        Self::over(TcpStream::connect(address).await.expect("the server listens"))
    }

    /// Takes a connection over.
    pub fn over(stream: TcpStream) -> Self {
        stream.set_nodelay(true).expect("a fresh socket takes options");
        Self { stream, received: Vec::new() }
    }

    /// Sends bytes; false when the peer closed already.
    pub async fn send(&mut self, bytes: &[u8]) -> bool {
        self.stream.write_all(bytes).await.is_ok()
    }

    /// Says that nothing more will be sent.
    pub async fn end(&mut self) {
        let _ = self.stream.shutdown().await;
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

    /// The next whole frame; `None` when the stream ends before.
    pub async fn next(&mut self) -> Option<Seen> {
        loop {
            if let Some(len) = frame_len(&self.received)
                && len <= self.received.len()
            {
                let frame: Vec<_> = self.received.drain(..len).collect();
                return Some(seen(&frame));
            }
            if !self.read().await {
                return None;
            }
        }
    }

    /// Sends a frame and waits for one.
    pub async fn ask(&mut self, frame: &[u8]) -> Option<Seen> {
        self.send(frame).await;
        self.next().await
    }

    /// Closes with a reset instead of an orderly end.
    pub fn reset(self) {
        self.stream.set_zero_linger().expect("a socket takes options");
    }
}

fn frame_len(bytes: &[u8]) -> Option<usize> {
    let header = decode_header(bytes.get(..HEADER_LEN)?, usize::MAX).expect("a frame");
    Some(HEADER_LEN + header.body_size as usize)
}

fn seen(frame: &[u8]) -> Seen {
    let header = decode_header(frame, usize::MAX).expect("a frame");
    let (meta, payload) = frame[HEADER_LEN..].split_at(header.meta_size as usize);
    let meta = decode_meta(meta).expect("metadata");
    let mut seen =
        Seen { id: meta.correlation_id.unwrap_or(0), payload: payload.to_vec(), ..Seen::default() };
    seen.authentication = meta.authentication_data.map(<[u8]>::to_vec);
    if let Some(response) = &meta.response {
        seen.code = response.error_code.unwrap_or(0);
        seen.text = response.error_text.unwrap_or_default().to_owned();
    }
    if let Some(request) = &meta.request {
        seen.timeout_ms = request.timeout_ms;
        seen.method = format!("{}/{}", request.service_name, request.method_name);
    }
    seen
}

/// A baidu_std frame out of its parts.
pub fn frame(meta: &[u8], payload: &[u8]) -> Vec<u8> {
    let body = u32::try_from(meta.len() + payload.len()).expect("a test frame is small");
    let meta_size = u32::try_from(meta.len()).expect("a test frame is small");
    header(body, meta_size).into_iter().chain([meta, payload].concat()).collect()
}

/// A header that says whatever it is told to.
pub fn header(body_size: u32, meta_size: u32) -> Vec<u8> {
    [b"PRPC", &body_size.to_be_bytes()[..], &meta_size.to_be_bytes()].concat()
}

/// A frame out of metadata and payload.
pub fn frame_of(meta: &RpcMeta<'_>, payload: &[u8]) -> Vec<u8> {
    let mut frame = Vec::new();
    encode_head(&mut frame, meta, payload.len()).expect("it is small");
    frame.extend_from_slice(payload);
    frame
}

/// The metadata of a request to `bench.EchoService`.
pub fn echo_meta(method: &str, id: i64) -> RpcMeta<'_> {
    named_meta("bench.EchoService", method, id)
}

/// The metadata of a request.
pub fn named_meta<'a>(service: &'a str, method: &'a str, id: i64) -> RpcMeta<'a> {
    let request =
        RequestMeta { service_name: service, method_name: method, ..RequestMeta::default() };
    RpcMeta { request: Some(request), correlation_id: Some(id), ..RpcMeta::default() }
}

/// A request to `bench.EchoService` with just a name and an id.
pub fn echo_frame(method: &str, id: i64, payload: &[u8]) -> Vec<u8> {
    frame_of(&echo_meta(method, id), payload)
}

/// A request to `bench.EchoService/Echo` whose message is `text`.
pub fn echo_text(id: i64, text: &str) -> Vec<u8> {
    echo_frame("Echo", id, &message(text))
}

/// The metadata of a reply.
pub fn reply_meta(id: i64) -> RpcMeta<'static> {
    let response = ResponseMeta { error_code: Some(0), error_text: None };
    RpcMeta { response: Some(response), correlation_id: Some(id), ..RpcMeta::default() }
}

/// A reply with a message.
pub fn reply_frame(id: i64, payload: &[u8]) -> Vec<u8> {
    frame_of(&reply_meta(id), payload)
}

/// A reply with an error.
pub fn error_frame(id: i64, code: i32, text: &str) -> Vec<u8> {
    let response = ResponseMeta { error_code: Some(code), error_text: Some(text) };
    frame_of(&RpcMeta { response: Some(response), ..reply_meta(id) }, &[])
}

/// The Protobuf bytes of an `EchoRequest`, which are those of an `EchoResponse` too.
pub fn message(text: &str) -> Vec<u8> {
    prost::Message::encode_to_vec(&crate::request(text))
}
