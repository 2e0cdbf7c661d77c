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
#[cfg(feature = "golden")]
mod record;
mod reply;
mod request;
mod shutdown;
mod stamping;
mod state;
mod watchdog;

pub use builder::Server;
pub use event::{Event, EventKind};
pub use hooks::{Authenticator, Interceptor};
#[cfg(feature = "golden")]
pub(crate) use record::answer;
pub use shutdown::{BoundServer, ServerHandle};
pub use state::ServerSnapshot;
