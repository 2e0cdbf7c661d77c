//! Tokens. Those of a text follow each other without gaps: joined, they are the text.

/// A stretch of the text, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Extent {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Extent {
    /// From the start of `self` to the end of `last`.
    pub fn to(self, last: Extent) -> Self {
        Self { start: self.start, end: last.end.max(self.start) }
    }
}

/// One token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands.
    pub extent: Extent,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// Blanks, tabs and ends of lines.
    Whitespace,
    /// `// to the end of the line`.
    LineComment,
    /// `/* to here */`.
    BlockComment,
    /// `/// to the end of the line`: belongs to the next declaration.
    DocComment,
    /// A name or a keyword: keywords are not reserved.
    Word,
    /// An integer, decimal or hexadecimal, perhaps with a sign.
    Integer,
    /// A number with a point or an exponent, perhaps with a sign.
    Float,
    /// A string in double or single quotes.
    String,
    /// A single character that means something.
    Punctuation(u8),
    /// What the language does not know; reported already.
    Unknown,
}

impl TokenKind {
    /// True for what a parser steps over.
    pub fn is_trivia(self) -> bool {
        matches!(
            self,
            Self::Whitespace
                | Self::LineComment
                | Self::BlockComment
                | Self::DocComment
                | Self::Unknown
        )
    }
}

/// Something wrong in one text, before it has a place in a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// A code of the table in `ir::code`.
    pub code: crate::ir::Code,
    /// What is wrong.
    pub message: String,
    /// Where.
    pub extent: Extent,
    /// What to do.
    pub help: Option<&'static str>,
}

impl Finding {
    /// Without a help line.
    pub(crate) fn new(code: crate::ir::Code, extent: Extent, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), extent, help: None }
    }

    /// Sets the help line.
    pub(crate) fn help(mut self, help: &'static str) -> Self {
        self.help = Some(help);
        self
    }
}
