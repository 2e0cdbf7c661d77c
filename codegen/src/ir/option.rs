//! Options as set in the schema, custom ones included.

use super::Span;

/// The options set on one element, in schema order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options(pub Vec<OptionEntry>);

/// One option that was set.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionEntry {
    /// `deprecated` for built-in options, `pkg.name` for extensions.
    pub name: String,
    /// True for a custom option (an extension).
    pub custom: bool,
    /// The value.
    pub value: OptionValue,
    /// Where it is set, when the source tells.
    pub span: Option<Span>,
}

/// The value of an option.
#[derive(Clone, Debug, PartialEq)]
pub enum OptionValue {
    /// `true` or `false`.
    Bool(bool),
    /// Any signed integer.
    Int(i64),
    /// Any unsigned integer.
    Uint(u64),
    /// `float` or `double`.
    Float(f64),
    /// Text.
    String(String),
    /// Raw bytes.
    Bytes(Vec<u8>),
    /// The name of an enum value, or its number in text when it has none.
    Enum(String),
    /// A repeated option.
    List(Vec<OptionValue>),
    /// A message, fields in number order.
    Message(Vec<(String, OptionValue)>),
}

impl Options {
    /// The value of the option `name`.
    pub fn get(&self, name: &str) -> Option<&OptionValue> {
        self.0.iter().find(|entry| entry.name == name).map(|entry| &entry.value)
    }

    /// True when the boolean option `name` is set to true.
    pub fn flag(&self, name: &str) -> bool {
        matches!(self.get(name), Some(OptionValue::Bool(true)))
    }
}
