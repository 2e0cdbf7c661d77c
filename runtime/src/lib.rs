//! The runtime of stubwire: what generated code calls, and what you serve and call with.
//!
//! Services come from schemas through [`stubwire-codegen`](https://docs.rs/stubwire-codegen), in a build script.
//! This crate carries their calls over baidu_std, the protocol of Apache brpc, on tokio.
//!
//! - Serve: put implementations into a [`Registry`], hand it to a [`Server`].
//! - Call: give a generated client a [`Channel`]; its methods return a [`Pending`] call that options chain on.
//! - Every error is a [`Status`] with one of brpc's numbers, which [`Code`] relates to gRPC and HTTP.
//! - Whatever a peer can make grow has a bound in [`Limits`].
//!
//! ```text
//!  channel, server          the two sides              golden: what they write, pinned in tests
//!    call, registry         one call; one table of methods for every codec and protocol
//!      conn                 sockets, cut into frames
//!        frame, payload     bytes: heads and metadata; messages      buf: builders
//!          status, limits   codes and numbers            stats: a leaf
//! ```
//!
//! Each ring imports only what lies further in.
//!
//! # Features
//! - `protobuf` (default): Protobuf messages through prost.
//! - `flatbuffers` (default): FlatBuffers messages.
//! - `golden`: assertions that pin the bytes of frames and messages in tests, and name every one of them.

#[doc(hidden)]
pub mod __private;
mod buf;
mod call;
mod channel;
mod conn;
#[cfg(feature = "flatbuffers")]
pub mod flat;
pub mod frame;
#[cfg(feature = "golden")]
pub mod golden;
pub mod limits;
pub mod payload;
mod registry;
mod server;
pub mod stats;
pub mod status;

pub use call::{Call, Cancellation, ClientPhases, Metadata, PhaseObserver, ServerPhases};
pub use channel::{
    Calling, Channel, ChannelOptions, ChannelSnapshot, ConnectionPolicy, Pending, Reply, Transport,
    TransportFuture, TransportReply, TransportRequest,
};
pub use conn::Peer;
#[cfg(feature = "flatbuffers")]
pub use flat::Flat;
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
