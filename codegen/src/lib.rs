//! Schemas in, Rust out.

pub mod ir;
