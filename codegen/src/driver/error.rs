//! The error of a build script. Cargo prints what `main` returns by `Debug`, so that is the form
//! made for reading.

use std::fmt;

use crate::ir::{Diagnostic, Diagnostics, Source};
use crate::render;

/// The result of a build script; `fn main() -> stubwire_codegen::Result`.
pub type Result<T = ()> = std::result::Result<T, Error>;

/// Everything found wrong.
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    diagnostics: Diagnostics,
    sources: Vec<Source>,
}

impl Error {
    pub(super) fn new(diagnostics: Diagnostics, sources: Vec<Source>) -> Self {
        Self { diagnostics, sources }
    }

    /// The findings, warnings among them.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics.0
    }

    /// The texts that the findings point into.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }
}

impl From<Diagnostic> for Error {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::new(Diagnostics(vec![diagnostic]), Vec::new())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(render::compact(&self.diagnostics, &self.sources).trim_end())
    }
}

impl fmt::Debug for Error {
    /// Starts on a line of its own, behind cargo's `Error: `.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "schemas do not compile\n\n{self}")
    }
}

impl std::error::Error for Error {}
