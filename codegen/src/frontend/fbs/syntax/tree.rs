//! The syntax tree of one file: names as written, nothing resolved, every part with its extent.
//!
//! Together with the tokens, comments among them, it is the whole text: a formatter needs no more.

use std::sync::Arc;

use super::token::{Extent, Token, TokenKind};

/// One file.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The text.
    pub text: Arc<str>,
    /// All tokens; joined, they are the text.
    pub tokens: Vec<Token>,
    /// The declarations that could be read.
    pub items: Vec<Item>,
}

impl Tree {
    /// The text of an extent.
    pub fn text_of(&self, extent: Extent) -> &str {
        self.text.get(extent.start as usize..extent.end as usize).unwrap_or_default()
    }

    /// Comments of any kind, in order.
    pub fn comments(&self) -> impl Iterator<Item = &Token> {
        self.tokens.iter().filter(|token| {
            matches!(
                token.kind,
                TokenKind::LineComment | TokenKind::BlockComment | TokenKind::DocComment
            )
        })
    }
}

/// A piece of text with its place: a name, or the value of a string.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    /// The name, or the string without quotes and escapes.
    pub value: String,
    /// The token, or the tokens of a dotted name.
    pub extent: Extent,
}

/// One declaration.
#[derive(Clone, Debug)]
pub struct Item {
    /// What it declares.
    pub kind: ItemKind,
    /// The `///` comments before it.
    pub docs: Vec<Extent>,
    /// From its keyword to its last token.
    pub extent: Extent,
}

/// What a declaration declares.
#[derive(Clone, Debug)]
pub enum ItemKind {
    /// `include "file";`
    Include(Text),
    /// `native_include "file";`: means something to C++ alone.
    NativeInclude(Text),
    /// `namespace A.B;`; no name for the root.
    Namespace(Option<Text>),
    /// `attribute "name";`
    Attribute(Text),
    /// `table`
    Table(Record),
    /// `struct`
    Struct(Record),
    /// `enum`
    Enum(EnumDecl),
    /// `union`
    Union(UnionDecl),
    /// `root_type Name;`
    RootType(Text),
    /// `file_identifier "abcd";`
    FileIdentifier(Text),
    /// `file_extension "ext";`
    FileExtension(Text),
    /// `rpc_service`
    Service(ServiceDecl),
    /// An object of data.
    Object,
}

/// A table or a struct.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its name.
    pub name: Text,
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// Fields.
    pub fields: Vec<FieldDecl>,
}

/// One field.
#[derive(Clone, Debug)]
pub struct FieldDecl {
    /// Its name.
    pub name: Text,
    /// Its type.
    pub ty: TypeRef,
    /// `= value`.
    pub default: Option<ValueExpr>,
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// The `///` comments before it.
    pub docs: Vec<Extent>,
    /// From its name to the semicolon.
    pub extent: Extent,
}

/// A type as written.
#[derive(Clone, Debug)]
pub struct TypeRef {
    /// The dotted name inside of all brackets.
    pub name: Text,
    /// The brackets, innermost first.
    pub brackets: Vec<Bracket>,
    /// The whole type.
    pub extent: Extent,
}

/// One pair of brackets around a type.
#[derive(Clone, Debug)]
pub enum Bracket {
    /// `[T]`
    Vector,
    /// `[T:N]`, the number as written.
    Array(Text),
}

/// The value of a default.
#[derive(Clone, Debug)]
pub struct ValueExpr {
    /// Functions around it, outermost first: `rad(…)`.
    pub functions: Vec<Text>,
    /// What is inside.
    pub atom: Atom,
    /// The whole value.
    pub extent: Extent,
}

/// A value without functions.
#[derive(Clone, Debug)]
pub enum Atom {
    /// A number as written.
    Integer(Text),
    /// A number with point or exponent as written, or a word with a sign such as `-inf`.
    Float(Text),
    /// A string.
    String(Text),
    /// A word, dotted or not: `true`, `null`, the value of an enum.
    Word(Text),
    /// `[]`
    EmptyVector,
}

/// One attribute of `(…)`.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// Its name, quoted or not.
    pub name: Text,
    /// Its value.
    pub value: Option<AttributeValue>,
    /// The whole attribute.
    pub extent: Extent,
}

/// The value of an attribute.
#[derive(Clone, Debug)]
pub enum AttributeValue {
    /// An integer as written.
    Integer(Text),
    /// A string.
    String(Text),
}

/// An enum.
#[derive(Clone, Debug)]
pub struct EnumDecl {
    /// Its name.
    pub name: Text,
    /// The type behind the colon.
    pub underlying: Option<Text>,
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// Values.
    pub values: Vec<EnumValueDecl>,
}

/// One value of an enum.
#[derive(Clone, Debug)]
pub struct EnumValueDecl {
    /// Its name.
    pub name: Text,
    /// `= number`, as written.
    pub number: Option<Text>,
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// The `///` comments before it.
    pub docs: Vec<Extent>,
    /// The whole value, without a comma.
    pub extent: Extent,
}

/// A union.
#[derive(Clone, Debug)]
pub struct UnionDecl {
    /// Its name.
    pub name: Text,
    /// The type behind the colon.
    pub underlying: Option<Text>,
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// Variants.
    pub variants: Vec<VariantDecl>,
}

/// One variant of a union.
#[derive(Clone, Debug)]
pub struct VariantDecl {
    /// `alias:`
    pub alias: Option<Text>,
    /// The dotted name of its type.
    pub ty: Text,
    /// `= number`, as written.
    pub number: Option<Text>,
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// The `///` comments before it.
    pub docs: Vec<Extent>,
    /// The whole variant, without a comma.
    pub extent: Extent,
}

/// A service.
#[derive(Clone, Debug)]
pub struct ServiceDecl {
    /// Its name.
    pub name: Text,
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// Methods.
    pub methods: Vec<MethodDecl>,
}

/// One method.
#[derive(Clone, Debug)]
pub struct MethodDecl {
    /// Its name.
    pub name: Text,
    /// The dotted name of the request.
    pub request: Text,
    /// The dotted name of the reply.
    pub reply: Text,
    /// Attributes.
    pub attributes: Vec<Attribute>,
    /// The `///` comments before it.
    pub docs: Vec<Extent>,
    /// From its name to the semicolon.
    pub extent: Extent,
}
