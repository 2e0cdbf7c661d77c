//! Structs: members at fixed places, in line.

use super::Walk;
use crate::golden::sheet::Path;
use crate::golden::types::Type;
use crate::golden::value;

/// Structs in structs. A schema cannot make a circle of them, a text by hand could.
const DEEPEST: usize = 32;

impl Walk<'_, '_> {
    /// Tells the members of a struct; what lies between them stays for padding.
    pub(super) fn structure(&mut self, at: usize, name: &str, path: Path) {
        let size = self.types.structure(name).map_or(0, |it| it.size);
        if self.sheet.is_free(at, size) {
            self.members(at, name, path, DEEPEST);
        }
    }

    fn members(&mut self, at: usize, name: &str, path: Path, levels: usize) {
        let types = self.types;
        let Some(it) = types.structure(name) else { return };
        for (offset, member) in &it.fields {
            let Ok(offset) = usize::try_from(*offset) else { continue };
            let path = self.sheet.field(path, member.name);
            match &member.ty {
                Type::Array(element, count) => {
                    let size = self.member_size(element);
                    for index in 0..*count as usize {
                        // Beyond its struct there is nothing of it, whatever the count.
                        if size == 0 || offset + (index + 1) * size > it.size || self.steps == 0 {
                            break;
                        }
                        self.steps -= 1;
                        let element_path = self.sheet.element(path, index.to_string());
                        self.member(at + offset + index * size, element, element_path, levels);
                    }
                }
                ty => self.member(at + offset, ty, path, levels),
            }
        }
    }

    fn member(&mut self, at: usize, ty: &Type, path: Path, levels: usize) {
        let size = self.member_size(ty);
        match ty {
            Type::Named(name) if self.types.structure(name).is_some() => {
                if levels > 0 {
                    self.members(at, name, path, levels - 1);
                }
            }
            _ => {
                let text = self.inline_text(ty, self.sheet.get(at..at + size));
                self.sheet.claim(at, size, path, text);
            }
        }
    }

    fn member_size(&self, ty: &Type) -> usize {
        match ty {
            Type::Plain(keyword) => value::scalar_size(keyword).unwrap_or(0),
            Type::Named(name) => match (self.types.structure(name), self.types.flat_enum(name)) {
                (Some(it), _) => it.size,
                (None, Some(it)) => value::scalar_size(it.scalar).unwrap_or(0),
                (None, None) => 0,
            },
            _ => 0,
        }
    }
}
