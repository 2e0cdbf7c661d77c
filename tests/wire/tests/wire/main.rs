//! The wire, as pure bytes: frames of a real brpc and the cases that must be survived.

mod compressed;
mod exchanges;
mod frames;
mod frpc;
mod frpc_order;
mod hostile_frames;
mod memory;
mod messages;
mod properties;
mod view;
