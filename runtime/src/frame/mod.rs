//! Frames as pure bytes: what stands on the wire in front of a message, and nothing else.
//!
//! Bytes come in and borrowed views go out, or the reverse. Nothing here reads a socket, looks at a clock, knows
//! a method or decodes a message. Every decoder is total: any bytes give a value or an [`Error`], in time linear
//! in their length, and nothing is allocated for a length that a peer merely declared.

pub mod checksum;
pub mod compress;
mod error;
pub mod frpc;
pub mod prpc;
mod sniff;
pub(crate) mod wire;

pub use error::Error;
pub use sniff::{Guess, Protocol, Sniff, sniff, sniff_among};
