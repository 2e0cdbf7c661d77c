//! Messages with every kind of field: pinned, and read back from the pinned bytes.

use crate::files::pinned;
use bytes::Bytes;
use flatbuffers::FlatBufferBuilder;
use prost::Message as _;
use stubwire::flat::Verified;
use stubwire::frame::Protocol;
use stubwire::golden::{self, Message, Side, assert_message};
use stubwire::{__private::MessageShape, Limits, MethodDescriptor};
use stubwire_tests_golden::values::{animal, everything};
use stubwire_tests_golden::{bench, every, zoo};

#[test]
fn golden_protobuf_message_of_every_kind() {
    let bytes = everything().encode_to_vec();
    let message = Message::new(&every::EVERY_THING, Side::Reply, &bytes);
    assert_message!("golden/everything", message);
    let read = every::Everything::decode(&pinned("everything")[..]);
    assert_eq!(read, Ok(everything()));
}

#[test]
fn golden_flatbuffers_message_of_every_kind() {
    let client = zoo::ZooClient::new(golden::channel(Protocol::Frpc));
    assert_message!("golden/animal", client.show(animal));
    let bytes = Bytes::from(pinned("animal"));
    let read = Verified::<zoo::Animal<'static>>::new(bytes, &Limits::default()).expect("verified");
    let root = read.root();
    assert_eq!((root.fooBar(), root.ul(), root.c()), (33, u64::MAX, zoo::Color::Green));
    assert_eq!(
        (root.name(), root.vb().map(|bytes| bytes.len())),
        (Some("Ωmega \"quoted\""), Some(1_000))
    );
    assert_eq!(root.u_as_m2().map(|table| table.name()), Some("one"));
    assert_eq!(root.ru_as_ali().map(|table| table.x()), Some(4));
    assert_eq!(root.n_nested_flatbuffer().map(|table| table.x()), Some(77));
    assert_eq!(root.vw().map(|vector| vector.get(0).vs().get(0).x()), Some(1.5));
}

/// `file_identifier` stands behind the offset of the root.
#[test]
fn golden_flatbuffers_message_with_identifier() {
    let mut builder = FlatBufferBuilder::new();
    let root = zoo::M1::create(&mut builder, &zoo::M1Args { x: 1 });
    builder.finish(root, Some("ZOO2"));
    let message = Message::new(&NAMELESS_ROOT, Side::Request, builder.finished_data());
    assert_message!("golden/identifier_without_names", &message);
    let bytes = pinned("identifier_without_names");
    assert_eq!(flatbuffers::root::<zoo::M1<'_>>(&bytes).map(|table| table.x()), Ok(1));
}

#[test]
fn fields_without_names_are_numbers() {
    let method = const { &MethodDescriptor::protobuf("old.Old/Show", &SHAPE, &SHAPE) };
    let dump = Message::new(method, Side::Reply, b"\x08\x05\x12\x01x").to_string();
    for words in
        ["no names", "message.#1                        5", "message.#2                        |x|"]
    {
        assert!(dump.contains(words), "{dump}");
    }
}

static SHAPE: MessageShape = MessageShape::new("zoo.M1", &[]);
/// A method as generators made it before there were layouts.
const NAMELESS_ROOT: MethodDescriptor =
    MethodDescriptor::flatbuffers("zoo.Old/Show", &SHAPE, &SHAPE);

/// A call pins its request whatever its channel.
#[test]
fn a_call_is_a_message_over_any_channel() {
    let channel = stubwire::Channel::in_process(stubwire::Registry::new());
    let client = bench::EchoServiceClient::new(channel);
    let request = bench::EchoRequest { code: Some(5), ..Default::default() };
    let message = Message::from(client.echo(request.clone()));
    assert_eq!(message.bytes()[..], request.encode_to_vec());
    let refused = golden::Frame::of(client.echo(request)).expect_err("no frame");
    assert!(refused.message().contains("golden::channel"), "{refused}");
}

#[tokio::test]
async fn a_golden_channel_does_not_call() {
    let client = bench::EchoServiceClient::new(golden::channel(Protocol::Prpc));
    let status = client.echo(Default::default()).max_retries(0).await.expect_err("nobody is there");
    assert!(status.message().contains("a golden channel never connects"), "{status}");
    let status = golden::Frame::of(client.echo(Default::default()).timeout(Default::default()));
    assert_eq!(status.expect_err("not sent").code().number(), 1003);
}

#[test]
fn a_call_that_the_frame_cannot_carry_has_none() {
    let client = bench::EchoServiceClient::new(golden::channel(Protocol::Frpc));
    let status = golden::Frame::of(client.echo(Default::default())).expect_err("refused");
    assert!(status.message().contains("connect to prpc://"), "{status}");
    let outcome = golden::Frame::captured(&bench::ECHO_SERVICE_ECHO, Side::Request, &b"HTTP"[..]);
    assert_eq!(outcome.expect_err("no frame").code().number(), 1003);
}
