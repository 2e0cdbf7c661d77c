//! Enums and unions, which a binary schema keeps in one list.

use std::collections::HashSet;

use flatbuffers_reflection::reflection::{BaseType, Enum as BinaryEnum, EnumVal};

use super::{
    attribute,
    convert::{Converter, Head},
    index::{EnumOrUnion, ObjectId, scalar},
};
use crate::ir::{
    code,
    flat::{Enum, EnumId, EnumValue, Scalar, TypeId, Union, UnionId, UnionVariant},
};

impl<'b> Converter<'_, 'b> {
    pub(super) fn convert_enums(&mut self) -> Option<()> {
        for (at, it) in self.binary.enums().iter().enumerate() {
            let Some(id) = self.index.enums.get(at).copied() else { continue };
            match id {
                EnumOrUnion::Enum(id) => self.enumeration(it, id)?,
                EnumOrUnion::Union(id) => self.union(it, id)?,
            }
        }
        Some(())
    }

    fn enumeration(&mut self, it: BinaryEnum<'b>, id: EnumId) -> Option<()> {
        let holder = it.name();
        let declaration = self.declaration(head(&it), TypeId::Enum(id))?;
        let bit_flags = attribute::has(&declaration.options, "bit_flags");
        let underlying = scalar(it.underlying_type().base_type());
        let underlying = underlying.filter(|it| !it.is_float() && *it != Scalar::Bool);
        if underlying.is_none() {
            self.error(code::FBS_ENUM, format!("the type of enum `{holder}` is no integer"));
        }
        let underlying = underlying.unwrap_or(Scalar::Int64);
        let mut names = HashSet::new();
        let mut values: Vec<EnumValue> = Vec::new();
        for value in it.values() {
            self.spend(1, value.name().len())?;
            if !self.check_member(&mut names, holder, value.name()) {
                continue;
            }
            let number = number(value.value(), underlying);
            let (least, most) = underlying.range().unwrap_or_default();
            if !(least..=most).contains(&number) {
                let message = format!("{number} does not fit the type of enum `{holder}`");
                self.error(code::FBS_ENUM, message);
                continue;
            }
            values.push(EnumValue {
                schema_name: value.name().to_owned(),
                number,
                options: self.options(value.attributes())?,
                doc: self.doc(value.documentation())?,
                span: self.place,
                name_span: self.place,
            });
        }
        values.sort_by_key(|value| value.number);
        if values.windows(2).any(|pair| pair[0].number == pair[1].number) {
            self.error(code::FBS_ENUM, format!("two values of enum `{holder}` are equal"));
        }
        if values.is_empty() {
            self.error(code::FBS_ENUM, format!("enum `{holder}` has no values"));
        }
        self.schema.flat.enums.push(Enum { declaration, underlying, bit_flags, values });
        Some(())
    }

    fn union(&mut self, it: BinaryEnum<'b>, id: UnionId) -> Option<()> {
        let holder = it.name();
        let declaration = self.declaration(head(&it), TypeId::Union(id))?;
        let mut names = HashSet::new();
        let mut variants: Vec<UnionVariant> = Vec::new();
        for value in it.values() {
            self.spend(1, value.name().len())?;
            // `NONE`, which every union has.
            if value.value() == 0 || !self.check_member(&mut names, holder, value.name()) {
                continue;
            }
            variants.extend(self.variant(holder, value)?);
        }
        variants.sort_by_key(|variant| variant.number);
        if variants.windows(2).any(|pair| pair[0].number == pair[1].number) {
            self.error(code::FBS_UNION, format!("two variants of union `{holder}` are equal"));
        }
        if it.underlying_type().base_type() != BaseType::UType {
            let message = format!("union `{holder}` has a type of its own, and Rust has none such");
            self.error(code::FBS_UNSUPPORTED, message);
        }
        self.schema.flat.unions.push(Union { declaration, variants });
        Some(())
    }

    /// The outer `None` gives the file up, the inner one the variant.
    fn variant(&mut self, holder: &str, value: EnumVal<'b>) -> Option<Option<UnionVariant>> {
        let name = value.name();
        let Ok(number) = u8::try_from(value.value()) else {
            let message = format!("variant `{name}` of `{holder}` is number {}", value.value());
            self.error(code::FBS_UNION, format!("{message}: those are from 1 to 255"));
            return Some(None);
        };
        let ty = value.union_type().filter(|ty| ty.base_type() == BaseType::Obj);
        let Some(ObjectId::Table(table)) = ty.and_then(|ty| self.index.object(ty.index())) else {
            let message = format!("variant `{name}` of `{holder}` is no table of this file");
            self.error(code::FBS_UNSUPPORTED, message);
            return Some(None);
        };
        Some(Some(UnionVariant {
            schema_name: name.to_owned(),
            number,
            table,
            options: self.options(value.attributes())?,
            doc: self.doc(value.documentation())?,
            span: self.place,
            name_span: self.place,
        }))
    }
}

fn head<'b>(it: &BinaryEnum<'b>) -> Head<'b> {
    Head {
        full_name: it.name(),
        attributes: it.attributes(),
        lines: it.documentation(),
        file: it.declaration_file(),
    }
}

/// Numbers are kept in 64 bits with a sign; those of `ulong` wrap around.
pub(super) fn number(stored: i64, scalar: Scalar) -> i128 {
    match scalar {
        Scalar::Uint64 => i128::from(stored as u64),
        _ => i128::from(stored),
    }
}
