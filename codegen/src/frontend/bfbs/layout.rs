//! The layout of a struct, computed again: what the file says of it must be the same.

use super::convert::Converter;
use crate::ir::flat::{StructElement, StructField, StructType};

/// The layout so far.
pub(super) struct Layout {
    pub(super) fields: Vec<StructField>,
    pub(super) end: u64,
    pub(super) alignment: u32,
}

impl Layout {
    pub(super) fn new() -> Self {
        Self { fields: Vec::new(), end: 0, alignment: 1 }
    }

    /// The place of a field, and the padding before it.
    pub(super) fn place(&mut self, size: u64, alignment: u32) -> u64 {
        let offset = self.end.next_multiple_of(alignment.into());
        if let Some(before) = self.fields.last_mut() {
            before.padding = (offset - self.end) as u32;
        }
        // Far above any limit, and far below an overflow.
        self.end = offset.saturating_add(size).min(u64::MAX / 4);
        self.alignment = self.alignment.max(alignment);
        offset
    }

    /// The size of the whole.
    pub(super) fn close(&mut self, alignment: u32) -> u64 {
        let size = self.end.next_multiple_of(u64::from(alignment.max(1)));
        if let Some(last) = self.fields.last_mut() {
            last.padding = u32::try_from(size - self.end).unwrap_or(u32::MAX);
        }
        size
    }
}

impl Converter<'_, '_> {
    /// Size and alignment of what a field of a struct holds.
    pub(super) fn measure(&self, ty: StructType) -> (u64, u32) {
        let (element, length) = match ty {
            StructType::One(element) => (element, 1),
            StructType::Array { element, length } => (element, length),
        };
        let types = &self.schema.flat;
        let (size, alignment) = match element {
            StructElement::Scalar(scalar) => (scalar.size(), scalar.size()),
            StructElement::Enum(id) => {
                let size = types.enumeration(id).underlying.size();
                (size, size)
            }
            StructElement::Struct(id) => {
                let it = types.structure(id);
                (it.size, it.alignment)
            }
        };
        (u64::from(size) * u64::from(length), alignment)
    }
}
