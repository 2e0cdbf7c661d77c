//! Tables and their vtables.

use super::{Buffer, Element, Kind, Object, Walk};
use crate::golden::sheet::Path;
use crate::golden::types::{Member, Type};
use crate::golden::value;

/// A vtable that was found to be one.
struct VTable {
    at: usize,
    /// Its own bytes, and those of its table.
    size: usize,
    table_size: usize,
}

/// One field of a table that is there.
struct Place<'b> {
    buffer: &'b Buffer,
    at: usize,
    path: Path,
}

impl Walk<'_, '_> {
    pub(super) fn table(&mut self, object: &Object, name: &'static str) {
        let (buffer, at, path) = (&object.buffer, object.at, object.path);
        let Some(vtable) = self.find_vtable(buffer, at) else {
            self.sheet.claim(at, 4, path, format!("table {name}, whose vtable is none"));
            return;
        };
        if !self.sheet.claim(at, 4, path, format!("table {name}, vtable -> {:06x}", vtable.at)) {
            return;
        }
        self.tell_vtable(buffer, &vtable, name, path);
        let types = self.types;
        let Some(members) = types.table(name) else { return };
        for (slot, member) in members {
            self.steps = self.steps.saturating_sub(1);
            if let Some(offset) = self.slot(buffer, &vtable, *slot) {
                let at = at + offset;
                let Some(size) = self.inline_size(&member.ty) else { continue };
                if offset >= 4 && offset + size <= vtable.table_size {
                    let path = self.sheet.field(path, member.name);
                    let chosen = self.chosen(buffer, &vtable, object.at, *slot, &member.ty);
                    self.field(&Place { buffer, at, path }, member, size, chosen);
                }
            }
        }
    }

    fn find_vtable(&self, buffer: &Buffer, at: usize) -> Option<VTable> {
        let distance = self.word(buffer, at)?.cast_signed();
        let vtable = isize::try_from(at).ok()?.checked_sub(isize::try_from(distance).ok()?)?;
        let vtable = usize::try_from(vtable).ok()?;
        let size = usize::from(self.half(buffer, vtable)?);
        let table_size = usize::from(self.half(buffer, vtable + 2)?);
        let fits = size >= 4
            && size.is_multiple_of(2)
            && table_size >= 4
            && self.within(buffer, vtable, size).is_some()
            && self.within(buffer, at, table_size).is_some();
        fits.then_some(VTable { at: vtable, size, table_size })
    }

    /// Where in its table a field stands; none where it is absent.
    fn slot(&self, buffer: &Buffer, vtable: &VTable, slot: u32) -> Option<usize> {
        let slot = usize::try_from(slot).ok().filter(|slot| slot + 2 <= vtable.size)?;
        let offset = usize::from(self.half(buffer, vtable.at + slot)?);
        Some(offset).filter(|offset| *offset > 0)
    }

    /// A vtable belongs to every table of its shape; it is told with the names of the first.
    fn tell_vtable(&mut self, buffer: &Buffer, vtable: &VTable, name: &'static str, path: Path) {
        if !self.vtables.insert(vtable.at) || !self.sheet.is_free(vtable.at, vtable.size) {
            return;
        }
        let path = self.sheet.element(path, "vtable");
        self.sheet.claim(vtable.at, 2, path, format!("size {}", vtable.size));
        let text = format!("size of the table {}", vtable.table_size);
        self.sheet.claim(vtable.at + 2, 2, path, text);
        let members = self.types.table(name);
        for slot in (4..vtable.size).step_by(2) {
            let Some(offset) = self.half(buffer, vtable.at + slot) else { break };
            let member = u32::try_from(slot).ok().and_then(|slot| members?.get(&slot));
            let path = match member {
                Some(member) => self.sheet.field(path, member.name),
                None => self.sheet.field(path, format!("#{slot}")),
            };
            let text = match (offset, member) {
                (0, _) => "absent".to_owned(),
                (_, Some(_)) => format!("at +{offset}"),
                (_, None) => format!("at +{offset}, of no known field"),
            };
            self.sheet.claim(vtable.at + slot, 2, path, text);
        }
    }

    /// The bytes that a field takes in its table.
    fn inline_size(&self, ty: &Type) -> Option<usize> {
        match ty {
            Type::Plain("string") | Type::Repeated(_) => Some(4),
            Type::Plain(keyword) => value::scalar_size(keyword),
            Type::Which(_) => Some(1),
            Type::Named(name) => {
                if let Some(it) = self.types.flat_enum(name) {
                    return value::scalar_size(it.scalar);
                }
                Some(self.types.structure(name).map_or(4, |it| it.size))
            }
            Type::Array(..) => None,
        }
    }

    /// The table that a union holds: its number stands in the slot before.
    fn chosen(
        &self,
        buffer: &Buffer,
        vtable: &VTable,
        table: usize,
        slot: u32,
        ty: &Type,
    ) -> Option<&'static str> {
        let Type::Named(name) = ty else { return None };
        let variants = self.types.union(name)?;
        let offset = self.slot(buffer, vtable, slot.checked_sub(2)?)?;
        let number = *self.within(buffer, table + offset, 1)?.first()?;
        match variants.get(&u32::from(number))?.ty {
            Type::Named(table) => Some(table),
            _ => None,
        }
    }

    fn field(
        &mut self,
        place: &Place<'_>,
        member: &Member,
        size: usize,
        chosen: Option<&'static str>,
    ) {
        let Place { buffer, at, path } = *place;
        let types = self.types;
        match &member.ty {
            Type::Plain("string") => self.offset(buffer, at, Some(Kind::String), path),
            Type::Repeated(element) => {
                let kind = Kind::Vector(Element::of(element), member.nested);
                self.offset(buffer, at, Some(kind), path);
            }
            Type::Which(union) => {
                let number = self.sheet.get(at..at + 1).first().copied().unwrap_or(0);
                let variant = types.union(union).and_then(|it| it.get(&u32::from(number)));
                let text = match (number, variant) {
                    (0, _) => "0 NONE".to_owned(),
                    (_, Some(variant)) => format!("{number} {}", variant.name),
                    (_, None) => number.to_string(),
                };
                self.sheet.claim(at, 1, path, text);
            }
            Type::Named(name) if types.structure(name).is_some() => {
                self.structure(at, name, path);
            }
            Type::Named(name) if types.union(name).is_some() => {
                self.offset(buffer, at, chosen.map(Kind::Table), path);
            }
            Type::Named(name) if types.flat_enum(name).is_none() => {
                self.offset(buffer, at, Some(Kind::Table(name)), path);
            }
            ty => {
                let text = self.inline_text(ty, self.sheet.get(at..at + size));
                self.sheet.claim(at, size, path, text);
            }
        }
    }

    /// A scalar or an enum.
    pub(super) fn inline_text(&self, ty: &Type, bytes: &[u8]) -> String {
        match ty {
            Type::Plain(keyword) => value::scalar(keyword, bytes),
            Type::Named(name) => match self.types.flat_enum(name) {
                Some(it) => value::enumerator(it, bytes),
                None => value::ascii(bytes),
            },
            _ => value::ascii(bytes),
        }
    }
}
