//! Messages, enums and their parts.

use super::{Doc, EnumId, FileId, FullName, MessageId, Options, Span};

/// A message.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// The last segment, as spelled.
    pub schema_name: String,
    /// Package, parents and name.
    pub full_name: FullName,
    /// The file that declares it.
    pub file: FileId,
    /// The message it is nested in.
    pub parent: Option<MessageId>,
    /// Fields in declaration order, the members of oneofs among them.
    pub fields: Vec<Field>,
    /// Oneofs, without those that `optional` makes up in proto3.
    pub oneofs: Vec<Oneof>,
    /// Directly nested messages, map entries left out.
    pub messages: Vec<MessageId>,
    /// Directly nested enums.
    pub enums: Vec<EnumId>,
    /// True for the entry type that a map field makes up.
    pub is_map_entry: bool,
    /// Options set on it.
    pub options: Options,
    /// Comments.
    pub doc: Doc,
    /// The whole declaration.
    pub span: Span,
    /// The name in it.
    pub name_span: Span,
}

/// A field of a message.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// As spelled.
    pub schema_name: String,
    /// The number on the wire.
    pub number: u32,
    /// How often it may stand.
    pub label: FieldLabel,
    /// What it holds.
    pub kind: FieldKind,
    /// Index in [`Message::oneofs`].
    pub oneof: Option<usize>,
    /// True when a repeated scalar is written packed.
    pub packed: bool,
    /// The default in text form (proto2).
    pub default: Option<String>,
    /// The name in JSON.
    pub json_name: String,
    /// Options set on it.
    pub options: Options,
    /// Comments.
    pub doc: Doc,
    /// The whole declaration.
    pub span: Span,
    /// The name in it.
    pub name_span: Span,
}

/// How often a field may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldLabel {
    /// Present or absent, and the difference is seen (`optional`, messages, oneof members).
    Optional,
    /// Must be present (proto2).
    Required,
    /// Always has a value; its zero is not written (proto3 without `optional`).
    Implicit,
    /// Any number of times; also map fields.
    Repeated,
}

/// What a field holds.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldKind {
    /// A scalar.
    Scalar(Scalar),
    /// An enum.
    Enum(EnumId),
    /// A message.
    Message(MessageId),
    /// A proto2 group, whose body is this message.
    Group(MessageId),
    /// A map.
    Map(Box<MapField>),
}

/// Key and value of a map field.
#[derive(Clone, Debug, PartialEq)]
pub struct MapField {
    /// The made-up entry message.
    pub entry: MessageId,
    /// The key.
    pub key: Scalar,
    /// The value; never a map or a group.
    pub value: FieldKind,
}

/// The scalar types of Protobuf, by their wire encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Scalar {
    Double,
    Float,
    Int64,
    Uint64,
    Int32,
    Fixed64,
    Fixed32,
    Bool,
    String,
    Bytes,
    Uint32,
    Sfixed32,
    Sfixed64,
    Sint32,
    Sint64,
}

/// A oneof.
#[derive(Clone, Debug, PartialEq)]
pub struct Oneof {
    /// As spelled.
    pub schema_name: String,
    /// Options set on it.
    pub options: Options,
    /// Comments.
    pub doc: Doc,
    /// The whole declaration.
    pub span: Span,
    /// The name in it.
    pub name_span: Span,
}

/// An enum.
#[derive(Clone, Debug, PartialEq)]
pub struct Enum {
    /// The last segment, as spelled.
    pub schema_name: String,
    /// Package, parents and name.
    pub full_name: FullName,
    /// The file that declares it.
    pub file: FileId,
    /// The message it is nested in.
    pub parent: Option<MessageId>,
    /// Values in declaration order.
    pub values: Vec<EnumValue>,
    /// Options set on it.
    pub options: Options,
    /// Comments.
    pub doc: Doc,
    /// The whole declaration.
    pub span: Span,
    /// The name in it.
    pub name_span: Span,
}

/// One value of an enum.
#[derive(Clone, Debug, PartialEq)]
pub struct EnumValue {
    /// As spelled.
    pub schema_name: String,
    /// The number on the wire.
    pub number: i32,
    /// Options set on it.
    pub options: Options,
    /// Comments.
    pub doc: Doc,
    /// The whole declaration.
    pub span: Span,
    /// The name in it.
    pub name_span: Span,
}
