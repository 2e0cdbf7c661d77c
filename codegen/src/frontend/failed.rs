//! What a front end hands back when a schema does not load.

use std::fmt;

use crate::ir;

/// A schema that did not load.
pub struct Failed {
    /// The texts that the findings point into.
    pub sources: Vec<ir::Source>,
    /// At least one error.
    pub diagnostics: ir::Diagnostics,
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, found) in self.diagnostics.0.iter().enumerate() {
            let newline = if at == 0 { "" } else { "\n" };
            write!(f, "{newline}{}: {}", found.code, found.message)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Failed {}
