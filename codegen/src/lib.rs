//! Schemas in, Rust out: the generator of stubwire, for build scripts.
//!
//! ```no_run
//! // build.rs
//! fn main() -> stubwire_codegen::Result {
//!     stubwire_codegen::configure().compile(&["schema/echo.proto"], &["schema"])
//! }
//! ```
//!
//! The program then says `stubwire::include_tree!()`, and has a module for every package: its
//! messages, a server trait and a client for every service. What can be chosen stands on
//! [`Builder`], under the names that users of prost-build and tonic-build know.
//!
//! This file is the table of contents. A schema goes through `frontend` into [`ir`], the model
//! that every room agrees on, and from there through [`backend`] into files; `driver` holds both
//! ends, and is the only room that writes. [`render`] makes text of findings.

pub mod backend;
#[cfg(all(feature = "proto", feature = "print"))]
mod driver;
#[cfg(any(feature = "proto", feature = "fbs", feature = "bfbs"))]
pub mod frontend;
pub mod ir;
pub mod render;

#[cfg(all(feature = "proto", feature = "print", feature = "flatc"))]
pub use driver::FlatBuffersMessages;
#[cfg(all(feature = "proto", feature = "print"))]
pub use driver::{Builder, Error, Output, Paths, Report, Result, compile, configure};
