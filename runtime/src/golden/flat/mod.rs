//! Every byte of a FlatBuffers message: offsets, vtables, tables, vectors and strings, by the tables of its layout.
//!
//! Total, and bounded by the bytes: what is reached twice is told once, nothing recurses but structs in structs, and
//! a walk that took too many steps ends where it is. What it did not reach is told as that.

mod structure;
mod table;
mod vector;

use super::sheet::{Path, Sheet};
use super::types::{Type, Types};
use super::value;
use std::collections::{HashSet, VecDeque};
use std::ops::Range;

/// Objects for each byte, and for a message of none: many times what a builder writes.
const STEPS_PER_BYTE: usize = 4;
const FIRST_STEPS: usize = 1024;

/// Tells the message in `range`, whose root is the table `name`.
pub(super) fn message(
    sheet: &mut Sheet<'_>,
    types: &Types,
    name: &'static str,
    range: Range<usize>,
    path: Path,
) {
    let steps = range.len().saturating_mul(STEPS_PER_BYTE).saturating_add(FIRST_STEPS);
    let mut walk = Walk {
        sheet,
        types,
        todo: VecDeque::new(),
        seen: HashSet::new(),
        vtables: HashSet::new(),
        roots: Vec::new(),
        steps,
    };
    walk.root(range, name, path);
    while let Some(object) = walk.todo.pop_front() {
        if walk.steps == 0 {
            break;
        }
        walk.steps -= 1;
        walk.object(object);
    }
    walk.identifiers();
}

/// A buffer: its own bytes, which no offset may leave.
type Buffer = Range<usize>;

/// Something that an offset leads to.
struct Object {
    buffer: Buffer,
    at: usize,
    kind: Kind,
    path: Path,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Kind {
    Table(&'static str),
    String,
    /// The element, and the root table in the bytes.
    Vector(Element, Option<&'static str>),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Element {
    Plain(&'static str),
    Named(&'static str),
}

struct Walk<'w, 'a> {
    sheet: &'w mut Sheet<'a>,
    types: &'w Types,
    todo: VecDeque<Object>,
    seen: HashSet<(usize, Kind)>,
    vtables: HashSet<usize>,
    /// Where an identifier may stand, once everything else is told.
    roots: Vec<(usize, Path)>,
    steps: usize,
}

impl Walk<'_, '_> {
    /// The offset at the start of a buffer; false when it leads nowhere.
    fn root(&mut self, buffer: Buffer, name: &'static str, path: Path) -> bool {
        let Some(target) = self.target(&buffer, buffer.start) else { return false };
        let text = format!("root table {name} -> {target:06x}");
        if !self.sheet.claim(buffer.start, 4, path, text) {
            return false;
        }
        if target >= buffer.start + 8 {
            self.roots.push((buffer.start + 4, path));
        }
        self.enqueue(Object { buffer, at: target, kind: Kind::Table(name), path });
        true
    }

    /// Four letters behind the root's offset that belong to nothing else.
    fn identifiers(&mut self) {
        for (at, path) in std::mem::take(&mut self.roots) {
            let bytes = self.sheet.get(at..at + 4);
            if bytes.iter().all(u8::is_ascii_graphic) {
                let text = format!("file identifier {}", value::text(bytes));
                self.sheet.claim(at, 4, path, text);
            }
        }
    }

    fn enqueue(&mut self, object: Object) {
        if self.seen.insert((object.at, object.kind.clone())) {
            self.todo.push_back(object);
        }
    }

    fn object(&mut self, object: Object) {
        match object.kind {
            Kind::Table(name) => self.table(&object, name),
            Kind::String => self.string(&object),
            Kind::Vector(element, nested) => self.vector(&object, element, nested),
        }
    }

    /// The four bytes of an offset, and what they lead to; without a kind nothing is known of that.
    fn offset(&mut self, buffer: &Buffer, at: usize, kind: Option<Kind>, path: Path) {
        let Some(target) = self.target(buffer, at) else {
            self.sheet.claim(at, 4, path, "an offset that leaves the message");
            return;
        };
        let text = match &kind {
            Some(kind) => format!("-> {target:06x}, {}", kind.describe()),
            None => format!("-> {target:06x}"),
        };
        self.sheet.claim(at, 4, path, text);
        if let Some(kind) = kind {
            self.enqueue(Object { buffer: buffer.clone(), at: target, kind, path });
        }
    }

    /// Where the offset at `at` leads.
    fn target(&self, buffer: &Buffer, at: usize) -> Option<usize> {
        let distance = usize::try_from(self.word(buffer, at)?).ok()?;
        at.checked_add(distance).filter(|target| *target < buffer.end && distance > 0)
    }

    /// The `u32` at a place of the buffer.
    fn word(&self, buffer: &Buffer, at: usize) -> Option<u32> {
        let bytes = self.within(buffer, at, 4)?;
        bytes.first_chunk().copied().map(u32::from_le_bytes)
    }

    /// The `u16` at a place of the buffer.
    fn half(&self, buffer: &Buffer, at: usize) -> Option<u16> {
        let bytes = self.within(buffer, at, 2)?;
        bytes.first_chunk().copied().map(u16::from_le_bytes)
    }

    /// Bytes of the buffer, if it has them.
    fn within(&self, buffer: &Buffer, at: usize, len: usize) -> Option<&[u8]> {
        let end = at.checked_add(len).filter(|end| at >= buffer.start && *end <= buffer.end)?;
        self.sheet.bytes().get(at..end)
    }
}

impl Kind {
    fn describe(&self) -> String {
        match self {
            Self::Table(name) => format!("table {name}"),
            Self::String => "string".to_owned(),
            Self::Vector(element, None) => format!("vector of {}", element.name()),
            Self::Vector(element, Some(root)) => {
                format!("vector of {} with a buffer of {root}", element.name())
            }
        }
    }
}

impl Element {
    /// The element of a type that stands in a vector or behind an offset.
    fn of(ty: &Type) -> Self {
        match ty {
            Type::Plain(keyword) => Self::Plain(keyword),
            Type::Named(name) | Type::Which(name) => Self::Named(name),
            // No vector holds vectors.
            Type::Repeated(_) | Type::Array(..) => Self::Plain(""),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Plain(name) | Self::Named(name) => name,
        }
    }
}
