//! What the front ends for FlatBuffers give, whichever form the schema had.

use std::path::PathBuf;

use crate::ir;

/// A schema that loaded.
#[derive(Debug)]
pub struct Loaded {
    /// The resolved schema.
    pub schema: ir::Schema,
    /// Every file that was really read, sorted.
    pub read_files: Vec<PathBuf>,
    /// Warnings.
    pub diagnostics: ir::Diagnostics,
}
