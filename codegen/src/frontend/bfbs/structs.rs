//! Structs, each after those that it holds.

use std::collections::HashSet;

use flatbuffers_reflection::reflection::{BaseType, Field as BinaryField, Object};

use super::{
    attribute,
    convert::{Converter, Head},
    index::{EnumOrUnion, ObjectId, scalar},
    layout::Layout,
    limit,
};
use crate::ir::{
    code,
    flat::{Struct, StructElement, StructField, StructId, StructType, TypeId},
};

impl<'b> Converter<'_, 'b> {
    pub(super) fn convert_structs(&mut self) -> Option<()> {
        let objects = self.binary.objects();
        for (id, position) in self.index.struct_order.clone().into_iter().enumerate() {
            self.structure(objects.get(position), StructId(id as u32))?;
        }
        Some(())
    }

    fn structure(&mut self, it: Object<'b>, id: StructId) -> Option<()> {
        let holder = it.name();
        let declaration = self.declaration(head(&it), TypeId::Struct(id))?;
        let mut names = HashSet::new();
        let mut layout = Layout::new();
        for field in self.by_id(&it)? {
            self.spend(1, field.name().len())?;
            if self.check_member(&mut names, holder, field.name()) {
                self.struct_field(holder, field, &mut layout)?;
            }
        }
        if layout.fields.is_empty() {
            self.error(code::FBS_STRUCT, format!("struct `{holder}` has no fields"));
        }
        let natural = layout.alignment;
        let stated = u32::try_from(it.minalign()).unwrap_or_default();
        let fits = stated.is_power_of_two() && (natural..=32).contains(&stated);
        if !fits {
            let message = format!("struct `{holder}` is aligned to {}", it.minalign());
            self.error(code::FBS_STRUCT, message);
        }
        let alignment = if fits { stated } else { natural };
        let size = layout.close(alignment);
        if size > limit::STRUCT_BYTES {
            let message = format!("struct `{holder}` is larger than {} bytes", limit::STRUCT_BYTES);
            self.error(code::FBS_LIMIT, message);
        } else if i64::from(it.bytesize()) != size as i64 {
            let message = format!("struct `{holder}` has {size} bytes, and not {}", it.bytesize());
            self.error(code::FBS_STRUCT, message);
        }
        // One that is written and changes nothing is known from its attribute alone.
        let written = attribute::number_of(&declaration.options, "force_align");
        let force_align = written.or((alignment > natural).then_some(alignment));
        self.schema.flat.structs.push(Struct {
            declaration,
            fields: layout.fields,
            size: u32::try_from(size).unwrap_or(u32::MAX),
            alignment,
            force_align,
        });
        Some(())
    }

    fn struct_field(
        &mut self,
        holder: &str,
        field: BinaryField<'b>,
        layout: &mut Layout,
    ) -> Option<()> {
        let name = field.name();
        let options = self.options(field.attributes())?;
        let doc = self.doc(field.documentation())?;
        let Some(ty) = self.struct_type(field) else {
            let message = format!("`{name}` of struct `{holder}` has no type that structs hold");
            self.error(code::FBS_STRUCT, message);
            return Some(());
        };
        let (size, alignment) = self.measure(ty);
        let offset = layout.place(size, alignment);
        // The file has 16 bits for it.
        if offset as u16 != field.offset() {
            let message =
                format!("`{name}` of struct `{holder}` is at {offset}, and not {}", field.offset());
            self.error(code::FBS_STRUCT, message);
        }
        layout.fields.push(StructField {
            schema_name: name.to_owned(),
            ty,
            offset: u32::try_from(offset).unwrap_or(u32::MAX),
            size: u32::try_from(size).unwrap_or(u32::MAX),
            padding: 0,
            key: field.key(),
            hash: attribute::text_of(&options, "hash"),
            options,
            doc,
            span: self.place,
            name_span: self.place,
        });
        Some(())
    }

    fn struct_type(&self, field: BinaryField<'b>) -> Option<StructType> {
        let ty = field.type_();
        if ty.base_type() != BaseType::Array {
            return self.struct_element(ty.base_type(), ty.index()).map(StructType::One);
        }
        let element = self.struct_element(ty.element(), ty.index())?;
        let length = ty.fixed_length();
        (length > 0).then_some(StructType::Array { element, length })
    }

    fn struct_element(&self, base: BaseType, position: i32) -> Option<StructElement> {
        if base == BaseType::Obj {
            return match self.index.object(position)? {
                // Its id is below this one's, unless they hold each other, which was reported.
                ObjectId::Struct(id) if (id.0 as usize) < self.schema.flat.structs.len() => {
                    Some(StructElement::Struct(id))
                }
                _ => None,
            };
        }
        let scalar = scalar(base)?;
        if position < 0 {
            return Some(StructElement::Scalar(scalar));
        }
        match self.index.enumeration(position)? {
            EnumOrUnion::Enum(id) if self.schema.flat.enumeration(id).underlying == scalar => {
                Some(StructElement::Enum(id))
            }
            _ => None,
        }
    }
}

pub(super) fn head<'b>(it: &Object<'b>) -> Head<'b> {
    Head {
        full_name: it.name(),
        attributes: it.attributes(),
        lines: it.documentation(),
        file: it.declaration_file(),
    }
}
