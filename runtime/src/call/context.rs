//! The server's view of one call.

use super::reply_path::{Arrival, ReplyParts, ReplyPath, Ticket};
use super::{EncodeMessage, HandlerStart, Metadata, ServerStamps};
use crate::conn::Peer;
use crate::frame::compress::Compression;
use crate::registry::{MethodDescriptor, MethodEntry};
use crate::status::Status;
use bytes::Bytes;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// The context of one call: who asks, until when, with what beside the message, and what goes back
/// beside the reply.
///
/// A handler gets it as `&mut Call`. The call is answered when the handler returns; a handler that
/// panics or is dropped is answered EINTERNAL.
pub struct Call(
    /// On the heap: a call moves through several futures on its way, each of which would hold a copy of its place.
    Box<State>,
);

struct State {
    method: Arc<MethodEntry>,
    path: Arc<dyn ReplyPath>,
    ticket: Ticket,
    arrival: Arrival,
    reply: ReplyParts,
    message: Bytes,
    stage: Stage,
    /// Of a call whose phases somebody observes.
    stamps: Option<Box<ServerStamps>>,
}

/// How far the call came, which decides what its end counts as.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Not yet given to the handler: its end is a refusal.
    Admitted,
    /// The handler runs.
    Running,
    /// Answered and counted.
    Finished,
}

impl Call {
    /// A call that counts in its method's statistics already.
    pub(crate) fn new(
        method: Arc<MethodEntry>,
        path: Arc<dyn ReplyPath>,
        ticket: Ticket,
        arrival: Arrival,
    ) -> Self {
        let reply = ReplyParts::default();
        let message = Bytes::new();
        let stage = Stage::Admitted;
        let stamps = None;
        Self(Box::new(State { method, path, ticket, arrival, reply, message, stage, stamps }))
    }

    /// Facts of the method that is called.
    pub fn method(&self) -> &'static MethodDescriptor {
        self.0.method.descriptor
    }

    /// Who calls.
    pub fn peer(&self) -> &Peer {
        self.0.path.peer()
    }

    /// When the caller stops waiting; `None` when it did not say.
    pub fn deadline(&self) -> Option<Instant> {
        // A timeout too far away to be a point in time is none.
        self.0.arrival.timeout.and_then(|timeout| self.0.arrival.at.checked_add(timeout))
    }

    /// How long the caller wants to wait, as it said when it sent the request.
    pub fn timeout(&self) -> Option<Duration> {
        self.0.arrival.timeout
    }

    /// What is left of that time; zero when it is over, `None` when the caller did not say.
    pub fn remaining(&self) -> Option<Duration> {
        self.deadline().map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// True when the connection of the caller is gone. The handler may go on; its reply is dropped.
    pub fn is_cancelled(&self) -> bool {
        self.0.path.cancellation().is_cancelled()
    }

    /// Waits until the connection of the caller is gone.
    pub fn cancelled(&self) -> impl Future<Output = ()> + Send + 'static {
        let path = self.0.path.clone();
        async move { path.cancellation().cancelled().await }
    }

    /// What came beside message and attachment.
    pub fn metadata(&self) -> &Metadata {
        Metadata::of(&self.0.arrival.metadata)
    }

    /// The caller's log id.
    pub fn log_id(&self) -> Option<i64> {
        self.metadata().log_id
    }

    /// The value of a user field of the request.
    pub fn user_field(&self, key: &str) -> Option<&str> {
        self.metadata().user_field(key)
    }

    /// The raw bytes that came behind the message; empty when there were none.
    pub fn attachment(&self) -> &Bytes {
        &self.0.arrival.attachment
    }

    /// Takes those bytes out of the call.
    pub fn take_attachment(&mut self) -> Bytes {
        std::mem::take(&mut self.0.arrival.attachment)
    }

    /// The received bytes of a FlatBuffers request, to be kept beyond the call; empty for other codecs.
    pub fn message(&self) -> &Bytes {
        &self.0.message
    }

    /// Builds the reply of a FlatBuffers method, in a builder as large as its replies needed before.
    #[cfg(feature = "flatbuffers")]
    pub fn build<Message>(
        &self,
        build: impl FnOnce(
            &mut flatbuffers::FlatBufferBuilder<'static>,
        ) -> flatbuffers::WIPOffset<Message>,
    ) -> crate::flat::Flat<Message> {
        self.build_with_capacity(self.method().declared_reply_size(), build)
    }

    /// The same for a reply that is known to need `bytes` at least.
    #[cfg(feature = "flatbuffers")]
    pub fn build_with_capacity<Message>(
        &self,
        bytes: usize,
        build: impl FnOnce(
            &mut flatbuffers::FlatBufferBuilder<'static>,
        ) -> flatbuffers::WIPOffset<Message>,
    ) -> crate::flat::Flat<Message> {
        crate::flat::Flat::new(crate::buf::Built::build(self.method().reply_key(), bytes, build))
    }

    #[cfg(feature = "flatbuffers")]
    pub(crate) fn keep_message(&mut self, message: Bytes) {
        self.0.message = message;
    }

    /// Sends raw bytes behind the reply. An error reply carries none.
    pub fn attach(&mut self, attachment: impl Into<Bytes>) {
        self.0.reply.attachment = attachment.into();
    }

    /// Sends a user field with the reply, after those that were set before.
    pub fn set_reply_field(&mut self, key: impl Into<String>, value: impl Into<String>) {
        self.0.reply.user_fields.push((key.into(), value.into()));
    }

    /// Compresses the message of the reply; the attachment stays as it is.
    pub fn compress_reply(&mut self, compression: Compression) {
        self.0.reply.compression = compression;
    }

    /// Sends a CRC32C checksum of the message and the attachment with the reply.
    pub fn checksum_reply(&mut self, checksum: bool) {
        self.0.reply.checksum = checksum;
    }

    #[cfg(any(feature = "protobuf", feature = "flatbuffers"))]
    pub(crate) fn limits(&self) -> &crate::limits::Limits {
        self.0.path.limits()
    }

    /// How the message came, in the words of brpc's error text.
    pub(crate) fn wire_form(&self) -> impl fmt::Display + use<> {
        let (compression, checksum) = (self.0.arrival.compression, self.0.arrival.checksum);
        format!("CompressType={compression}, ChecksumType={checksum}")
    }

    /// True when the caller waits no longer than until `now`.
    pub(crate) fn is_expired(&self, now: Instant) -> bool {
        self.deadline().is_some_and(|deadline| deadline <= now)
    }

    /// The handler takes over: from here on the end counts as finished, not as refused.
    pub(crate) fn mark_running(&mut self) {
        self.0.stage = Stage::Running;
    }

    /// Has the call's phases noted, and told when it ends.
    pub(crate) fn stamp(&mut self, stamps: ServerStamps) {
        self.0.stamps = Some(Box::new(stamps));
    }

    /// Where the call's handler notes its first poll, if phases are noted.
    pub(crate) fn handler_start(&self) -> Option<HandlerStart> {
        self.0.stamps.as_ref().map(|stamps| stamps.handler_start())
    }

    /// The message is decoded.
    #[inline]
    pub(crate) fn mark_decoded(&mut self) {
        if let Some(stamps) = &mut self.0.stamps {
            stamps.decoded();
        }
    }

    /// Answers a call whose message cannot be read, and tells the server why.
    #[cfg(any(feature = "protobuf", feature = "flatbuffers"))]
    pub(crate) fn refuse_message(self, reason: String) {
        self.0.path.message_refused(self.method(), &reason);
        self.finish(Err(&Status::invalid_request(reason)));
    }

    /// Answers the call.
    pub(crate) fn finish(mut self, outcome: Result<&mut dyn EncodeMessage, &Status>) {
        self.answer(outcome);
    }

    fn answer(&mut self, outcome: Result<&mut dyn EncodeMessage, &Status>) {
        let state = &mut *self.0;
        let now = match std::mem::replace(&mut state.stage, Stage::Finished) {
            Stage::Finished => return,
            Stage::Admitted => {
                state.method.stats.refuse();
                None
            }
            Stage::Running => {
                let now = Instant::now();
                let latency = now.saturating_duration_since(state.arrival.at);
                state.method.stats.finish(latency, outcome.is_ok());
                Some(now)
            }
        };
        // Released also when a message panics while it is encoded: a place that is never given back
        // would hold up the end of its connection and of the server.
        let place = Place { path: &*state.path, ticket: &state.ticket, now };
        if let Some(mut stamps) = state.stamps.take() {
            stamps.ended(place.now);
            place.path.stamp(place.ticket, stamps);
        }
        place.path.reply(place.ticket, std::mem::take(&mut state.reply), outcome);
    }
}

/// What a call holds of its connection and its server, given back when this is dropped.
struct Place<'a> {
    path: &'a dyn ReplyPath,
    ticket: &'a Ticket,
    now: Option<Instant>,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.path.release(self.ticket, self.now);
    }
}

/// A call whose handler vanished, by a panic or because its task was aborted, is still answered.
/// The text does not repeat the panic's, which may hold secrets.
impl Drop for Call {
    fn drop(&mut self) {
        if self.0.stage != Stage::Finished {
            if std::thread::panicking() {
                self.0.path.handler_panicked(self.method());
            }
            self.answer(Err(&Status::internal("the handler did not finish")));
        }
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("method", &self.method().full_name())
            .field("peer", self.peer())
            .field("timeout", &self.timeout())
            .field("metadata", self.metadata())
            .field("attachment_len", &self.attachment().len())
            .finish_non_exhaustive()
    }
}
