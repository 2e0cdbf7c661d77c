//! When a call came how far: what a server or a channel tells an observer that asked for it.
//!
//! Off unless an observer is set. A call that is not stamped carries an empty `Option` and looks at the clock no more
//! often for it. Stamps tell when they are dropped, wherever a call ends, so that none is told twice or not at all.

mod client;
mod server;

pub(crate) use client::ClientStamps;
pub use client::{ClientPhases, PhaseObserver};
pub use server::ServerPhases;
pub(crate) use server::{HandlerStart, ServerObserver, ServerStamps};

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// The time between two points, if the call came to both.
fn between(from: Option<Duration>, to: Option<Duration>) -> Option<Duration> {
    Some(to?.saturating_sub(from?))
}

/// What `named` intervals leave of `total`.
fn residual(total: Duration, named: &[Option<Duration>]) -> Duration {
    total.saturating_sub(named.iter().flatten().sum())
}

/// Calls an observer. One that panics costs nobody else anything: this runs in drops, and where connections are written.
fn tell(observe: impl FnOnce()) {
    let _ = catch_unwind(AssertUnwindSafe(observe));
}
