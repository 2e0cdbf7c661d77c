//! How a service puts its methods into the registry.

use super::entry::HandlerFuture;
use super::{Handler, MethodDescriptor, MethodEntry, ServiceDescriptor};
use crate::call::Call;
use crate::status::Status;
use bytes::Bytes;

/// Something that can be registered; generated code implements it for every `XServer`.
pub trait Service {
    /// The facts of the service.
    fn descriptor(&self) -> &'static ServiceDescriptor;
    /// Names a handler for every method.
    fn register(self, methods: &mut Methods);
}

/// Collects the handlers of one service.
#[derive(Default)]
pub struct Methods {
    pub(super) entries: Vec<MethodEntry>,
}

impl Methods {
    /// A handler for messages that stay bytes: for proxies, and for codecs of a user's own.
    ///
    /// The handler gets the message of the request and returns the message of the reply.
    pub fn raw<Run, Running>(&mut self, descriptor: &'static MethodDescriptor, handler: Run)
    where
        Run: Fn(Call, Bytes) -> Running + Send + Sync + 'static,
        Running: Future<Output = (Call, Result<Bytes, Status>)> + Send + 'static,
    {
        self.entries.push(MethodEntry::new(descriptor, Box::new(Raw(handler))));
    }

    /// A handler for decoded Protobuf messages; what generated code calls.
    #[cfg(feature = "protobuf")]
    pub fn protobuf<Implementation, Request, Reply, Run, Running>(
        &mut self,
        descriptor: &'static MethodDescriptor,
        service: &std::sync::Arc<Implementation>,
        handler: Run,
    ) where
        Implementation: Send + Sync + 'static,
        Request: prost::Message + Default + 'static,
        Reply: prost::Message + 'static,
        Run: Fn(std::sync::Arc<Implementation>, Call, Request) -> Running + Send + Sync + 'static,
        Running: Future<Output = (Call, Result<Reply, Status>)> + Send + 'static,
    {
        let service = service.clone();
        let handler = protobuf::Decoding {
            run: move |call, request| handler(service.clone(), call, request),
            request: std::marker::PhantomData,
        };
        self.entries.push(MethodEntry::new(descriptor, Box::new(handler)));
    }

    /// A handler for verified FlatBuffers messages; what generated code calls.
    #[cfg(feature = "flatbuffers")]
    pub fn flatbuffers<Implementation, Request, Reply, Run, Running>(
        &mut self,
        descriptor: &'static MethodDescriptor,
        service: &std::sync::Arc<Implementation>,
        handler: Run,
    ) where
        Implementation: Send + Sync + 'static,
        Request: crate::flat::Table,
        Reply: crate::flat::Table,
        Run: Fn(std::sync::Arc<Implementation>, Call, crate::flat::Verified<Request>) -> Running
            + Send
            + Sync
            + 'static,
        Running: Future<Output = (Call, Result<crate::flat::Flat<Reply>, Status>)> + Send + 'static,
    {
        let service = service.clone();
        let handler = flatbuffers::Verifying {
            run: move |call, request| handler(service.clone(), call, request),
            request: std::marker::PhantomData,
        };
        self.entries.push(MethodEntry::new(descriptor, Box::new(handler)));
    }
}

struct Raw<Run>(Run);

impl<Run, Running> Handler for Raw<Run>
where
    Run: Fn(Call, Bytes) -> Running + Send + Sync + 'static,
    Running: Future<Output = (Call, Result<Bytes, Status>)> + Send + 'static,
{
    fn start(&self, mut call: Call, message: Bytes) -> Option<HandlerFuture> {
        call.mark_decoded();
        let running = (self.0)(call, message);
        Some(Box::pin(async move {
            match running.await {
                (call, Ok(mut reply)) => call.finish(Ok(&mut reply)),
                (call, Err(status)) => call.finish(Err(&status)),
            }
        }))
    }
}

#[cfg(feature = "protobuf")]
mod protobuf {
    use super::{Bytes, Call, Handler, HandlerFuture, Status};
    use crate::call::ProtobufMessage;
    use crate::payload::proto::decode;
    use std::marker::PhantomData;

    pub(super) struct Decoding<Run, Request> {
        pub(super) run: Run,
        pub(super) request: PhantomData<fn(Request)>,
    }

    impl<Run, Running, Request, Reply> Handler for Decoding<Run, Request>
    where
        Run: Fn(Call, Request) -> Running + Send + Sync + 'static,
        Running: Future<Output = (Call, Result<Reply, Status>)> + Send + 'static,
        Request: prost::Message + Default + 'static,
        Reply: prost::Message + 'static,
    {
        fn start(&self, mut call: Call, message: Bytes) -> Option<HandlerFuture> {
            let size = message.len();
            let budget = call.limits().decode_budget(size);
            let request = match decode(call.method().request(), message, budget) {
                Ok(request) => request,
                Err(error) => {
                    let text = format!(
                        "Fail to parse request={}, ContentType=pb, {}, request_size={size}: {error}",
                        call.method().request().name(),
                        call.wire_form(),
                    );
                    call.refuse_message(text);
                    return None;
                }
            };
            call.mark_decoded();
            let running = (self.run)(call, request);
            Some(Box::pin(async move {
                match running.await {
                    (call, Ok(reply)) => call.finish(Ok(&mut ProtobufMessage(&reply))),
                    (call, Err(status)) => call.finish(Err(&status)),
                }
            }))
        }
    }
}

#[cfg(feature = "flatbuffers")]
mod flatbuffers {
    use super::{Bytes, Call, Handler, HandlerFuture, Status};
    use crate::flat::{Flat, Table, Verified};
    use std::marker::PhantomData;

    pub(super) struct Verifying<Run, Request> {
        pub(super) run: Run,
        pub(super) request: PhantomData<fn(Request)>,
    }

    impl<Run, Running, Request, Reply> Handler for Verifying<Run, Request>
    where
        Run: Fn(Call, Verified<Request>) -> Running + Send + Sync + 'static,
        Running: Future<Output = (Call, Result<Flat<Reply>, Status>)> + Send + 'static,
        Request: Table,
        Reply: Table,
    {
        fn start(&self, mut call: Call, message: Bytes) -> Option<HandlerFuture> {
            let request = match Verified::<Request>::new(message, call.limits()) {
                Ok(request) => request,
                Err(error) => {
                    let table = call.method().request().name();
                    let text = format!("Fail to verify request={table}: {error}");
                    call.refuse_message(text);
                    return None;
                }
            };
            call.keep_message(request.bytes().clone());
            call.mark_decoded();
            let running = (self.run)(call, request);
            Some(Box::pin(async move {
                match running.await {
                    (call, Ok(mut reply)) => call.finish(Ok(&mut reply)),
                    (call, Err(status)) => call.finish(Err(&status)),
                }
            }))
        }
    }
}
