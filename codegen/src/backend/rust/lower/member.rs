//! Names what is inside a type: fields, variants of oneofs, variants of enums.
//!
//! These carry numbers that never change, so a name that is taken is told apart by its number
//! instead of being refused: lower numbers choose first, which keeps names when a field is added.

use std::collections::HashMap;

use crate::ir::{EnumId, Field, FieldKind, FieldLabel, Message, MessageId};

use super::Lower;
use super::ident;
use super::model::TypePlace;
use super::scope::{Claim, Scope};

impl Lower<'_> {
    /// Names the members of every type that is generated.
    pub(super) fn place_members(&mut self) {
        for index in 0..self.schema.messages.len() {
            let id = MessageId(index as u32);
            if self.is_local(id) && !self.schema.message(id).is_map_entry {
                self.place_fields(id);
                self.place_oneof_variants(id);
            }
        }
        for index in 0..self.schema.enums.len() {
            let id = EnumId(index as u32);
            self.names.variants[index] =
                if self.is_local_enum(id) { self.enum_variants(id) } else { Vec::new() };
        }
    }

    fn place_fields(&mut self, id: MessageId) {
        let message = self.schema.message(id);
        let mut queue: Vec<Member<'_>> = Vec::new();
        for (index, field) in message.fields.iter().enumerate() {
            if field.oneof.is_none() {
                queue.push(Member::field(index, field));
            }
        }
        for (index, oneof) in message.oneofs.iter().enumerate() {
            queue.push(Member::oneof(message, index, &oneof.schema_name));
        }
        queue.sort_by_key(|member| (member.schema_name != member.wanted, member.number));
        let mut fields = Scope::default();
        let mut methods = Scope::default();
        let names = &mut self.names.messages[id.0 as usize];
        names.members = vec![String::new(); message.fields.len()];
        for member in queue {
            let accessors = |ident: &str| match member.at {
                At::Field(index) => accessors(&message.fields[index], ident),
                At::Oneof(_) => Vec::new(),
            };
            let full_name = format!("{}.{}", message.full_name, member.schema_name);
            let chosen = match member.at {
                At::Field(_) => self.renames.take(&full_name),
                At::Oneof(_) => None,
            };
            let mut ident = chosen.unwrap_or_else(|| member.wanted.clone());
            if ident.is_empty() {
                ident = format!("_{}", member.number);
            }
            if matches!(member.at, At::Field(index) if has_map_accessors(&message.fields[index])) {
                // prost's derive builds `get_r#type` of it, and panics.
                ident = unraw_with_underscore(ident);
            }
            let free = |ident: &str, fields: &Scope, methods: &Scope| {
                fields.is_free(ident) && accessors(ident).iter().all(|name| methods.is_free(name))
            };
            if !free(&ident, &fields, &methods) {
                ident = format!("{}_{}", ident::unraw(&ident), member.number);
            }
            while !free(&ident, &fields, &methods) {
                ident.push('_');
            }
            for name in accessors(&ident) {
                let _ = methods.claim(&name, Claim::reserved("an accessor"));
            }
            let _ = fields.claim(&ident, Claim::reserved("a field"));
            match member.at {
                At::Field(index) => names.members[index] = ident,
                At::Oneof(index) => names.oneofs[index].field = ident,
            }
        }
    }

    fn place_oneof_variants(&mut self, id: MessageId) {
        let message = self.schema.message(id);
        let mut scopes: Vec<Scope> = message.oneofs.iter().map(|_| Scope::default()).collect();
        let mut queue: Vec<(usize, usize, &Field)> = message
            .fields
            .iter()
            .enumerate()
            .filter_map(|(index, field)| Some((index, field.oneof?, field)))
            .collect();
        queue.sort_by_key(|(_, _, field)| field.number);
        for (index, oneof, field) in queue {
            let full_name = format!("{}.{}", message.full_name, field.schema_name);
            let camel = ident::camel(&field.schema_name);
            let wanted = self.renames.take(&full_name).unwrap_or(camel);
            let Some(scope) = scopes.get_mut(oneof) else { continue };
            let ident = variant(scope, [wanted], &field.number.to_string());
            self.names.messages[id.0 as usize].members[index] = ident;
        }
    }

    fn enum_variants(&mut self, id: EnumId) -> Vec<String> {
        let enumeration = self.schema.enumeration(id);
        let TypePlace::Local { .. } = &self.names.enum_places[id.0 as usize] else {
            return Vec::new();
        };
        let prefix = ident::camel(&enumeration.schema_name);
        // Further names of a number (`allow_alias`) are the same variant.
        let mut first_of_number: HashMap<i32, usize> = HashMap::new();
        for (index, value) in enumeration.values.iter().enumerate() {
            first_of_number.entry(value.number).or_insert(index);
        }
        let mut order: Vec<usize> = first_of_number.values().copied().collect();
        let number = |index: usize| enumeration.values[index].number;
        order.sort_by_key(|index| (number(*index) < 0, number(*index).unsigned_abs()));
        let mut scope = Scope::default();
        let mut variants = vec![String::new(); enumeration.values.len()];
        for index in order {
            let value = &enumeration.values[index];
            let full = ident::camel(&value.schema_name);
            let short = if self.options.messages.retain_enum_prefix {
                full.clone()
            } else {
                ident::strip_enum_prefix(&prefix, &full)
            };
            let full_name = format!("{}.{}", enumeration.full_name, value.schema_name);
            let short = self.renames.take(&full_name).unwrap_or(short);
            let sign = if value.number < 0 { "Minus" } else { "" };
            let number = format!("{sign}{}", value.number.unsigned_abs());
            variants[index] = variant(&mut scope, [short, full], &number);
        }
        for (index, value) in enumeration.values.iter().enumerate() {
            variants[index] = variants[first_of_number[&value.number]].clone();
        }
        variants
    }
}

/// The first of the wished names that is free, else the last one with its number.
fn variant<const N: usize>(scope: &mut Scope, wishes: [String; N], number: &str) -> String {
    for wish in &wishes {
        if !wish.is_empty() && scope.claim(wish, Claim::reserved("a variant")).is_ok() {
            return wish.clone();
        }
    }
    let stem = wishes.last().map_or("", |wish| ident::unraw(wish));
    let stem = if stem.is_empty() { "Value" } else { stem };
    scope.companion(&format!("{stem}{number}"), "a variant")
}

#[derive(Clone, Copy)]
enum At {
    Field(usize),
    Oneof(usize),
}

struct Member<'a> {
    at: At,
    schema_name: &'a str,
    wanted: String,
    number: u32,
}

impl<'a> Member<'a> {
    fn field(index: usize, field: &'a Field) -> Self {
        let schema_name = field.schema_name.as_str();
        let wanted = ident::snake(schema_name);
        Self { at: At::Field(index), schema_name, wanted, number: field.number }
    }

    /// A oneof has no number; its lowest member's stands in.
    fn oneof(message: &Message, index: usize, schema_name: &'a str) -> Self {
        let members = message.fields.iter().filter(|field| field.oneof == Some(index));
        let number = members.map(|field| field.number).min().unwrap_or(0);
        Self { at: At::Oneof(index), schema_name, wanted: ident::snake(schema_name), number }
    }
}

/// The methods that prost's derive makes of a field.
fn accessors(field: &Field, ident: &str) -> Vec<String> {
    let plain = ident::unraw(ident);
    let with = |prefix: &str| format!("{prefix}_{plain}");
    match (&field.kind, field.label) {
        (FieldKind::Enum(_), FieldLabel::Repeated) => vec![plain.to_owned(), with("push")],
        (FieldKind::Enum(_), _) => vec![plain.to_owned(), with("set")],
        (FieldKind::Map(map), _) if matches!(map.value, FieldKind::Enum(_)) => {
            vec![with("get"), with("insert")]
        }
        (FieldKind::Scalar(_), FieldLabel::Optional) => vec![plain.to_owned()],
        _ => Vec::new(),
    }
}

fn has_map_accessors(field: &Field) -> bool {
    matches!(&field.kind, FieldKind::Map(map) if matches!(map.value, FieldKind::Enum(_)))
}

fn unraw_with_underscore(ident: String) -> String {
    match ident.strip_prefix("r#") {
        Some(word) => format!("{word}_"),
        None => ident,
    }
}
