//! The neutral names that prost-build sees.
//!
//! prost-build has no name allocator, breaks on some legal names and panics on others. So it never
//! sees a name of the schema: everything is called by its number, in one flat package, and
//! [`rewrite`](super::rewrite) puts the names that `lower` decided in their place. The names are
//! chosen to survive its case conversions.

use crate::ir::{EnumId, MessageId};

/// What a neutral name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marker {
    /// A message as a type.
    Message(MessageId),
    /// An enum as a type.
    Enum(EnumId),
    /// The oneof at an index of a message, as a type or as a field.
    Oneof(MessageId, usize),
    /// The field at an index of its message, as a field or as a variant.
    Field(usize),
    /// The value at an index of its enum.
    Value(usize),
}

/// Why a field is named apart: prost-build's options select fields by the last segment alone, and
/// this keeps each of its lists as short as the longest message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum FieldClass {
    Plain,
    Bytes,
    BTreeMap,
    Boxed,
}

pub(super) fn message(id: MessageId) -> String {
    format!("Swm{}x", id.0)
}

/// Stands for a message where a field holds it.
pub(super) fn stub(id: MessageId) -> String {
    format!("Sws{}x", id.0)
}

pub(super) fn enumeration(id: EnumId) -> String {
    format!("Swn{}x", id.0)
}

pub(super) fn oneof(id: MessageId, index: usize) -> String {
    format!("Swo{}x{index}x", id.0)
}

pub(super) fn field(index: usize, class: FieldClass) -> String {
    let letter = match class {
        FieldClass::Plain => 'f',
        FieldClass::Bytes => 'b',
        FieldClass::BTreeMap => 't',
        FieldClass::Boxed => 'k',
    };
    format!("sw{letter}{index}x")
}

pub(super) fn value(index: usize) -> String {
    format!("Swv{index}x")
}

/// Reads a neutral name, in snake or camel case.
pub(super) fn read(ident: &str) -> Option<Marker> {
    let rest = ident.strip_prefix("Sw").or_else(|| ident.strip_prefix("sw"))?;
    let kind = rest.chars().next()?;
    let mut numbers = rest.get(1..)?.strip_suffix('x')?.split('x').map(str::parse::<u32>);
    let first = numbers.next()?.ok()?;
    let second = numbers.next().transpose().ok()?;
    match (kind, second) {
        ('m' | 's', None) => Some(Marker::Message(MessageId(first))),
        ('n', None) => Some(Marker::Enum(EnumId(first))),
        ('o', Some(index)) => Some(Marker::Oneof(MessageId(first), index as usize)),
        ('f' | 'b' | 't' | 'k', None) => Some(Marker::Field(first as usize)),
        ('v', None) => Some(Marker::Value(first as usize)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heck::{ToSnakeCase, ToUpperCamelCase};

    #[test]
    fn neutral_names_survive_case_conversion() {
        let cases = [
            (message(MessageId(12)), Marker::Message(MessageId(12))),
            (stub(MessageId(0)), Marker::Message(MessageId(0))),
            (enumeration(EnumId(7)), Marker::Enum(EnumId(7))),
            (oneof(MessageId(3), 4), Marker::Oneof(MessageId(3), 4)),
            (field(5, FieldClass::Boxed), Marker::Field(5)),
            (value(9), Marker::Value(9)),
        ];
        for (name, marker) in cases {
            assert_eq!(read(&name), Some(marker));
            assert_eq!(read(&name.to_snake_case()), Some(marker));
            assert_eq!(read(&name.to_upper_camel_case()), Some(marker));
        }
    }
}
