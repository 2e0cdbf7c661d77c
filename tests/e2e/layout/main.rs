//! Prints size and alignment of every public type of the runtime.
//!
//! Not part of the workspace: `tests/all/layout.rs` puts it into a package of its own and builds
//! that with different features of the runtime.

use stubwire::*;

macro_rules! print_layouts {
    ($($kind:ty),+ $(,)?) => {
        $(println!("{} {} {}", stringify!($kind), size_of::<$kind>(), align_of::<$kind>());)+
    };
}

fn main() {
    print_layouts!(
        Call, Calling<'static, u64>, Cancellation, Channel, ChannelOptions, ChannelSnapshot, Code,
        Codec, Compression, ConnectionPolicy, Event, EventKind, GrpcCode, Limits, Metadata,
        MethodDescriptor, MethodHandle, Methods, Peer, Pending<'static, u64>, RegisterError,
        Registry, Reply<u64>, Server, BoundServer, ServerHandle, ServerSnapshot, ServiceDescriptor,
        ServiceHandle, Status, Streaming, TransportReply, TransportRequest,
        frame::Error, frame::prpc::RpcMeta<'static>, stats::MethodSnapshot,
        payload::MessageShape, payload::FieldShape,
    );
}
