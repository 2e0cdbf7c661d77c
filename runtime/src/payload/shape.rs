//! What the scan has to know of a message, as constants in generated code.
//!
//! Only `const` constructors and builders are public, so that output of an older generator keeps compiling.

use core::fmt;

/// The wire types of a scalar field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// `int32`, `sint64`, `bool`, enums and their kin.
    Varint,
    /// `fixed32`, `sfixed32`, `float`.
    Fixed32,
    /// `fixed64`, `sfixed64`, `double`.
    Fixed64,
    /// `string`, `bytes`.
    Bytes,
}

/// The fields of a message that can cost memory or be missing: repeated ones, messages, required ones.
///
/// A field that is none of these is not listed.
pub struct MessageShape {
    name: &'static str,
    fields: &'static [FieldShape],
    /// Bit `i` is set if field `i` of the list is required, for the first 64 fields.
    required: u64,
    /// Whether a field after the first 64 is required.
    required_later: bool,
}

impl MessageShape {
    /// The shape of the message with this full name (`bench.EchoRequest`).
    ///
    /// # Panics
    /// When the fields are not sorted by number, each once. In a constant or static that is a compile error.
    pub const fn new(name: &'static str, fields: &'static [FieldShape]) -> Self {
        let (mut required, mut required_later) = (0, false);
        let mut index = 0;
        while index < fields.len() {
            assert!(
                index == 0 || fields[index - 1].number < fields[index].number,
                "fields of a message shape are sorted by number"
            );
            if fields[index].required {
                if index < 64 {
                    required |= 1 << index;
                } else {
                    required_later = true;
                }
            }
            index += 1;
        }
        Self { name, fields, required, required_later }
    }

    /// Whether nothing of what the scan looks for can be wrong with this message.
    #[inline]
    pub const fn is_plain(&self) -> bool {
        self.fields.is_empty()
    }

    /// The full name of the message.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    pub(super) fn short_name(&self) -> &'static str {
        self.name.rsplit('.').next().unwrap_or(self.name)
    }

    #[inline]
    pub(super) fn fields(&self) -> &'static [FieldShape] {
        self.fields
    }

    #[inline]
    pub(super) fn required(&self) -> u64 {
        self.required
    }

    #[inline]
    pub(super) fn required_later(&self) -> bool {
        self.required_later
    }

    /// Where in the list the field with this number is. Encoders write fields in order, so the place of the one
    /// before is a good `hint`.
    #[inline]
    pub(super) fn position(&self, number: u32, hint: usize) -> Option<usize> {
        let at_hint = |index: usize| self.fields.get(index).is_some_and(|f| f.number == number);
        if at_hint(hint) {
            return Some(hint);
        }
        if at_hint(hint + 1) {
            return Some(hint + 1);
        }
        self.fields.binary_search_by_key(&number, |field| field.number).ok()
    }
}

impl fmt::Debug for MessageShape {
    /// Names only: shapes of recursive messages refer to themselves.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.fields.iter().map(|field| field.name);
        f.write_str(self.name)?;
        f.debug_set().entries(names).finish()
    }
}

/// One field of a [`MessageShape`].
#[derive(Clone, Copy)]
pub struct FieldShape {
    number: u32,
    name: &'static str,
    kind: Kind,
    repeated: bool,
    required: bool,
    /// What each occurrence allocates, in bytes.
    cost: usize,
}

#[derive(Clone, Copy)]
pub(super) enum Kind {
    Scalar(Wire),
    Message(&'static MessageShape),
    Group(&'static MessageShape),
}

impl FieldShape {
    /// A field that holds no message. Listed only when it is repeated or required.
    pub const fn scalar(number: u32, name: &'static str, wire: Wire) -> Self {
        Self::new(number, name, Kind::Scalar(wire))
    }

    /// A field that holds a message, or the entry of a map.
    pub const fn message(number: u32, name: &'static str, shape: &'static MessageShape) -> Self {
        Self::new(number, name, Kind::Message(shape))
    }

    /// A field that holds a message and is encoded as a group.
    pub const fn group(number: u32, name: &'static str, shape: &'static MessageShape) -> Self {
        Self::new(number, name, Kind::Group(shape))
    }

    const fn new(number: u32, name: &'static str, kind: Kind) -> Self {
        Self { number, name, kind, repeated: false, required: false, cost: 0 }
    }

    /// The field is repeated, and one element takes `size` bytes in the vector or map that holds it.
    #[must_use]
    pub const fn repeated(mut self, size: usize) -> Self {
        self.repeated = true;
        self.cost = size;
        self
    }

    /// The field is singular, and its value of `size` bytes stands on the heap.
    #[must_use]
    pub const fn boxed(mut self, size: usize) -> Self {
        self.cost = size;
        self
    }

    /// The field has to be present (proto2).
    #[must_use]
    pub const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    #[inline]
    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    #[inline]
    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    #[inline]
    pub(super) fn is_repeated(&self) -> bool {
        self.repeated
    }

    #[inline]
    pub(super) fn is_required(&self) -> bool {
        self.required
    }

    #[inline]
    pub(super) fn cost(&self) -> usize {
        self.cost
    }
}

impl fmt::Debug for FieldShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.name, self.number)
    }
}
