//! Reads everything that can be reached from a verified root, and folds it into a number, so that no
//! read can be left out. What is read comes from the generated walkers; here stands how.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt;

use flatbuffers::{Array, Follow, Table, Vector};

/// The state of one walk.
#[derive(Debug)]
pub struct Walker {
    hash: u64,
    /// Tables and structs that may still be entered.
    left: usize,
    depth: usize,
    /// The accessors that were called, by type and name; only where somebody asks for them.
    reached: Option<BTreeSet<&'static str>>,
}

/// Deeper than any verified buffer: depth 64 outside, and as much in each buffer inside.
const DEEPEST: usize = 1024;

impl Walker {
    /// A walk of at most `most` tables and structs.
    pub fn new(most: usize) -> Self {
        Self { hash: 0, left: most, depth: 0, reached: None }
    }

    /// The same, noting every accessor that it calls.
    pub fn noting(most: usize) -> Self {
        Self { reached: Some(BTreeSet::new()), ..Self::new(most) }
    }

    /// What was read, as a number: the same for the same content, wherever it stands in memory.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The accessors that were called.
    pub fn reached(self) -> BTreeSet<&'static str> {
        self.reached.unwrap_or_default()
    }

    /// Takes a number in.
    pub fn fold(&mut self, value: u64) {
        self.hash = (self.hash.rotate_left(5) ^ value).wrapping_mul(0x517c_c1b7_2722_0a95);
    }

    /// Takes bytes in, every one of them.
    pub fn fold_bytes(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.fold(u64::from_le_bytes(*word));
        }
        for byte in rest {
            self.fold(u64::from(*byte));
        }
        self.fold(bytes.len() as u64);
    }

    /// Notes an accessor.
    pub fn reach(&mut self, accessor: &'static str) {
        if let Some(reached) = &mut self.reached {
            reached.insert(accessor);
        }
    }

    /// False when the walk has become too long or too deep; else [`leave`](Self::leave) follows.
    pub fn enter(&mut self) -> bool {
        if self.left == 0 || self.depth == DEEPEST {
            return false;
        }
        self.left -= 1;
        self.depth += 1;
        true
    }

    /// Out of a table or a struct.
    pub fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Takes the text of a value in, the first bytes of it.
    pub fn debug(&mut self, value: &dyn fmt::Debug) {
        let mut text = Text { walker: self, left: 1 << 16 };
        // Ends with an error where the text is longer than that.
        let _ = fmt::Write::write_fmt(&mut text, format_args!("{value:?}"));
    }
}

/// Text on its way into the number.
struct Text<'a> {
    walker: &'a mut Walker,
    left: usize,
}

impl fmt::Write for Text<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.left = self.left.checked_sub(text.len()).ok_or(fmt::Error)?;
        self.walker.fold_bytes(text.as_bytes());
        Ok(())
    }
}

/// What can be read to its end.
pub trait Walk {
    /// Reads all of it.
    fn walk(&self, to: &mut Walker);
}

macro_rules! numbers {
    ($($number:ty)*) => {
        $(impl Walk for $number {
            fn walk(&self, to: &mut Walker) {
                to.fold(*self as u64);
            }
        })*
    };
}

numbers!(bool u8 i8 u16 i16 u32 i32 u64 i64);

impl Walk for f32 {
    fn walk(&self, to: &mut Walker) {
        to.fold(u64::from(self.to_bits()));
    }
}

impl Walk for f64 {
    fn walk(&self, to: &mut Walker) {
        to.fold(self.to_bits());
    }
}

impl Walk for str {
    fn walk(&self, to: &mut Walker) {
        // Text that is no UTF-8 would be undefined behaviour here, so that it is looked at anew.
        assert!(std::str::from_utf8(self.as_bytes()).is_ok(), "a string that is not UTF-8");
        to.fold_bytes(self.as_bytes());
    }
}

impl Walk for Ordering {
    fn walk(&self, to: &mut Walker) {
        to.fold(*self as u64);
    }
}

impl<T: Walk + ?Sized> Walk for &T {
    fn walk(&self, to: &mut Walker) {
        (**self).walk(to);
    }
}

impl<T: Walk> Walk for Option<T> {
    fn walk(&self, to: &mut Walker) {
        to.fold(u64::from(self.is_some()));
        if let Some(value) = self {
            value.walk(to);
        }
    }
}

impl<'a, T: Follow<'a>> Walk for Vector<'a, T>
where
    T::Inner: Walk,
{
    fn walk(&self, to: &mut Walker) {
        let len = self.len();
        assert_eq!((self.is_empty(), self.iter().len()), (len == 0, len));
        to.fold_bytes(self.bytes());
        for value in self.iter() {
            value.walk(to);
        }
        // From behind, and by index; no further than the ends, since that is the same memory.
        if let Some(last) = self.iter().next_back() {
            last.walk(to);
            self.get(len - 1).walk(to);
            self.iter().nth(len / 2).walk(to);
        }
    }
}

impl<'a, T: Follow<'a>, const N: usize> Walk for Array<'a, T, N>
where
    T::Inner: Walk,
{
    fn walk(&self, to: &mut Walker) {
        assert_eq!(self.iter().len(), self.len());
        for value in self.iter().rev() {
            value.walk(to);
        }
        self.get(N - 1).walk(to);
    }
}

/// The value of a union, whose type nobody named yet. What the table says of itself is read, too;
/// its fields are read by the accessors of its variants.
impl Walk for Table<'_> {
    fn walk(&self, to: &mut Walker) {
        to.fold((self.buf().len() - self.loc()) as u64);
        to.fold_bytes(self.vtable().as_bytes());
    }
}

/// A key that is only ever compared by the accessor of a table.
#[derive(Debug, PartialEq)]
pub struct Key<T>(pub T);

impl<T: PartialEq> Eq for Key<T> {}

impl<T: PartialEq> PartialOrd for Key<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: PartialEq> Ord for Key<T> {
    fn cmp(&self, _: &Self) -> Ordering {
        Ordering::Equal
    }
}

/// A vector that may be absent.
pub trait MaybeVector<'a, T> {
    /// The vector, unless it is absent or empty.
    fn filled(self) -> Option<Vector<'a, T>>;
}

impl<'a, T> MaybeVector<'a, T> for Vector<'a, T> {
    fn filled(self) -> Option<Self> {
        Some(self).filled()
    }
}

impl<'a, T> MaybeVector<'a, T> for Option<Vector<'a, T>> {
    fn filled(self) -> Option<Vector<'a, T>> {
        self.filter(|vector| !vector.is_empty())
    }
}
