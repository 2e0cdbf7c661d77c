//! Vectors and strings.

use super::{Element, Kind, Object, Walk};
use crate::golden::types::Type;
use crate::golden::value;

impl Walk<'_, '_> {
    pub(super) fn string(&mut self, object: &Object) {
        let (buffer, at, path) = (&object.buffer, object.at, object.path);
        let Some(len) = self.length(object, 1) else { return };
        let text = at + 4;
        if !self.sheet.claim(at, 4, path, format!("string, length {len}")) {
            return;
        }
        self.sheet.text(text, len, path);
        if self.within(buffer, text + len, 1) == Some(&[0]) {
            self.sheet.claim(text + len, 1, path, "end of the string");
        }
    }

    pub(super) fn vector(
        &mut self,
        object: &Object,
        element: Element,
        nested: Option<&'static str>,
    ) {
        let (at, path) = (object.at, object.path);
        let Some(size) = self.element_size(element) else { return };
        let Some(len) = self.length(object, size) else { return };
        let text = format!("vector of {}, length {len}", element.name());
        let first = at + 4;
        // Vectors that lie in each other would be told as often as there are bytes.
        let whole = self.sheet.is_free(first, len * size);
        if !self.sheet.claim(at, 4, path, text) || !whole {
            return;
        }
        if let Some(root) = nested
            && self.root(first..first + len, root, path)
        {
            return;
        }
        match element {
            Element::Named(name) if self.types.structure(name).is_some() => {
                for index in 0..len {
                    let path = self.sheet.element(path, index.to_string());
                    self.structure(first + index * size, name, path);
                }
            }
            Element::Named(name) if self.types.flat_enum(name).is_none() => {
                self.offsets(object, first, len, &Kind::Table(name));
            }
            Element::Plain("string") => self.offsets(object, first, len, &Kind::String),
            Element::Plain("ubyte") => {
                self.sheet.run(first, len, path, value::ascii);
            }
            Element::Plain(name) => {
                self.scalars(object, first, len * size, size, &Type::Plain(name))
            }
            Element::Named(name) => {
                self.scalars(object, first, len * size, size, &Type::Named(name))
            }
        }
    }

    fn offsets(&mut self, object: &Object, first: usize, len: usize, kind: &Kind) {
        for index in 0..len {
            let path = self.sheet.element(object.path, index.to_string());
            self.offset(&object.buffer, first + 4 * index, Some(kind.clone()), path);
        }
    }

    /// Rows of scalars or enums; a row holds whole ones, since their sizes divide it.
    fn scalars(&mut self, object: &Object, first: usize, bytes: usize, size: usize, ty: &Type) {
        let (types, sheet) = (self.types, &mut *self.sheet);
        sheet.run(first, bytes, object.path, |row| {
            let texts = row.chunks(size.max(1)).map(|bytes| match ty {
                Type::Named(name) => types
                    .flat_enum(name)
                    .map_or_else(|| value::ascii(bytes), |it| value::enumerator(it, bytes)),
                Type::Plain(keyword) => value::scalar(keyword, bytes),
                _ => value::ascii(bytes),
            });
            texts.collect::<Vec<_>>().join(", ")
        });
    }

    /// How many elements there are, if the buffer holds as many.
    fn length(&mut self, object: &Object, size: usize) -> Option<usize> {
        let len = self.word(&object.buffer, object.at).and_then(|len| usize::try_from(len).ok())?;
        let whole = len.checked_mul(size)?.checked_add(4)?;
        self.within(&object.buffer, object.at, whole).map(|_| len)
    }

    fn element_size(&self, element: Element) -> Option<usize> {
        match element {
            Element::Plain("string") => Some(4),
            Element::Plain(keyword) => value::scalar_size(keyword),
            Element::Named(name) => {
                match (self.types.structure(name), self.types.flat_enum(name)) {
                    (Some(it), _) => Some(it.size).filter(|size| *size > 0),
                    (None, Some(it)) => value::scalar_size(it.scalar),
                    (None, None) => Some(4),
                }
            }
        }
    }
}
