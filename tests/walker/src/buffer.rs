//! Writes valid buffers of any table of the schemas, from the model of them and from choices. It
//! shares nothing with the builder that generated code uses: what it writes forwards, that writes
//! backwards.

use stubwire_codegen::ir::flat::{Element, Field, Presence, StructId, Type, Types};
use stubwire_codegen::ir::{TableId, flat};

use crate::choices::Choices;

/// Tables deeper than this hold only what they must.
const DEEPEST: usize = 8;
/// Tables of one buffer; the ones beyond hold only what they must.
const MOST_TABLES: usize = 48;
/// What a union field says that holds a variant of some later schema.
const UNKNOWN_VARIANT: u8 = 200;

const TEXTS: [&str; 6] =
    ["", "a", "key", "\u{3a9}mega", "\u{1f980}", "a text that is longer than a vtable"];

/// A valid buffer with a table of this kind as its root.
pub fn write(types: &Types, root: TableId, prefixed: bool, choices: &mut Choices<'_>) -> Vec<u8> {
    let mut writer = Writer { types, choices, bytes: Vec::new(), tables: 0, depth: 0 };
    writer.buffer(root, prefixed);
    writer.bytes
}

struct Writer<'a, 'c, 'b> {
    types: &'a Types,
    choices: &'c mut Choices<'b>,
    bytes: Vec<u8>,
    /// Tables that were written so far.
    tables: usize,
    depth: usize,
}

/// An offset that is written once what it leads to has a place.
struct Pending<'a> {
    at: usize,
    field: &'a Field,
    /// The number of the variant, where it is a union.
    variant: u8,
}

impl<'a> Writer<'a, '_, '_> {
    fn buffer(&mut self, root: TableId, prefixed: bool) {
        let start = if prefixed { 4 } else { 0 };
        self.bytes.resize(start + 4, 0);
        if self.choices.once_in(3) {
            self.bytes.extend(if self.choices.once_in(2) { *b"ZOO2" } else { *b"TANG" });
        }
        let table = self.table(root);
        self.offset(start, table);
        if prefixed {
            let size = (self.bytes.len() - start) as u32;
            self.bytes[..4].copy_from_slice(&size.to_le_bytes());
        }
    }

    /// Zeros up to a multiple of `alignment`, which is where the next byte stands.
    fn align(&mut self, alignment: usize) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(alignment), 0);
        self.bytes.len()
    }

    /// Says at `from` that what it leads to stands at `to`.
    fn offset(&mut self, from: usize, to: usize) {
        self.bytes[from..from + 4].copy_from_slice(&((to - from) as u32).to_le_bytes());
    }

    fn any(&mut self, count: usize) {
        for _ in 0..count {
            let byte = self.choices.byte();
            self.bytes.push(byte);
        }
    }

    fn is_small(&self) -> bool {
        self.depth >= DEEPEST || self.tables >= MOST_TABLES
    }

    fn table(&mut self, id: TableId) -> usize {
        self.depth += 1;
        self.tables += 1;
        let present = self.present(id);
        let behind = self.choices.once_in(4);
        let slots = present.last().map_or(0, |(field, _)| usize::from(field.id) + 1);
        let vtable_len = 4 + 2 * (slots + self.choices.below(3));
        let mut vtable = self.align(2);
        if !behind {
            self.bytes.resize(vtable + vtable_len, 0);
        }
        let table = self.align(4);
        self.bytes.resize(table + 4, 0);
        let mut pending = Vec::new();
        let mut entries = Vec::new();
        for (field, variant) in present {
            let at = self.inline(field, variant, &mut pending);
            entries.push((usize::from(field.vtable_offset), at - table));
        }
        let size = self.bytes.len() - table;
        if behind {
            vtable = self.align(2);
            self.bytes.resize(vtable + vtable_len, 0);
        }
        for (slot, value) in [(0, vtable_len), (2, size)].into_iter().chain(entries) {
            let at = vtable + slot;
            self.bytes[at..at + 2].copy_from_slice(&(value as u16).to_le_bytes());
        }
        let back = table as i32 - vtable as i32;
        self.bytes[table..table + 4].copy_from_slice(&back.to_le_bytes());
        for it in pending {
            let target = self.target(it.field, it.variant);
            self.offset(it.at, target);
        }
        self.depth -= 1;
        table
    }

    /// The fields that this table has, by id, each with the variant that a union holds.
    fn present(&mut self, id: TableId) -> Vec<(&'a Field, u8)> {
        let types = self.types;
        let fields = &types.table(id).fields;
        let mut present = Vec::new();
        for (index, field) in fields.iter().enumerate() {
            let optional = field.presence != Presence::Required;
            let unwanted = optional && (self.is_small() || self.choices.below(3) == 0);
            if field.deprecated || matches!(field.ty, Type::UnionType(_)) || unwanted {
                continue;
            }
            let Type::Union(union) = field.ty else {
                present.push((field, 0));
                continue;
            };
            let variants = &types.union(union).variants;
            // The first variant of every union of the schemas can be small.
            let variant = if self.is_small() {
                variants[0].number
            } else if self.choices.once_in(16) {
                UNKNOWN_VARIANT
            } else {
                variants[self.choices.below(variants.len())].number
            };
            // The type stands right before its union.
            present.extend([(&fields[index - 1], variant), (field, variant)]);
        }
        present
    }

    /// What stands in the table itself; where that is an offset, what it leads to comes later.
    fn inline(&mut self, field: &'a Field, variant: u8, pending: &mut Vec<Pending<'a>>) -> usize {
        match field.ty {
            Type::Scalar(scalar) => self.scalar(scalar.size() as usize),
            Type::Enum(id) => self.scalar(self.types.enumeration(id).underlying.size() as usize),
            Type::Struct(id) => {
                let it = self.types.structure(id);
                let at = self.align(it.alignment as usize);
                self.any(it.size as usize);
                at
            }
            Type::UnionType(_) => {
                self.bytes.push(variant);
                self.bytes.len() - 1
            }
            Type::Table(_) | Type::String | Type::Union(_) | Type::Vector(_) => {
                let at = self.align(4);
                self.bytes.resize(at + 4, 0);
                pending.push(Pending { at, field, variant });
                at
            }
        }
    }

    fn scalar(&mut self, size: usize) -> usize {
        let at = self.align(size);
        self.any(size);
        at
    }

    fn target(&mut self, field: &'a Field, variant: u8) -> usize {
        match field.ty {
            Type::Table(id) => self.table(id),
            Type::Union(id) => {
                let union = self.types.union(id);
                let known = union.variants.iter().find(|it| it.number == variant);
                self.table(known.unwrap_or(&union.variants[0]).table)
            }
            Type::Vector(element) => match field.nested_flatbuffer {
                Some(nested) => self.nested(nested),
                None => self.vector(element),
            },
            _ => self.string(),
        }
    }

    fn string(&mut self) -> usize {
        let text = TEXTS[self.choices.below(TEXTS.len())];
        let at = self.align(4);
        self.bytes.extend((text.len() as u32).to_le_bytes());
        self.bytes.extend(text.as_bytes());
        self.bytes.push(0);
        at
    }

    /// A buffer of its own; its positions count from its own start.
    fn nested(&mut self, root: TableId) -> usize {
        let outside = std::mem::take(&mut self.bytes);
        self.buffer(root, false);
        let inside = std::mem::replace(&mut self.bytes, outside);
        let at = self.align(4);
        self.bytes.extend((inside.len() as u32).to_le_bytes());
        self.bytes.extend(inside);
        at
    }

    fn vector(&mut self, element: Element) -> usize {
        let len = if self.choices.once_in(20) { 33 } else { self.choices.below(4) };
        match element {
            Element::Scalar(scalar) => self.scalars(len, scalar.size()),
            Element::Enum(id) => self.scalars(len, self.types.enumeration(id).underlying.size()),
            Element::Struct(id) => self.structs(len, id),
            Element::Table(_) | Element::String => self.offsets(len, element),
        }
    }

    /// The length of a vector, so placed that its elements are aligned.
    fn length(&mut self, len: usize, alignment: u32) -> usize {
        let alignment = alignment.max(4) as usize;
        let elements = (self.bytes.len() + 4).next_multiple_of(alignment);
        self.bytes.resize(elements - 4, 0);
        self.bytes.extend((len as u32).to_le_bytes());
        elements - 4
    }

    fn scalars(&mut self, len: usize, size: u32) -> usize {
        let at = self.length(len, size);
        self.any(len * size as usize);
        at
    }

    fn structs(&mut self, len: usize, id: StructId) -> usize {
        let flat::Struct { size, alignment, .. } = self.types.structure(id);
        let at = self.length(len, *alignment);
        self.any(len * *size as usize);
        at
    }

    fn offsets(&mut self, len: usize, element: Element) -> usize {
        let len = if self.is_small() { 0 } else { len };
        let at = self.length(len, 4);
        let first = self.bytes.len();
        self.bytes.resize(first + 4 * len, 0);
        let (mut target, mut is_shared) = (0, false);
        for index in 0..len {
            // Builders write equal values once, and name them twice. Only what shows one table or one
            // text: sharing inside of what is shared multiplies, and the limits allow it so far only.
            if !is_shared || !self.choices.once_in(3) {
                let before = self.tables;
                target = match element {
                    Element::Table(id) => self.table(id),
                    _ => self.string(),
                };
                is_shared = self.tables - before <= 1;
            }
            self.offset(first + 4 * index, target);
        }
        at
    }
}
