//! One service and its client, compiled against messages of ours and of flatc, in every way in which
//! flatc's may come in: by the option, from another module, from another crate, and with the service
//! read from a binary schema. What goes over the wire between them is the same.
#![forbid(unsafe_code)]

/// A service `kv.KvService` over the messages `$messages`, with stubs of `$stubs`; `$reply` and
/// `$request` stand for the tables where the stubs need types of their own.
macro_rules! kv {
    ($name:ident, $stubs:path, $messages:path, $reply:ty, $request:ty, $made:expr, $asked:expr) => {
        mod $name {
            use super::reverse;
            use flatbuffers::WIPOffset;
            use stubwire::{Call, Channel, Flat, Registry, Status};
            use $messages as messages;
            use $stubs as stubs;

            struct Kv;

            impl stubs::KvService for Kv {
                async fn get(
                    &self,
                    call: &mut Call,
                    request: messages::GetRequest<'_>,
                ) -> Result<Flat<$reply>, Status> {
                    let key = request.key().ok_or_else(|| Status::invalid_request("no key"))?;
                    let value = reverse(key);
                    Ok(call.build(|b| {
                        let value = stubwire::flat::bytes(b, &value);
                        let args = messages::GetReplyArgs { value: Some(value), version: 7 };
                        let built: WIPOffset<messages::GetReply<'_>> =
                            messages::GetReply::create(b, &args);
                        $made(built)
                    }))
                }

                async fn touch(
                    &self,
                    call: &mut Call,
                    request: messages::GetRequest<'_>,
                ) -> Result<Flat<$request>, Status> {
                    Ok(call.build(|b| {
                        let key = request.key().map(|key| b.create_string(key));
                        $asked(messages::GetRequest::create(b, &messages::GetRequestArgs { key }))
                    }))
                }
            }

            pub(super) fn registry() -> Registry {
                let registry = Registry::new();
                registry.register(stubs::KvServiceServer::new(Kv)).expect("free");
                registry
            }

            pub(super) async fn call(channel: Channel) {
                let client = stubs::KvServiceClient::new(channel);
                let reply = client
                    .get(|b| {
                        let key = b.create_string("abc");
                        messages::GetRequest::create(
                            b,
                            &messages::GetRequestArgs { key: Some(key) },
                        )
                    })
                    .await
                    .expect("a reply");
                assert_eq!(reply.root().value().map(|it| it.bytes()), Some(&b"cba"[..]));
                assert_eq!(reply.root().version(), 7);
                let long = "k".repeat(50_000);
                let echoed = client
                    .touch_with_capacity(60_000, |b| {
                        let key = b.create_string(&long);
                        messages::GetRequest::create(
                            b,
                            &messages::GetRequestArgs { key: Some(key) },
                        )
                    })
                    .await
                    .expect("a reply");
                assert_eq!(echoed.root().key(), Some(long.as_str()));
                let error = client
                    .get(|b| {
                        messages::GetRequest::create(b, &messages::GetRequestArgs { key: None })
                    })
                    .await
                    .expect_err("no key");
                assert!(error.message().contains("no key"), "{error}");
            }
        }
    };
}

fn reverse(key: &str) -> Vec<u8> {
    key.bytes().rev().collect()
}

use stubwire_tests_flat::golden::served::kv as our_kv;

kv!(
    ours,
    super::our_kv,
    super::our_kv,
    messages::GetReply<'static>,
    messages::GetRequest<'static>,
    std::convert::identity,
    std::convert::identity
);

#[cfg(flatc)]
mod theirs {
    use super::{ours, reverse};
    use stubwire::Channel;
    use stubwire_tests_flat as lib;

    /// Generated into this crate, over messages of another one.
    #[allow(unreachable_pub, dead_code)]
    mod other_crate {
        ::core::include!(::core::concat!(::core::env!("OUT_DIR"), "/other_crate/mod.rs"));
    }

    kv!(
        option,
        super::lib::served_by_flatc::kv,
        super::lib::served_by_flatc::kv,
        messages::GetReply<'static>,
        messages::GetRequest<'static>,
        std::convert::identity,
        std::convert::identity
    );
    kv!(
        module,
        super::lib::foreign_by_flatc::kv,
        super::lib::raw_flatc::kv,
        stubs::GetReplyMessage,
        stubs::GetRequestMessage,
        stubs::GetReplyMessage::of,
        stubs::GetRequestMessage::of
    );
    kv!(
        binary,
        super::lib::foreign_from_bfbs::kv,
        super::lib::raw_flatc::kv,
        stubs::GetReplyMessage,
        stubs::GetRequestMessage,
        stubs::GetReplyMessage::of,
        stubs::GetRequestMessage::of
    );
    kv!(
        elsewhere,
        super::other_crate::kv,
        super::lib::raw_flatc::kv,
        stubs::GetReplyMessage,
        stubs::GetRequestMessage,
        stubs::GetReplyMessage::of,
        stubs::GetRequestMessage::of
    );

    /// Every client against every server: they cannot tell each other apart.
    #[tokio::test]
    async fn one_program_serves_and_calls_over_messages_of_both() {
        let servers = [
            ours::registry,
            option::registry,
            module::registry,
            binary::registry,
            elsewhere::registry,
        ];
        for registry in servers {
            let channel = || Channel::in_process(registry());
            ours::call(channel()).await;
            option::call(channel()).await;
            module::call(channel()).await;
            binary::call(channel()).await;
            elsewhere::call(channel()).await;
        }
    }

    /// Flags, arrays in structs, unions and names of several namespaces, one of them the root.
    #[test]
    fn messages_of_several_namespaces_find_each_other() {
        use flatbuffers::FlatBufferBuilder;
        use lib::many_by_flatc as root;
        use root::many::{self, types};
        let mut fbb = FlatBufferBuilder::new();
        let kinds = fbb.create_vector(&[types::Kind::A, types::Kind::type_]);
        let answer = types::Answer::create(
            &mut fbb,
            &types::AnswerArgs { kinds: Some(kinds), ..Default::default() },
        );
        let text = fbb.create_string("text");
        let point = types::Point3D::new(1.0, 2.0, &[types::Kind::B, types::Kind::A]);
        let args = many::AskArgs {
            point: Some(&point),
            any_type: types::Any::other,
            any: Some(answer.as_union_value()),
            text: Some(text),
            ..Default::default()
        };
        let ask = many::Ask::create(&mut fbb, &args);
        let deep = many::other::Deep::create(&mut fbb, &many::other::DeepArgs { ask: Some(ask) });
        let top = root::Top::create(&mut fbb, &root::TopArgs { deep: Some(deep) });
        fbb.finish(top, None);
        let top = flatbuffers::root::<root::Top<'_>>(fbb.finished_data()).expect("valid");
        let ask = top.deep().and_then(|deep| deep.ask()).expect("there");
        assert_eq!((ask.of(), ask.flags(), ask.text()), (types::Kind::B, types::Flags::F2, "text"));
        let kinds = ask.any_as_other().and_then(|it| it.kinds()).expect("there");
        assert_eq!(kinds.iter().next_back(), Some(types::Kind::type_));
        assert!(many::ask_buffer_has_identifier(b"\0\0\0\0MANY"));
    }

    #[test]
    fn one_tree_holds_services_of_both_codecs() {
        use lib::served_by_flatc::kv;
        let request = kv::ForgetRequest { key: "k".to_owned() };
        assert_eq!(prost::Message::encode_to_vec(&request), [10, 1, b'k']);
        assert_eq!(kv::ADMIN.full_name(), "kv.Admin");
    }
}

#[tokio::test]
async fn our_messages_serve_and_call() {
    ours::call(stubwire::Channel::in_process(ours::registry())).await;
}
