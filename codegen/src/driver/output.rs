//! What a generation gives when nothing is written.

use std::path::PathBuf;
use std::time::Duration;

use crate::backend::GeneratedFile;
use crate::backend::rust::Times;

/// Files in memory, and what was learned on the way.
#[derive(Debug)]
pub struct Output {
    /// The files, by name; the tree is the last.
    pub files: Vec<GeneratedFile>,
    /// Every file that was read.
    pub read_files: Vec<PathBuf>,
    /// Warnings as text, `file:line:col` first; empty when there are none.
    pub warnings: String,
    /// Where the time went.
    pub report: Report,
}

impl Output {
    /// The content of the file `name`.
    pub fn file(&self, name: &str) -> Option<&str> {
        let file = self.files.iter().find(|file| file.name == name)?;
        Some(&file.content)
    }
}

/// Time by stage. prost-build's share is apart: it is not ours to speed up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Reading, parsing and resolving schemas.
    pub load: Duration,
    /// The passes of the Rust back end.
    pub rust: Times,
    /// Writing files; zero when nothing was written.
    pub write: Duration,
}

impl Report {
    /// Our own passes, from the schema model to text.
    pub fn own_passes(&self) -> Duration {
        self.rust.lower + self.rust.messages + self.rust.emit + self.rust.print
    }
}
