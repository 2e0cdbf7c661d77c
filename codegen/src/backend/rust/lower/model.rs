//! The Rust-shaped model: every name is decided in it, so that emitting is copying.

use std::collections::BTreeMap;

use crate::backend::rust::flat::model::{FlatModule, FlatNames};
use crate::ir::{EnumId, Idempotency, MessageId, PayloadCodec, PayloadType, TableId};

/// A module by the identifiers on the way to it, from where the tree is mounted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ModulePath(pub(crate) Vec<String>);

impl ModulePath {
    /// The module `name` in this one.
    pub(crate) fn child(&self, name: &str) -> Self {
        let mut path = self.0.clone();
        path.push(name.to_owned());
        Self(path)
    }

    /// The module that holds this one.
    pub(crate) fn parent(&self) -> Self {
        Self(self.0[..self.0.len().saturating_sub(1)].to_vec())
    }
}

/// Where a type of the schema is found in Rust.
#[derive(Clone, Debug)]
pub(crate) enum TypePlace {
    /// Generated here.
    Local { module: ModulePath, ident: String },
    /// Somebody else's: its Rust type as text.
    External { rust_type: String },
}

/// The names inside a message that is generated.
#[derive(Clone, Debug, Default)]
pub(crate) struct MessageNames {
    /// Where nested types and oneofs live.
    pub(crate) nested: ModulePath,
    /// By index in [`Message::fields`](crate::ir::Message::fields): the struct's field, or the
    /// oneof's variant.
    pub(crate) members: Vec<String>,
    /// By index in [`Message::oneofs`](crate::ir::Message::oneofs).
    pub(crate) oneofs: Vec<OneofNames>,
}

/// The names of a oneof.
#[derive(Clone, Debug, Default)]
pub(crate) struct OneofNames {
    pub(crate) field: String,
    pub(crate) type_ident: String,
}

/// Everything that was named.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// By message id.
    pub(crate) places: Vec<TypePlace>,
    /// By message id; empty for those that are not generated.
    pub(crate) messages: Vec<MessageNames>,
    /// By enum id.
    pub(crate) enum_places: Vec<TypePlace>,
    /// By enum id, then by index in [`Enum::values`](crate::ir::Enum::values).
    pub(crate) variants: Vec<Vec<String>>,
    /// Modules that stand for a package or lead to one: they have a place in the tree file.
    pub(crate) tree: BTreeMap<ModulePath, TreeModule>,
    /// FlatBuffers types.
    pub(crate) flat: FlatNames,
}

/// A module of the tree file.
#[derive(Clone, Debug, Default)]
pub(crate) struct TreeModule {
    /// The package it stands for, dotted; for a module that only leads to one, the same words.
    pub(crate) package: String,
    /// Import names of the files that are generated into it.
    pub(crate) sources: Vec<String>,
}

/// A service as Rust.
#[derive(Clone, Debug)]
pub(crate) struct RustService {
    pub(crate) codec: PayloadCodec,
    pub(crate) module: ModulePath,
    pub(crate) full_name: String,
    /// The server trait.
    pub(crate) trait_ident: String,
    pub(crate) server_ident: String,
    pub(crate) client_ident: String,
    /// The constant that describes it.
    pub(crate) const_ident: String,
    pub(crate) deprecated: bool,
    /// Sanitised; `None` when the schema says nothing.
    pub(crate) doc: Option<String>,
    pub(crate) methods: Vec<RustMethod>,
}

/// A method as Rust.
#[derive(Clone, Debug)]
pub(crate) struct RustMethod {
    /// `pkg.Service/Method`, spelled as in the schema: what travels.
    pub(crate) wire_name: String,
    pub(crate) ident: String,
    /// Set when `ident` is not what the schema's name alone would give.
    pub(crate) renamed_from: Option<String>,
    pub(crate) const_ident: String,
    pub(crate) input: PayloadType,
    pub(crate) output: PayloadType,
    pub(crate) idempotency: Idempotency,
    pub(crate) deprecated: bool,
    /// The number by which protocols address it.
    pub(crate) id: Option<u32>,
    /// FlatBuffers: the client's method that takes a capacity.
    pub(crate) with_capacity: Option<String>,
    /// Bytes that a reply needs at least, as the schema says.
    pub(crate) reply_size: Option<u64>,
    pub(crate) doc: Option<String>,
}

/// What decoding has to know about one message, for the decode budget.
#[derive(Clone, Debug)]
pub(crate) struct RustShape {
    pub(crate) ident: String,
    pub(crate) full_name: String,
    pub(crate) fields: Vec<ShapeField>,
}

/// One field that decoding has to watch.
#[derive(Clone, Debug)]
pub(crate) struct ShapeField {
    pub(crate) number: u32,
    pub(crate) schema_name: String,
    pub(crate) kind: ShapeKind,
    /// The type of one element of a repeated field, or of an entry of a map.
    pub(crate) repeated: Option<String>,
    /// The type on the heap behind a singular field.
    pub(crate) boxed: Option<String>,
    pub(crate) required: bool,
}

/// What a package's services send, as text for people who read bytes.
#[derive(Clone, Debug)]
pub(crate) struct RustLayout {
    pub(crate) ident: String,
    /// Lines; identifiers and numbers alone.
    pub(crate) text: String,
}

/// How a watched field looks on the wire.
#[derive(Clone, Debug)]
pub(crate) enum ShapeKind {
    /// The name of a variant of the runtime's `Wire`.
    Scalar(&'static str),
    /// The identifier of the shape.
    Message(String),
    /// The same in group encoding.
    Group(String),
}

/// Everything that emitting needs.
#[derive(Debug, Default)]
pub(crate) struct RustModel {
    pub(crate) names: Names,
    /// In schema order.
    pub(crate) services: Vec<RustService>,
    /// FlatBuffers types by module.
    pub(crate) flat: BTreeMap<ModulePath, FlatModule>,
    /// Tables that methods name and that flatc made.
    pub(crate) given_messages: Vec<(ModulePath, String)>,
    /// The shapes of every package module with services.
    pub(crate) shapes: BTreeMap<ModulePath, Vec<RustShape>>,
    /// The layout text of every package module with methods.
    pub(crate) layouts: BTreeMap<ModulePath, RustLayout>,
    /// The shape of a message in a package module, by identifier.
    pub(crate) shape_idents: BTreeMap<(ModulePath, MessageId), String>,
    /// The same for a table.
    pub(crate) table_shape_idents: BTreeMap<(ModulePath, TableId), String>,
}

impl Names {
    /// The Rust type of a message, as seen from `from`.
    pub(crate) fn message_type(&self, from: &ModulePath, id: MessageId) -> String {
        self.places[id.0 as usize].seen_from(from)
    }

    /// The Rust type of an enum, as seen from `from`.
    pub(crate) fn enum_type(&self, from: &ModulePath, id: EnumId) -> String {
        self.enum_places[id.0 as usize].seen_from(from)
    }
}

impl TypePlace {
    /// The type, relative to the module `from`.
    pub(crate) fn seen_from(&self, from: &ModulePath) -> String {
        match self {
            Self::External { rust_type } => rust_type.clone(),
            Self::Local { module, ident } => relative(from, module, ident),
        }
    }
}

/// `ident` of the module `to`, spelled for the module `from`: only `super` and names, so that the
/// tree can be mounted anywhere.
pub(crate) fn relative(from: &ModulePath, to: &ModulePath, ident: &str) -> String {
    let common = from.0.iter().zip(&to.0).take_while(|(one, other)| one == other).count();
    let up = std::iter::repeat_n("super", from.0.len() - common);
    let down = to.0[common..].iter().map(String::as_str);
    up.chain(down).chain([ident]).collect::<Vec<_>>().join("::")
}
