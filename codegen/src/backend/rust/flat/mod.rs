//! FlatBuffers messages: the types for the `flatbuffers` crate, by the names of flatc.
//!
//! [`lower`](super::lower) decides every name and fills [`model`]; what stands here besides only
//! turns that model into tokens, one kind of item a file.

mod accessor;
mod builder;
mod debug;
mod emit;
mod enumeration;
mod flags;
pub(crate) mod given;
pub(crate) mod ident;
pub(crate) mod model;
mod root;
mod structure;
mod table;
mod verify;

pub(crate) use emit::{emit, emit_given};
