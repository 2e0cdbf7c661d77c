//! The wire, as pure bytes: frames of a real brpc and the cases that must be survived.

mod compressed;
mod exchanges;
mod frames;
mod hostile_frames;
mod memory;
mod messages;
mod properties;
mod view;
