//! The client side: channels, what they do with connections, and calls on them.

mod body;
mod connect;
mod connection;
mod decode;
mod in_process;
mod options;
mod outward;
mod pending;
mod pool;
#[cfg(feature = "golden")]
mod record;
mod remote;
mod reply;
mod request;
mod retry;
mod slot;
mod target;
mod transport;

pub(crate) use body::Body;
pub use options::{ChannelOptions, ConnectionPolicy};
pub use pending::{Calling, Pending};
#[cfg(feature = "golden")]
pub(crate) use record::Recorded;
pub use reply::Reply;
#[cfg(feature = "protobuf")]
pub(crate) use reply::decode_protobuf;
#[cfg(feature = "flatbuffers")]
pub(crate) use reply::verify_flat;
pub use transport::{Transport, TransportFuture, TransportReply, TransportRequest};

use crate::limits::Limits;
use crate::registry::{MethodDescriptor, Registry};
use crate::status::Status;
use bytes::Bytes;
use in_process::InProcess;
use remote::Remote;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use target::Target;

/// A way to call methods: over connections to a server, in this process, or over a user's own
/// [`Transport`]. Cheap to clone.
///
/// ```no_run
/// # async fn connect() -> Result<(), stubwire::Status> {
/// let channel = stubwire::Channel::connect("prpc://127.0.0.1:8000").await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Channel(Way);

#[derive(Clone)]
enum Way {
    Remote(Arc<Remote>),
    InProcess(Arc<InProcess>),
    Transport(Arc<dyn Transport>),
}

impl Channel {
    /// Connects to `prpc://host:port` or `prpc+unix:/path` with default options.
    ///
    /// # Errors
    /// EREQUEST for a target of another form; otherwise why the connection cannot be opened.
    pub async fn connect(target: impl AsRef<str>) -> Result<Self, Status> {
        Self::connect_with(target, ChannelOptions::default()).await
    }

    /// Connects with options.
    ///
    /// # Errors
    /// As [`connect`](Self::connect).
    pub async fn connect_with(
        target: impl AsRef<str>,
        options: ChannelOptions,
    ) -> Result<Self, Status> {
        let remote = Remote::new(Target::parse(target.as_ref())?, options);
        if !matches!(remote.options.policy, ConnectionPolicy::Short) {
            remote.pool.open().await?.give_back();
        }
        Ok(Self(Way::Remote(Arc::new(remote))))
    }

    /// A channel that opens its first connection with its first call.
    ///
    /// # Errors
    /// EREQUEST for a target of another form.
    pub fn lazy(target: impl AsRef<str>, options: ChannelOptions) -> Result<Self, Status> {
        let remote = Remote::new(Target::parse(target.as_ref())?, options);
        Ok(Self(Way::Remote(Arc::new(remote))))
    }

    /// A channel to a registry of this process, without sockets: for tests, and for services that
    /// moved in together. Takes methods of every codec. The limits of methods hold; what belongs to a
    /// server, its own limits and interceptors, does not come into it.
    pub fn in_process(registry: Registry) -> Self {
        Self(Way::InProcess(Arc::new(InProcess::new(registry))))
    }

    /// A call whose messages stay bytes: for proxies, and for codecs of a user's own.
    pub fn raw(
        &self,
        method: &'static MethodDescriptor,
        message: impl Into<Bytes>,
    ) -> Pending<'_, Bytes> {
        Pending::new(self, method, Body::Encoded(message.into()), |_, reply, _| Ok(reply))
    }

    /// What the channel did so far; all zero but over connections.
    pub fn snapshot(&self) -> ChannelSnapshot {
        let Way::Remote(remote) = &self.0 else { return ChannelSnapshot::default() };
        let connections = remote.pool.connections();
        let connector = &remote.pool.connector;
        ChannelSnapshot {
            connections: connections.len(),
            calls: connections.iter().map(|connection| connection.calls()).sum(),
            stray_replies: connections.iter().map(|connection| connection.stray_replies()).sum(),
            opened: connector.opened.load(Ordering::Relaxed),
            failed: connector.failed.load(Ordering::Relaxed),
            churned: remote.pool.churned(),
            retries: remote.retries.load(Ordering::Relaxed),
            frames_written: connector.written.frames(),
            writes: connector.written.writes(),
        }
    }

    fn limits(&self) -> &Limits {
        match &self.0 {
            Way::Remote(remote) => &remote.options.limits,
            Way::InProcess(registry) => &registry.limits,
            Way::Transport(_) => Limits::shared_default(),
        }
    }

    fn timeout(&self) -> Option<Duration> {
        match &self.0 {
            Way::Remote(remote) => remote.options.timeout,
            Way::InProcess(_) | Way::Transport(_) => None,
        }
    }
}

impl<Carrier: Transport> From<Carrier> for Channel {
    fn from(transport: Carrier) -> Self {
        Self(Way::Transport(Arc::new(transport)))
    }
}

impl fmt::Debug for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Way::Remote(remote) => write!(f, "Channel({})", remote.target),
            Way::InProcess(_) => f.write_str("Channel(in process)"),
            Way::Transport(_) => f.write_str("Channel(transport)"),
        }
    }
}

/// What a channel, with those that share its connections, did so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChannelSnapshot {
    /// Connections open now; for a pooled channel those that are idle.
    pub connections: usize,
    /// Calls in flight on them.
    pub calls: usize,
    /// Replies that came for calls nobody waits for, on connections still open.
    pub stray_replies: u64,
    /// Connections opened.
    pub opened: u64,
    /// Attempts to open one that failed.
    pub failed: u64,
    /// Connections of a pooled channel closed although they worked, because enough were idle.
    pub churned: u64,
    /// Calls sent again, by this channel alone.
    pub retries: u64,
    /// Frames handed to the kernel whole, on all connections so far.
    pub frames_written: u64,
    /// Writes that handed them over: the fewer for so many frames, the better they were gathered.
    pub writes: u64,
}
