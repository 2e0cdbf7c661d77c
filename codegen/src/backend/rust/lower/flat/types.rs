//! Enums, flags, unions and structs.

use super::super::Lower;
use super::super::model::{ModulePath, TypePlace};
use super::super::scope::{Claim, Scope};
use super::primitive;
use crate::backend::rust::flat::ident;
use crate::backend::rust::flat::model::{
    EnumIdents, EnumKind, FlatEnum, FlatStruct, FlatStructField, FlatVariant, Key, KeyKind,
};
use crate::ir::flat::{EnumId, StructElement, StructId, StructType, UnionId};

/// What the `bitflags` macro gives every set of flags.
const OF_FLAGS: &[&str] = &[
    "FLAGS",
    "all",
    "bits",
    "clear",
    "complement",
    "contains",
    "difference",
    "empty",
    "extend",
    "from_bits",
    "from_bits_retain",
    "from_bits_truncate",
    "from_iter",
    "from_name",
    "insert",
    "intersection",
    "intersects",
    "is_all",
    "is_empty",
    "iter",
    "iter_names",
    "remove",
    "set",
    "symmetric_difference",
    "toggle",
    "truncate",
    "union",
    "unknown_bits",
    "contains_unknown_bits",
    "iter_defined_names",
    "iter_equal_names",
    "from_bits_unchecked",
];

impl Lower<'_> {
    pub(super) fn flat_enum(&mut self, id: EnumId, module: &ModulePath, ident: String) -> FlatEnum {
        let it = self.schema.flat.enumeration(id);
        let full_name = it.declaration.full_name.0.clone();
        let mut scope = Scope::default();
        if it.bit_flags {
            for name in OF_FLAGS {
                let _ = scope.claim(name, Claim::reserved("a function of every set of flags"));
            }
        }
        let variants = it
            .values
            .iter()
            .map(|value| FlatVariant {
                ident: scope.companion(&ident::member(&value.schema_name), "a value"),
                schema_name: value.schema_name.clone(),
                number: value.number,
                doc: self.member_doc("Value", &full_name, &value.schema_name, value.doc.text()),
            })
            .collect();
        let kind = if it.bit_flags {
            let wanted = format!("bitflags_{}", ident::snake(&it.declaration.schema_name));
            let module_ident = self.scope(module).types.companion(&wanted, "a module of flags");
            EnumKind::Flags { module_ident }
        } else {
            EnumKind::Plain(self.enum_idents(module, &it.declaration.schema_name, &mut scope))
        };
        let head = self.head(&it.declaration, ident, "Enum");
        FlatEnum { head, underlying: primitive(it.underlying), variants, kind }
    }

    pub(super) fn flat_union(
        &mut self,
        id: UnionId,
        module: &ModulePath,
        ident: String,
    ) -> FlatEnum {
        let it = self.schema.flat.union(id);
        let full_name = it.declaration.full_name.0.clone();
        let mut scope = Scope::default();
        let _ = scope.claim("NONE", Claim::reserved("the empty union"));
        let mut variants = vec![FlatVariant {
            ident: "NONE".to_owned(),
            schema_name: "NONE".to_owned(),
            number: 0,
            doc: "No value.".to_owned(),
        }];
        variants.extend(it.variants.iter().map(|variant| FlatVariant {
            ident: scope.companion(&ident::member(&variant.schema_name), "a variant"),
            schema_name: variant.schema_name.clone(),
            number: variant.number.into(),
            doc: self.member_doc("Variant", &full_name, &variant.schema_name, variant.doc.text()),
        }));
        let idents = self.enum_idents(module, &it.declaration.schema_name, &mut scope);
        let wanted = format!("{ident}UnionTableOffset");
        let offset_ident = self.scope(module).types.companion(&wanted, "a companion of a union");
        let head = self.head(&it.declaration, ident, "Union");
        FlatEnum {
            head,
            underlying: "u8",
            variants,
            kind: EnumKind::Union { idents, offset_ident },
        }
    }

    fn enum_idents(&mut self, module: &ModulePath, name: &str, own: &mut Scope) -> EnumIdents {
        let name = ident::shouty(name);
        let values = &mut self.scope(module).values;
        let mut outer = |prefix: &str| values.companion(&format!("{prefix}_{name}"), "a constant");
        let (min, max, all) = (outer("ENUM_MIN"), outer("ENUM_MAX"), outer("ENUM_VALUES"));
        let mut inner = |name: &str| own.companion(name, "a constant of every enum");
        EnumIdents {
            min,
            max,
            values: all,
            own_min: inner("ENUM_MIN"),
            own_max: inner("ENUM_MAX"),
            own_values: inner("ENUM_VALUES"),
            variant_name: inner("variant_name"),
        }
    }

    pub(super) fn member_doc(
        &self,
        kind: &str,
        holder: &str,
        name: &str,
        text: Option<&str>,
    ) -> String {
        let doc = self.doc_of(&format!("{holder}.{name}"), text);
        doc.unwrap_or_else(|| format!("{kind} `{name}`."))
    }

    pub(super) fn flat_struct(
        &mut self,
        id: StructId,
        module: &ModulePath,
        ident: String,
    ) -> FlatStruct {
        let it = self.schema.flat.structure(id);
        let full_name = it.declaration.full_name.0.clone();
        let mut scope = Scope::default();
        let idents: Vec<String> = it
            .fields
            .iter()
            .map(|field| scope.companion(&ident::member(&field.schema_name), "a field"))
            .collect();
        let new_ident = scope.companion("new", "a function of every struct");
        let mut fields = Vec::with_capacity(it.fields.len());
        for (field, ident) in it.fields.iter().zip(&idents) {
            let (element, length) = match field.ty {
                StructType::One(element) => (element, None),
                StructType::Array { element, length } => (element, Some(length)),
            };
            let free = self.scope(module).values.is_free(ident);
            fields.push(FlatStructField {
                argument: if free { ident.clone() } else { format!("{ident}_") },
                setter: scope.companion(&format!("set_{ident}"), "a setter"),
                ident: ident.clone(),
                schema_name: field.schema_name.clone(),
                doc: self.member_doc("Field", &full_name, &field.schema_name, field.doc.text()),
                offset: field.offset,
                size: field.size / u32::from(length.unwrap_or(1)),
                ty: self.inline_type(module, element),
                is_struct: matches!(element, StructElement::Struct(_)),
                length,
            });
        }
        let at = it.fields.iter().position(|field| field.key);
        let key = at.and_then(|at| {
            let StructType::One(element) = it.fields[at].ty else { return None };
            let kind = self.key_kind(module, element)?;
            Some(key(idents[at].clone(), kind, &mut scope))
        });
        let head = self.head(&it.declaration, ident, "Struct");
        FlatStruct { head, size: it.size, alignment: it.alignment, new_ident, fields, key }
    }

    /// The type of a scalar, an enum or a struct.
    pub(super) fn inline_type(&self, module: &ModulePath, element: StructElement) -> String {
        match element {
            StructElement::Scalar(scalar) => primitive(scalar).to_owned(),
            StructElement::Enum(id) => self.names.flat.enums[id.0 as usize].seen_from(module),
            StructElement::Struct(id) => self.names.flat.structs[id.0 as usize].seen_from(module),
        }
    }

    /// How the key sorts; `None` for structs, which have no order of their own.
    pub(super) fn key_kind(&self, module: &ModulePath, element: StructElement) -> Option<KeyKind> {
        Some(match element {
            StructElement::Scalar(scalar) if scalar.is_float() => KeyKind::Float(primitive(scalar)),
            StructElement::Enum(id) if self.schema.flat.enumeration(id).bit_flags => {
                KeyKind::Flags(self.inline_type(module, element))
            }
            StructElement::Struct(_) => return None,
            _ => KeyKind::Ordered(self.inline_type(module, element)),
        })
    }

    /// The constant of an enum's value, or of a number that has none.
    pub(super) fn enum_value(&self, module: &ModulePath, id: EnumId, number: i128) -> String {
        let it = self.schema.flat.enumeration(id);
        let ty = self.names.flat.enums[id.0 as usize].seen_from(module);
        let local = matches!(self.names.flat.enums[id.0 as usize], TypePlace::Local { .. });
        match it.value_of(number) {
            _ if it.bit_flags => format!("{ty}::from_bits_retain({number})"),
            // Distinct names give distinct constants; a name that had to give way has none here.
            Some(value) if local && ident::member(&value.schema_name) == value.schema_name => {
                format!("{ty}::{}", value.schema_name)
            }
            _ => format!("{ty}({number})"),
        }
    }
}

/// Names the comparisons of a key.
pub(super) fn key(field: String, kind: KeyKind, scope: &mut Scope) -> Key {
    Key {
        field,
        less_than: scope.companion("key_compare_less_than", "a comparison"),
        with_value: scope.companion("key_compare_with_value", "a comparison"),
        kind,
    }
}
