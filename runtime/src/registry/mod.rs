//! One method table for every codec and every wire protocol.
//!
//! This room never names a frame or a connection: whoever speaks a protocol looks a method up here
//! and hands it a call and the bytes of the message.

mod descriptor;
mod entry;
mod hash;
mod layout;
mod methods;
mod pace;
mod table;

pub use descriptor::{Codec, MethodDescriptor, ServiceDescriptor, Streaming};
pub use entry::MethodHandle;
pub use hash::service_id;
pub use layout::Layout;
pub use methods::{Methods, Service};
pub use table::{RegisterError, Registry, ServiceHandle};

pub(crate) use entry::{Handler, HandlerFuture, MethodEntry};
pub(crate) use table::{LookupError, Table, TableCache};
