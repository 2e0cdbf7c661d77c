//! The server side: listen, read requests, hand them to the registry, write replies, stop well.

mod accept;
mod admission;
mod builder;
mod connection;
mod event;
mod frpc;
mod hooks;
mod incoming;
mod prpc;
mod reply;
mod request;
mod shutdown;
mod state;
mod watchdog;

pub use builder::Server;
pub use event::{Event, EventKind};
pub use hooks::{Authenticator, Interceptor};
pub use shutdown::{BoundServer, ServerHandle};
pub use state::ServerSnapshot;
