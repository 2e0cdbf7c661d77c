//! x

#[doc(hidden)]
pub mod __private;
mod call;
mod channel;
mod conn;
pub mod frame;
pub mod limits;
pub mod payload;
mod registry;
mod server;
pub mod stats;
pub mod status;

pub use call::{Call, Cancellation, Metadata};
pub use channel::{
    Calling, Channel, ChannelOptions, ChannelSnapshot, ConnectionPolicy, Pending, Reply, Transport,
    TransportFuture, TransportReply, TransportRequest,
};
pub use conn::Peer;
pub use frame::compress::Compression;
pub use limits::Limits;
pub use registry::{
    Codec, MethodDescriptor, MethodHandle, Methods, RegisterError, Registry, Service,
    ServiceDescriptor, ServiceHandle, Streaming, service_id,
};
pub use server::{
    Authenticator, BoundServer, Event, EventKind, Interceptor, Server, ServerHandle, ServerSnapshot,
};
pub use status::{Code, GrpcCode, Status};

/// Includes everything that a build script generated: one module per package.
#[macro_export]
macro_rules! include_tree {
    () => {
        ::core::include!(::core::concat!(::core::env!("OUT_DIR"), "/stubwire.rs"));
    };
}
