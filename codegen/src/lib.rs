//! Schemas in, Rust out.

pub mod backend;
#[cfg(all(feature = "proto", feature = "print"))]
mod driver;
#[cfg(any(feature = "proto", feature = "fbs"))]
pub mod frontend;
pub mod ir;
pub mod render;

#[cfg(all(feature = "proto", feature = "print"))]
pub use driver::{Builder, Error, Output, Paths, Report, Result, compile, configure};
