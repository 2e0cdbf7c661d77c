//! Tables.

use super::super::Lower;
use super::super::model::ModulePath;
use super::super::scope::Scope;
use super::place::RootFacts;
use super::primitive;
use super::types::key;
use crate::backend::rust::flat::ident;
use crate::backend::rust::flat::model::{
    Element, FieldKind, FlatField, FlatTable, Identifier, KeyKind, Nested, Presence, Root,
    UnionArm, UnionField,
};
use crate::ir::flat::{self, StructElement, Type, Value};
use crate::ir::{TableId, flat::UnionId};

impl Lower<'_> {
    pub(super) fn flat_table(
        &mut self,
        id: TableId,
        module: &ModulePath,
        ident: String,
        root: Option<&RootFacts>,
    ) -> FlatTable {
        let it = self.schema.flat.table(id);
        let types = &mut self.scope(module).types;
        let mut companion =
            |suffix: &str| types.companion(&format!("{ident}{suffix}"), "a companion of a table");
        let (offset_ident, args_ident, builder_ident) =
            (companion("Offset"), companion("Args"), companion("Builder"));
        let mut scope = Scope::default();
        let mut members: Vec<(String, String)> = Vec::with_capacity(it.fields.len());
        for field in it.fields.iter().filter(|field| !field.deprecated) {
            let ident = scope.companion(&ident::member(&field.schema_name), "a field");
            members.push((ident, String::new()));
        }
        let create = scope.companion("create", "a function of every table");
        let init_from_table = scope.companion("init_from_table", "a function of every table");
        for (ident, vt) in &mut members {
            *vt = scope.companion(&format!("VT_{}", ident.to_ascii_uppercase()), "a slot");
        }
        let fields = self.fields(id, module, members, &mut scope);
        let head = self.head(&it.declaration, ident, "Table");
        let key = self.table_key(it, module, &fields, &mut scope);
        FlatTable {
            create_order: self.create_order(it),
            root: root.map(|facts| self.root(module, &it.declaration.schema_name, facts)),
            is_message: root.is_some_and(|facts| facts.is_message),
            head,
            offset_ident,
            args_ident,
            builder_ident,
            create,
            init_from_table,
            fields,
            key,
        }
    }

    fn fields(
        &mut self,
        id: TableId,
        module: &ModulePath,
        members: Vec<(String, String)>,
        scope: &mut Scope,
    ) -> Vec<FlatField> {
        let it = self.schema.flat.table(id);
        let full_name = &it.declaration.full_name.0;
        let mut adders = Scope::default();
        let mut fields: Vec<FlatField> = Vec::with_capacity(members.len());
        let live = it.fields.iter().filter(|field| !field.deprecated);
        for (field, (ident, vt_ident)) in live.zip(members) {
            let kind = match field.ty {
                Type::Union(union) => self.union_field(union, module, &ident, fields.last(), scope),
                _ => self.field_kind(module, field.ty),
            };
            let Some(kind) = kind else { continue };
            let nested = field.nested_flatbuffer.filter(|nested| !self.nests_itself(*nested));
            let nested = nested.map(|nested| Nested {
                ident: scope.companion(&format!("{ident}_nested_flatbuffer"), "a nested buffer"),
                ty: self.names.flat.tables[nested.0 as usize].seen_from(module),
            });
            let mut doc = self.member_doc("Field", full_name, &field.schema_name, field.doc.text());
            if let Some(table) = field.nested_flatbuffer.filter(|_| nested.is_none()) {
                let name = &self.schema.flat.table(table).declaration.full_name;
                doc.push_str(&format!(
                    "\n\nThe bytes of a buffer of their own, a `{name}`. Such buffers can hold each \
                     other without end, so they are not verified with this one: verify them \
                     before reading."
                ));
            }
            fields.push(FlatField {
                adder: adders.companion(&format!("add_{ident}"), "a setter"),
                ident,
                vt_ident,
                vt: field.vtable_offset,
                schema_name: field.schema_name.clone(),
                doc,
                presence: self.presence(module, field),
                kind,
                nested,
            });
        }
        fields
    }

    fn field_kind(&self, module: &ModulePath, ty: Type) -> Option<FieldKind> {
        let flat = &self.names.flat;
        let table = |id: TableId| flat.tables[id.0 as usize].seen_from(module);
        let inline = |element| self.inline_type(module, element);
        Some(match ty {
            Type::Scalar(scalar) => FieldKind::Inline(primitive(scalar).to_owned()),
            Type::Enum(id) => FieldKind::Inline(inline(StructElement::Enum(id))),
            Type::UnionType(id) => FieldKind::Inline(flat.unions[id.0 as usize].seen_from(module)),
            Type::Struct(id) => FieldKind::Struct(inline(StructElement::Struct(id))),
            Type::String => FieldKind::String,
            Type::Table(id) => FieldKind::Table(table(id)),
            Type::Vector(element) => FieldKind::Vector(match element {
                flat::Element::Scalar(scalar) => Element::Inline(primitive(scalar).to_owned()),
                flat::Element::Enum(id) => Element::Inline(inline(StructElement::Enum(id))),
                flat::Element::Struct(id) => Element::Inline(inline(StructElement::Struct(id))),
                flat::Element::Table(id) => Element::Table(table(id)),
                flat::Element::String => Element::String,
            }),
            Type::Union(_) => return None,
        })
    }

    /// A union; the field before it says which variant it holds.
    fn union_field(
        &self,
        id: UnionId,
        module: &ModulePath,
        ident: &str,
        type_field: Option<&FlatField>,
        scope: &mut Scope,
    ) -> Option<FieldKind> {
        let type_field = type_field?;
        let it = self.schema.flat.union(id);
        let mut consts = Scope::default();
        let _ = consts.companion("NONE", "the empty union");
        let arms = it.variants.iter().map(|variant| UnionArm {
            ident: consts.companion(&ident::member(&variant.schema_name), "a variant"),
            schema_name: variant.schema_name.clone(),
            as_ident: scope.companion(
                &format!("{ident}_as_{}", ident::snake(&variant.schema_name)),
                "an accessor of a union",
            ),
            table: self.names.flat.tables[variant.table.0 as usize].seen_from(module),
        });
        Some(FieldKind::Union(UnionField {
            ty: self.names.flat.unions[id.0 as usize].seen_from(module),
            schema_name: it.declaration.schema_name.clone(),
            variants: arms.collect(),
            type_ident: type_field.ident.clone(),
            type_vt_ident: type_field.vt_ident.clone(),
            type_schema_name: type_field.schema_name.clone(),
        }))
    }

    fn presence(&self, module: &ModulePath, field: &flat::Field) -> Presence {
        if let Type::UnionType(_) = field.ty {
            return Presence::Default(self.default(module, field.ty, &Value::Int(0)));
        }
        match field.presence {
            flat::Presence::Required => Presence::Required,
            flat::Presence::Optional => Presence::Optional,
            flat::Presence::Defaulted => match &field.default {
                Some(value) => Presence::Default(self.default(module, field.ty, value)),
                None => Presence::Optional,
            },
        }
    }

    fn default(&self, module: &ModulePath, ty: Type, value: &Value) -> String {
        match (ty, value) {
            (Type::Enum(id), Value::Int(number)) => self.enum_value(module, id, *number),
            (Type::UnionType(id), _) => {
                format!("{}::NONE", self.names.flat.unions[id.0 as usize].seen_from(module))
            }
            (Type::Scalar(scalar), Value::Float(float)) => float_text(primitive(scalar), *float),
            (_, Value::Bool(flag)) => flag.to_string(),
            (_, Value::Int(number)) => number.to_string(),
            (_, Value::Float(float)) => float_text("f64", *float),
            (_, Value::String(text)) => format!("{text:?}"),
            (_, Value::EmptyVector) => "::core::default::Default::default()".to_owned(),
        }
    }

    fn table_key(
        &self,
        it: &flat::Table,
        module: &ModulePath,
        fields: &[FlatField],
        scope: &mut Scope,
    ) -> Option<crate::backend::rust::flat::model::Key> {
        let field = it.key().filter(|field| !field.deprecated)?;
        let accessor = fields.iter().find(|it| it.vt == field.vtable_offset)?;
        let kind = match field.ty {
            Type::Scalar(scalar) => self.key_kind(module, StructElement::Scalar(scalar))?,
            Type::Enum(id) => self.key_kind(module, StructElement::Enum(id))?,
            Type::String => KeyKind::String,
            _ => return None,
        };
        // A key that may be absent cannot be compared without a choice of ours.
        if matches!(accessor.presence, Presence::Optional) {
            return None;
        }
        Some(key(accessor.ident.clone(), kind, scope))
    }

    fn root(&mut self, module: &ModulePath, schema_name: &str, facts: &RootFacts) -> Root {
        let (snake, shouty) = (ident::snake(schema_name), ident::shouty(schema_name));
        let values = &mut self.scope(module).values;
        let mut name = |text: String| values.companion(&text, "a helper of a root");
        Root {
            root: name(format!("root_as_{snake}")),
            size_prefixed: name(format!("size_prefixed_root_as_{snake}")),
            root_opts: name(format!("root_as_{snake}_with_opts")),
            size_prefixed_opts: name(format!("size_prefixed_root_as_{snake}_with_opts")),
            root_unchecked: name(format!("root_as_{snake}_unchecked")),
            size_prefixed_unchecked: name(format!("size_prefixed_root_as_{snake}_unchecked")),
            finish: name(format!("finish_{snake}_buffer")),
            finish_size_prefixed: name(format!("finish_size_prefixed_{snake}_buffer")),
            identifier: facts.identifier.clone().map(|text| Identifier {
                constant: name(format!("{shouty}_IDENTIFIER")),
                text,
                has: name(format!("{snake}_buffer_has_identifier")),
                size_prefixed_has: name(format!("{snake}_size_prefixed_buffer_has_identifier")),
            }),
            extension: facts
                .extension
                .clone()
                .map(|text| (name(format!("{shouty}_EXTENSION")), text)),
        }
    }

    /// True when a buffer nested in a buffer of this table may hold, at some depth, another of the
    /// same kind: verifying would follow a peer's nesting without end.
    fn nests_itself(&self, start: TableId) -> bool {
        let mut seen = std::collections::BTreeSet::new();
        // Tables inside of the nested buffer, and of buffers nested in it.
        let mut todo = vec![start];
        while let Some(id) = todo.pop() {
            if !seen.insert(id) {
                continue;
            }
            for field in self.schema.flat.table(id).fields.iter().filter(|it| !it.deprecated) {
                if let Some(nested) = field.nested_flatbuffer {
                    if nested == start {
                        return true;
                    }
                    todo.push(nested);
                }
                todo.extend(self.held_tables(field.ty));
            }
        }
        false
    }

    fn held_tables(&self, ty: Type) -> Vec<TableId> {
        match ty {
            Type::Table(id) | Type::Vector(flat::Element::Table(id)) => vec![id],
            Type::Union(id) => {
                self.schema.flat.union(id).variants.iter().map(|variant| variant.table).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Largest first, and within a size the last declared first, as flatc writes; with
    /// `original_order` the last declared first.
    fn create_order(&self, table: &flat::Table) -> Vec<usize> {
        let live: Vec<&flat::Field> = table.fields.iter().filter(|it| !it.deprecated).collect();
        let mut order: Vec<usize> = (0..live.len()).rev().collect();
        if table.declaration.options.get("original_order").is_none() {
            order.sort_by_key(|index| std::cmp::Reverse(self.sort_size(live[*index].ty)));
        }
        order
    }

    /// The size that flatc sorts by: for a struct, that of an offset.
    fn sort_size(&self, ty: Type) -> u32 {
        match ty {
            Type::Scalar(scalar) => scalar.size(),
            Type::Enum(id) => self.schema.flat.enumeration(id).underlying.size(),
            Type::UnionType(_) => 1,
            _ => 4,
        }
    }
}

/// A literal of exactly this value.
fn float_text(ty: &str, value: f64) -> String {
    if value.is_nan() {
        format!("{ty}::NAN")
    } else if value.is_infinite() {
        format!("{ty}::{}INFINITY", if value < 0.0 { "NEG_" } else { "" })
    } else if ty == "f32" {
        format!("{:?}", value as f32)
    } else {
        format!("{value:?}")
    }
}
