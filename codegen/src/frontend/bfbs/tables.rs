//! Tables: fields by id, with their types and what is known of their defaults.

use std::collections::HashSet;

use flatbuffers_reflection::reflection::{BaseType, Field as BinaryField, Object};

use super::{
    attribute,
    convert::Converter,
    enums::number,
    index::{EnumOrUnion, ObjectId, scalar},
    limit, name,
    structs::head,
};
use crate::ir::{
    code,
    flat::{Element, Field, Presence, Scalar, Table, Type, TypeId, Value},
};

impl<'b> Converter<'_, 'b> {
    pub(super) fn convert_tables(&mut self) -> Option<()> {
        for (position, it) in self.objects().enumerate() {
            if let Some(ObjectId::Table(id)) = self.index.objects.get(position).copied() {
                let declaration = self.declaration(head(&it), TypeId::Table(id))?;
                let fields = self.table_fields(it)?;
                self.schema.flat.tables.push(Table { declaration, fields });
            }
        }
        Some(())
    }

    /// The fields of a table or struct in the order of their ids, which are all numbers from 0;
    /// the file has them by name.
    pub(super) fn by_id(&mut self, it: &Object<'b>) -> Option<Vec<BinaryField<'b>>> {
        let listed = it.fields();
        self.spend(listed.len().div_ceil(2), 0)?;
        if listed.len() > limit::TABLE_FIELDS {
            let message = format!("a table has at most {} fields", limit::TABLE_FIELDS);
            self.error(code::FBS_LIMIT, message);
            return None;
        }
        let mut fields: Vec<BinaryField<'b>> = listed.iter().collect();
        fields.sort_by_key(|field| field.id());
        if fields.iter().enumerate().any(|(at, field)| usize::from(field.id()) != at) {
            let message = format!("the ids of fields of `{}` are not 0, 1, 2, …", it.name());
            self.error(code::FBS_FIELD_ID, message);
            return Some(Vec::new());
        }
        Some(fields)
    }

    fn table_fields(&mut self, it: Object<'b>) -> Option<Vec<Field>> {
        let holder = it.name();
        let mut names = HashSet::new();
        let mut fields = Vec::new();
        for field in self.by_id(&it)? {
            self.spend(1, field.name().len())?;
            let vtable_offset = 4 + 2 * field.id();
            if field.offset() != vtable_offset {
                let message = format!("`{}` of `{holder}` is in a wrong slot", field.name());
                self.malformed(message);
            }
            if self.check_member(&mut names, holder, field.name()) {
                fields.extend(self.field(holder, field, vtable_offset)?);
            }
        }
        self.check_union_types(holder, &fields);
        Some(fields)
    }

    /// The outer `None` gives the file up, the inner one the field.
    fn field(
        &mut self,
        holder: &str,
        field: BinaryField<'b>,
        vtable_offset: u16,
    ) -> Option<Option<Field>> {
        let schema_name = field.name();
        let options = self.options(field.attributes())?;
        let doc = self.doc(field.documentation())?;
        if field.offset64() || field.type_().base_type() == BaseType::Vector64 {
            let message = format!("`{schema_name}` of `{holder}` has 64 bit offsets");
            self.error(code::FBS_UNSUPPORTED, format!("{message}, and Rust has none such"));
            return Some(None);
        }
        let Some(ty) = self.field_type(field) else {
            let message = format!("`{schema_name}` of `{holder}` has no type that Rust has");
            self.error(code::FBS_UNSUPPORTED, message);
            return Some(None);
        };
        let (presence, default) = presence(field, ty);
        let out_of_range = match (&default, ty) {
            (Some(Value::Int(number)), Type::Scalar(scalar)) => {
                scalar.range().is_some_and(|(least, most)| !(least..=most).contains(number))
            }
            _ => false,
        };
        if out_of_range {
            let message = format!("the default of `{schema_name}` of `{holder}` does not fit");
            self.error(code::FBS_DEFAULT, message);
        }
        let nested = attribute::text_of(&options, "nested_flatbuffer")
            .filter(|text| name::is_full_name(text))
            .and_then(|text| self.index.resolve_table(name::namespace(holder), &text));
        let is_vector = matches!(ty, Type::Vector(_));
        Some(Some(Field {
            schema_name: schema_name.to_owned(),
            id: field.id(),
            vtable_offset,
            ty,
            presence,
            default,
            key: field.key(),
            deprecated: field.deprecated(),
            shared: attribute::has(&options, "shared"),
            hash: attribute::text_of(&options, "hash"),
            nested_flatbuffer: nested,
            flexbuffer: attribute::has(&options, "flexbuffer"),
            force_align: attribute::number_of(&options, "force_align").filter(|_| is_vector),
            options,
            doc,
            span: self.place,
            name_span: self.place,
        }))
    }

    fn field_type(&self, field: BinaryField<'b>) -> Option<Type> {
        let ty = field.type_();
        let position = ty.index();
        match ty.base_type() {
            BaseType::UType => match self.index.enumeration(position)? {
                EnumOrUnion::Union(id) => Some(Type::UnionType(id)),
                EnumOrUnion::Enum(_) => None,
            },
            BaseType::Union => match self.index.enumeration(position)? {
                EnumOrUnion::Union(id) => Some(Type::Union(id)),
                EnumOrUnion::Enum(_) => None,
            },
            BaseType::Vector => self.single(ty.element(), position).and_then(|element| {
                Some(Type::Vector(match element {
                    Type::Scalar(scalar) => Element::Scalar(scalar),
                    Type::Enum(id) => Element::Enum(id),
                    Type::Struct(id) => Element::Struct(id),
                    Type::Table(id) => Element::Table(id),
                    Type::String => Element::String,
                    Type::Union(_) | Type::UnionType(_) | Type::Vector(_) => return None,
                }))
            }),
            base => self.single(base, position),
        }
    }

    fn single(&self, base: BaseType, position: i32) -> Option<Type> {
        match base {
            BaseType::String => Some(Type::String),
            BaseType::Obj => Some(match self.index.object(position)? {
                ObjectId::Table(id) => Type::Table(id),
                ObjectId::Struct(id) => Type::Struct(id),
            }),
            base => {
                let scalar = scalar(base)?;
                if position < 0 {
                    return Some(Type::Scalar(scalar));
                }
                match self.index.enumeration(position)? {
                    EnumOrUnion::Enum(id)
                        if self.schema.flat.enumeration(id).underlying == scalar =>
                    {
                        Some(Type::Enum(id))
                    }
                    _ => None,
                }
            }
        }
    }

    /// A union stands right behind the field that says what it holds.
    fn check_union_types(&mut self, holder: &str, fields: &[Field]) {
        for (at, field) in fields.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|at| fields.get(at)).map(|it| it.ty);
            let after = fields.get(at + 1).map(|it| it.ty);
            let paired = match field.ty {
                Type::Union(id) => before == Some(Type::UnionType(id)),
                Type::UnionType(id) => after == Some(Type::Union(id)),
                _ => true,
            };
            if !paired {
                let message = format!("`{}` of `{holder}` is half a union", field.schema_name);
                self.error(code::FBS_FIELD_ID, message);
            }
        }
    }
}

/// What the absence of a field means. The default of a string is lost, that of a vector can only be
/// the empty one.
fn presence(field: BinaryField<'_>, ty: Type) -> (Presence, Option<Value>) {
    let default = match ty {
        Type::UnionType(_) => return (Presence::Defaulted, Some(Value::Int(0))),
        Type::Scalar(Scalar::Bool) => Some(Value::Bool(field.default_integer() != 0)),
        Type::Scalar(Scalar::Float32) => Some(Value::Float(f64::from(field.default_real() as f32))),
        Type::Scalar(Scalar::Float64) => Some(Value::Float(field.default_real())),
        Type::Scalar(scalar) => Some(Value::Int(number(field.default_integer(), scalar))),
        Type::Enum(_) => Some(Value::Int(field.default_integer().into())),
        Type::String => Some(Value::String(String::new())),
        Type::Vector(_) => Some(Value::EmptyVector),
        Type::Struct(_) | Type::Table(_) | Type::Union(_) => None,
    };
    let is_scalar = matches!(ty, Type::Scalar(_) | Type::Enum(_));
    match (field.required(), field.optional()) {
        (true, _) if !is_scalar => (Presence::Required, None),
        (_, true) => (Presence::Optional, None),
        _ if default.is_none() => (Presence::Optional, None),
        _ => (Presence::Defaulted, default),
    }
}
