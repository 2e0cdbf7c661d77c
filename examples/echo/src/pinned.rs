//! The bytes that this program sends, pinned: a change of a schema or of the library that moves one of them fails here.
//!
//! `STUBWIRE_BLESS=1 cargo test -p echo` accepts what they are now.

use crate::{bench, bench_fb};
use stubwire::frame::Protocol;
use stubwire::golden::{assert_frame, assert_message, channel};

#[test]
fn the_request_of_a_flatbuffers_call() {
    let client = bench_fb::EchoServiceClient::new(channel(Protocol::Frpc));
    assert_frame!(
        "golden/echo_request",
        client
            .echo(|b| {
                let message = b.create_string("hello");
                let args =
                    bench_fb::EchoRequestArgs { message: Some(message), ..Default::default() };
                bench_fb::EchoRequest::create(b, &args)
            })
            .attach(&b"raw"[..])
    );
}

#[test]
fn the_message_of_a_protobuf_call() {
    let client = bench::EchoServiceClient::new(channel(Protocol::Prpc));
    let request = bench::EchoRequest { message: Some("hello".into()), ..Default::default() };
    assert_message!("golden/echo_message", client.echo(request));
}
