//! Structs and their layout: every field at a multiple of its alignment, the whole a multiple of
//! the largest.

use std::collections::HashMap;

use super::{
    super::{
        limit,
        symbols::Kind,
        syntax::{Bracket, FieldDecl, Item, Record, TypeRef, literal},
    },
    Builder, Here, attribute,
    resolve::scalar,
};
use crate::ir::{
    code,
    flat::{Struct, StructElement, StructField, StructId, StructType},
};

/// The layout so far.
#[derive(Default)]
struct Layout {
    fields: Vec<StructField>,
    end: u64,
    alignment: u32,
}

impl Builder<'_> {
    pub(super) fn structure(&mut self, here: Here<'_>, item: &Item, record: &Record) {
        let declaration = self.declaration(here, item, &record.name, &record.attributes);
        let mut layout = Layout { alignment: 1, ..Layout::default() };
        let mut names = HashMap::new();
        for decl in &record.fields {
            self.work += 1;
            if self.check_field_name(here, &decl.name, &mut names) {
                self.struct_field(here, decl, &mut layout);
            }
        }
        if record.fields.is_empty() {
            let message = format!("struct `{}` is empty", record.name.value);
            self.error(here, code::FBS_STRUCT, record.name.extent, message);
        }
        self.check_one_key(here, &record.fields);
        let natural = layout.alignment;
        let force_align = attribute::find(&record.attributes, "force_align")
            .and_then(|attribute| self.alignment(here, attribute, natural));
        let alignment = force_align.unwrap_or(natural);
        let size = layout.end.next_multiple_of(alignment.into());
        if size > limit::STRUCT_BYTES {
            let name = &record.name.value;
            let message = format!("struct `{name}` is larger than {} bytes", limit::STRUCT_BYTES);
            self.error(here, code::FBS_LIMIT, record.name.extent, message);
        }
        let size = u32::try_from(size).unwrap_or(u32::MAX);
        if let Some(last) = layout.fields.last_mut() {
            last.padding = size.saturating_sub(last.offset.saturating_add(last.size));
        }
        let fields = layout.fields;
        self.schema.flat.structs.push(Struct { declaration, fields, size, alignment, force_align });
    }

    fn struct_field(&mut self, here: Here<'_>, decl: &FieldDecl, layout: &mut Layout) {
        let options = self.options(here, &decl.attributes);
        self.check_struct_attributes(here, decl);
        let ty = self.struct_type(here, &decl.ty);
        let Some((ty, (size, align))) = ty.map(|ty| (ty, self.measure(ty))) else { return };
        let hash = self.hash(
            here,
            decl,
            match ty {
                StructType::One(StructElement::Scalar(scalar)) => Some(scalar),
                _ => None,
            },
        );
        let key = self.struct_key(here, decl, ty);
        let offset = layout.end.next_multiple_of(align.into());
        if let Some(before) = layout.fields.last_mut() {
            before.padding = (offset - layout.end) as u32;
        }
        // Bounded: one field has at most 64 Ki elements of at most 4 GiB, and the sum saturates.
        layout.end = offset.saturating_add(size).min(u64::MAX / 2);
        layout.alignment = layout.alignment.max(align);
        layout.fields.push(StructField {
            schema_name: decl.name.value.clone(),
            ty,
            offset: u32::try_from(offset).unwrap_or(u32::MAX),
            size: u32::try_from(size).unwrap_or(u32::MAX),
            padding: 0,
            key,
            hash,
            options,
            doc: here.parsed.doc(&decl.docs),
            span: here.parsed.span(decl.extent),
            name_span: here.parsed.span(decl.name.extent),
        });
    }

    /// `key`: what vectors of this struct are sorted by.
    fn struct_key(&mut self, here: Here<'_>, decl: &FieldDecl, ty: StructType) -> bool {
        let Some(attribute) = attribute::find(&decl.attributes, "key") else { return false };
        let message = match ty {
            StructType::One(StructElement::Scalar(_) | StructElement::Enum(_)) => return true,
            StructType::One(StructElement::Struct(_)) => {
                "structs have no order in Rust, so they cannot be a key"
            }
            StructType::Array { .. } => "the FlatBuffers of Rust have no arrays as keys",
        };
        self.error(here, code::FBS_UNSUPPORTED, attribute.extent, message);
        true
    }

    fn check_struct_attributes(&mut self, here: Here<'_>, decl: &FieldDecl) {
        if let Some(default) = &decl.default {
            // flatc tolerates `= 0` where it means nothing.
            let zero =
                here.parsed.tree.text_of(default.extent) == "0" && decl.ty.brackets.is_empty();
            if !zero {
                let message = "a field of a struct has no default: it is always there";
                self.error(here, code::FBS_DEFAULT, default.extent, message);
            }
        }
        for (name, why) in [
            ("deprecated", "a field of a struct cannot be deprecated: its place is fixed"),
            ("required", "a field of a struct is always there"),
        ] {
            if let Some(attribute) = attribute::find(&decl.attributes, name) {
                self.error(here, code::FBS_ATTRIBUTE, attribute.extent, why);
            }
        }
    }

    fn struct_type(&mut self, here: Here<'_>, ty: &TypeRef) -> Option<StructType> {
        let length = match ty.brackets.as_slice() {
            [] => None,
            [Bracket::Array(length)] => {
                let number = literal::integer(&length.value).and_then(|it| u16::try_from(it).ok());
                if number.is_none_or(|number| number == 0) {
                    let message = format!("the length of an array is from 1 to {}", u16::MAX);
                    self.error(here, code::FBS_STRUCT, length.extent, message);
                    return None;
                }
                number
            }
            [Bracket::Vector] => {
                let message = "a struct holds no vectors: they have no fixed size";
                self.error(here, code::FBS_STRUCT, ty.extent, message);
                return None;
            }
            _ => {
                self.nested_brackets(here, ty);
                return None;
            }
        };
        let element = self.struct_element(here, ty)?;
        Some(match length {
            None => StructType::One(element),
            Some(length) => StructType::Array { element, length },
        })
    }

    fn struct_element(&mut self, here: Here<'_>, ty: &TypeRef) -> Option<StructElement> {
        let name = &ty.name;
        if let Some(scalar) = scalar(&name.value) {
            return Some(StructElement::Scalar(scalar));
        }
        if name.value == "string" {
            let message = "a struct holds no strings: they have no fixed size";
            self.error(here, code::FBS_STRUCT, name.extent, message);
            return None;
        }
        let symbol = self.resolve(here, name)?;
        match symbol.kind {
            Kind::Enum(_) => {
                let id = self.usable_enum(here, name, &symbol)?;
                let it = self.schema.flat.enumeration(id);
                if ty.brackets.is_empty() && !it.bit_flags && it.value_of(0).is_none() {
                    let message =
                        format!("a struct starts as zeros, and `{}` has no value 0", name.value);
                    self.error(here, code::FBS_STRUCT, name.extent, message);
                    return None;
                }
                Some(StructElement::Enum(id))
            }
            Kind::Struct(id) => {
                let built = id.0 < self.schema.flat.structs.len() as u32;
                if !built {
                    self.too_early(here, name, &symbol);
                }
                built.then_some(StructElement::Struct(id))
            }
            Kind::Table(_) | Kind::Union(_) => {
                let message =
                    format!("a struct holds scalars, enums and structs: `{}` is none", name.value);
                self.error(here, code::FBS_STRUCT, name.extent, message);
                None
            }
        }
    }

    /// Size and alignment.
    fn measure(&self, ty: StructType) -> (u64, u32) {
        let (element, length) = match ty {
            StructType::One(element) => (element, 1),
            StructType::Array { element, length } => (element, length),
        };
        let (size, align) = match element {
            StructElement::Scalar(scalar) => (scalar.size(), scalar.size()),
            StructElement::Enum(id) => {
                let size = self.schema.flat.enumeration(id).underlying.size();
                (size, size)
            }
            StructElement::Struct(id) => self.struct_size(id),
        };
        (u64::from(size) * u64::from(length), align)
    }

    pub(super) fn struct_size(&self, id: StructId) -> (u32, u32) {
        let it = self.schema.flat.structure(id);
        (it.size, it.alignment)
    }
}
