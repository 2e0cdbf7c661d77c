//! The Rust back end: `lower` decides every name, `messages` has prost-build make the types,
//! `emit` writes the services, `print` makes text.

pub(crate) mod lower;
mod options;
pub(crate) mod path_map;

pub use options::{MessageOptions, RustOptions};
pub use path_map::PathMap;
