//! FlatBuffers types shaped as Rust: names, types as text, and facts of the layout.

use std::collections::BTreeMap;

use super::super::lower::model::{ModulePath, TypePlace};
use crate::ir::TableId;

/// Where every FlatBuffers type lives, and what accompanies it.
#[derive(Debug, Default)]
pub(crate) struct FlatNames {
    /// By table id.
    pub(crate) tables: Vec<TypePlace>,
    /// By struct id.
    pub(crate) structs: Vec<TypePlace>,
    /// By enum id.
    pub(crate) enums: Vec<TypePlace>,
    /// By union id.
    pub(crate) unions: Vec<TypePlace>,
    /// Types that stand for a table of another crate where a method names it.
    pub(crate) markers: BTreeMap<(ModulePath, TableId), String>,
}

/// The FlatBuffers types of one module, in the order of the schema.
#[derive(Debug, Default)]
pub(crate) struct FlatModule {
    pub(crate) enums: Vec<FlatEnum>,
    pub(crate) structs: Vec<FlatStruct>,
    pub(crate) tables: Vec<FlatTable>,
}

/// What every type has.
#[derive(Debug)]
pub(crate) struct Head {
    pub(crate) ident: String,
    pub(crate) full_name: String,
    pub(crate) schema_name: String,
    /// Sanitised; a sentence of ours where the schema says nothing.
    pub(crate) doc: String,
    /// Not for users.
    pub(crate) private: bool,
}

/// An enum, a set of flags, or the type of a union.
#[derive(Debug)]
pub(crate) struct FlatEnum {
    pub(crate) head: Head,
    /// A primitive type.
    pub(crate) underlying: &'static str,
    pub(crate) variants: Vec<FlatVariant>,
    pub(crate) kind: EnumKind,
}

#[derive(Debug)]
pub(crate) enum EnumKind {
    Plain(EnumIdents),
    Union { idents: EnumIdents, offset_ident: String },
    Flags { module_ident: String },
}

/// What accompanies an enum.
#[derive(Debug)]
pub(crate) struct EnumIdents {
    /// Constants of the module.
    pub(crate) min: String,
    pub(crate) max: String,
    pub(crate) values: String,
    /// Inherent.
    pub(crate) own_min: String,
    pub(crate) own_max: String,
    pub(crate) own_values: String,
    pub(crate) variant_name: String,
}

#[derive(Debug)]
pub(crate) struct FlatVariant {
    pub(crate) ident: String,
    pub(crate) schema_name: String,
    pub(crate) number: i128,
    pub(crate) doc: String,
}

/// A struct: an array of bytes.
#[derive(Debug)]
pub(crate) struct FlatStruct {
    pub(crate) head: Head,
    pub(crate) size: u32,
    pub(crate) alignment: u32,
    pub(crate) new_ident: String,
    pub(crate) fields: Vec<FlatStructField>,
    pub(crate) key: Option<Key>,
}

#[derive(Debug)]
pub(crate) struct FlatStructField {
    pub(crate) ident: String,
    /// In the argument list of `new`.
    pub(crate) argument: String,
    pub(crate) setter: String,
    pub(crate) schema_name: String,
    pub(crate) doc: String,
    pub(crate) offset: u32,
    /// Of one element.
    pub(crate) size: u32,
    pub(crate) ty: String,
    pub(crate) is_struct: bool,
    /// The length of a fixed array.
    pub(crate) length: Option<u16>,
}

/// A field that sorts, and its comparisons.
#[derive(Debug)]
pub(crate) struct Key {
    /// The accessor.
    pub(crate) field: String,
    pub(crate) less_than: String,
    pub(crate) with_value: String,
    pub(crate) kind: KeyKind,
}

#[derive(Clone, Debug)]
pub(crate) enum KeyKind {
    /// Ordered in itself.
    Ordered(String),
    /// `f32` or `f64`.
    Float(&'static str),
    /// A set of flags: by its bits.
    Flags(String),
    String,
}

/// A table.
#[derive(Debug)]
pub(crate) struct FlatTable {
    pub(crate) head: Head,
    pub(crate) offset_ident: String,
    pub(crate) args_ident: String,
    pub(crate) builder_ident: String,
    pub(crate) create: String,
    pub(crate) init_from_table: String,
    /// By id, deprecated ones left out.
    pub(crate) fields: Vec<FlatField>,
    /// The order in which `create` writes, as indices of `fields`.
    pub(crate) create_order: Vec<usize>,
    pub(crate) key: Option<Key>,
    pub(crate) root: Option<Root>,
    /// True when an rpc sends or returns it.
    pub(crate) is_message: bool,
}

impl FlatTable {
    /// True when its `Args` borrow something.
    pub(crate) fn args_borrow(&self) -> bool {
        let free = |kind: &FieldKind| matches!(kind, FieldKind::Inline(_) | FieldKind::Union(_));
        self.fields.iter().any(|field| !free(&field.kind))
    }
}

/// A field of a table that is read and written.
#[derive(Debug)]
pub(crate) struct FlatField {
    /// Accessor, and field of the `Args`.
    pub(crate) ident: String,
    pub(crate) adder: String,
    pub(crate) vt_ident: String,
    pub(crate) vt: u16,
    pub(crate) schema_name: String,
    pub(crate) doc: String,
    pub(crate) kind: FieldKind,
    pub(crate) presence: Presence,
    /// The root in these bytes.
    pub(crate) nested: Option<Nested>,
}

/// What its absence means.
#[derive(Debug)]
pub(crate) enum Presence {
    /// The value, as an expression.
    Default(String),
    Optional,
    Required,
}

#[derive(Debug)]
pub(crate) struct Nested {
    pub(crate) ident: String,
    /// Without lifetime.
    pub(crate) ty: String,
}

/// What a field holds; types are text, tables without their lifetime.
#[derive(Debug)]
pub(crate) enum FieldKind {
    Inline(String),
    Struct(String),
    String,
    Table(String),
    Vector(Element),
    Union(UnionField),
}

#[derive(Debug)]
pub(crate) enum Element {
    /// A scalar, an enum or a struct.
    Inline(String),
    String,
    Table(String),
}

#[derive(Debug)]
pub(crate) struct UnionField {
    /// The type of the discriminant.
    pub(crate) ty: String,
    pub(crate) schema_name: String,
    /// The discriminant's own field.
    pub(crate) type_ident: String,
    pub(crate) type_vt_ident: String,
    pub(crate) type_schema_name: String,
    pub(crate) variants: Vec<UnionArm>,
}

#[derive(Debug)]
pub(crate) struct UnionArm {
    /// The constant of the discriminant.
    pub(crate) ident: String,
    pub(crate) schema_name: String,
    pub(crate) as_ident: String,
    pub(crate) table: String,
}

/// The helpers of a table that is the root of buffers.
#[derive(Debug)]
pub(crate) struct Root {
    pub(crate) root: String,
    pub(crate) size_prefixed: String,
    pub(crate) root_opts: String,
    pub(crate) size_prefixed_opts: String,
    pub(crate) root_unchecked: String,
    pub(crate) size_prefixed_unchecked: String,
    pub(crate) finish: String,
    pub(crate) finish_size_prefixed: String,
    pub(crate) identifier: Option<Identifier>,
    /// The constant, and the extension.
    pub(crate) extension: Option<(String, String)>,
}

/// The file identifier: its constant, its text, and who asks for it.
#[derive(Debug)]
pub(crate) struct Identifier {
    pub(crate) constant: String,
    pub(crate) text: String,
    pub(crate) has: String,
    pub(crate) size_prefixed_has: String,
}
