//! A connection as such: its socket, what was read of it, what waits to be written to it.
//!
//! Frames are split off here; what they mean is the business of `channel` and `server`.

mod head;
mod inbound;
mod peer;
mod queue;
mod socket;
mod writer;

pub use peer::Peer;

pub(crate) use head::{append_head, append_within};
pub(crate) use inbound::{Frame, Inbound, ReadError};
pub(crate) use queue::{Outgoing, QueueClosed, SHARE_FROM, SendQueue};
pub(crate) use socket::{Listener, ReadHalf, Socket, WriteHalf};
pub(crate) use writer::write_loop;
