//! Findings as text: rustc's look for terminals, one `file:line:col` line each for build scripts.
//!
//! Returns strings and prints nothing. Whatever comes from a schema or a file name is escaped
//! first: a terminal must not obey it.

mod color;
mod compact;
mod escape;
mod lines;
mod rich;

pub use color::{ColorChoice, Environment};
pub use compact::compact;
pub use rich::rich;
