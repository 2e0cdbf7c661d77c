//! Lowers the layout text of a package: names and types of everything that its services send, for people who read
//! bytes (the runtime's `golden`). Calls never look at it.
//!
//! The grammar stands with its reader, in the runtime's `registry/layout.rs`. Types come by full name, members in
//! the order of their numbers, so that the text depends on nothing but what it describes.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::ir::flat::{Element, StructElement, StructType, Type};
use crate::ir::{self, FieldKind, FieldLabel, MessageId, PayloadType, Schema, TableId, flat};

use super::Lower;
use super::model::{ModulePath, RustLayout, RustModel, RustService, RustShape};
use super::scope::Scope;

impl Lower<'_> {
    /// The layout text of every package module with methods.
    pub(super) fn lower_layouts(&self, model: &mut RustModel) {
        let mut services: BTreeMap<&ModulePath, Vec<&RustService>> = BTreeMap::new();
        for service in &model.services {
            services.entry(&service.module).or_default().push(service);
        }
        let mut layouts = BTreeMap::new();
        for (module, services) in services {
            let mut reached = Reached { schema: self.schema, blocks: BTreeMap::new() };
            let methods = services.iter().flat_map(|service| &service.methods);
            reached.collect(methods.flat_map(|method| [method.input, method.output]));
            if reached.blocks.is_empty() {
                continue;
            }
            let shapes = model.shapes.get(module).map_or(&[][..], Vec::as_slice);
            let ident = free_ident(shapes);
            let text = reached.blocks.into_values().collect();
            layouts.insert(module.clone(), RustLayout { ident, text });
        }
        model.layouts = layouts;
    }
}

/// The layout gives way to the shapes beside it, which are named after messages.
fn free_ident(shapes: &[RustShape]) -> String {
    let mut scope = Scope::default();
    for shape in shapes {
        let _ = scope.companion(&shape.ident, "a shape");
    }
    scope.companion("LAYOUT", "the layout")
}

/// A type that has a block of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Message(MessageId),
    Enum(ir::EnumId),
    Table(TableId),
    Struct(flat::StructId),
    FlatEnum(flat::EnumId),
    Union(flat::UnionId),
}

/// What the services reach, as text by full name. A message and a table may share one.
struct Reached<'a> {
    schema: &'a Schema,
    blocks: BTreeMap<(&'a str, Part), String>,
}

impl<'a> Reached<'a> {
    /// Writes everything that these payloads reach. A list, no recursion: a chain may be long.
    fn collect(&mut self, payloads: impl Iterator<Item = PayloadType>) {
        let part = |payload| match payload {
            PayloadType::Message(id) => Part::Message(id),
            PayloadType::Table(id) => Part::Table(id),
        };
        let mut todo: Vec<Part> = payloads.map(part).collect();
        let mut seen = BTreeSet::new();
        while let Some(part) = todo.pop() {
            if seen.insert(part) {
                let mut block =
                    Block { schema: self.schema, text: String::new(), named: &mut todo };
                let name = block.write(part);
                let text = block.text;
                self.blocks.insert((name, part), text);
            }
        }
    }
}

/// One type as it is written down, and the types that it names.
struct Block<'a, 'todo> {
    schema: &'a Schema,
    text: String,
    named: &'todo mut Vec<Part>,
}

impl<'a> Block<'a, '_> {
    fn write(&mut self, part: Part) -> &'a str {
        let types = &self.schema.flat;
        match part {
            Part::Message(id) => self.message(self.schema.message(id)),
            Part::Enum(id) => self.enumeration(self.schema.enumeration(id)),
            Part::Table(id) => self.table(types.table(id)),
            Part::Struct(id) => self.structure(types.structure(id)),
            Part::FlatEnum(id) => self.flat_enumeration(types.enumeration(id)),
            Part::Union(id) => self.union(types.union(id)),
        }
    }

    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.text.write_fmt(text);
        self.text.push('\n');
    }

    fn message(&mut self, it: &'a ir::Message) -> &'a str {
        self.line(format_args!("message {}", it.full_name));
        let mut fields: Vec<&ir::Field> = it.fields.iter().collect();
        fields.sort_by_key(|field| field.number);
        for field in fields {
            let ty = self.field_type(field);
            self.line(format_args!("{} {} {ty}", field.number, field.schema_name));
        }
        &it.full_name.0
    }

    fn field_type(&mut self, field: &ir::Field) -> String {
        let ty = match &field.kind {
            FieldKind::Scalar(scalar) => scalar_name(*scalar).to_owned(),
            FieldKind::Enum(id) => self.name(Part::Enum(*id)),
            FieldKind::Message(id) | FieldKind::Group(id) => self.name(Part::Message(*id)),
            FieldKind::Map(map) => self.name(Part::Message(map.entry)),
        };
        if field.label == FieldLabel::Repeated { format!("[{ty}]") } else { ty }
    }

    fn enumeration(&mut self, it: &'a ir::Enum) -> &'a str {
        self.line(format_args!("enum {}", it.full_name));
        let mut values: Vec<&ir::EnumValue> = it.values.iter().collect();
        // Aliases stay in the order of the schema; the first one is the number's name.
        values.sort_by_key(|value| value.number);
        for value in values {
            self.line(format_args!("{} {}", value.number, value.schema_name));
        }
        &it.full_name.0
    }

    fn table(&mut self, it: &'a flat::Table) -> &'a str {
        self.line(format_args!("table {}", it.declaration.full_name));
        for field in &it.fields {
            let ty = match field.ty {
                Type::Scalar(scalar) => scalar.schema_name().to_owned(),
                Type::Enum(id) => self.name(Part::FlatEnum(id)),
                Type::Struct(id) => self.name(Part::Struct(id)),
                Type::Table(id) => self.name(Part::Table(id)),
                Type::String => "string".to_owned(),
                Type::Union(id) => self.name(Part::Union(id)),
                Type::UnionType(id) => format!("@{}", self.name(Part::Union(id))),
                Type::Vector(element) => format!("[{}]", self.element(element)),
            };
            let nested = field.nested_flatbuffer.map(|id| self.name(Part::Table(id)));
            let nested = nested.map(|name| format!(" {name}")).unwrap_or_default();
            self.line(format_args!("{} {} {ty}{nested}", field.vtable_offset, field.schema_name));
        }
        &it.declaration.full_name.0
    }

    fn element(&mut self, element: Element) -> String {
        match element {
            Element::Scalar(scalar) => scalar.schema_name().to_owned(),
            Element::Enum(id) => self.name(Part::FlatEnum(id)),
            Element::Struct(id) => self.name(Part::Struct(id)),
            Element::Table(id) => self.name(Part::Table(id)),
            Element::String => "string".to_owned(),
        }
    }

    fn structure(&mut self, it: &'a flat::Struct) -> &'a str {
        let name = &it.declaration.full_name;
        self.line(format_args!("struct {name} {} {}", it.size, it.alignment));
        for field in &it.fields {
            let ty = match field.ty {
                StructType::One(element) => self.inline(element),
                StructType::Array { element, length } => {
                    format!("[{}:{length}]", self.inline(element))
                }
            };
            self.line(format_args!("{} {} {ty}", field.offset, field.schema_name));
        }
        &name.0
    }

    fn inline(&mut self, element: StructElement) -> String {
        match element {
            StructElement::Scalar(scalar) => scalar.schema_name().to_owned(),
            StructElement::Enum(id) => self.name(Part::FlatEnum(id)),
            StructElement::Struct(id) => self.name(Part::Struct(id)),
        }
    }

    fn flat_enumeration(&mut self, it: &'a flat::Enum) -> &'a str {
        let name = &it.declaration.full_name;
        let kind = if it.bit_flags { "flags" } else { "enum" };
        self.line(format_args!("{kind} {name} {}", it.underlying.schema_name()));
        for value in &it.values {
            self.line(format_args!("{} {}", value.number, value.schema_name));
        }
        &name.0
    }

    fn union(&mut self, it: &'a flat::Union) -> &'a str {
        let name = &it.declaration.full_name;
        self.line(format_args!("union {name}"));
        for variant in &it.variants {
            let table = self.name(Part::Table(variant.table));
            self.line(format_args!("{} {} {table}", variant.number, variant.schema_name));
        }
        &name.0
    }

    /// How another block names a type: with a dot in front, since a message may be called `string`.
    fn name(&mut self, part: Part) -> String {
        self.named.push(part);
        let types = &self.schema.flat;
        let name = match part {
            Part::Message(id) => &self.schema.message(id).full_name,
            Part::Enum(id) => &self.schema.enumeration(id).full_name,
            Part::Table(id) => &types.table(id).declaration.full_name,
            Part::Struct(id) => &types.structure(id).declaration.full_name,
            Part::FlatEnum(id) => &types.enumeration(id).declaration.full_name,
            Part::Union(id) => &types.union(id).declaration.full_name,
        };
        format!(".{name}")
    }
}

/// The keyword of a Protobuf scalar.
fn scalar_name(scalar: ir::Scalar) -> &'static str {
    match scalar {
        ir::Scalar::Double => "double",
        ir::Scalar::Float => "float",
        ir::Scalar::Int64 => "int64",
        ir::Scalar::Uint64 => "uint64",
        ir::Scalar::Int32 => "int32",
        ir::Scalar::Fixed64 => "fixed64",
        ir::Scalar::Fixed32 => "fixed32",
        ir::Scalar::Bool => "bool",
        ir::Scalar::String => "string",
        ir::Scalar::Bytes => "bytes",
        ir::Scalar::Uint32 => "uint32",
        ir::Scalar::Sfixed32 => "sfixed32",
        ir::Scalar::Sfixed64 => "sfixed64",
        ir::Scalar::Sint32 => "sint32",
        ir::Scalar::Sint64 => "sint64",
    }
}
