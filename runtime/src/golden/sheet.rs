//! Bytes and what is known of them: every byte belongs to exactly one region.
//!
//! Readers of formats claim regions; a claim that would overlap another, or reach beyond the bytes, is refused, so
//! that bytes which lie cannot be told twice. What nobody claimed becomes padding or unreferenced bytes at the end.

use super::value;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

/// Bytes in one line of a dump.
pub(super) const ROW: usize = 16;

/// A run of more rows than this is shortened …
const LONGEST_RUN: usize = 16;

/// … to so many rows at its beginning, and its last one.
const FIRST_ROWS: usize = 4;

/// Some bytes with one meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Region {
    /// Where they stand.
    pub range: Range<usize>,
    /// The path of the field they belong to.
    pub field: String,
    /// What they say.
    pub meaning: String,
}

/// A place in the tree of fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Path(usize);

/// The root of all paths, which has no name.
pub(super) const ROOT: Path = Path(0);

struct Node {
    parent: Path,
    name: Cow<'static, str>,
    /// `[name]` instead of `.name`.
    bracketed: bool,
}

struct Claim {
    end: usize,
    path: Path,
    meaning: Cow<'static, str>,
}

pub(super) struct Sheet<'a> {
    bytes: &'a [u8],
    claims: BTreeMap<usize, Claim>,
    nodes: Vec<Node>,
}

impl<'a> Sheet<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let root = Node { parent: ROOT, name: Cow::Borrowed(""), bracketed: false };
        Self { bytes, claims: BTreeMap::new(), nodes: vec![root] }
    }

    pub(super) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The bytes of a range; none where it reaches beyond the end.
    pub(super) fn get(&self, range: Range<usize>) -> &'a [u8] {
        self.bytes.get(range).unwrap_or_default()
    }

    /// The field `name` of what stands at `parent`.
    pub(super) fn field(&mut self, parent: Path, name: impl Into<Cow<'static, str>>) -> Path {
        self.node(parent, name.into(), false)
    }

    /// The element `name` of it.
    pub(super) fn element(&mut self, parent: Path, name: impl Into<Cow<'static, str>>) -> Path {
        self.node(parent, name.into(), true)
    }

    fn node(&mut self, parent: Path, name: Cow<'static, str>, bracketed: bool) -> Path {
        self.nodes.push(Node { parent, name, bracketed });
        Path(self.nodes.len() - 1)
    }

    /// True when nobody has any of these bytes, and they exist.
    pub(super) fn is_free(&self, at: usize, len: usize) -> bool {
        let Some(end) = at.checked_add(len).filter(|end| *end <= self.bytes.len()) else {
            return false;
        };
        let before = self.claims.range(..end).next_back();
        before.is_none_or(|(_, claim)| claim.end <= at)
    }

    /// Gives the bytes a meaning; false when they have one already, or do not exist.
    pub(super) fn claim(
        &mut self,
        at: usize,
        len: usize,
        path: Path,
        meaning: impl Into<Cow<'static, str>>,
    ) -> bool {
        let free = self.is_free(at, len);
        if free && len > 0 {
            self.claims.insert(at, Claim { end: at + len, path, meaning: meaning.into() });
        }
        free
    }

    /// Claims bytes row by row, each told by `describe`; a long run is shortened to its ends.
    pub(super) fn run(
        &mut self,
        at: usize,
        len: usize,
        path: Path,
        describe: impl Fn(&[u8]) -> String,
    ) -> bool {
        self.rows(at, len, path, |_, end| end, describe)
    }

    /// The same for a text, whose rows end between characters.
    pub(super) fn text(&mut self, at: usize, len: usize, path: Path) -> bool {
        let bytes = self.bytes;
        let is_inside = |at: usize| bytes.get(at).is_some_and(|byte| byte & 0xc0 == 0x80);
        let between = |start: usize, end: usize| {
            let inside = (0..=3).take_while(|back| is_inside(end - back)).count();
            // What is cut into for longer than a character is no text, and may be cut anywhere.
            if inside > 3 || end - inside <= start { end } else { end - inside }
        };
        self.rows(at, len, path, between, value::text)
    }

    fn rows(
        &mut self,
        at: usize,
        len: usize,
        path: Path,
        cut: impl Fn(usize, usize) -> usize,
        describe: impl Fn(&[u8]) -> String,
    ) -> bool {
        if !self.is_free(at, len) {
            return false;
        }
        let end = at + len;
        let rows = len.div_ceil(ROW);
        let (mut start, mut told) = (at, 0);
        while start < end {
            if rows > LONGEST_RUN && told == FIRST_ROWS {
                let mut last = at + (rows - 1) * ROW;
                while last + 1 < end && cut(start, last) != last {
                    last += 1;
                }
                let meaning = format!("{} bytes more", last - start);
                self.claim(start, last - start, path, meaning);
                start = last;
            }
            told += 1;
            let row_end = if start + ROW < end { cut(start, start + ROW) } else { end };
            let meaning = describe(self.get(start..row_end));
            self.claim(start, row_end - start, path, meaning);
            start = row_end;
        }
        true
    }

    /// Every byte, in order.
    pub(super) fn finish(self) -> Vec<Region> {
        let mut regions = Vec::with_capacity(self.claims.len());
        let mut at = 0;
        for (start, claim) in &self.claims {
            self.gap(at..*start, &mut regions);
            let (field, meaning) = (self.name(claim.path), claim.meaning.clone().into_owned());
            regions.push(Region { range: *start..claim.end, field, meaning });
            at = claim.end;
        }
        self.gap(at..self.bytes.len(), &mut regions);
        regions
    }

    /// What nobody claimed: zeros align what follows them, anything else is not reached by any field.
    fn gap(&self, range: Range<usize>, regions: &mut Vec<Region>) {
        if range.is_empty() {
            return;
        }
        let zero = self.get(range.clone()).iter().all(|byte| *byte == 0);
        let meaning = if zero { "padding" } else { "unreferenced" };
        regions.push(Region { range, field: String::new(), meaning: meaning.to_owned() });
    }

    /// A path as text. The middle of one that is very deep is left out.
    fn name(&self, path: Path) -> String {
        const SHOWN_AT_EACH_END: usize = 6;
        let mut nodes = Vec::new();
        let mut at = path;
        while at != ROOT {
            let Some(node) = self.nodes.get(at.0) else { break };
            nodes.push(node);
            at = node.parent;
        }
        nodes.reverse();
        let mut name = String::new();
        for (index, node) in nodes.iter().enumerate() {
            if nodes.len() > 2 * SHOWN_AT_EACH_END
                && (SHOWN_AT_EACH_END..nodes.len() - SHOWN_AT_EACH_END).contains(&index)
            {
                if index == SHOWN_AT_EACH_END {
                    name.push_str(".…");
                }
                continue;
            }
            match (node.bracketed, name.is_empty()) {
                (true, _) => name.extend(["[", &node.name, "]"]),
                (false, true) => name.push_str(&node.name),
                (false, false) => name.extend([".", &node.name]),
            }
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_told_once() {
        let mut sheet = Sheet::new(b"abcdefgh");
        let path = sheet.field(ROOT, "a");
        assert!(sheet.claim(2, 3, path, "cde"));
        for (at, len) in [(0, 3), (2, 3), (3, 1), (4, 4), (0, 9), (usize::MAX, 2), (8, 1)] {
            assert!(!sheet.claim(at, len, path, "no"), "{at}+{len}");
        }
        assert!(sheet.claim(5, 3, path, "fgh") && sheet.claim(0, 1, path, "a"));
        let regions = sheet.finish();
        let ranges: Vec<_> = regions.iter().map(|region| region.range.clone()).collect();
        assert_eq!(ranges, [0..1, 1..2, 2..5, 5..8]);
        assert_eq!(regions[1].meaning, "unreferenced");
    }

    #[test]
    fn a_long_run_is_shortened_and_covers_all_the_same() {
        let bytes = vec![1; 10_000];
        let mut sheet = Sheet::new(&bytes);
        assert!(sheet.run(3, 9_990, ROOT, |row| format!("{} bytes", row.len())));
        let regions = sheet.finish();
        assert_eq!(regions.len(), 1 + FIRST_ROWS + 2 + 1);
        assert_eq!(regions.iter().map(|region| region.range.len()).sum::<usize>(), bytes.len());
        assert_eq!(regions[FIRST_ROWS + 2].meaning, "6 bytes");
    }

    #[test]
    fn a_text_is_cut_between_characters() {
        for text in ["aé".repeat(20), "ü".repeat(1_000), "…".repeat(1_000), "x😀".repeat(500)]
        {
            let mut sheet = Sheet::new(text.as_bytes());
            assert!(sheet.text(0, text.len(), ROOT));
            let regions = sheet.finish();
            assert_eq!(regions.iter().map(|region| region.range.len()).sum::<usize>(), text.len());
            assert!(
                regions.iter().all(|region| !region.meaning.contains('\u{fffd}')),
                "{regions:?}"
            );
            assert!(regions.len() <= LONGEST_RUN + 1);
        }
        let bytes = [0x80; 100];
        let mut sheet = Sheet::new(&bytes);
        assert!(sheet.text(0, bytes.len(), ROOT));
        assert_eq!(sheet.finish().len(), 7);
    }

    #[test]
    fn paths_read_from_the_root_down() {
        let mut sheet = Sheet::new(b"x");
        let list = sheet.field(ROOT, "list");
        let element = sheet.element(list, "3");
        let mut path = sheet.field(element, "name");
        assert_eq!(sheet.name(path), "list[3].name");
        for _ in 0..100 {
            path = sheet.field(path, "inner");
        }
        let name = sheet.name(path);
        assert!(name.len() < 120 && name.contains(".….inner"), "{name}");
    }
}
