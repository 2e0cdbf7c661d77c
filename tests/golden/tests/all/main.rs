//! Layouts of frames and messages, pinned; and what the assertions themselves promise.

mod captured;
mod coverage;
mod files;
mod frpc_frames;
mod layouts;
mod messages;
mod prpc_frames;
