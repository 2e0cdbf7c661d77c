//! Memory for messages that are built: how large a builder should start, and builders kept for the next one.
//!
//! Knows no call and no connection. Everything here belongs to one thread: hints are kept per method and thread, and
//! a builder goes to the thread that dropped it.

mod builder;
mod hint;
mod pool;

pub(crate) use builder::Built;
