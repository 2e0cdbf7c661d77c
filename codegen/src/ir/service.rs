//! Services and their methods.

use super::{Doc, FileId, FullName, MessageId, Options, Span};

/// A service.
#[derive(Clone, Debug, PartialEq)]
pub struct Service {
    /// The last segment, as spelled.
    pub schema_name: String,
    /// Package and name: what travels on the wire.
    pub full_name: FullName,
    /// The file that declares it.
    pub file: FileId,
    /// How its messages are encoded.
    pub codec: PayloadCodec,
    /// Methods in declaration order.
    pub methods: Vec<Method>,
    /// Options set on it.
    pub options: Options,
    /// Comments.
    pub doc: Doc,
    /// The whole declaration.
    pub span: Span,
    /// The name in it.
    pub name_span: Span,
}

/// One rpc of a service.
#[derive(Clone, Debug, PartialEq)]
pub struct Method {
    /// As spelled: what travels on the wire.
    pub schema_name: String,
    /// An explicit number, for protocols that address methods by number.
    pub explicit_id: Option<u32>,
    /// The request.
    pub input: MessageId,
    /// The reply.
    pub output: MessageId,
    /// Which sides stream.
    pub streaming: Streaming,
    /// What the schema promises about repeating it.
    pub idempotency: Idempotency,
    /// Options set on it.
    pub options: Options,
    /// Comments.
    pub doc: Doc,
    /// The whole declaration.
    pub span: Span,
    /// The name in it.
    pub name_span: Span,
}

/// How the messages of a service are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PayloadCodec {
    /// Protocol Buffers.
    Protobuf,
}

/// Which sides of a method stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Streaming {
    /// One request, one reply.
    Unary,
    /// Many requests, one reply.
    Client,
    /// One request, many replies.
    Server,
    /// Many of both.
    Bidirectional,
}

/// What the schema promises about repeating a call (`idempotency_level`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Idempotency {
    /// Nothing.
    Unknown,
    /// Repeating it does no harm, and it changes nothing (`NO_SIDE_EFFECTS`).
    NoSideEffects,
    /// Repeating it does no harm (`IDEMPOTENT`).
    Idempotent,
}
