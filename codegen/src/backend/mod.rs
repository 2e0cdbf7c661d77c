//! Back ends: from the schema model to text. They read the model, decide nothing about schemas,
//! and write no files.

#[cfg(all(feature = "proto", feature = "print"))]
pub mod rust;

/// A file that a back end made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedFile {
    /// Its name: one component, never a path.
    pub name: String,
    /// Its bytes, UTF-8 with `\n`.
    pub content: String,
}
