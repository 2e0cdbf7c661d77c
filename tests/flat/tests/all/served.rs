//! Generated stubs end to end: both codecs in one registry and on one port, and in one process.

use flatbuffers::WIPOffset;
use stubwire::{Call, Channel, Code, Codec, Flat, Registry, Server, Status};
use stubwire_tests_flat::foreign;
use stubwire_tests_flat::golden::served::kv;

struct Kv;

impl kv::KvService for Kv {
    async fn get(
        &self,
        call: &mut Call,
        request: kv::GetRequest<'_>,
    ) -> Result<Flat<kv::GetReply<'static>>, Status> {
        let key = request.key().ok_or_else(|| Status::invalid_request("no key"))?;
        let value = look_up(key).await; // the borrowed request lives across the await
        assert_eq!(request.key(), Some(key));
        Ok(call.build(|b| {
            let value = stubwire::flat::bytes(b, &value);
            kv::GetReply::create(b, &kv::GetReplyArgs { value: Some(value), version: 7 })
        }))
    }

    async fn touch(
        &self,
        call: &mut Call,
        request: kv::GetRequest<'_>,
    ) -> Result<Flat<kv::GetRequest<'static>>, Status> {
        Ok(call.build(|b| {
            let key = request.key().map(|key| b.create_string(key));
            kv::GetRequest::create(b, &kv::GetRequestArgs { key })
        }))
    }
}

async fn look_up(key: &str) -> Vec<u8> {
    tokio::task::yield_now().await;
    key.bytes().rev().collect()
}

struct Admin;

impl kv::Admin for Admin {
    async fn forget(
        &self,
        _: &mut Call,
        request: kv::ForgetRequest,
    ) -> Result<kv::ForgetReply, Status> {
        match request.key.as_str() {
            "" => Err(Status::invalid_request("no key")),
            _ => Ok(kv::ForgetReply {}),
        }
    }
}

fn registry() -> Registry {
    let registry = Registry::new();
    registry.register(kv::KvServiceServer::new(Kv)).expect("free");
    registry.register(kv::AdminServer::new(Admin)).expect("free");
    registry
}

async fn check_flat(client: &kv::KvServiceClient) {
    let reply = client
        .get(|b| {
            let key = b.create_string("abc");
            kv::GetRequest::create(b, &kv::GetRequestArgs { key: Some(key) })
        })
        .await
        .expect("a reply");
    assert_eq!(reply.root().value().map(|value| value.bytes()), Some(&b"cba"[..]));
    assert_eq!(reply.root().version(), 7);
    let long = "k".repeat(100_000);
    let reply = client
        .touch_with_capacity(110_000, |b| {
            let key = b.create_string(&long);
            kv::GetRequest::create(b, &kv::GetRequestArgs { key: Some(key) })
        })
        .await
        .expect("a reply");
    assert_eq!(reply.root().key(), Some(long.as_str()));
    let status = client
        .get(|b| kv::GetRequest::create(b, &kv::GetRequestArgs::default()))
        .await
        .expect_err("no key");
    assert_eq!(status.code(), Code::EREQUEST);
    // A string where a table should stand.
    let status = client
        .get(|b| WIPOffset::new(b.create_string("\u{7f}\u{7f}\u{7f}\u{7f}").value()))
        .await
        .expect_err("no table");
    assert_eq!(status.code(), Code::EREQUEST);
}

async fn check_protobuf(client: &kv::AdminClient) {
    let request = kv::ForgetRequest { key: "k".to_owned() };
    client.forget(request).await.expect("a reply");
    let status = client.forget(kv::ForgetRequest::default()).await.expect_err("no key");
    assert_eq!(status.code(), Code::EREQUEST);
}

#[tokio::test]
async fn frpc_and_prpc_on_one_port() {
    let server = Server::new(registry()).bind("127.0.0.1:0").await.expect("bound");
    let address = server.local_addr().expect("an address");
    tokio::spawn(server.serve());
    let target = format!("frpc://{address}");
    check_flat(&kv::KvServiceClient::connect(&target).await.expect("connected")).await;
    let target = format!("prpc://{address}");
    check_protobuf(&kv::AdminClient::connect(&target).await.expect("connected")).await;
}

#[tokio::test]
async fn both_codecs_in_one_process() {
    let registry = registry();
    check_flat(&kv::KvServiceClient::new(Channel::in_process(registry.clone()))).await;
    check_protobuf(&kv::AdminClient::new(Channel::in_process(registry))).await;
}

#[test]
fn the_facts_of_the_schema_are_in_the_descriptors() {
    assert_eq!(kv::KV_SERVICE.codec(), Codec::FlatBuffers);
    assert_eq!(kv::KV_SERVICE_GET.full_name(), "kv.KvService/Get");
    assert_eq!(kv::KV_SERVICE_GET.declared_reply_size(), 512);
    assert_eq!(
        (kv::KV_SERVICE_GET.explicit_id(), kv::KV_SERVICE_TOUCH.explicit_id()),
        (Some(7), Some(9))
    );
    assert!(kv::KV_SERVICE_GET.is_idempotent() && !kv::KV_SERVICE_TOUCH.is_idempotent());
    assert_eq!(kv::ADMIN.codec(), Codec::Protobuf);
}

/// The same service over messages that another module made.
struct Foreign;

impl foreign::kv::KvService for Foreign {
    async fn get(
        &self,
        call: &mut Call,
        request: kv::GetRequest<'_>,
    ) -> Result<Flat<foreign::kv::GetReplyMessage>, Status> {
        let version = request.key().map_or(0, |key| key.len() as u64);
        Ok(call.build(|b| {
            let args = kv::GetReplyArgs { value: None, version };
            foreign::kv::GetReplyMessage::of(kv::GetReply::create(b, &args))
        }))
    }

    async fn touch(
        &self,
        _: &mut Call,
        _: kv::GetRequest<'_>,
    ) -> Result<Flat<foreign::kv::GetRequestMessage>, Status> {
        Err(Status::invalid_request("not here"))
    }
}

#[tokio::test]
async fn messages_of_another_crate() {
    let registry = Registry::new();
    registry.register(foreign::kv::KvServiceServer::new(Foreign)).expect("free");
    let client = foreign::kv::KvServiceClient::new(Channel::in_process(registry));
    let reply = client
        .get(|b| {
            let key = b.create_string("four");
            kv::GetRequest::create(b, &kv::GetRequestArgs { key: Some(key) })
        })
        .await
        .expect("a reply");
    assert_eq!(reply.root().version(), 4);
}
