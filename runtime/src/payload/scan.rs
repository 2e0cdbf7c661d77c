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
/// Text and byte strings are not counted: what they hold is part of the message already. Neither is what a growing
/// vector keeps free, which may be as much again as its elements take.
///
/// # Errors
/// The first rule that is broken, with the path of the field.
pub fn scan(shape: &MessageShape, bytes: &[u8], budget: usize) -> Result<(), DecodeError> {
    if shape.is_plain() {
        return Ok(());
    }
    let mut scan = Scan { budget, left: budget };
    match scan.message(shape, bytes, None, MAX_DEPTH) {
        Ok(_) => Ok(()),
        Err(error) => Err(error.of_message(shape.short_name())),
    }
}

struct Scan {
    budget: usize,
    left: usize,
}

impl Scan {
    /// Scans the fields of one message, to the end of the bytes or of the group with the number `group`, and gives
    /// what follows. Another `levels` messages may be nested inside.
    fn message<'a>(
        &mut self,
        shape: &MessageShape,
        bytes: &'a [u8],
        group: Option<u32>,
        levels: usize,
    ) -> Result<&'a [u8], DecodeError> {
        let mut seen = Seen::new(shape);
        let mut reader = Reader::new(bytes);
        let mut hint = 0;
        while !reader.is_empty() {
            let tag = reader.tag()?;
            if tag & 7 == GROUP_END && group == Some(tag >> 3) {
                return seen.check(shape).map(|()| reader.rest());
            }
            let Some(position) = shape.position(tag >> 3, hint) else {
                reader.skip(tag, levels)?;
                continue;
            };
            hint = position;
            let field = &shape.fields()[position];
            let (rest, known) = self
                .field(field, tag, reader.rest(), levels)
                .map_err(|error| error.within(field.name()))?;
            reader = Reader::new(rest);
            if known {
                seen.mark(position);
            }
        }
        if group.is_some() {
            return Err(DecodeError::new(Fault::Truncated));
        }
        seen.check(shape).map(|()| reader.rest())
    }

    /// Scans the value of a listed field and gives what follows. `false` if its wire type is another than the
    /// schema's: to protobuf that is an unknown field.
    #[inline]
    fn field<'a>(
        &mut self,
        field: &FieldShape,
        tag: u32,
        bytes: &'a [u8],
        levels: usize,
    ) -> Result<(&'a [u8], bool), DecodeError> {
        let mut reader = Reader::new(bytes);
        match (field.kind(), tag & 7) {
            (Kind::Message(child), BYTES) => {
                self.spend(field.cost())?;
                let bytes = reader.bytes()?;
                if !child.is_plain() {
                    self.message(child, bytes, None, descend(levels)?)?;
                }
            }
            (Kind::Group(child), GROUP_START) => {
                self.spend(field.cost())?;
                if child.is_plain() {
                    reader.skip(tag, levels)?;
                } else {
                    let rest =
                        self.message(child, reader.rest(), Some(tag >> 3), descend(levels)?)?;
                    reader = Reader::new(rest);
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
                return Ok((reader.rest(), false));
            }
        }
        Ok((reader.rest(), true))
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
        Wire::Varint => varint_count(bytes),
        Wire::Fixed32 => bytes.len() / 4,
        Wire::Fixed64 => bytes.len() / 8,
        Wire::Bytes => 1,
    }
}

/// How many varints stand in a row. Each has exactly one byte without the continuation bit.
fn varint_count(bytes: &[u8]) -> usize {
    const LOWEST_BITS: u64 = 0x0101_0101_0101_0101;
    let (words, rest) = bytes.as_chunks::<8>();
    let in_words = words.iter().map(|word| {
        let last_bytes = (!u64::from_le_bytes(*word) >> 7) & LOWEST_BITS;
        // The product has the sum of all bytes in its highest one.
        (last_bytes.wrapping_mul(LOWEST_BITS) >> 56) as usize
    });
    in_words.sum::<usize>() + rest.iter().filter(|&&byte| byte < 0x80).count()
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

    /// Whether every required field was met.
    #[inline]
    fn check(&self, shape: &MessageShape) -> Result<(), DecodeError> {
        if shape.required() & !self.first == 0 && !shape.required_later() {
            return Ok(());
        }
        self.check_each(shape)
    }

    fn check_each(&self, shape: &MessageShape) -> Result<(), DecodeError> {
        let mut fields = shape.fields().iter().enumerate();
        match fields.find(|&(position, field)| field.is_required() && !self.holds(position)) {
            Some((_, field)) => {
                Err(DecodeError::new(Fault::RequiredFieldMissing).within(field.name()))
            }
            None => Ok(()),
        }
    }
}
