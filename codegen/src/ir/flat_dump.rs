//! The FlatBuffers part of a schema as readable text.

use super::{
    Schema,
    dump::{Dumper, Places},
    flat::{
        Declaration, Element, Enum, Field, FileFacts, Presence, Scalar, Struct, StructElement,
        StructType, Table, Type, TypeId, Types, Union, Value,
    },
};

/// One type of a schema, in the form of [`dump`](super::dump).
pub fn dump_type(schema: &Schema, id: TypeId) -> String {
    let mut dumper = Dumper::new(schema);
    let types = &schema.flat;
    match id {
        TypeId::Table(id) => dumper.table(types.table(id)),
        TypeId::Struct(id) => dumper.structure(types.structure(id)),
        TypeId::Enum(id) => dumper.flat_enum(types.enumeration(id)),
        TypeId::Union(id) => dumper.union(types.union(id)),
    }
    dumper.into_text()
}

impl Dumper<'_> {
    pub(super) fn flat(&mut self, facts: &FileFacts) {
        let types = &self.schema.flat;
        if let Some(root) = facts.root_type {
            self.line(format_args!("root_type {}", name(&types.table(root).declaration)));
        }
        if let Some(identifier) = &facts.file_identifier {
            self.line(format_args!("file_identifier {identifier:?}"));
        }
        if let Some(extension) = &facts.file_extension {
            self.line(format_args!("file_extension {extension:?}"));
        }
        for id in &facts.enums {
            self.flat_enum(types.enumeration(*id));
        }
        for id in &facts.structs {
            self.structure(types.structure(*id));
        }
        for id in &facts.unions {
            self.union(types.union(*id));
        }
        for id in &facts.tables {
            self.table(types.table(*id));
        }
    }

    fn head(&mut self, kind: &str, declaration: &Declaration, facts: &str) {
        let private = if declaration.private { ", private" } else { "" };
        let at = Places(declaration.name_span, declaration.span);
        self.line(format_args!("{kind} {}{facts}{private} at {at}", name(declaration)));
    }

    fn flat_enum(&mut self, it: &Enum) {
        let flags = if it.bit_flags { ", bit_flags" } else { "" };
        self.head("enum", &it.declaration, &format!(": {}{flags}", it.underlying.schema_name()));
        self.nested(|this| {
            this.doc(&it.declaration.doc);
            this.options(&it.declaration.options);
            for value in &it.values {
                let at = Places(value.name_span, value.span);
                this.line(format_args!("value {} = {} at {at}", value.schema_name, value.number));
                this.nested(|this| {
                    this.doc(&value.doc);
                    this.options(&value.options);
                });
            }
        });
    }

    fn structure(&mut self, it: &Struct) {
        let types = &self.schema.flat;
        let facts = format!(": {} bytes, alignment {}", it.size, it.alignment);
        self.head("struct", &it.declaration, &facts);
        self.nested(|this| {
            this.doc(&it.declaration.doc);
            this.options(&it.declaration.options);
            for field in &it.fields {
                let ty = match field.ty {
                    StructType::One(element) => inline(types, element),
                    StructType::Array { element, length } => {
                        format!("[{}:{length}]", inline(types, element))
                    }
                };
                let key = if field.key { ", key" } else { "" };
                let (at, size, padding) = (field.offset, field.size, field.padding);
                let places = Places(field.name_span, field.span);
                this.line(format_args!(
                    "field @{at} {}: {ty}, {size} bytes + {padding}{key} at {places}",
                    field.schema_name
                ));
                this.nested(|this| {
                    this.doc(&field.doc);
                    this.options(&field.options);
                });
            }
        });
    }

    fn union(&mut self, it: &Union) {
        let types = &self.schema.flat;
        self.head("union", &it.declaration, "");
        self.nested(|this| {
            this.doc(&it.declaration.doc);
            this.options(&it.declaration.options);
            for variant in &it.variants {
                let at = Places(variant.name_span, variant.span);
                let table = name(&types.table(variant.table).declaration);
                let (number, alias) = (variant.number, &variant.schema_name);
                this.line(format_args!("variant {alias} = {number}: {table} at {at}"));
                this.nested(|this| {
                    this.doc(&variant.doc);
                    this.options(&variant.options);
                });
            }
        });
    }

    fn table(&mut self, it: &Table) {
        self.head("table", &it.declaration, "");
        self.nested(|this| {
            this.doc(&it.declaration.doc);
            this.options(&it.declaration.options);
            for field in &it.fields {
                let facts = facts(&this.schema.flat, field);
                let at = Places(field.name_span, field.span);
                let (id, offset) = (field.id, field.vtable_offset);
                this.line(format_args!(
                    "field {id} (vt {offset}) {}: {facts} at {at}",
                    field.schema_name
                ));
                this.nested(|this| {
                    this.doc(&field.doc);
                    this.options(&field.options);
                });
            }
        });
    }
}

fn facts(types: &Types, field: &Field) -> String {
    let mut facts = ty(types, field.ty);
    facts.push_str(match field.presence {
        Presence::Defaulted => "",
        Presence::Optional => ", optional",
        Presence::Required => ", required",
    });
    match &field.default {
        None => {}
        Some(Value::Bool(value)) => facts.push_str(&format!(", default {value}")),
        Some(Value::Int(value)) => facts.push_str(&format!(", default {value}")),
        Some(Value::Float(value)) => facts.push_str(&format!(", default {value:?}")),
        Some(Value::String(value)) => facts.push_str(&format!(", default {value:?}")),
        Some(Value::EmptyVector) => facts.push_str(", default []"),
    }
    let flags = [
        (field.key, ", key"),
        (field.deprecated, ", deprecated"),
        (field.shared, ", shared"),
        (field.flexbuffer, ", flexbuffer"),
    ];
    flags.iter().filter(|(set, _)| *set).for_each(|(_, text)| facts.push_str(text));
    if let Some(hash) = &field.hash {
        facts.push_str(&format!(", hash {hash}"));
    }
    if let Some(id) = field.nested_flatbuffer {
        facts.push_str(&format!(", nested {}", name(&types.table(id).declaration)));
    }
    if let Some(align) = field.force_align {
        facts.push_str(&format!(", aligned to {align}"));
    }
    facts
}

fn ty(types: &Types, ty: Type) -> String {
    match ty {
        Type::Scalar(scalar) => scalar.schema_name().to_owned(),
        Type::Enum(id) => format!("enum {}", name(&types.enumeration(id).declaration)),
        Type::Struct(id) => format!("struct {}", name(&types.structure(id).declaration)),
        Type::Table(id) => format!("table {}", name(&types.table(id).declaration)),
        Type::String => "string".to_owned(),
        Type::Union(id) => format!("union {}", name(&types.union(id).declaration)),
        Type::UnionType(id) => format!("type of union {}", name(&types.union(id).declaration)),
        Type::Vector(element) => match element {
            Element::Scalar(scalar) => format!("[{}]", Scalar::schema_name(scalar)),
            Element::Enum(id) => format!("[enum {}]", name(&types.enumeration(id).declaration)),
            Element::Struct(id) => format!("[struct {}]", name(&types.structure(id).declaration)),
            Element::Table(id) => format!("[table {}]", name(&types.table(id).declaration)),
            Element::String => "[string]".to_owned(),
        },
    }
}

fn inline(types: &Types, element: StructElement) -> String {
    match element {
        StructElement::Scalar(scalar) => scalar.schema_name().to_owned(),
        StructElement::Enum(id) => format!("enum {}", name(&types.enumeration(id).declaration)),
        StructElement::Struct(id) => format!("struct {}", name(&types.structure(id).declaration)),
    }
}

fn name(declaration: &Declaration) -> &str {
    &declaration.full_name.0
}
