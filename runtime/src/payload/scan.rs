//! The look at the bytes of a message before they are decoded.
//!
//! One pass in order, linear in the bytes, by the table of the message: what decoding would allocate, whether the
//! required fields are there, how deep it nests. Values are not looked at; what is wrong with them the decoder
//! finds. The scan may let pass what the decoder refuses, never the reverse, but for one thing: a message that is
//! split over several occurrences of its field has to be complete in each.

use crate::frame::wire::{
    BYTES, FIXED32, FIXED64, GROUP_END, GROUP_START, MAX_DEPTH, Reader, VARINT,
};

use super::shape::Kind;
use super::{DecodeError, Fault, FieldShape, MessageShape, Wire};

/// Checks that decoding `bytes` as a message of this shape allocates at most `budget` bytes for elements and boxes,
/// that no required field is missing and that nothing is nested more than 100 levels deep.
///
/// Text and byte strings are not counted: what they hold is part of the message already.
///
/// # Errors
/// The first rule that is broken, with the path of the field.
pub fn scan(shape: &MessageShape, bytes: &[u8], budget: usize) -> Result<(), DecodeError> {
    if shape.is_plain() {
        return Ok(());
    }
    let mut scan = Scan { budget, left: budget };
    scan.message(shape, &mut Reader::new(bytes), None, MAX_DEPTH)
        .map_err(|error| error.of_message(shape.short_name()))
}

struct Scan {
    budget: usize,
    left: usize,
}

impl Scan {
    /// Scans the fields of one message, to the end of the reader or of the group with the number `group`.
    /// Another `levels` messages may be nested inside.
    fn message(
        &mut self,
        shape: &MessageShape,
        reader: &mut Reader<'_>,
        group: Option<u32>,
        levels: usize,
    ) -> Result<(), DecodeError> {
        let mut seen = Seen::new(shape);
        let mut hint = 0;
        loop {
            if reader.is_empty() {
                if group.is_some() {
                    return Err(DecodeError::new(Fault::Truncated));
                }
                break;
            }
            let tag = reader.tag()?;
            let (number, wire_type) = (tag >> 3, tag & 7);
            if wire_type == GROUP_END && group == Some(number) {
                break;
            }
            let Some(position) = shape.position(number, hint) else {
                reader.skip(tag, levels)?;
                continue;
            };
            hint = position;
            let field = &shape.fields()[position];
            if self.field(field, tag, reader, levels).map_err(|e| e.within(field.name()))? {
                seen.mark(position);
            }
        }
        seen.missing(shape).map_or(Ok(()), |field| {
            Err(DecodeError::new(Fault::RequiredFieldMissing).within(field.name()))
        })
    }

    /// Scans the value of a listed field. `false` if its wire type is another than the schema's: to protobuf that
    /// is an unknown field.
    fn field(
        &mut self,
        field: &FieldShape,
        tag: u32,
        reader: &mut Reader<'_>,
        levels: usize,
    ) -> Result<bool, DecodeError> {
        match (field.kind(), tag & 7) {
            (Kind::Message(child), BYTES) => {
                self.spend(field.cost())?;
                let bytes = reader.bytes()?;
                if !child.is_plain() {
                    self.message(child, &mut Reader::new(bytes), None, descend(levels)?)?;
                }
            }
            (Kind::Group(child), GROUP_START) => {
                self.spend(field.cost())?;
                if child.is_plain() {
                    reader.skip(tag, levels)?;
                } else {
                    self.message(child, reader, Some(tag >> 3), descend(levels)?)?;
                }
            }
            (Kind::Scalar(wire), wire_type) if wire_type == wire_type_of(wire) => {
                self.spend(field.cost())?;
                reader.skip(tag, levels)?;
            }
            // Numbers of a repeated field may be packed, whatever the schema says of it.
            (Kind::Scalar(wire), BYTES) if field.is_repeated() => {
                let count = packed_count(wire, reader.bytes()?);
                self.spend(field.cost().saturating_mul(count))?;
            }
            _ => {
                reader.skip(tag, levels)?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    #[inline]
    fn spend(&mut self, cost: usize) -> Result<(), DecodeError> {
        match self.left.checked_sub(cost) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(DecodeError::new(Fault::OverBudget { budget: self.budget })),
        }
    }
}

fn descend(levels: usize) -> Result<usize, DecodeError> {
    levels.checked_sub(1).ok_or_else(|| DecodeError::new(Fault::NestedTooDeep { limit: MAX_DEPTH }))
}

fn wire_type_of(wire: Wire) -> u32 {
    match wire {
        Wire::Varint => VARINT,
        Wire::Fixed32 => FIXED32,
        Wire::Fixed64 => FIXED64,
        Wire::Bytes => BYTES,
    }
}

/// How many numbers a packed field holds.
fn packed_count(wire: Wire, bytes: &[u8]) -> usize {
    match wire {
        // Each varint has exactly one byte without the continuation bit.
        Wire::Varint => bytes.iter().filter(|&&byte| byte < 0x80).count(),
        Wire::Fixed32 => bytes.len() / 4,
        Wire::Fixed64 => bytes.len() / 8,
        Wire::Bytes => 1,
    }
}

/// The fields of one message that were met, as bits by their place in the table.
struct Seen {
    first: u64,
    /// Words for the fields after the first 64; empty unless one of them is required.
    later: Vec<u64>,
}

impl Seen {
    #[inline]
    fn new(shape: &MessageShape) -> Self {
        let later =
            if shape.required_later() { vec![0; shape.fields().len() / 64] } else { Vec::new() };
        Self { first: 0, later }
    }

    #[inline]
    fn mark(&mut self, position: usize) {
        let bit = 1 << (position % 64);
        match position / 64 {
            0 => self.first |= bit,
            word => {
                if let Some(word) = self.later.get_mut(word - 1) {
                    *word |= bit;
                }
            }
        }
    }

    fn holds(&self, position: usize) -> bool {
        let bit = 1 << (position % 64);
        match position / 64 {
            0 => self.first & bit != 0,
            word => self.later.get(word - 1).is_some_and(|word| word & bit != 0),
        }
    }

    /// The first required field that was not met.
    #[inline]
    fn missing(&self, shape: &MessageShape) -> Option<&'static FieldShape> {
        if shape.required() & !self.first == 0 && !shape.required_later() {
            return None;
        }
        let fields = shape.fields().iter().enumerate();
        fields
            .filter(|(_, field)| field.is_required())
            .find(|&(position, _)| !self.holds(position))
            .map(|(_, field)| field)
    }
}
