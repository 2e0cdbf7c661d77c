//! Where an element stands: sources, positions and spans.

use std::sync::Arc;

/// Index of a [`Source`] in [`Schema::sources`](super::Schema::sources).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceId(pub u32);

/// One text that was read, kept for diagnostics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The path as diagnostics show it: relative where the user gave a relative path.
    pub path: String,
    /// The text; `None` when only a descriptor set was given.
    pub text: Option<Arc<str>>,
}

/// A place in a text. Both numbers count from 1; the column counts characters, not bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// A half-open stretch of one source; `end` is the position after the last character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The text that the span lies in.
    pub source: SourceId,
    /// First character.
    pub start: Position,
    /// One past the last character.
    pub end: Position,
}

/// Turns byte offsets of one text into [`Position`]s, in constant time for lines of any length.
#[derive(Clone, Debug)]
pub struct TextIndex {
    text: Arc<str>,
    /// Byte offset of the first byte of every line.
    line_starts: Vec<u32>,
    /// Characters before every block of [`BLOCK`] bytes.
    chars_before_block: Vec<u32>,
}

/// Small enough to count within, large enough to keep the table at a sixteenth of the text.
const BLOCK: usize = 64;

impl TextIndex {
    /// Indexes a text. Lines end with `\n`, as protoc counts them.
    pub fn new(text: Arc<str>) -> Self {
        let bytes = text.as_bytes();
        let mut line_starts = vec![0];
        line_starts.extend(
            bytes.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(i, _)| i as u32 + 1),
        );
        let mut chars_before_block = Vec::with_capacity(bytes.len() / BLOCK + 1);
        let mut chars = 0;
        for block in bytes.chunks(BLOCK) {
            chars_before_block.push(chars);
            chars += count_chars(block);
        }
        chars_before_block.push(chars);
        Self { text, line_starts, chars_before_block }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The position of a byte offset; offsets behind the end mean the end.
    pub fn position(&self, offset: usize) -> Position {
        let offset = offset.min(self.text.len());
        let line = self.line_starts.partition_point(|start| *start as usize <= offset) - 1;
        let start = self.line_starts[line] as usize;
        let column = self.chars_before(offset) - self.chars_before(start);
        Position { line: line as u32 + 1, column: column + 1 }
    }

    /// The position of a byte (from 0) of a line (from 0).
    pub fn position_of_line_byte(&self, line: u32, byte: u32) -> Position {
        let last = self.line_starts.len() - 1;
        let start = self.line_starts[(line as usize).min(last)] as usize;
        let position = self.position(start.saturating_add(byte as usize));
        // A byte behind the end of its line is the end of that line.
        if position.line > line + 1 {
            self.position(self.line_end(line as usize))
        } else {
            position
        }
    }

    fn line_end(&self, line: usize) -> usize {
        self.line_starts.get(line + 1).map_or(self.text.len(), |next| *next as usize - 1)
    }

    fn chars_before(&self, offset: usize) -> u32 {
        let block = offset / BLOCK;
        self.chars_before_block[block] + count_chars(&self.text.as_bytes()[block * BLOCK..offset])
    }
}

/// Counts the bytes that start a character.
fn count_chars(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|byte| (**byte as i8) >= -0x40).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, offset: usize) -> (u32, u32) {
        let position = TextIndex::new(text.into()).position(offset);
        (position.line, position.column)
    }

    #[test]
    fn columns_count_characters() {
        assert_eq!(at("aé\nö b", 0), (1, 1));
        assert_eq!(at("aé\nö b", 3), (1, 3));
        assert_eq!(at("aé\nö b", 4), (2, 1));
        assert_eq!(at("aé\nö b", 6), (2, 2));
        assert_eq!(at("aé\nö b", 999), (2, 4));
        assert_eq!(at("", 0), (1, 1));
    }

    #[test]
    fn long_lines_agree_with_counting() {
        let text = "aé→𝄞".repeat(100);
        let index = TextIndex::new(text.as_str().into());
        for (column, (offset, _)) in text.char_indices().enumerate() {
            assert_eq!(index.position(offset).column as usize, column + 1);
        }
    }

    #[test]
    fn a_byte_behind_its_line_is_the_end_of_the_line() {
        let index = TextIndex::new("ab\ncd\n".into());
        assert_eq!(index.position_of_line_byte(0, 9), Position { line: 1, column: 3 });
        assert_eq!(index.position_of_line_byte(7, 9), Position { line: 3, column: 1 });
    }
}
