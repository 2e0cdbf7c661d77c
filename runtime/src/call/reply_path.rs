//! The way back: what a protocol gives a call so that it can be answered.

use super::{Cancellation, EncodeMessage, Metadata, ServerStamps};
use crate::conn::Peer;
use crate::frame::compress::Compression;
use crate::frame::frpc::ByteOrder;
use crate::limits::Limits;
use crate::registry::MethodDescriptor;
use crate::status::Status;
use bytes::Bytes;
use std::time::Duration;
use tokio::time::Instant;

/// Where a reply goes. One object per connection, shared by its calls.
pub(crate) trait ReplyPath: Send + Sync {
    fn peer(&self) -> &Peer;
    fn cancellation(&self) -> &Cancellation;
    fn limits(&self) -> &Limits;
    /// Keeps the stamps of a call whose phases somebody observes for the `reply` that follows.
    fn stamp(&self, ticket: &Ticket, stamps: Box<ServerStamps>);
    /// Writes the reply, or drops and counts it when nobody is there to read it.
    fn reply(
        &self,
        ticket: &Ticket,
        parts: ReplyParts,
        outcome: Result<&mut dyn EncodeMessage, &Status>,
    );
    /// Frees what the call held of the connection and the server. Called once, after `reply`, with the time at which
    /// the handler ended, if it began.
    fn release(&self, ticket: &Ticket, now: Option<Instant>);
    /// Hears that a handler panicked; its call is answered like any other.
    fn handler_panicked(&self, method: &'static MethodDescriptor);
    /// Hears that a message was refused before its handler saw it, and why.
    #[cfg(any(feature = "protobuf", feature = "flatbuffers"))]
    fn message_refused(&self, method: &'static MethodDescriptor, reason: &str);
}

/// What a protocol needs to know again when it writes the reply.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ticket {
    /// The caller's id; `None` when it sent none.
    pub(crate) correlation_id: Option<i64>,
    /// The number of the request on its connection.
    pub(crate) sequence: u64,
    /// The form of the request, which the reply takes too.
    pub(crate) form: ReplyForm,
}

/// The form of a reply on the wire. This room passes it on and does not look into it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ReplyForm {
    #[default]
    Prpc,
    Frpc(FrpcForm),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FrpcForm {
    pub(crate) order: ByteOrder,
    /// Whether the caller appended a block of ours, and so reads one.
    pub(crate) appended: bool,
}

/// What arrived with the message.
#[derive(Debug)]
pub(crate) struct Arrival {
    pub(crate) at: Instant,
    pub(crate) timeout: Option<Duration>,
    pub(crate) metadata: Option<Box<Metadata>>,
    pub(crate) attachment: Bytes,
    pub(crate) compression: &'static str,
    pub(crate) checksum: &'static str,
}

/// What goes back beside the message.
#[derive(Debug, Default)]
pub(crate) struct ReplyParts {
    pub(crate) attachment: Bytes,
    pub(crate) user_fields: Vec<(String, String)>,
    pub(crate) compression: Compression,
    pub(crate) checksum: bool,
}
