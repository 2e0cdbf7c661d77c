//! What users implement to carry calls their own way.

use crate::call::Metadata;
use crate::registry::MethodDescriptor;
use crate::status::Status;
use bytes::Bytes;
use std::pin::Pin;
use tokio::time::Instant;

/// A call on its way out, its message encoded.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TransportRequest {
    /// What is called.
    pub method: &'static MethodDescriptor,
    /// The encoded message.
    pub message: Bytes,
    /// Raw bytes behind it.
    pub attachment: Bytes,
    /// What goes beside them.
    pub metadata: Metadata,
    /// When the caller stops waiting; the channel sees to that itself.
    pub deadline: Option<Instant>,
}

/// A reply on its way in.
#[derive(Clone, Debug, Default)]
pub struct TransportReply {
    /// The encoded message.
    pub message: Bytes,
    /// Raw bytes behind it.
    pub attachment: Bytes,
    /// What came beside them.
    pub metadata: Metadata,
}

/// The future of a transport's call.
pub type TransportFuture<'a> =
    Pin<Box<dyn Future<Output = Result<TransportReply, Status>> + Send + 'a>>;

/// Carries calls some other way than over this crate's connections: a proxy, a recorder, a
/// fault injector, a protocol of one's own.
///
/// A client made from a transport, `EchoServiceClient::new(transport)`, works as over a socket.
pub trait Transport: Send + Sync + 'static {
    /// Carries one call.
    ///
    /// Dropping the future gives the call up.
    fn call(&self, request: TransportRequest) -> TransportFuture<'_>;
}
