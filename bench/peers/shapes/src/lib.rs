//! Connection shapes for peers that bring no connection policies of their own: connections that lanes
//! share or have to themselves, and a pool.
//!
//! Most peers give their users one client on one connection and leave the rest to them; this is the
//! rest, the same for all. A peer that has a pool of its own does not use this one.

mod local;
mod pool;

pub use local::{LocalLane, open_local};
pub use pool::{Lane, open};

use stubwire_bench_load::{ClientOptions, Failure, Payload, Shape};

/// How many connections a run opens before its first call.
///
/// # Errors
/// What no peer can do: [`Failure::Unsupported`].
pub fn plan(options: &ClientOptions) -> Result<usize, Failure> {
    if options.payload == Payload::Attachment {
        return Err(Failure::Unsupported("attachments"));
    }
    match options.shape {
        Shape::Short => Err(Failure::Unsupported("a connection a call")),
        Shape::Separate | Shape::Shared | Shape::Pooled => {
            Ok(options.planned_connections().unwrap_or(options.connections))
        }
    }
}

/// Whether no connection will ever have two calls in flight.
pub fn one_in_flight(options: &ClientOptions) -> bool {
    match options.shape {
        Shape::Pooled => true,
        Shape::Separate => options.rate.is_none() && options.concurrency <= options.connections,
        Shape::Shared | Shape::Short => false,
    }
}
