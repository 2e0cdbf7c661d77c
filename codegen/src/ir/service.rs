//! Services and their methods.

use super::{Doc, FileId, FullName, MessageId, Options, Span, TableId};

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
    pub input: PayloadType,
    /// The reply.
    pub output: PayloadType,
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
    /// FlatBuffers.
    FlatBuffers,
}

/// What a method takes or returns; the codec of its service says which of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PayloadType {
    /// A Protobuf message.
    Message(MessageId),
    /// A FlatBuffers table, the root of its buffer.
    Table(TableId),
}

impl PayloadType {
    /// The message, if it is one.
    pub fn message(self) -> Option<MessageId> {
        match self {
            Self::Message(id) => Some(id),
            Self::Table(_) => None,
        }
    }

    /// The table, if it is one.
    pub fn table(self) -> Option<TableId> {
        match self {
            Self::Table(id) => Some(id),
            Self::Message(_) => None,
        }
    }
}

impl Service {
    /// The number by which protocols address the method at `index` of [`methods`](Self::methods):
    /// the explicit one, else, in FlatBuffers, its position (a front end warns that positions are
    /// not stable). Methods of Protobuf have no numbers of themselves.
    pub fn method_id(&self, index: usize) -> Option<u32> {
        let explicit = self.methods.get(index)?.explicit_id;
        match self.codec {
            PayloadCodec::FlatBuffers => explicit.or(u32::try_from(index).ok()),
            PayloadCodec::Protobuf => explicit,
        }
    }
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
