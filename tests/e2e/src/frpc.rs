//! The FlatBuffers service of the recorded frames, and peers that speak FRPC in bytes.

use crate::Serving;
use crate::benchmark_fb::{
    BenchmarkService, BenchmarkServiceClient, BenchmarkServiceServer, Request, RequestArgs,
    Response, ResponseArgs,
};
use crate::raw::Raw;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use stubwire::frame::frpc::{
    Appended, ByteOrder, HEADER_LEN, RequestHead, ResponseHead, decode_request, decode_response,
    encode_request, encode_response,
};
use stubwire::{Call, Channel, ChannelOptions, Flat, Server, Status};
use tokio::sync::Notify;

/// The number of the service.
pub const SERVICE: u32 = 0x01e1_e2ce;
/// The number of Echo.
pub const ECHO: i32 = 7;
/// The number of Fail.
pub const FAIL: i32 = 8;
/// The number of Hold.
pub const HOLD: i32 = 9;
/// Both byte orders.
pub const ORDERS: [ByteOrder; 2] = [ByteOrder::Big, ByteOrder::Little];

/// Echo returns what it got, Fail fails with the message as its text, Hold waits to be released.
#[derive(Clone, Debug, Default)]
pub struct Benchmark {
    /// Calls that began.
    pub begun: Arc<AtomicUsize>,
    /// Lets Hold go on.
    pub release: Arc<Notify>,
}

impl Benchmark {
    /// Calls that began so far.
    pub fn begun(&self) -> usize {
        self.begun.load(Ordering::SeqCst)
    }

    fn answer(call: &mut Call, request: Request<'_>) -> Flat<Response<'static>> {
        let attachment = call.take_attachment();
        let attachment_size = attachment.len() as u64;
        call.attach(attachment);
        for (key, value) in call.metadata().user_fields.clone() {
            call.set_reply_field(key, value);
        }
        call.build(|builder| {
            let message = request.message().map(|text| builder.create_string(text));
            let request_id = request.request_id();
            Response::create(builder, &ResponseArgs { request_id, message, attachment_size })
        })
    }
}

impl BenchmarkService for Benchmark {
    async fn echo(
        &self,
        call: &mut Call,
        request: Request<'_>,
    ) -> Result<Flat<Response<'static>>, Status> {
        self.begun.fetch_add(1, Ordering::SeqCst);
        Ok(Self::answer(call, request))
    }

    async fn fail(
        &self,
        _: &mut Call,
        request: Request<'_>,
    ) -> Result<Flat<Response<'static>>, Status> {
        self.begun.fetch_add(1, Ordering::SeqCst);
        // The request id is the code, so that any can be asked for.
        let code = match request.request_id() as i32 {
            0 => 2001,
            code => code,
        };
        Err(Status::new(code, request.message().unwrap_or_default().to_owned()))
    }

    async fn hold(
        &self,
        call: &mut Call,
        request: Request<'_>,
    ) -> Result<Flat<Response<'static>>, Status> {
        self.begun.fetch_add(1, Ordering::SeqCst);
        let cancelled = call.cancelled();
        tokio::select! {
            () = self.release.notified() => {}
            () = cancelled => {}
        }
        Ok(Self::answer(call, request))
    }
}

/// A server with this service beside the Protobuf one.
pub async fn start_with(configure: impl FnOnce(Server) -> Server) -> (Serving, Benchmark) {
    let serving = Serving::start_with(configure).await;
    let benchmark = Benchmark::default();
    let service = BenchmarkServiceServer::new(benchmark.clone());
    serving.registry.register(service).expect("the name is free");
    (serving, benchmark)
}

/// The same with default settings.
pub async fn start() -> (Serving, Benchmark) {
    start_with(|server| server).await
}

/// A client, and the channel it uses.
pub fn client(
    target: impl AsRef<str>,
    change: impl FnOnce(&mut ChannelOptions),
) -> (BenchmarkServiceClient, Channel) {
    let mut options = ChannelOptions::default();
    options.max_retries = 0;
    change(&mut options);
    let channel = Channel::lazy(target, options).expect("a target");
    (BenchmarkServiceClient::new(channel.clone()), channel)
}

/// The bytes of a `Request`.
pub fn message(request_id: u64, text: &str) -> Vec<u8> {
    let mut builder = flatbuffers::FlatBufferBuilder::new();
    let message = Some(builder.create_string(text));
    let root = Request::create(&mut builder, &RequestArgs { request_id, message });
    builder.finish_minimal(root);
    builder.finished_data().to_vec()
}

/// The bytes of a `Response`.
pub fn response(request_id: u64, text: &str) -> Vec<u8> {
    let mut builder = flatbuffers::FlatBufferBuilder::new();
    let message = Some(builder.create_string(text));
    let args = ResponseArgs { request_id, message, attachment_size: 0 };
    let root = Response::create(&mut builder, &args);
    builder.finish_minimal(root);
    builder.finished_data().to_vec()
}

/// A request with a message and no attachment.
pub fn request_frame(method_id: i32, id: u64, message: &[u8], order: ByteOrder) -> Vec<u8> {
    request_with(method_id, id, message, &[], &Appended::default(), order)
}

/// A request.
pub fn request_with(
    method_id: i32,
    id: u64,
    message: &[u8],
    attachment: &[u8],
    block: &Appended<'_>,
    order: ByteOrder,
) -> Vec<u8> {
    let head = RequestHead {
        service_id: SERVICE,
        method_id,
        message_size: message.len() as i32,
        attachment_size: attachment.len() as i32,
        correlation_id: id,
    };
    let mut frame = Vec::new();
    encode_request(&mut frame, &head, block, order).expect("a test frame is small");
    [&frame[..], message, attachment].concat()
}

/// A request to Echo.
pub fn echo_text(id: u64, text: &str, order: ByteOrder) -> Vec<u8> {
    request_frame(ECHO, id, &message(id, text), order)
}

/// A reply whose sizes are as they should be.
pub fn reply_frame(id: u64, code: i32, message: &[u8], order: ByteOrder) -> Vec<u8> {
    reply_of(head(id, code, message.len() as i32, 0), message, order)
}

/// The fixed metadata of a reply.
pub fn head(id: u64, error_code: i32, message_size: i32, attachment_size: i32) -> ResponseHead {
    ResponseHead { error_code, message_size, attachment_size, correlation_id: id }
}

/// A reply that says of its payload whatever it is told to.
pub fn reply_of(head: ResponseHead, payload: &[u8], order: ByteOrder) -> Vec<u8> {
    let mut frame = Vec::new();
    let plain = ResponseHead { message_size: 0, attachment_size: 0, ..head };
    encode_response(&mut frame, &plain, &Appended::default(), order).expect("small");
    let sizes = [head.message_size, head.attachment_size];
    for (at, size) in [16, 20].into_iter().zip(sizes) {
        let size = match order {
            ByteOrder::Big => size.to_be_bytes(),
            ByteOrder::Little => size.to_le_bytes(),
        };
        frame[at..at + 4].copy_from_slice(&size);
    }
    frame[4..8].copy_from_slice(&(20 + payload.len() as u32).to_be_bytes());
    [&frame[..], payload].concat()
}

/// A header that says whatever it is told to.
pub fn header(body_size: u32, meta_size: u32) -> Vec<u8> {
    [b"FRPC", &body_size.to_be_bytes()[..], &meta_size.to_be_bytes()].concat()
}

/// A reply as a test looks at it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeenReply {
    /// The correlation id.
    pub id: u64,
    /// The error code; zero is success.
    pub code: i32,
    /// The text in the appended block.
    pub text: Option<String>,
    /// The bytes behind the fixed metadata.
    pub appended: Vec<u8>,
    /// The message.
    pub message: Vec<u8>,
    /// The attachment.
    pub attachment: Vec<u8>,
}

/// The text of a `Response`.
pub fn text_of(message: &[u8]) -> String {
    let response = flatbuffers::root::<Response<'_>>(message).expect("a response");
    response.message().unwrap_or_default().to_owned()
}

/// The next whole frame of either protocol; `None` when the stream ends before.
pub async fn next_frame(raw: &mut Raw) -> Option<Vec<u8>> {
    loop {
        if let Some(&[a, b, c, d]) = raw.received.get(4..8) {
            let len = HEADER_LEN + u32::from_be_bytes([a, b, c, d]) as usize;
            if raw.received.len() >= len {
                return Some(raw.received.drain(..len).collect());
            }
        }
        if !raw.read().await {
            return None;
        }
    }
}

/// The next FRPC reply.
pub async fn next_reply(raw: &mut Raw, order: ByteOrder) -> Option<SeenReply> {
    next_frame(raw).await.map(|frame| seen_reply(&frame, order))
}

/// Sends a frame and waits for a reply.
pub async fn ask(raw: &mut Raw, frame: &[u8], order: ByteOrder) -> Option<SeenReply> {
    raw.send(frame).await;
    next_reply(raw, order).await
}

/// A reply taken apart.
pub fn seen_reply(frame: &[u8], order: ByteOrder) -> SeenReply {
    assert!(frame.starts_with(b"FRPC"), "not FRPC: {frame:02x?}");
    let meta_size = u32::from_be_bytes(frame[8..12].try_into().expect("four bytes"));
    let (meta, payload) = frame[HEADER_LEN..].split_at(meta_size as usize);
    let (head, appended) = decode_response(meta, order).expect("metadata");
    let (message, attachment) = payload.split_at(head.message_size as usize);
    assert_eq!(attachment.len(), head.attachment_size as usize, "the sizes add up");
    let block = Appended::decode(appended).expect("a block");
    SeenReply {
        id: head.correlation_id,
        code: head.error_code,
        text: block.error_text.map(str::to_owned),
        appended: appended.to_vec(),
        message: message.to_vec(),
        attachment: attachment.to_vec(),
    }
}

/// What a scripted server sees of a request: its fixed metadata and the frame.
pub async fn next_request(raw: &mut Raw, order: ByteOrder) -> Option<(RequestHead, Vec<u8>)> {
    let frame = next_frame(raw).await?;
    let (head, _) = decode_request(&frame[HEADER_LEN..], order).expect("metadata");
    Some((head, frame))
}
