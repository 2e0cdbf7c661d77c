//! Structs, enums and unions of FlatBuffers. Tables stand in `flat`.

use super::flat::{Declaration, EnumId, Scalar, StructId};
use super::{Doc, Options, Span, TableId};

/// A struct: fixed size, in line, no versions.
#[derive(Clone, Debug, PartialEq)]
pub struct Struct {
    /// Name, place, comments.
    pub declaration: Declaration,
    /// Fields in declaration order, which is their order in memory.
    pub fields: Vec<StructField>,
    /// Bytes, the padding at the end among them; a multiple of the alignment.
    pub size: u32,
    /// The largest alignment of its fields, or `force_align`.
    pub alignment: u32,
    /// `force_align` as written.
    pub force_align: Option<u32>,
}

impl Struct {
    /// The field that sorts a vector of these structs.
    pub fn key(&self) -> Option<&StructField> {
        self.fields.iter().find(|field| field.key)
    }
}

/// A field of a struct.
#[derive(Clone, Debug, PartialEq)]
pub struct StructField {
    /// As spelled.
    pub schema_name: String,
    /// What it holds.
    pub ty: StructType,
    /// Bytes from the start of the struct.
    pub offset: u32,
    /// Bytes it takes, without padding.
    pub size: u32,
    /// Zero bytes between its end and the next field, or the end of the struct.
    pub padding: u32,
    /// `key`.
    pub key: bool,
    /// `hash`: the function by which JSON text becomes the number.
    pub hash: Option<String>,
    /// Attributes as written.
    pub options: Options,
    /// Comments.
    pub doc: Doc,
    /// The whole declaration.
    pub span: Span,
    /// The name in it.
    pub name_span: Span,
}

/// What a field of a struct holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StructType {
    /// One value.
    One(StructElement),
    /// `[T:N]`.
    Array {
        /// What it holds.
        element: StructElement,
        /// How many; never 0.
        length: u16,
    },
}

/// What stands in line in a struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StructElement {
    /// A number or a `bool`.
    Scalar(Scalar),
    /// An enum.
    Enum(EnumId),
    /// Another struct.
    Struct(StructId),
}

/// An enum.
#[derive(Clone, Debug, PartialEq)]
pub struct Enum {
    /// Name, place, comments.
    pub declaration: Declaration,
    /// An integer type.
    pub underlying: Scalar,
    /// `bit_flags`: every value is one bit.
    pub bit_flags: bool,
    /// Values by number, never empty: an enum without values has `NONE`.
    pub values: Vec<EnumValue>,
}

impl Enum {
    /// The value of this name.
    pub fn value(&self, name: &str) -> Option<&EnumValue> {
        self.values.iter().find(|value| value.schema_name == name)
    }

    /// The value of this number.
    pub fn value_of(&self, number: i128) -> Option<&EnumValue> {
        let at = self.values.binary_search_by_key(&number, |value| value.number).ok()?;
        self.values.get(at)
    }
}

/// One value of an enum.
#[derive(Clone, Debug, PartialEq)]
pub struct EnumValue {
    /// As spelled.
    pub schema_name: String,
    /// The number in the buffer; for `bit_flags` the bit itself, not its index.
    pub number: i128,
    /// Attributes as written.
    pub options: Options,
    /// Comments.
    pub doc: Doc,
    /// The whole declaration.
    pub span: Span,
    /// The name in it.
    pub name_span: Span,
}

/// A union of tables. Number 0 is `NONE` and not in the list.
#[derive(Clone, Debug, PartialEq)]
pub struct Union {
    /// Name, place, comments.
    pub declaration: Declaration,
    /// Variants by number.
    pub variants: Vec<UnionVariant>,
}

/// One variant of a union.
#[derive(Clone, Debug, PartialEq)]
pub struct UnionVariant {
    /// The alias as spelled, else the name of the table with `_` for every dot.
    pub schema_name: String,
    /// The number in the buffer, from 1.
    pub number: u8,
    /// The table; several variants may hold the same one.
    pub table: TableId,
    /// Attributes as written.
    pub options: Options,
    /// Comments.
    pub doc: Doc,
    /// The whole declaration.
    pub span: Span,
    /// The alias, or the name of the table.
    pub name_span: Span,
}
