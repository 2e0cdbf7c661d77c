//! Messages and their shapes as generated code would have them, and protobuf bytes written by hand.

pub mod bytes_of;
pub mod message;
pub mod reference;
