//! What a call ends with when it does not end well.
//!
//! [`Code`] carries brpc's numbers on the wire; `code.rs` holds the one table that relates them to
//! gRPC and HTTP. A [`Status`] is one pointer wide, so that results stay small.

mod code;

pub use code::{Code, GrpcCode};

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// An error of a call: a [`Code`], a message, and possibly a cause and the peer that reported it.
///
/// ```
/// use stubwire::{Code, Status};
///
/// let status = Status::new(1234, "boom");
/// assert_eq!(status.code(), Code::new(1234));
/// assert_eq!(status.message(), "boom");
/// assert_eq!(Status::invalid_request("no key").code(), Code::EREQUEST);
/// ```
#[derive(Clone)]
pub struct Status(Box<Inner>);

#[derive(Clone)]
struct Inner {
    code: Code,
    message: Cow<'static, str>,
    origin: Option<String>,
    source: Option<Arc<dyn Error + Send + Sync>>,
}

impl Status {
    /// An error with a code and a message.
    ///
    /// The code is a [`Code`] or its number; zero would say success and is taken as
    /// [`Code::EINTERNAL`].
    pub fn new(code: impl Into<Code>, message: impl Into<Cow<'static, str>>) -> Self {
        let code = match code.into() {
            Code::OK => Code::EINTERNAL,
            code => code,
        };
        Self(Box::new(Inner { code, message: message.into(), origin: None, source: None }))
    }

    /// [`Code::EREQUEST`]: the request cannot be served as it is.
    pub fn invalid_request(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::EREQUEST, message)
    }

    /// [`Code::EINTERNAL`]: a fault on the side that answers.
    pub fn internal(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::EINTERNAL, message)
    }

    /// [`Code::EPERM`]: the caller may not do this.
    pub fn permission_denied(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::EPERM, message)
    }

    /// [`Code::ELIMIT`]: too much is going on already; the call was not executed.
    pub fn limit_reached(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::ELIMIT, message)
    }

    /// Adds the error that caused this one.
    #[must_use]
    pub fn with_source(mut self, source: impl Error + Send + Sync + 'static) -> Self {
        self.0.source = Some(Arc::new(source));
        self
    }

    pub(crate) fn with_origin(mut self, origin: String) -> Self {
        self.0.origin = Some(origin);
        self
    }

    /// The code.
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// The text, without the address and code that brpc writes in front of it on the wire.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The address under which a remote server reported this, `host:port`; `None` for an error
    /// found on this side.
    pub fn origin(&self) -> Option<&str> {
        self.0.origin.as_deref()
    }
}

impl fmt::Debug for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Status");
        debug.field("code", &self.0.code).field("message", &self.0.message);
        if let Some(origin) = &self.0.origin {
            debug.field("origin", origin);
        }
        if let Some(source) = &self.0.source {
            debug.field("source", source);
        }
        debug.finish()
    }
}

/// `E1003 EREQUEST from 127.0.0.1:8000: text`; text from peers has its control characters escaped.
impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.code)?;
        if let Some(origin) = &self.0.origin {
            write!(f, " from {}", Escaped(origin))?;
        }
        if !self.0.message.is_empty() {
            write!(f, ": {}", Escaped(&self.0.message))?;
        }
        Ok(())
    }
}

impl Error for Status {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source.as_deref().map(|source| source as _)
    }
}

/// As much of `text` as fits `longest` bytes, whole characters only.
pub(crate) fn prefix(text: &str, longest: usize) -> &str {
    let fits = |end: &usize| text.is_char_boundary(*end);
    // A character has at most four bytes, and zero is a boundary.
    &text[..(0..=longest.min(text.len())).rev().find(fits).unwrap_or(0)]
}

/// Shows text from a peer so that it cannot steer a terminal or reorder a line: control
/// characters, line ends and bidirectional marks come out as `\u{…}` (RUSTSEC-2025-0055 is the
/// fault that this prevents).
pub(crate) struct Escaped<'a>(pub(crate) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in self.0.split_inclusive(needs_escape) {
            let mut characters = part.chars();
            match characters.next_back() {
                Some(last) if needs_escape(last) => {
                    write!(f, "{}{}", characters.as_str(), last.escape_default())?;
                }
                _ => f.write_str(part)?,
            }
        }
        Ok(())
    }
}

fn needs_escape(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_one_pointer() {
        assert_eq!(size_of::<Status>(), size_of::<usize>());
        assert_eq!(size_of::<Result<(), Status>>(), size_of::<usize>());
    }

    #[test]
    fn a_prefix_ends_between_characters() {
        let cases = [("", 0, ""), ("ab", 5, "ab"), ("ab", 1, "a"), ("aé", 2, "a"), ("é", 0, "")];
        for (text, longest, expected) in cases {
            assert_eq!(prefix(text, longest), expected);
        }
    }

    #[test]
    fn zero_never_means_an_error() {
        assert_eq!(Status::new(0, "x").code(), Code::EINTERNAL);
    }

    #[test]
    fn peer_text_is_escaped_in_display() {
        let shown = Status::new(1001, "a\x1b[31mb\u{202e}c\nd").to_string();
        assert_eq!(shown, "E1001 ENOSERVICE: a\\u{1b}[31mb\\u{202e}c\\nd");
    }
}
