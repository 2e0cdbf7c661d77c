//! Schemas in, Rust out.

pub mod backend;
#[cfg(feature = "proto")]
pub mod frontend;
pub mod ir;
pub mod render;
