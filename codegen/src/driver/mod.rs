//! From files on disk to files on disk: load, generate, write. The only room that writes, and the
//! face for build scripts.

mod builder;
mod cargo;
mod error;
#[cfg(feature = "flatc")]
mod flatc;
mod load;
mod message_options;
mod output;
mod paths;
mod run;
mod second_call;
mod write;

pub use builder::{Builder, configure};
pub use error::{Error, Result};
#[cfg(feature = "flatc")]
pub use flatc::FlatBuffersMessages;
pub use output::{Output, Report};
pub use paths::Paths;

use std::path::Path;

/// Compiles schemas with the default options: `configure().compile(inputs, includes)`.
///
/// # Errors
/// As [`Builder::compile`].
pub fn compile(inputs: &[impl AsRef<Path>], includes: &[impl AsRef<Path>]) -> Result {
    configure().compile(inputs, includes)
}
