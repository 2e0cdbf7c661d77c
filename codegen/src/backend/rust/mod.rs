//! The Rust back end: `lower` decides every name, `messages` has prost-build make the types,
//! `emit` writes the services, `print` makes text.

mod check_options;
pub(crate) mod emit;
pub(crate) mod file_name;
pub(crate) mod flat;
mod generate;
pub(crate) mod lower;
mod messages;
mod options;
pub(crate) mod path_map;
mod print;

pub use flat::given::GivenMessages;
pub use generate::{Generated, Times, generate};
pub use options::{MessageOptions, RustOptions};
pub use path_map::PathMap;
