//! Descriptors with neutral names for prost-build: one flat file per dialect, every message in it,
//! nothing nested but map entries.
//!
//! Where a field holds a message, it holds a stub instead, that has no fields of messages itself
//! and tells prost-build only what it asks: can it be `Copy`, can it be `Eq`. So prost-build's
//! walks over the message graph, which are cubic in a chain, end at once.

use std::collections::BTreeSet;

use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{
    DescriptorProto, EnumDescriptorProto, EnumOptions, EnumValueDescriptorProto, EnumValueOptions,
    FieldDescriptorProto, FieldOptions, FileDescriptorProto, MessageOptions, OneofDescriptorProto,
};

use super::super::lower::path::field_path;
use super::Context;
use super::marker::{self, FieldClass};
use crate::ir::{
    Enum, EnumId, Field, FieldKind, FieldLabel, MapField, Message, MessageId, Scalar, Syntax,
};

/// What prost-build is fed.
#[derive(Default)]
pub(super) struct Input {
    pub(super) files: Vec<FileDescriptorProto>,
    /// Messages that fields hold.
    pub(super) stubs: BTreeSet<MessageId>,
    /// Enums that fields hold.
    pub(super) enums: BTreeSet<EnumId>,
    /// The fields named apart.
    pub(super) classes: BTreeSet<(FieldClass, usize)>,
    /// Messages whose maps of bytes hold `Bytes`.
    pub(super) bytes_maps: BTreeSet<MessageId>,
}

/// Describes everything that is generated.
pub(super) fn describe(context: &Context<'_>) -> Input {
    let mut input = Input::default();
    let mut proto2 = file("proto2");
    let mut proto3 = file("proto3");
    for (index, message) in context.schema.messages.iter().enumerate() {
        let id = MessageId(index as u32);
        if context.is_local(id) && !message.is_map_entry {
            let file = match context.schema.file(message.file).syntax {
                Syntax::Proto2 => &mut proto2,
                Syntax::Proto3 => &mut proto3,
                // Such a file declares no messages.
                Syntax::FlatBuffers => continue,
            };
            file.message_type.push(describe_message(context, &mut input, id, message));
        }
    }
    for (index, enumeration) in context.schema.enums.iter().enumerate() {
        let id = EnumId(index as u32);
        if context.is_local_enum(id) {
            proto3.enum_type.push(describe_enum(id, enumeration));
        }
    }
    for id in &input.stubs {
        proto3.message_type.push(describe_stub(context, *id));
    }
    input.files = vec![proto2, proto3];
    input
}

fn file(syntax: &str) -> FileDescriptorProto {
    FileDescriptorProto {
        name: Some(format!("{syntax}.proto")),
        syntax: Some(syntax.to_owned()),
        ..FileDescriptorProto::default()
    }
}

fn describe_message(
    context: &Context<'_>,
    input: &mut Input,
    id: MessageId,
    message: &Message,
) -> DescriptorProto {
    let mut descriptor =
        DescriptorProto { name: Some(marker::message(id)), ..DescriptorProto::default() };
    for index in 0..message.oneofs.len() {
        descriptor
            .oneof_decl
            .push(OneofDescriptorProto { name: Some(marker::oneof(id, index)), options: None });
    }
    let proto3 = context.schema.file(message.file).syntax == Syntax::Proto3;
    for (index, field) in message.fields.iter().enumerate() {
        let class = classify(context, id, field);
        if class != FieldClass::Plain {
            input.classes.insert((class, index));
        }
        let name = marker::field(index, class);
        let mut described = describe_field(input, field, name);
        let scalar = !matches!(field.kind, FieldKind::Message(_) | FieldKind::Group(_));
        if proto3 && field.label == FieldLabel::Optional && field.oneof.is_none() && scalar {
            described.proto3_optional = Some(true);
        }
        if let FieldKind::Map(map) = &field.kind {
            if matches!(map.value, FieldKind::Scalar(Scalar::Bytes))
                && context.options.messages.bytes.selects(&format!(".{}.value", message.full_name))
            {
                input.bytes_maps.insert(id);
            }
            let entry = describe_entry(input, map, index);
            described.type_name = Some(format!(".{}.{}", marker::message(id), entry.name()));
            descriptor.nested_type.push(entry);
        }
        descriptor.field.push(described);
    }
    descriptor
}

fn classify(context: &Context<'_>, holder: MessageId, field: &Field) -> FieldClass {
    let options = &context.options.messages;
    let path = field_path(context.schema, holder, field);
    match &field.kind {
        FieldKind::Scalar(Scalar::Bytes)
            if options.bytes.selects(&plain_path(context, holder, field)) =>
        {
            FieldClass::Bytes
        }
        FieldKind::Map(_) if options.btree_map.selects(&path) => FieldClass::BTreeMap,
        FieldKind::Message(_) | FieldKind::Group(_)
            if field.label != FieldLabel::Repeated
                && (context.graph.is_recursive(holder, field) || options.boxed.selects(&path)) =>
        {
            FieldClass::Boxed
        }
        _ => FieldClass::Plain,
    }
}

/// `bytes` selects members of oneofs without the oneof, in prost-build.
fn plain_path(context: &Context<'_>, holder: MessageId, field: &Field) -> String {
    format!(".{}.{}", context.schema.message(holder).full_name, field.schema_name)
}

fn describe_field(input: &mut Input, field: &Field, name: String) -> FieldDescriptorProto {
    let label = match field.label {
        FieldLabel::Optional | FieldLabel::Implicit => Label::Optional,
        FieldLabel::Required => Label::Required,
        FieldLabel::Repeated => Label::Repeated,
    };
    let (kind, type_name) = describe_kind(input, &field.kind);
    let default = field.default.clone().filter(|_| !matches!(field.kind, FieldKind::Enum(_)));
    FieldDescriptorProto {
        name: Some(name),
        number: Some(field.number as i32),
        label: Some(label.into()),
        r#type: Some(kind.into()),
        type_name,
        // An enum's default is put in afterwards: it is a name.
        default_value: default,
        oneof_index: field.oneof.map(|index| index as i32),
        options: Some(FieldOptions {
            packed: Some(field.packed),
            deprecated: Some(field.options.flag("deprecated")),
            ..FieldOptions::default()
        }),
        ..FieldDescriptorProto::default()
    }
}

fn describe_kind(input: &mut Input, kind: &FieldKind) -> (Type, Option<String>) {
    match kind {
        FieldKind::Scalar(scalar) => (scalar_type(*scalar), None),
        FieldKind::Enum(id) => {
            input.enums.insert(*id);
            (Type::Enum, Some(format!(".{}", marker::enumeration(*id))))
        }
        FieldKind::Message(id) => {
            input.stubs.insert(*id);
            (Type::Message, Some(format!(".{}", marker::stub(*id))))
        }
        FieldKind::Group(id) => {
            input.stubs.insert(*id);
            (Type::Group, Some(format!(".{}", marker::stub(*id))))
        }
        // The caller knows the name of the entry.
        FieldKind::Map(_) => (Type::Message, None),
    }
}

fn describe_entry(input: &mut Input, map: &MapField, index: usize) -> DescriptorProto {
    let key = FieldDescriptorProto {
        name: Some("key".to_owned()),
        number: Some(1),
        label: Some(Label::Optional.into()),
        r#type: Some(scalar_type(map.key).into()),
        ..FieldDescriptorProto::default()
    };
    let (kind, type_name) = describe_kind(input, &map.value);
    let value = FieldDescriptorProto {
        name: Some("value".to_owned()),
        number: Some(2),
        label: Some(Label::Optional.into()),
        r#type: Some(kind.into()),
        type_name,
        ..FieldDescriptorProto::default()
    };
    DescriptorProto {
        name: Some(format!("Swe{index}x")),
        field: vec![key, value],
        options: Some(MessageOptions { map_entry: Some(true), ..MessageOptions::default() }),
        ..DescriptorProto::default()
    }
}

/// A message that looks to prost-build as copyable and comparable as the real one.
fn describe_stub(context: &Context<'_>, id: MessageId) -> DescriptorProto {
    let field = |number: i32, kind: Type| FieldDescriptorProto {
        name: Some(format!("swf{number}x")),
        number: Some(number),
        label: Some(Label::Optional.into()),
        r#type: Some(kind.into()),
        ..FieldDescriptorProto::default()
    };
    let mut fields = Vec::new();
    if !context.graph.is_copy(id) {
        fields.push(field(1, Type::String));
    }
    if !context.graph.is_eq(id) {
        fields.push(field(2, Type::Double));
    }
    DescriptorProto { name: Some(marker::stub(id)), field: fields, ..DescriptorProto::default() }
}

fn describe_enum(id: EnumId, enumeration: &Enum) -> EnumDescriptorProto {
    let value = |(index, value): (usize, &crate::ir::EnumValue)| EnumValueDescriptorProto {
        name: Some(marker::value(index)),
        number: Some(value.number),
        options: Some(EnumValueOptions {
            deprecated: Some(value.options.flag("deprecated")),
            ..EnumValueOptions::default()
        }),
    };
    EnumDescriptorProto {
        name: Some(marker::enumeration(id)),
        value: enumeration.values.iter().enumerate().map(value).collect(),
        // prost-build keeps the first name of a number.
        options: Some(EnumOptions { allow_alias: Some(true), ..EnumOptions::default() }),
        ..EnumDescriptorProto::default()
    }
}

fn scalar_type(scalar: Scalar) -> Type {
    match scalar {
        Scalar::Double => Type::Double,
        Scalar::Float => Type::Float,
        Scalar::Int64 => Type::Int64,
        Scalar::Uint64 => Type::Uint64,
        Scalar::Int32 => Type::Int32,
        Scalar::Fixed64 => Type::Fixed64,
        Scalar::Fixed32 => Type::Fixed32,
        Scalar::Bool => Type::Bool,
        Scalar::String => Type::String,
        Scalar::Bytes => Type::Bytes,
        Scalar::Uint32 => Type::Uint32,
        Scalar::Sfixed32 => Type::Sfixed32,
        Scalar::Sfixed64 => Type::Sfixed64,
        Scalar::Sint32 => Type::Sint32,
        Scalar::Sint64 => Type::Sint64,
    }
}
