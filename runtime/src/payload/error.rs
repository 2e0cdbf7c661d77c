//! Why a message was not decoded, with the path of the field that is to blame.

use core::fmt;

use crate::frame::wire::{MAX_DEPTH, Malformed};

/// A path longer than twice this is shown by its two ends.
const SHOWN_AT_EACH_END: usize = 8;

/// A message that was not decoded. `Display` names the field by its path from the root, `EchoRequest.inner.id`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    // Boxed so that the result of decoding a field is two words where nothing is wrong.
    inner: Box<Inner>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    fault: Fault,
    /// From the innermost field outwards while the error travels; from the root once it is handed out.
    path: Vec<&'static str>,
}

/// What is wrong with a message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// Decoding it would allocate more than the budget, in bytes.
    OverBudget {
        /// The budget.
        budget: usize,
    },
    /// A required field is not there.
    RequiredFieldMissing,
    /// Messages and groups are nested deeper than this.
    NestedTooDeep {
        /// The number of levels that would have been accepted.
        limit: usize,
    },
    /// A length points beyond the end of the message, or the message ends inside a field.
    Truncated,
    /// The bytes are not protobuf.
    Malformed,
    /// The decoder of the message refused the bytes, in its own words.
    Refused(Box<str>),
}

impl DecodeError {
    #[cold]
    pub(super) fn new(fault: Fault) -> Self {
        Self { inner: Box::new(Inner { fault, path: Vec::new() }) }
    }

    /// The same error seen from outside the field.
    #[cold]
    pub(super) fn within(mut self, field: &'static str) -> Self {
        self.inner.path.push(field);
        self
    }

    /// The same error seen from outside the root message: the path is complete.
    #[cold]
    pub(super) fn of_message(mut self, message: &'static str) -> Self {
        self.inner.path.push(message);
        self.inner.path.reverse();
        self
    }

    /// What is wrong.
    pub fn fault(&self) -> &Fault {
        &self.inner.fault
    }

    /// The path of the field that is to blame, from the message down; empty if the decoder named it in its text.
    pub fn path(&self) -> String {
        let path = &self.inner.path;
        if path.len() <= 2 * SHOWN_AT_EACH_END {
            return path.join(".");
        }
        let (head, tail) = (&path[..SHOWN_AT_EACH_END], &path[path.len() - SHOWN_AT_EACH_END..]);
        format!("{}.….{}", head.join("."), tail.join("."))
    }
}

impl From<Malformed> for DecodeError {
    #[cold]
    fn from(malformed: Malformed) -> Self {
        Self::new(match malformed {
            Malformed::Truncated => Fault::Truncated,
            Malformed::TooDeep => Fault::NestedTooDeep { limit: MAX_DEPTH },
            _ => Fault::Malformed,
        })
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path();
        match &self.inner.fault {
            Fault::OverBudget { budget } => {
                write!(f, "decoding `{path}` takes the message beyond its {budget} bytes of memory")
            }
            Fault::RequiredFieldMissing => write!(f, "required field `{path}` is missing"),
            Fault::NestedTooDeep { limit } => {
                write!(f, "`{path}` is nested more than {limit} levels deep")
            }
            Fault::Truncated => write!(f, "message ends inside `{path}`"),
            Fault::Malformed => write!(f, "`{path}` is not valid protobuf"),
            Fault::Refused(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for DecodeError {}
