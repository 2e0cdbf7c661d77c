//! Fields of messages.

use std::collections::HashMap;

use prost_reflect::MessageDescriptor;
use prost_types::{
    DescriptorProto, FieldDescriptorProto,
    field_descriptor_proto::{Label, Type as WireType},
};

use super::{
    Converter, child,
    ids::Type,
    messages::{Pair, is_map_entry, pairs},
    option::Written,
    tag,
};
use crate::ir::{Field, FieldKind, FieldLabel, MapField, Options, Scalar, Syntax};

impl Converter<'_> {
    /// The fields of a message, in declaration order.
    pub(super) fn fields(
        &self,
        pair: Pair<'_, DescriptorProto>,
        described: Option<&MessageDescriptor>,
        oneofs: &[Option<usize>],
        path: &[i32],
    ) -> Vec<Field> {
        let entries = map_entries(pair.linked);
        let mut fields = Vec::with_capacity(pair.linked.field.len());
        for (at, field) in pairs(&pair.raw.field, &pair.linked.field) {
            let path = child(path, tag::MESSAGE_FIELD, at);
            let proto = field.linked;
            let described = described.and_then(|it| it.get_field(proto.number() as u32));
            let options = field.raw.options.as_ref().map_or_else(Options::default, |raw| {
                let raw = &raw.uninterpreted_option;
                let values = described.as_ref().map(|it| it.options());
                self.options(values, Written { path: &path, field: tag::FIELD_OPTIONS, raw })
            });
            let kind = self.kind(&entries, proto);
            fields.push(Field {
                schema_name: proto.name().to_owned(),
                number: proto.number() as u32,
                label: self.label(proto, &kind),
                oneof: real_oneof(proto, oneofs),
                packed: self.packed(proto, &kind),
                default: proto.default_value.clone(),
                json_name: proto.json_name().to_owned(),
                options,
                doc: self.places.doc(&path),
                span: self.span(&path),
                name_span: self.name_span(&path),
                kind,
            });
        }
        fields
    }

    fn label(&self, proto: &FieldDescriptorProto, kind: &FieldKind) -> FieldLabel {
        match proto.label() {
            Label::Repeated => FieldLabel::Repeated,
            Label::Required => FieldLabel::Required,
            Label::Optional => {
                let is_message = matches!(kind, FieldKind::Message(_) | FieldKind::Group(_));
                let presence = self.syntax == Syntax::Proto2
                    || proto.proto3_optional()
                    || proto.oneof_index.is_some()
                    || is_message;
                if presence { FieldLabel::Optional } else { FieldLabel::Implicit }
            }
        }
    }

    fn packed(&self, proto: &FieldDescriptorProto, kind: &FieldKind) -> bool {
        let packable = match kind {
            FieldKind::Scalar(scalar) => !matches!(scalar, Scalar::String | Scalar::Bytes),
            FieldKind::Enum(_) => true,
            FieldKind::Message(_) | FieldKind::Group(_) | FieldKind::Map(_) => false,
        };
        let set = proto.options.as_ref().and_then(|options| options.packed);
        packable && proto.label() == Label::Repeated && set.unwrap_or(self.syntax == Syntax::Proto3)
    }

    fn kind(&self, entries: &Entries<'_>, proto: &FieldDescriptorProto) -> FieldKind {
        if let Some(map) = self.map_field(entries, proto) {
            return FieldKind::Map(Box::new(map));
        }
        match self.ids.find(proto.type_name()) {
            Some(Type::Message(id)) if proto.r#type() == WireType::Group => FieldKind::Group(id),
            Some(Type::Message(id)) => FieldKind::Message(id),
            Some(Type::Enum(id)) => FieldKind::Enum(id),
            None => FieldKind::Scalar(scalar(proto.r#type())),
        }
    }

    /// A repeated field of an entry type nested in the same message is a map.
    fn map_field(&self, entries: &Entries<'_>, proto: &FieldDescriptorProto) -> Option<MapField> {
        if proto.label() != Label::Repeated || proto.r#type() != WireType::Message {
            return None;
        }
        let entry = entries.get(proto.type_name().rsplit('.').next()?)?;
        let part = |number| entry.field.iter().find(|field| field.number() == number);
        let key = part(1)?;
        Some(MapField {
            entry: self.ids.message(proto.type_name())?,
            key: scalar(key.r#type()),
            value: self.kind(&Entries::new(), part(2)?),
        })
    }
}

/// The entry types nested in a message, by name.
type Entries<'a> = HashMap<&'a str, &'a DescriptorProto>;

fn map_entries(parent: &DescriptorProto) -> Entries<'_> {
    let entries = parent.nested_type.iter().filter(|nested| is_map_entry(nested));
    entries.map(|entry| (entry.name(), entry)).collect()
}

fn real_oneof(proto: &FieldDescriptorProto, oneofs: &[Option<usize>]) -> Option<usize> {
    let index = usize::try_from(proto.oneof_index?).ok()?;
    oneofs.get(index).copied().flatten()
}

fn scalar(wire: WireType) -> Scalar {
    match wire {
        WireType::Double => Scalar::Double,
        WireType::Float => Scalar::Float,
        WireType::Int64 => Scalar::Int64,
        WireType::Uint64 => Scalar::Uint64,
        WireType::Int32 => Scalar::Int32,
        WireType::Fixed64 => Scalar::Fixed64,
        WireType::Fixed32 => Scalar::Fixed32,
        WireType::Bool => Scalar::Bool,
        WireType::String => Scalar::String,
        WireType::Bytes => Scalar::Bytes,
        WireType::Uint32 => Scalar::Uint32,
        WireType::Sfixed32 => Scalar::Sfixed32,
        WireType::Sfixed64 => Scalar::Sfixed64,
        WireType::Sint32 => Scalar::Sint32,
        WireType::Sint64 => Scalar::Sint64,
        // Named types were found by name before; a linked file has no others.
        WireType::Group | WireType::Message | WireType::Enum => Scalar::Bytes,
    }
}
