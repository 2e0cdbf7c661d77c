//! A connection as such: its socket, what was read of it, what waits to be written to it.
//!
//! Frames are split off here; what they mean is the business of `channel` and `server`.

mod head;
mod inbound;
mod marks;
mod outbound;
mod peer;
mod queue;
mod socket;
mod spin;

pub use peer::Peer;

pub(crate) use head::{append_head, append_within};
pub(crate) use inbound::{Frame, Inbound, ReadError};
pub(crate) use marks::Written;
pub(crate) use outbound::{Outbound, write_loop};
pub(crate) use queue::{Outgoing, Pushed, QueueClosed, SHARE_FROM, Then};
pub(crate) use socket::{Listener, ReadHalf, Socket};
pub(crate) use spin::Spinner;
