//! Heads, metadata and messages, without a call around them.

use crate::cost_flat::{EchoRequest, EchoRequestArgs};
use bytes::Bytes;
use flatbuffers::FlatBufferBuilder;
use std::hint::black_box;
use stubwire::Limits;
use stubwire::flat::Verified;
use stubwire::frame::frpc::{self, Appended, ByteOrder, RequestHead};
use stubwire::frame::prpc::{HEADER_LEN, RpcMeta, decode_header, decode_meta, encode_head};

/// Metadata of a request and of a reply, as brpc sends them.
const REQUEST: &[u8] = b"\x0a\x1b\x0a\x11bench.EchoService\x12\x04Echo\x18\x07\x18\0\x20\x82\x80\x80\x80\x80\x20\x50\0\x58\0\x62\0";
const REPLY: &[u8] = b"\x12\x02\x08\0\x18\0\x20\x82\x80\x80\x80\x80\x20\x50\0\x58\0\x62\0";

/// Payload bytes that the heads speak of.
const PAYLOAD: usize = 64;

pub(crate) fn prpc_request_decode(rounds: u64) {
    prpc_decode(REQUEST, rounds);
}

pub(crate) fn prpc_reply_decode(rounds: u64) {
    prpc_decode(REPLY, rounds);
}

pub(crate) fn prpc_request_encode(rounds: u64) {
    prpc_encode(REQUEST, rounds);
}

pub(crate) fn prpc_reply_encode(rounds: u64) {
    prpc_encode(REPLY, rounds);
}

fn prpc_decode(meta: &[u8], rounds: u64) {
    let sound = decode_meta(meta).expect("the metadata is brpc's");
    let mut frame = Vec::new();
    encode_head(&mut frame, &sound, PAYLOAD).expect("the frame is small");
    for _ in 0..rounds {
        let frame = black_box(&frame);
        let header = decode_header(frame, 1 << 20).expect("the header is our own");
        let meta = decode_meta(&frame[HEADER_LEN..HEADER_LEN + header.meta_size as usize]);
        assert!(black_box(&meta).is_ok());
    }
}

fn prpc_encode(meta: &[u8], rounds: u64) {
    let meta: RpcMeta<'_> = decode_meta(meta).expect("the metadata is brpc's");
    let mut out = Vec::with_capacity(4096);
    for _ in 0..rounds {
        out.clear();
        encode_head(&mut out, black_box(&meta), PAYLOAD).expect("the frame is small");
        black_box(&out);
    }
}

const HEAD: RequestHead = RequestHead {
    service_id: 0x1234_5678,
    method_id: 7,
    message_size: PAYLOAD as i32,
    attachment_size: 0,
    correlation_id: 1 << 33,
};

pub(crate) fn frpc_request_decode(rounds: u64) {
    let mut frame = Vec::new();
    frpc::encode_request(&mut frame, &HEAD, &Appended::default(), ByteOrder::Big)
        .expect("the frame is small");
    for _ in 0..rounds {
        let frame = black_box(&frame);
        let header = frpc::decode_header(frame, 1 << 20).expect("the header is our own");
        let meta = &frame[frpc::HEADER_LEN..frpc::HEADER_LEN + header.meta_size as usize];
        let (head, appended) = frpc::decode_request(meta, ByteOrder::Big).expect("it is whole");
        black_box((head.sizes(PAYLOAD), Appended::decode(appended).is_ok()));
    }
}

pub(crate) fn frpc_request_encode(rounds: u64) {
    let mut out = Vec::with_capacity(4096);
    for _ in 0..rounds {
        out.clear();
        frpc::encode_request(&mut out, black_box(&HEAD), &Appended::default(), ByteOrder::Big)
            .expect("the frame is small");
        black_box(&out);
    }
}

pub(crate) fn flat_verify_and_read(rounds: u64) {
    let mut builder = FlatBufferBuilder::new();
    let message = builder.create_string(&"x".repeat(PAYLOAD));
    let arguments = EchoRequestArgs { message: Some(message), payload: None };
    let request = EchoRequest::create(&mut builder, &arguments);
    builder.finish(request, None);
    let bytes = Bytes::copy_from_slice(builder.finished_data());
    let limits = Limits::default();
    for _ in 0..rounds {
        let request = Verified::<EchoRequest<'static>>::new(black_box(bytes.clone()), &limits);
        let request = request.expect("the builder's buffers are sound");
        black_box(request.root().message().map(str::len));
    }
}
