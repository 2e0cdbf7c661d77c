//! The protobuf wire format, read field by field from a slice.
//!
//! Shared by the frame metadata and by the scan of messages. It knows tags, lengths and groups, no schema; it
//! allocates nothing and does not recurse.

/// How many messages and groups may be nested in each other: what protobuf implementations accept by default.
pub(crate) const MAX_DEPTH: usize = 100;

/// Wire type of `int32`, `int64`, `bool`, enums and their kin.
pub(crate) const VARINT: u32 = 0;
/// Wire type of `fixed64`, `sfixed64` and `double`.
pub(crate) const FIXED64: u32 = 1;
/// Wire type of everything with a length in front: text, bytes, messages, packed numbers.
pub(crate) const BYTES: u32 = 2;
/// Wire type of the tag that begins a group.
pub(crate) const GROUP_START: u32 = 3;
/// Wire type of the tag that ends a group.
pub(crate) const GROUP_END: u32 = 4;
/// Wire type of `fixed32`, `sfixed32` and `float`.
pub(crate) const FIXED32: u32 = 5;

/// A rule of the wire format that bytes break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Malformed {
    Truncated,
    VarintTooLong,
    TagTooLarge,
    FieldNumberZero,
    WireTypeUnknown(u8),
    GroupEndUnmatched,
    TooDeep,
}

/// Reads fields from the front of a slice, which shrinks as it goes.
///
/// What is rare is done by functions that take the rest and give it back: a reader whose address is never passed on
/// stays in registers.
#[derive(Clone, Debug)]
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    #[inline]
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// What was not read yet.
    #[inline]
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// A varint of up to ten bytes. Bits above the 64th are dropped, as the C++ implementation does.
    #[inline]
    pub(crate) fn varint(&mut self) -> Result<u64, Malformed> {
        let (value, rest) = match *self.rest {
            [byte, ref rest @ ..] if byte < 0x80 => (u64::from(byte), rest),
            _ => long_varint(self.rest)?,
        };
        self.rest = rest;
        Ok(value)
    }

    /// A field tag: the field number in the upper 29 bits, the wire type in the lower three.
    #[inline]
    pub(crate) fn tag(&mut self) -> Result<u32, Malformed> {
        let tag = u32::try_from(self.varint()?).map_err(|_| Malformed::TagTooLarge)?;
        if tag < 8 {
            return Err(Malformed::FieldNumberZero);
        }
        Ok(tag)
    }

    /// The bytes of a length-delimited field.
    #[inline]
    pub(crate) fn bytes(&mut self) -> Result<&'a [u8], Malformed> {
        let len = self.varint()?;
        // A length beyond usize cannot be met by a slice either.
        let len = usize::try_from(len).unwrap_or(usize::MAX);
        let (taken, rest) = self.rest.split_at_checked(len).ok_or(Malformed::Truncated)?;
        self.rest = rest;
        Ok(taken)
    }

    /// Passes over the value of a field whose tag was just read. Groups may nest `levels` deep.
    #[inline]
    pub(crate) fn skip(&mut self, tag: u32, levels: usize) -> Result<(), Malformed> {
        match tag & 7 {
            VARINT => self.varint().map(drop),
            BYTES => self.bytes().map(drop),
            _ => self.skip_rare(tag, levels),
        }
    }

    /// The same where it hardly ever happens.
    #[inline]
    pub(crate) fn skip_rare(&mut self, tag: u32, levels: usize) -> Result<(), Malformed> {
        self.rest = after_field(self.rest, tag, levels)?;
        Ok(())
    }
}

/// A varint of two bytes or more and what follows it. Where eight bytes can be loaded at once, up to eight are taken
/// in one go.
#[inline]
fn long_varint(bytes: &[u8]) -> Result<(u64, &[u8]), Malformed> {
    /// The bit of each byte that says whether another follows.
    const CONTINUED: u64 = 0x8080_8080_8080_8080;
    let Some(&eight) = bytes.first_chunk() else { return varint_by_bytes(bytes) };
    let word = u64::from_le_bytes(eight);
    let last = (!word & CONTINUED).trailing_zeros();
    if last == u64::BITS {
        return varint_by_bytes(bytes);
    }
    // Drop what follows the varint, then close the gaps that the continuation bits leave, by halves.
    let word = word & !CONTINUED & (u64::MAX >> (63 - last));
    let word = word & 0x007f_007f_007f_007f | (word & 0x7f00_7f00_7f00_7f00) >> 1;
    let word = word & 0x0000_3fff_0000_3fff | (word & 0x3fff_0000_3fff_0000) >> 2;
    let word = word & 0x0fff_ffff | (word & 0x0fff_ffff_0000_0000) >> 4;
    Ok((word, &bytes[last as usize / 8 + 1..]))
}

#[cold]
#[inline(never)]
fn varint_by_bytes(bytes: &[u8]) -> Result<(u64, &[u8]), Malformed> {
    let mut value = 0;
    for (index, &byte) in bytes.iter().take(10).enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * index);
        if byte < 0x80 {
            return Ok((value, &bytes[index + 1..]));
        }
    }
    Err(if bytes.len() < 10 { Malformed::Truncated } else { Malformed::VarintTooLong })
}

/// What follows the value of a field with this tag.
#[inline(never)]
fn after_field(bytes: &[u8], tag: u32, levels: usize) -> Result<&[u8], Malformed> {
    let mut reader = Reader::new(bytes);
    if tag & 7 == GROUP_START {
        skip_group(&mut reader, tag >> 3, levels)?;
    } else {
        skip_value(&mut reader, tag)?;
    }
    Ok(reader.rest)
}

fn skip_value(reader: &mut Reader<'_>, tag: u32) -> Result<(), Malformed> {
    let fixed = |len| reader.rest.get(len..).ok_or(Malformed::Truncated);
    match tag & 7 {
        VARINT => reader.varint().map(drop),
        FIXED64 => fixed(8).map(|rest| reader.rest = rest),
        BYTES => reader.bytes().map(drop),
        FIXED32 => fixed(4).map(|rest| reader.rest = rest),
        GROUP_END => Err(Malformed::GroupEndUnmatched),
        other => Err(Malformed::WireTypeUnknown(other as u8)),
    }
}

/// Follows a group and those inside it to the tag that ends it, with the open ones on a list of fixed size instead
/// of the call stack.
fn skip_group(reader: &mut Reader<'_>, number: u32, levels: usize) -> Result<(), Malformed> {
    let mut open = [0; MAX_DEPTH];
    let levels = levels.min(MAX_DEPTH);
    let mut depth = 0;
    let mut begun = Some(number);
    loop {
        if let Some(number) = begun.take() {
            if depth == levels {
                return Err(Malformed::TooDeep);
            }
            open[depth] = number;
            depth += 1;
        }
        let tag = reader.tag()?;
        match tag & 7 {
            GROUP_START => begun = Some(tag >> 3),
            GROUP_END => {
                if open[depth - 1] != tag >> 3 {
                    return Err(Malformed::GroupEndUnmatched);
                }
                depth -= 1;
                if depth == 0 {
                    return Ok(());
                }
            }
            _ => skip_value(reader, tag)?,
        }
    }
}
