//! The FlatBuffers part of the model: tables, structs, enums and unions, with their layout.
//!
//! Enums are not shared with Protobuf's: these have an underlying type, values of up to 64 bits with
//! or without a sign, may be sets of flags, and are never nested. A namespace is all of a full name
//! but its last segment: nothing is nested in a type.

use super::{Doc, FileId, FullName, Options, Span, TableId};

pub use super::flat_types::{
    Enum, EnumValue, Struct, StructElement, StructField, StructType, Union, UnionVariant,
};

/// Index of a [`Struct`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StructId(pub u32);

/// Index of an [`Enum`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EnumId(pub u32);

/// Index of a [`Union`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnionId(pub u32);

/// Index of a type of any kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TypeId {
    /// A table.
    Table(TableId),
    /// A struct.
    Struct(StructId),
    /// An enum.
    Enum(EnumId),
    /// A union.
    Union(UnionId),
}

/// Every FlatBuffers type of a schema, in declaration order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Types {
    /// Tables.
    pub tables: Vec<Table>,
    /// Structs; one that another holds comes before it.
    pub structs: Vec<Struct>,
    /// Enums.
    pub enums: Vec<Enum>,
    /// Unions.
    pub unions: Vec<Union>,
}

impl Types {
    /// The table `id`.
    pub fn table(&self, id: TableId) -> &Table {
        &self.tables[id.0 as usize]
    }
    /// The struct `id`.
    pub fn structure(&self, id: StructId) -> &Struct {
        &self.structs[id.0 as usize]
    }
    /// The enum `id`.
    pub fn enumeration(&self, id: EnumId) -> &Enum {
        &self.enums[id.0 as usize]
    }
    /// The union `id`.
    pub fn union(&self, id: UnionId) -> &Union {
        &self.unions[id.0 as usize]
    }
    /// What all types have in common, by kind.
    pub fn declarations(&self) -> impl Iterator<Item = &Declaration> {
        let tables = self.tables.iter().map(|it| &it.declaration);
        let structs = self.structs.iter().map(|it| &it.declaration);
        let enums = self.enums.iter().map(|it| &it.declaration);
        let unions = self.unions.iter().map(|it| &it.declaration);
        tables.chain(structs).chain(enums).chain(unions)
    }
    /// What the type `id` has in common with all others.
    pub fn declaration(&self, id: TypeId) -> &Declaration {
        match id {
            TypeId::Table(id) => &self.table(id).declaration,
            TypeId::Struct(id) => &self.structure(id).declaration,
            TypeId::Enum(id) => &self.enumeration(id).declaration,
            TypeId::Union(id) => &self.union(id).declaration,
        }
    }
}

/// What only a `.fbs` file has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileFacts {
    /// Tables that it declares.
    pub tables: Vec<TableId>,
    /// Structs that it declares.
    pub structs: Vec<StructId>,
    /// Enums that it declares.
    pub enums: Vec<EnumId>,
    /// Unions that it declares.
    pub unions: Vec<UnionId>,
    /// `root_type`; the last one wins.
    pub root_type: Option<TableId>,
    /// `file_identifier`: exactly four bytes.
    pub file_identifier: Option<String>,
    /// `file_extension`, without a dot.
    pub file_extension: Option<String>,
    /// True when the source does not tell the defaults of all fields: a string without one stands
    /// for any. The types can be named and compared, and must not be generated.
    pub defaults_unknown: bool,
}

/// What a declaration of any kind has.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    /// The last segment, as spelled.
    pub schema_name: String,
    /// Namespace and name.
    pub full_name: FullName,
    /// The file that declares it.
    pub file: FileId,
    /// `private`: not for users of the generated code.
    pub private: bool,
    /// Attributes as written.
    pub options: Options,
    /// Comments.
    pub doc: Doc,
    /// The whole declaration.
    pub span: Span,
    /// The name in it.
    pub name_span: Span,
}

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Name, place, comments.
    pub declaration: Declaration,
    /// Fields by id, which is their order in the vtable; without explicit ids that is the order of
    /// the text. The type field of a union is one of them and stands right before its union.
    pub fields: Vec<Field>,
}

impl Table {
    /// The field that sorts a vector of these tables.
    pub fn key(&self) -> Option<&Field> {
        self.fields.iter().find(|field| field.key)
    }
}

/// A field of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// As spelled; `<name>_type` for the type field of a union.
    pub schema_name: String,
    /// Explicit or counted.
    pub id: u16,
    /// `4 + 2 * id`.
    pub vtable_offset: u16,
    /// What it holds.
    pub ty: Type,
    /// What its absence means.
    pub presence: Presence,
    /// The value of an absent field; there is one exactly when it is [`Presence::Defaulted`].
    pub default: Option<Value>,
    /// `key`.
    pub key: bool,
    /// `deprecated`: its slot is kept, nothing reads or writes it.
    pub deprecated: bool,
    /// `shared`: equal strings are stored once.
    pub shared: bool,
    /// `hash`: the function by which JSON text becomes the number.
    pub hash: Option<String>,
    /// `nested_flatbuffer`: the root of the buffer in these bytes.
    pub nested_flatbuffer: Option<TableId>,
    /// `flexbuffer`: the bytes are one.
    pub flexbuffer: bool,
    /// `force_align` of the elements of a vector.
    pub force_align: Option<u32>,
    /// Attributes as written.
    pub options: Options,
    /// Comments.
    pub doc: Doc,
    /// The whole declaration.
    pub span: Span,
    /// The name in it.
    pub name_span: Span,
}

/// What the absence of a field means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Presence {
    /// It has its default: scalars, and strings and vectors with a default.
    Defaulted,
    /// There is no value.
    Optional,
    /// The buffer is invalid.
    Required,
}

/// A value that stands for an absent field.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `bool`.
    Bool(bool),
    /// Integers, and enums by the number of their value.
    Int(i128),
    /// `float`, rounded to 32 bits, and `double`; may be infinite or not a number.
    Float(f64),
    /// `string`.
    String(String),
    /// `[]`: an empty vector.
    EmptyVector,
}

/// What a field of a table holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// A number or a `bool`.
    Scalar(Scalar),
    /// An enum.
    Enum(EnumId),
    /// A struct, in line.
    Struct(StructId),
    /// A table, by offset.
    Table(TableId),
    /// A string, by offset.
    String,
    /// A union: the offset of one of its tables.
    Union(UnionId),
    /// Which table the union field after this one holds: an `ubyte`.
    UnionType(UnionId),
    /// A vector, by offset.
    Vector(Element),
}

/// What a vector holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    /// Numbers or `bool`s.
    Scalar(Scalar),
    /// Enums.
    Enum(EnumId),
    /// Structs, in line.
    Struct(StructId),
    /// Tables, by offset.
    Table(TableId),
    /// Strings, by offset.
    String,
}

/// The scalars of FlatBuffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Scalar {
    Bool,
    Int8,
    Uint8,
    Int16,
    Uint16,
    Int32,
    Uint32,
    Int64,
    Uint64,
    Float32,
    Float64,
}

impl Scalar {
    /// Size and alignment in bytes: for scalars they are the same.
    pub fn size(self) -> u32 {
        match self {
            Self::Bool | Self::Int8 | Self::Uint8 => 1,
            Self::Int16 | Self::Uint16 => 2,
            Self::Int32 | Self::Uint32 | Self::Float32 => 4,
            Self::Int64 | Self::Uint64 | Self::Float64 => 8,
        }
    }

    /// True for `float` and `double`.
    pub fn is_float(self) -> bool {
        matches!(self, Self::Float32 | Self::Float64)
    }

    /// The smallest and the largest integer it holds; 0 and 1 for `bool`, `None` for floats.
    pub fn range(self) -> Option<(i128, i128)> {
        Some(match self {
            Self::Bool => (0, 1),
            Self::Int8 => (i8::MIN.into(), i8::MAX.into()),
            Self::Uint8 => (0, u8::MAX.into()),
            Self::Int16 => (i16::MIN.into(), i16::MAX.into()),
            Self::Uint16 => (0, u16::MAX.into()),
            Self::Int32 => (i32::MIN.into(), i32::MAX.into()),
            Self::Uint32 => (0, u32::MAX.into()),
            Self::Int64 => (i64::MIN.into(), i64::MAX.into()),
            Self::Uint64 => (0, u64::MAX.into()),
            Self::Float32 | Self::Float64 => return None,
        })
    }

    /// The name in a schema, the older of the two where there are two.
    pub fn schema_name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Int8 => "byte",
            Self::Uint8 => "ubyte",
            Self::Int16 => "short",
            Self::Uint16 => "ushort",
            Self::Int32 => "int",
            Self::Uint32 => "uint",
            Self::Int64 => "long",
            Self::Uint64 => "ulong",
            Self::Float32 => "float",
            Self::Float64 => "double",
        }
    }
}
