//! x
::stubwire::__private::generated! { api 1, needs protobuf }

/// r
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct EchoRequest {
    /// m
    #[prost(string, optional, tag = "1")]
    pub message: ::core::option::Option<::prost::alloc::string::String>,
    /// m
    #[prost(int32, optional, tag = "2")]
    pub code: ::core::option::Option<i32>,
    /// m
    #[prost(int64, optional, tag = "3")]
    pub sleep_us: ::core::option::Option<i64>,
    /// m
    #[prost(bytes = "bytes", optional, tag = "4")]
    pub payload: ::core::option::Option<::bytes::Bytes>,
}
/// r
#[derive(Clone, PartialEq, ::prost::Message)]
pub struct EchoResponse {
    /// m
    #[prost(string, optional, tag = "1")]
    pub message: ::core::option::Option<::prost::alloc::string::String>,
    /// m
    #[prost(bytes = "bytes", optional, tag = "4")]
    pub payload: ::core::option::Option<::bytes::Bytes>,
}
#[doc(hidden)]
mod __stubwire {
    pub(super) static REQ: ::stubwire::__private::MessageShape =
        ::stubwire::__private::MessageShape::new("bench.EchoRequest", &[]);
    pub(super) static RES: ::stubwire::__private::MessageShape =
        ::stubwire::__private::MessageShape::new("bench.EchoResponse", &[]);
}
/// Echo
pub trait EchoService: ::core::marker::Send + ::core::marker::Sync + 'static {
    /// e
    fn echo(
        &self,
        call: &mut ::stubwire::Call,
        request: EchoRequest,
    ) -> impl ::core::future::Future<
        Output = ::core::result::Result<EchoResponse, ::stubwire::Status>,
    > + ::core::marker::Send;
    /// e
    fn fail(
        &self,
        call: &mut ::stubwire::Call,
        request: EchoRequest,
    ) -> impl ::core::future::Future<
        Output = ::core::result::Result<EchoResponse, ::stubwire::Status>,
    > + ::core::marker::Send;
    /// e
    fn slow(
        &self,
        call: &mut ::stubwire::Call,
        request: EchoRequest,
    ) -> impl ::core::future::Future<
        Output = ::core::result::Result<EchoResponse, ::stubwire::Status>,
    > + ::core::marker::Send;
}
/// s
pub struct EchoServiceServer<__Service> {
    service: ::stubwire::__private::Arc<__Service>,
}
impl<__Service: EchoService> EchoServiceServer<__Service> {
    /// n
    pub fn new(service: __Service) -> Self {
        Self { service: ::stubwire::__private::Arc::new(service) }
    }
}
impl<__Service: EchoService> ::stubwire::Service for EchoServiceServer<__Service> {
    fn descriptor(&self) -> &'static ::stubwire::ServiceDescriptor {
        &ECHO_SERVICE
    }
    fn register(self, methods: &mut ::stubwire::__private::Methods) {
        methods.protobuf(
            &ECHO_SERVICE_ECHO,
            &self.service,
            |service, mut call, request: EchoRequest| async move {
                let reply = <__Service as EchoService>::echo(&service, &mut call, request).await;
                (call, reply)
            },
        );
        methods.protobuf(
            &ECHO_SERVICE_FAIL,
            &self.service,
            |service, mut call, request: EchoRequest| async move {
                let reply = <__Service as EchoService>::fail(&service, &mut call, request).await;
                (call, reply)
            },
        );
        methods.protobuf(
            &ECHO_SERVICE_SLOW,
            &self.service,
            |service, mut call, request: EchoRequest| async move {
                let reply = <__Service as EchoService>::slow(&service, &mut call, request).await;
                (call, reply)
            },
        );
    }
}
/// c
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct EchoServiceClient {
    channel: ::stubwire::Channel,
}
impl EchoServiceClient {
    /// n
    pub fn new(channel: impl ::core::convert::Into<::stubwire::Channel>) -> Self {
        Self { channel: ::core::convert::Into::into(channel) }
    }
    /// e
    pub fn echo(&self, request: EchoRequest) -> ::stubwire::Pending<'_, EchoResponse> {
        ::stubwire::__private::protobuf_call(&self.channel, &ECHO_SERVICE_ECHO, request)
    }
    /// e
    pub fn fail(&self, request: EchoRequest) -> ::stubwire::Pending<'_, EchoResponse> {
        ::stubwire::__private::protobuf_call(&self.channel, &ECHO_SERVICE_FAIL, request)
    }
    /// e
    pub fn slow(&self, request: EchoRequest) -> ::stubwire::Pending<'_, EchoResponse> {
        ::stubwire::__private::protobuf_call(&self.channel, &ECHO_SERVICE_SLOW, request)
    }
}
/// d
pub const ECHO_SERVICE_ECHO: ::stubwire::MethodDescriptor = ::stubwire::MethodDescriptor::protobuf(
    "bench.EchoService/Echo",
    &__stubwire::REQ,
    &__stubwire::RES,
);
/// d
pub const ECHO_SERVICE_FAIL: ::stubwire::MethodDescriptor = ::stubwire::MethodDescriptor::protobuf(
    "bench.EchoService/Fail",
    &__stubwire::REQ,
    &__stubwire::RES,
);
/// d
pub const ECHO_SERVICE_SLOW: ::stubwire::MethodDescriptor = ::stubwire::MethodDescriptor::protobuf(
    "bench.EchoService/Slow",
    &__stubwire::REQ,
    &__stubwire::RES,
)
.idempotent();
/// d
pub const ECHO_SERVICE: ::stubwire::ServiceDescriptor = ::stubwire::ServiceDescriptor::new(
    "bench.EchoService",
    ::stubwire::Codec::Protobuf,
    &[&ECHO_SERVICE_ECHO, &ECHO_SERVICE_FAIL, &ECHO_SERVICE_SLOW],
);
