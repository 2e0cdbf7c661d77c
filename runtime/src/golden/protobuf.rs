//! Every byte of a Protobuf message: tag, length, value, by the fields of its layout.
//!
//! Total: where the bytes stop being Protobuf, the rest of the message is one region that says so.

use super::sheet::{Path, Sheet};
use super::types::{Member, Members, Type, Types};
use super::value;
use crate::frame::wire::{
    BYTES, FIXED32, FIXED64, GROUP_END, GROUP_START, MAX_DEPTH, Malformed, Reader, VARINT,
};
use std::collections::HashMap;
use std::ops::Range;

/// Packed numbers that are told one by one; of more the rest is one region.
const TOLD_ONE_BY_ONE: usize = 16;

/// Tells the message `name` in `range`.
pub(super) fn message(
    sheet: &mut Sheet<'_>,
    types: &Types,
    name: &str,
    range: Range<usize>,
    path: Path,
) {
    let scope = Scope { types, name, path, levels: MAX_DEPTH };
    scope.fields(sheet, range, None);
}

/// A message, group or map entry while its fields are told.
struct Scope<'t> {
    types: &'t Types,
    name: &'t str,
    path: Path,
    levels: usize,
}

/// One field whose tag was just read.
struct Field<'t> {
    member: Option<&'t Member>,
    path: Path,
}

impl<'t> Scope<'t> {
    /// Tells fields up to the end of the range, or of the group with this number; gives what follows.
    fn fields(&self, sheet: &mut Sheet<'_>, range: Range<usize>, group: Option<u32>) -> usize {
        let members = self.types.message(self.name);
        let mut seen = HashMap::new();
        let (mut at, end) = (range.start, range.end);
        while at < end {
            let told = self.field(sheet, members, &mut seen, at..end, group);
            match told {
                Ok((next, over)) => {
                    at = next;
                    if over {
                        return at;
                    }
                }
                Err(malformed) => {
                    let text = format!("no Protobuf: {}", describe(malformed));
                    sheet.claim(at, end - at, self.path, text);
                    return end;
                }
            }
        }
        at
    }

    /// Tells one field; true when it ended the group. Nothing is claimed of a field that is malformed.
    fn field(
        &self,
        sheet: &mut Sheet<'_>,
        members: Option<&'t Members>,
        seen: &mut HashMap<u32, usize>,
        range: Range<usize>,
        group: Option<u32>,
    ) -> Result<(usize, bool), Malformed> {
        let (start, end) = (range.start, range.end);
        let mut reader = Reader::new(sheet.get(range));
        let at = |reader: &Reader<'_>| end - reader.rest().len();
        let tag = reader.tag()?;
        let (number, value_at) = (tag >> 3, at(&reader));
        if tag & 7 == GROUP_END && group == Some(number) {
            let text = format!("end of group {number}");
            sheet.claim(start, value_at - start, self.path, text);
            return Ok((value_at, true));
        }
        // What follows the value is known before anything is claimed.
        let content = if tag & 7 == BYTES { Some(reader.bytes()?.len()) } else { None };
        if content.is_none() {
            reader.skip(tag, self.levels)?;
        }
        let next = at(&reader);
        let member = members.and_then(|members| members.get(&number));
        let field = Field { member, path: self.path_of(sheet, tag, member, seen) };
        let text = format!("field {number}, {}", wire_name(tag & 7));
        sheet.claim(start, value_at - start, field.path, text);
        match (tag & 7, content) {
            (BYTES, Some(len)) => {
                let content = next - len..next;
                let text = format!("length {len}");
                sheet.claim(value_at, content.start - value_at, field.path, text);
                self.content(sheet, &field, content);
            }
            (GROUP_START, _) => {
                let inner = self.inner(&field);
                inner.fields(sheet, value_at..next, Some(number));
            }
            (wire, _) => {
                let text = number_text(self.types, field.member, wire, sheet.get(value_at..next));
                sheet.claim(value_at, next - value_at, field.path, text);
            }
        }
        Ok((next, false))
    }

    fn path_of(
        &self,
        sheet: &mut Sheet<'_>,
        tag: u32,
        member: Option<&Member>,
        seen: &mut HashMap<u32, usize>,
    ) -> Path {
        let Some(member) = member else {
            return sheet.field(self.path, format!("#{}", tag >> 3));
        };
        let path = sheet.field(self.path, member.name);
        let packed = tag & 7 == BYTES && self.is_number(&member.ty);
        if !matches!(member.ty, Type::Repeated(_)) || packed {
            return path;
        }
        let count = seen.entry(tag >> 3).or_default();
        let index = count.to_string();
        *count += 1;
        sheet.element(path, index)
    }

    fn is_number(&self, ty: &Type) -> bool {
        match element(ty) {
            Type::Plain(keyword) => !matches!(*keyword, "string" | "bytes"),
            Type::Named(name) => self.types.message(name).is_none(),
            _ => false,
        }
    }

    /// Tells what stands behind a length.
    fn content(&self, sheet: &mut Sheet<'_>, field: &Field<'_>, range: Range<usize>) {
        let (at, len) = (range.start, range.len());
        match field.member.map(|member| element(&member.ty)) {
            Some(Type::Plain("string")) => {
                sheet.text(at, len, field.path);
            }
            Some(Type::Named(name)) if self.types.message(name).is_some() => {
                if self.levels == 0 {
                    sheet.run(at, len, field.path, |_| "nested too deep to be told".to_owned());
                } else {
                    self.inner(field).fields(sheet, range, None);
                }
            }
            Some(Type::Plain("bytes")) | None => {
                sheet.run(at, len, field.path, value::ascii);
            }
            Some(_) => self.packed(sheet, field, range),
        }
    }

    /// Numbers of a repeated field in one piece.
    fn packed(&self, sheet: &mut Sheet<'_>, field: &Field<'_>, range: Range<usize>) {
        let (mut at, end) = (range.start, range.end);
        let wire = field.member.map_or(VARINT, |member| wire_of(&member.ty));
        for index in 0..TOLD_ONE_BY_ONE {
            let mut reader = Reader::new(sheet.get(at..end));
            if reader.is_empty() || reader.skip(wire, 0).is_err() {
                break;
            }
            let next = end - reader.rest().len();
            let path = sheet.element(field.path, index.to_string());
            let text = number_text(self.types, field.member, wire, sheet.get(at..next));
            sheet.claim(at, next - at, path, text);
            at = next;
        }
        sheet.run(at, end - at, field.path, |_| "more of them".to_owned());
    }

    fn inner<'f>(&self, field: &Field<'f>) -> Scope<'f>
    where
        't: 'f,
    {
        let name = match field.member.map(|member| element(&member.ty)) {
            Some(Type::Named(name)) => name,
            _ => "",
        };
        Scope { types: self.types, name, path: field.path, levels: self.levels.saturating_sub(1) }
    }
}

/// The type of one element.
fn element(ty: &Type) -> &Type {
    match ty {
        Type::Repeated(of) | Type::Array(of, _) => of,
        other => other,
    }
}

fn describe(malformed: Malformed) -> &'static str {
    match malformed {
        Malformed::Truncated => "it ends inside a field",
        Malformed::VarintTooLong => "a number of more than ten bytes",
        Malformed::TagTooLarge => "a field number beyond what there is",
        Malformed::FieldNumberZero => "field number 0",
        Malformed::WireTypeUnknown(_) => "an unknown wire type",
        Malformed::GroupEndUnmatched => "the end of another group",
        Malformed::TooDeep => "groups nested too deep",
    }
}

fn wire_name(wire: u32) -> &'static str {
    match wire {
        VARINT => "varint",
        FIXED64 => "64 bits",
        BYTES => "with a length",
        GROUP_START => "group",
        FIXED32 => "32 bits",
        _ => "unknown",
    }
}

/// The wire type of a number by its keyword; enums are varints.
fn wire_of(ty: &Type) -> u32 {
    match element(ty) {
        Type::Plain("fixed32" | "sfixed32" | "float") => FIXED32,
        Type::Plain("fixed64" | "sfixed64" | "double") => FIXED64,
        _ => VARINT,
    }
}

/// A number of the field's type; as it stands where the wire type is another.
fn number_text(types: &Types, member: Option<&Member>, wire: u32, bytes: &[u8]) -> String {
    let ty = member.map(|member| element(&member.ty));
    let bits = match wire {
        VARINT => Reader::new(bytes).varint().unwrap_or(0),
        _ => {
            let mut word = [0; 8];
            word.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
            u64::from_le_bytes(word)
        }
    };
    let signed = bits.cast_signed();
    let zigzag = |bits: u64| (bits >> 1).cast_signed() ^ -((bits & 1).cast_signed());
    match (ty, wire) {
        (Some(Type::Plain("int32")), VARINT) => (signed as i32).to_string(),
        (Some(Type::Plain("int64")), VARINT) => signed.to_string(),
        (Some(Type::Plain("sint32")), VARINT) => (zigzag(bits) as i32).to_string(),
        (Some(Type::Plain("sint64")), VARINT) => zigzag(bits).to_string(),
        (Some(Type::Plain("uint32")), VARINT) => (bits as u32).to_string(),
        (Some(Type::Plain("bool")), VARINT) => (bits != 0).to_string(),
        (Some(Type::Plain("errno")), VARINT) => value::error_code(signed as i32),
        (Some(Type::Named(name)), VARINT) => {
            value::named((signed as i32).into(), types.proto_enum(name))
        }
        (Some(Type::Plain("float")), FIXED32) => format!("{:?}", f32::from_bits(bits as u32)),
        (Some(Type::Plain("sfixed32")), FIXED32) => (bits as i32).to_string(),
        (Some(Type::Plain("double")), FIXED64) => format!("{:?}", f64::from_bits(bits)),
        (Some(Type::Plain("sfixed64")), FIXED64) => signed.to_string(),
        (None | Some(Type::Plain("uint64" | "fixed32" | "fixed64")), _) => bits.to_string(),
        (Some(_), _) => format!("{bits}, not of the field's type"),
    }
}
