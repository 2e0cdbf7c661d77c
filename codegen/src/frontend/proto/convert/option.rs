//! Options, custom ones included, from the dynamic messages of the descriptor pool.

use std::collections::HashMap;

use prost_reflect::{DynamicMessage, Kind, MapKey, Value};
use prost_types::UninterpretedOption;

use super::{Converter, tag};
use crate::ir::{OptionEntry, OptionValue, Options};

/// The options of one element as far as they are written down.
pub(super) struct Written<'a> {
    /// The path of the element.
    pub(super) path: &'a [i32],
    /// The number of its `options` field.
    pub(super) field: i32,
    /// What the parser left for the linker, in the order of the text; empty in descriptor sets.
    pub(super) raw: &'a [UninterpretedOption],
}

impl Converter<'_> {
    /// Converts the options of one element, in the order in which they are written; what has no
    /// place in the text comes last, in the order of its number.
    pub(super) fn options(&self, values: Option<DynamicMessage>, written: Written<'_>) -> Options {
        let Some(values) = values else { return Options::default() };
        let mut path = written.path.to_vec();
        path.push(written.field);
        let order = Order::new(written.raw);
        let mut entries = Vec::new();
        for (field, value) in values.fields() {
            let at = order.built_in.get(field.name()).copied();
            let value = convert(&field.kind(), value);
            entries.push((at, field.number(), entry(field.name(), false, value)));
        }
        for (extension, value) in values.extensions() {
            let at = order.custom(extension.full_name());
            let value = convert(&extension.kind(), value);
            entries.push((at, extension.number(), entry(extension.full_name(), true, value)));
        }
        entries.sort_by_key(|(at, number, _)| (at.unwrap_or(usize::MAX), *number));
        let located = entries.into_iter().map(|(at, number, mut entry)| {
            let place = match at {
                Some(at) => [tag::UNINTERPRETED_OPTION, at as i32].to_vec(),
                None => vec![number as i32],
            };
            let full = [path.as_slice(), &place].concat();
            entry.span = self.places.span(&full);
            entry
        });
        Options(located.collect())
    }
}

fn entry(name: &str, custom: bool, value: OptionValue) -> OptionEntry {
    OptionEntry { name: name.to_owned(), custom, value, span: None }
}

/// The index of the first mention of each option.
#[derive(Default)]
struct Order<'a> {
    built_in: HashMap<&'a str, usize>,
    /// By the last segment: the text may leave out outer scopes.
    custom: HashMap<&'a str, Vec<(usize, &'a str)>>,
}

impl<'a> Order<'a> {
    fn new(raw: &'a [UninterpretedOption]) -> Self {
        let mut order = Self::default();
        for (at, option) in raw.iter().enumerate() {
            let Some(part) = option.name.first() else { continue };
            let name = part.name_part.as_str();
            if part.is_extension {
                let last = name.rsplit('.').next().unwrap_or(name);
                order.custom.entry(last).or_default().push((at, name));
            } else {
                order.built_in.entry(name).or_insert(at);
            }
        }
        order
    }

    fn custom(&self, full_name: &str) -> Option<usize> {
        let last = full_name.rsplit('.').next().unwrap_or(full_name);
        let mut mentions = self.custom.get(last)?.iter();
        let is_it = |written: &str| match written.strip_prefix('.') {
            Some(absolute) => absolute == full_name,
            None => {
                let outer = full_name.strip_suffix(written);
                outer.is_some_and(|outer| outer.is_empty() || outer.ends_with('.'))
            }
        };
        mentions.find(|(_, written)| is_it(written)).map(|(at, _)| *at)
    }
}

fn convert(kind: &Kind, value: &Value) -> OptionValue {
    match value {
        Value::Bool(value) => OptionValue::Bool(*value),
        Value::I32(value) => OptionValue::Int((*value).into()),
        Value::I64(value) => OptionValue::Int(*value),
        Value::U32(value) => OptionValue::Uint((*value).into()),
        Value::U64(value) => OptionValue::Uint(*value),
        Value::F32(value) => OptionValue::Float((*value).into()),
        Value::F64(value) => OptionValue::Float(*value),
        Value::String(value) => OptionValue::String(value.clone()),
        Value::Bytes(value) => OptionValue::Bytes(value.to_vec()),
        Value::EnumNumber(number) => OptionValue::Enum(enum_name(kind, *number)),
        Value::Message(message) => OptionValue::Message(fields(message)),
        Value::List(values) => {
            OptionValue::List(values.iter().map(|value| convert(kind, value)).collect())
        }
        Value::Map(entries) => {
            // A hash map: sorted, or the order would change from run to run.
            let mut sorted: Vec<_> = entries.iter().collect();
            sorted.sort_by(|(a, _), (b, _)| key_order(a).cmp(&key_order(b)));
            let value_kind = map_value_kind(kind);
            let entry = |(key, value)| map_entry(&value_kind, key, value);
            OptionValue::List(sorted.into_iter().map(entry).collect())
        }
    }
}

fn fields(message: &DynamicMessage) -> Vec<(String, OptionValue)> {
    let mut fields: Vec<(u32, String, OptionValue)> = message
        .fields()
        .map(|(field, value)| {
            (field.number(), field.name().to_owned(), convert(&field.kind(), value))
        })
        .collect();
    fields.extend(message.extensions().map(|(extension, value)| {
        let name = format!("({})", extension.full_name());
        (extension.number(), name, convert(&extension.kind(), value))
    }));
    fields.sort_by_key(|(number, ..)| *number);
    fields.into_iter().map(|(_, name, value)| (name, value)).collect()
}

fn enum_name(kind: &Kind, number: i32) -> String {
    let value = kind.as_enum().and_then(|enumeration| enumeration.get_value(number));
    value.map_or_else(|| number.to_string(), |value| value.name().to_owned())
}

fn map_value_kind(kind: &Kind) -> Kind {
    match kind.as_message() {
        Some(entry) if entry.is_map_entry() => entry.map_entry_value_field().kind(),
        _ => kind.clone(),
    }
}

fn map_entry(value_kind: &Kind, key: &MapKey, value: &Value) -> OptionValue {
    let key = convert(&Kind::String, &Value::from(key.clone()));
    let value = convert(value_kind, value);
    OptionValue::Message(vec![("key".to_owned(), key), ("value".to_owned(), value)])
}

fn key_order(key: &MapKey) -> (i128, &str) {
    match key {
        MapKey::Bool(key) => ((*key).into(), ""),
        MapKey::I32(key) => ((*key).into(), ""),
        MapKey::I64(key) => ((*key).into(), ""),
        MapKey::U32(key) => ((*key).into(), ""),
        MapKey::U64(key) => ((*key).into(), ""),
        MapKey::String(key) => (0, key),
    }
}
