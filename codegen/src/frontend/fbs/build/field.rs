//! One field of a table: its type, and what its attributes say.

use std::collections::HashMap;

use super::{
    super::{
        symbols::Kind,
        syntax::{Attribute, Bracket, Extent, FieldDecl, Text, TypeRef},
    },
    Builder, Here, attribute,
    default::Default,
    resolve::{Expected, scalar},
    tables::Pending,
};
use crate::ir::{
    Diagnostic, Doc, Options, TableId, code,
    flat::{Element, Field, Presence, Scalar, Type, UnionId, Value},
};

const NESTED_ROOT: Expected =
    Expected { code: code::FBS_ATTRIBUTE, because: "and the root of a buffer is a table" };

impl Builder<'_> {
    /// Adds the field, and before a union the field of its type.
    pub(super) fn field<'t>(
        &mut self,
        here: Here<'_>,
        decl: &'t FieldDecl,
        names: &mut HashMap<String, Extent>,
        pending: &mut Vec<Pending<'t>>,
    ) {
        let options = self.options(here, &decl.attributes);
        let Some(ty) = self.field_type(here, &decl.ty) else { return };
        let mut field = Field {
            schema_name: decl.name.value.clone(),
            id: 0,
            vtable_offset: 0,
            ty,
            presence: Presence::Optional,
            default: None,
            key: false,
            deprecated: has(decl, "deprecated"),
            shared: false,
            hash: None,
            nested_flatbuffer: None,
            flexbuffer: false,
            force_align: None,
            options,
            doc: here.parsed.doc(&decl.docs),
            span: here.parsed.span(decl.extent),
            name_span: here.parsed.span(decl.name.extent),
        };
        self.attributes_of(here, decl, &mut field);
        self.presence(here, decl, &mut field);
        if let Type::Union(id) = ty {
            let name = Text { value: format!("{}_type", decl.name.value), ..decl.name.clone() };
            if !self.check_field_name(here, &name, names) {
                return;
            }
            pending.push(Pending { field: type_field(&field, name.value, id), decl });
        }
        pending.push(Pending { field, decl });
    }

    fn field_type(&mut self, here: Here<'_>, ty: &TypeRef) -> Option<Type> {
        match ty.brackets.as_slice() {
            [] => self.single(here, &ty.name),
            [Bracket::Vector] => {
                let element = self.single(here, &ty.name)?;
                self.element(here, ty, element)
            }
            [Bracket::Array(_)] => {
                let message = "arrays of fixed length stand in structs only: wrap it in a struct";
                self.error(here, code::FBS_FIELD, ty.extent, message);
                None
            }
            _ => {
                self.nested_brackets(here, ty);
                None
            }
        }
    }

    fn single(&mut self, here: Here<'_>, name: &Text) -> Option<Type> {
        if let Some(scalar) = scalar(&name.value) {
            return Some(Type::Scalar(scalar));
        }
        if name.value == "string" {
            return Some(Type::String);
        }
        let symbol = self.resolve(here, name)?;
        match symbol.kind {
            Kind::Table(id) => Some(Type::Table(id)),
            Kind::Struct(id) => Some(Type::Struct(id)),
            Kind::Enum(_) => self.usable_enum(here, name, &symbol).map(Type::Enum),
            Kind::Union(_) => self.usable_union(here, name, &symbol).map(Type::Union),
        }
    }

    fn element(&mut self, here: Here<'_>, ty: &TypeRef, element: Type) -> Option<Type> {
        Some(Type::Vector(match element {
            Type::Scalar(scalar) => Element::Scalar(scalar),
            Type::Enum(id) => Element::Enum(id),
            Type::Struct(id) => Element::Struct(id),
            Type::Table(id) => Element::Table(id),
            Type::String => Element::String,
            Type::Union(_) | Type::UnionType(_) | Type::Vector(_) => {
                let message = "the FlatBuffers of Rust have no vectors of unions";
                let place = here.parsed.span(ty.extent);
                self.report(
                    Diagnostic::error(code::FBS_UNSUPPORTED, message)
                        .label(place, "")
                        .help("wrap the union in a table, and take a vector of that"),
                );
                return None;
            }
        }))
    }

    fn attributes_of(&mut self, here: Here<'_>, decl: &FieldDecl, field: &mut Field) {
        for name in ["offset64", "vector64"] {
            if let Some(attribute) = attribute::find(&decl.attributes, name) {
                let message = "the FlatBuffers of Rust have no 64 bit offsets";
                self.error(here, code::FBS_UNSUPPORTED, attribute.extent, message);
            }
        }
        if let Some(attribute) = attribute::find(&decl.attributes, "shared") {
            field.shared = true;
            if field.ty != Type::String {
                let message = "`shared` applies to strings";
                self.error(here, code::FBS_ATTRIBUTE, attribute.extent, message);
            }
        }
        field.hash = self.hash(
            here,
            decl,
            match field.ty {
                Type::Scalar(scalar) => Some(scalar),
                Type::Enum(id) => Some(self.schema.flat.enumeration(id).underlying),
                _ => None,
            },
        );
        self.buffers_in_bytes(here, decl, field);
        if let (Some(attribute), Type::Vector(_)) =
            (attribute::find(&decl.attributes, "force_align"), field.ty)
        {
            field.force_align = self.alignment(here, attribute, 1);
        }
    }

    /// `flexbuffer` and `nested_flatbuffer`: what the bytes of a vector are.
    fn buffers_in_bytes(&mut self, here: Here<'_>, decl: &FieldDecl, field: &mut Field) {
        let bytes = field.ty == Type::Vector(Element::Scalar(Scalar::Uint8));
        if let Some(attribute) = attribute::find(&decl.attributes, "flexbuffer") {
            field.flexbuffer = true;
            if !bytes {
                let message = "`flexbuffer` applies to vectors of ubyte";
                self.error(here, code::FBS_ATTRIBUTE, attribute.extent, message);
            }
        }
        if let Some(attribute) = attribute::find(&decl.attributes, "nested_flatbuffer") {
            if bytes {
                field.nested_flatbuffer = self.nested(here, attribute);
            } else {
                let message = "`nested_flatbuffer` applies to vectors of ubyte";
                self.error(here, code::FBS_ATTRIBUTE, attribute.extent, message);
            }
        }
    }

    fn nested(&mut self, here: Here<'_>, attribute: &Attribute) -> Option<TableId> {
        let text = self.string_of(here, attribute, "the root of the buffer")?;
        self.resolve_table(here, text, &NESTED_ROOT)
    }

    /// `hash`: a function whose result has the width of the field.
    pub(super) fn hash(
        &mut self,
        here: Here<'_>,
        decl: &FieldDecl,
        scalar: Option<Scalar>,
    ) -> Option<String> {
        let attribute = attribute::find(&decl.attributes, "hash")?;
        let bits = scalar.filter(|it| !it.is_float() && it.size() > 1).map(|it| it.size() * 8);
        let Some(bits) = bits else {
            let message = "`hash` applies to integers of 16, 32 and 64 bits";
            self.error(here, code::FBS_ATTRIBUTE, attribute.extent, message);
            return None;
        };
        let text = self.string_of(here, attribute, "a function")?;
        let known = [format!("fnv1_{bits}"), format!("fnv1a_{bits}")];
        if !known.contains(&text.value) {
            let message = format!("a hash of {bits} bits is `{}` or `{}`", known[0], known[1]);
            self.error(here, code::FBS_ATTRIBUTE, text.extent, message);
            return None;
        }
        Some(text.value.clone())
    }

    fn presence(&mut self, here: Here<'_>, decl: &FieldDecl, field: &mut Field) {
        let default = self.default(here, decl, field.ty);
        let required = attribute::find(&decl.attributes, "required");
        let is_scalar = matches!(field.ty, Type::Scalar(_) | Type::Enum(_));
        (field.presence, field.default) = match default {
            Default::Value(value) => (Presence::Defaulted, Some(value)),
            Default::None | Default::Null => (Presence::Optional, None),
        };
        if let Some(attribute) = required {
            if is_scalar {
                let message = "a scalar is never absent, so it cannot be `required`";
                self.error(here, code::FBS_ATTRIBUTE, attribute.extent, message);
                return;
            }
            (field.presence, field.default) = (Presence::Required, None);
            if let Some(default) = &decl.default {
                let message = "a field that is `required` has no default";
                self.error(here, code::FBS_DEFAULT, default.extent, message);
            }
        }
        self.key(here, decl, field);
    }

    /// `key`: what vectors of this table are sorted by.
    fn key(&mut self, here: Here<'_>, decl: &FieldDecl, field: &mut Field) {
        let Some(attribute) = attribute::find(&decl.attributes, "key") else { return };
        field.key = true;
        let (code, message) = match field.ty {
            Type::Scalar(_) | Type::Enum(_) if field.presence == Presence::Optional => {
                (code::FBS_FIELD, "a key always has a value: it cannot be `null`")
            }
            Type::Scalar(_) | Type::Enum(_) => return,
            Type::String => {
                // As flatc has it, for historical reasons; one with a default is there, too.
                if field.default.is_none() {
                    field.presence = Presence::Required;
                }
                return;
            }
            Type::Struct(_) => {
                (code::FBS_UNSUPPORTED, "structs have no order in Rust, so they cannot be a key")
            }
            _ => (code::FBS_FIELD, "a key is a scalar, an enum or a string"),
        };
        self.error(here, code, attribute.extent, message);
    }
}

/// The field before a union, which says what the union holds.
fn type_field(field: &Field, schema_name: String, id: UnionId) -> Field {
    Field {
        schema_name,
        ty: Type::UnionType(id),
        presence: Presence::Defaulted,
        default: Some(Value::Int(0)),
        key: false,
        options: Options::default(),
        doc: Doc::default(),
        ..field.clone()
    }
}

fn has(decl: &FieldDecl, name: &str) -> bool {
    attribute::find(&decl.attributes, name).is_some()
}
