//! Services under any name and codec, whose messages stay bytes.

use bytes::Bytes;
use stubwire::{
    __private::MessageShape, Call, Channel, Codec, MethodDescriptor, Methods, Service,
    ServiceDescriptor, Status,
};

static SHAPE: MessageShape = MessageShape::new("any.Message", &[]);

/// A service that answers every method with what it got.
#[derive(Clone, Copy, Debug)]
pub struct RawEcho(pub &'static ServiceDescriptor);

impl Service for RawEcho {
    fn descriptor(&self) -> &'static ServiceDescriptor {
        self.0
    }

    fn register(self, methods: &mut Methods) {
        for method in self.0.methods() {
            methods.raw(method, |call: Call, message: Bytes| async move { (call, Ok(message)) });
        }
    }
}

/// The facts of a method; they live as long as the process.
pub fn method(codec: Codec, full_name: &str) -> &'static MethodDescriptor {
    let full_name: &'static str = full_name.to_owned().leak();
    Box::leak(Box::new(MethodDescriptor::new(codec, full_name, &SHAPE, &SHAPE)))
}

/// The facts of a service with one method, `Echo`.
pub fn service(codec: Codec, full_name: &str) -> &'static ServiceDescriptor {
    service_of(codec, full_name, vec![method(codec, &format!("{full_name}/Echo"))])
}

/// The facts of a service with these methods.
pub fn service_of(
    codec: Codec,
    full_name: &str,
    methods: Vec<&'static MethodDescriptor>,
) -> &'static ServiceDescriptor {
    let full_name: &'static str = full_name.to_owned().leak();
    Box::leak(Box::new(ServiceDescriptor::new(full_name, codec, methods.leak())))
}

/// Calls any method with an `EchoRequest`, whatever the method says of its messages.
///
/// # Errors
/// Those of the call.
pub async fn call(
    channel: &Channel,
    method: &'static MethodDescriptor,
    text: &str,
) -> Result<String, Status> {
    let request = crate::request(text);
    let pending = stubwire::__private::protobuf_call::<_, crate::bench::EchoResponse>(
        channel, method, request,
    );
    pending.await.map(|reply| reply.message().to_owned())
}
