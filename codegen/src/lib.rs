//! Schemas in, Rust out.

#[cfg(feature = "proto")]
pub mod frontend;
pub mod ir;
