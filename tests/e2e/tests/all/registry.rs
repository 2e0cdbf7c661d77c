//! What may be registered, what is found under which name, and changes while serving.

use bytes::Bytes;
use std::collections::HashMap;
use stubwire::{
    Call, Channel, Codec, MethodDescriptor, Methods, RegisterError, Registry, Service,
    ServiceDescriptor, service_id,
};
use stubwire_tests_e2e::bench::EchoServiceServer;
use stubwire_tests_e2e::raw::{Raw, echo_text, frame_of, message, named_meta};
use stubwire_tests_e2e::services::{RawEcho, call, method, service, service_of};
use stubwire_tests_e2e::{Echo, Serving, echo_registry, on_both_runtimes, request, until};

on_both_runtimes!(a_service_is_removed_and_comes_back_while_serving, || async {
    let serving = Serving::start().await;
    let mut raw = Raw::connect(serving.address).await;
    raw.send(&echo_text(1, "stubborn")).await;
    until(|| serving.echo.begun() == 1).await;
    for id in 2..10 {
        assert!(serving.registry.remove("bench.EchoService"));
        assert!(!serving.registry.remove("bench.EchoService"));
        assert_eq!(serving.registry.methods().count(), 0);
        assert_eq!(raw.ask(&echo_text(id, "x")).await.unwrap().code, 1002);
        let back = EchoServiceServer::new(serving.echo.clone());
        serving.registry.register(back).unwrap();
        assert_eq!(raw.ask(&echo_text(id, "x")).await.unwrap().code, 0);
    }
    // The call that ran all the while ends well.
    serving.echo.release.notify_one();
    assert_eq!(raw.next().await.unwrap().payload, message("stubborn"));
});

on_both_runtimes!(a_service_of_another_codec_is_no_method_of_this_protocol, || async {
    let serving = Serving::start().await;
    let flat = service(Codec::FlatBuffers, "kv.KvService");
    serving.registry.register(RawEcho(flat)).unwrap();
    let mut raw = Raw::connect(serving.address).await;
    for name in ["kv.KvService", "KvService"] {
        let reply = raw.ask(&frame_of(&named_meta(name, "Echo", 1), b"bytes")).await.unwrap();
        assert_eq!(reply.code, 1002, "{name}");
        assert!(reply.text.contains("Fail to find method="), "{}", reply.text);
    }
    // The client finds out by itself, and names the way that could carry it.
    let channel = Channel::connect(serving.target()).await.unwrap();
    let status = call(&channel, flat.methods()[0], "x").await.unwrap_err();
    assert_eq!(status.code().number(), 1003);
    assert!(status.message().contains("frpc://"), "{status}");
    // In one process both codecs are welcome.
    let channel = Channel::in_process(serving.registry.clone());
    assert_eq!(call(&channel, flat.methods()[0], "x").await.unwrap(), "x");
    let as_protobuf = method(Codec::Protobuf, "kv.KvService/Echo");
    assert_eq!(call(&channel, as_protobuf, "x").await.unwrap_err().code().number(), 1002);
});

on_both_runtimes!(short_names_are_found_unless_they_are_ambiguous, || async {
    let serving = Serving::start().await;
    let mut raw = Raw::connect(serving.address).await;
    let short = frame_of(&named_meta("EchoService", "Echo", 1), &message("x"));
    let missing = frame_of(&named_meta("EchoService", "Nothing", 1), &message("x"));
    assert_eq!(raw.ask(&short).await.unwrap().code, 0);
    assert_eq!(raw.ask(&missing).await.unwrap().code, 1002);
    // A twin in another codec is no rival: short names come over baidu_std alone.
    let twin = service(Codec::FlatBuffers, "twin.pkg.EchoService");
    serving.registry.register(RawEcho(twin)).unwrap();
    assert_eq!(raw.ask(&short).await.unwrap().code, 0);
    let other = service(Codec::Protobuf, "other.pkg.EchoService");
    serving.registry.register(RawEcho(other)).unwrap();
    assert_eq!(raw.ask(&short).await.unwrap().code, 1001);
    // Full names are not ambiguous.
    assert_eq!(raw.ask(&echo_text(1, "x")).await.unwrap().code, 0);
    let full = frame_of(&named_meta("other.pkg.EchoService", "Echo", 1), &message("y"));
    assert_eq!(raw.ask(&full).await.unwrap().payload, message("y"));
    // A service without package is its own short name, and comes first.
    serving.registry.register(RawEcho(service(Codec::Protobuf, "EchoService"))).unwrap();
    assert_eq!(raw.ask(&short).await.unwrap().code, 0);
    assert_eq!(serving.echo.begun(), 3);
    assert!(serving.registry.remove("other.pkg.EchoService"));
    assert!(serving.registry.remove("EchoService"));
    assert_eq!(raw.ask(&short).await.unwrap().code, 0);
    assert_eq!(serving.echo.begun(), 4);
});

#[test]
fn a_service_is_registered_once() {
    let registry = echo_registry(&Echo::default());
    let again = registry.register(EchoServiceServer::new(Echo::default())).unwrap_err();
    assert_eq!(again, RegisterError::DuplicateService { service: "bench.EchoService" });
    assert!(again.to_string().contains("`bench.EchoService` is registered already"), "{again}");
    assert_eq!(registry.methods().count(), 3);
}

/// Two names with one wire id are found by their birthdays: 100,000 names have about one pair.
#[test]
fn services_whose_names_share_a_wire_id_are_refused_together() {
    let mut by_id = HashMap::new();
    let pair = (0_u32..).map(|number| format!("p{number}.Service")).find_map(|name| {
        let other = by_id.insert(service_id(&name), name.clone())?;
        Some((other, name))
    });
    let (first, second) = pair.expect("the hash has 32 bits");
    assert_eq!(service_id(&first), service_id(&second));
    let registry = Registry::new();
    registry.register(RawEcho(service(Codec::FlatBuffers, &first))).unwrap();
    let clash = registry.register(RawEcho(service(Codec::FlatBuffers, &second))).unwrap_err();
    assert!(matches!(&clash, RegisterError::WireIdClash { .. }), "{clash:?}");
    let text = clash.to_string();
    assert!(text.contains(&first) && text.contains(&second), "{text}");
    // Names of Protobuf services are spelled out on the wire: no clash.
    registry.register(RawEcho(service(Codec::Protobuf, &second))).unwrap();
    assert_eq!(registry.services().count(), 2);
}

/// A service that names other handlers than its descriptor says.
struct Odd(&'static ServiceDescriptor, Vec<&'static MethodDescriptor>);

impl Service for Odd {
    fn descriptor(&self) -> &'static ServiceDescriptor {
        self.0
    }

    fn register(self, methods: &mut Methods) {
        for method in self.1 {
            methods.raw(method, |call: Call, message: Bytes| async move { (call, Ok(message)) });
        }
    }
}

#[test]
fn handlers_must_be_those_of_the_descriptor() {
    let of = |name| method(Codec::Protobuf, name);
    let (a, b) = (of("x.S/A"), of("x.S/B"));
    let described = service_of(Codec::Protobuf, "x.S", vec![a, b]);
    let numbered =
        |name: &'static str| -> &'static MethodDescriptor { Box::leak(Box::new(of(name).id(7))) };
    let cases: Vec<(&str, Vec<_>, RegisterError)> = vec![
        ("twice", vec![a, b, a], RegisterError::DuplicateMethod { method: "x.S/A" }),
        ("missing", vec![a], RegisterError::MissingMethod { method: "x.S/B" }),
        ("none", vec![], RegisterError::MissingMethod { method: "x.S/A" }),
        (
            "foreign",
            vec![a, b, of("y.S/A")],
            RegisterError::ForeignMethod { service: "x.S", method: "y.S/A" },
        ),
        (
            "other codec",
            vec![a, method(Codec::FlatBuffers, "x.S/B")],
            RegisterError::ForeignMethod { service: "x.S", method: "x.S/B" },
        ),
        (
            "one id",
            vec![numbered("x.S/A"), numbered("x.S/B")],
            RegisterError::DuplicateMethod { method: "x.S/B" },
        ),
    ];
    for (what, handlers, expected) in cases {
        let registry = Registry::new();
        let error = registry.register(Odd(described, handlers)).unwrap_err();
        assert_eq!(error, expected, "{what}");
        // All or nothing.
        assert_eq!(registry.services().count(), 0, "{what}");
    }
}

#[test]
fn methods_come_in_order_and_are_found_by_name() {
    let registry = echo_registry(&Echo::default());
    registry.register(RawEcho(service(Codec::FlatBuffers, "a.First"))).unwrap();
    registry.register(RawEcho(service(Codec::Protobuf, "z.Last"))).unwrap();
    let listed: Vec<_> =
        registry.methods().map(|method| (method.full_name(), method.codec())).collect();
    assert_eq!(
        listed,
        [
            ("a.First/Echo", Codec::FlatBuffers),
            ("bench.EchoService/Echo", Codec::Protobuf),
            ("bench.EchoService/Fail", Codec::Protobuf),
            ("bench.EchoService/Slow", Codec::Protobuf),
            ("z.Last/Echo", Codec::Protobuf),
        ]
    );
    assert!(registry.method("bench.EchoService/Slow").unwrap().descriptor().is_idempotent());
    for (name, code) in
        [("bench.EchoService/Nothing", 1002), ("no.Such/Echo", 1001), ("", 1001), ("/", 1001)]
    {
        assert_eq!(registry.method(name).unwrap_err().code().number(), code, "{name}");
    }
}

on_both_runtimes!(a_server_without_services_answers_all_the_same, || async {
    let bound = stubwire::Server::new(Registry::new()).bind("127.0.0.1:0").await.unwrap();
    let address = bound.local_addr().unwrap();
    let task = tokio::spawn(bound.serve());
    let mut raw = Raw::connect(address).await;
    assert_eq!(raw.ask(&echo_text(1, "x")).await.unwrap().code, 1002);
    let client = stubwire_tests_e2e::bench::EchoServiceClient::new(
        Channel::connect(format!("prpc://{address}")).await.unwrap(),
    );
    assert_eq!(client.echo(request("x")).await.unwrap_err().code().number(), 1002);
    task.abort();
});
