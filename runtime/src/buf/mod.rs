//! Memory for messages that are built or encoded: how large a builder should start, and memory kept for the next one.
//!
//! Knows no call and no connection. Everything here belongs to one thread: hints are kept per method and thread, and
//! memory goes to the thread that dropped it.

#[cfg(feature = "flatbuffers")]
mod builder;
#[cfg(feature = "flatbuffers")]
mod builders;
mod frame;
#[cfg(feature = "flatbuffers")]
mod hint;
mod pool;

#[cfg(feature = "flatbuffers")]
pub(crate) use builder::Built;
pub(crate) use frame::encode_in_one_piece;
