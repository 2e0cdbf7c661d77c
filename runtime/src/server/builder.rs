//! Setting a server up.

use super::event::Event;
use super::hooks::{Authenticator, Interceptor};
use super::shutdown::BoundServer;
use super::state::{Config, ServerState};
use crate::call::ServerPhases;
use crate::conn::{Listener, Spinner};
use crate::frame::Protocol;
use crate::limits::Limits;
use crate::registry::Registry;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpSocket, UnixListener};

/// Serves a [`Registry`] on a port, every codec and protocol at once.
///
/// ```no_run
/// # async fn serve(registry: stubwire::Registry) -> std::io::Result<()> {
/// stubwire::Server::new(registry).max_concurrency(1000).bind("0.0.0.0:8000").await?.serve().await
/// # }
/// ```
#[must_use]
pub struct Server {
    registry: Registry,
    config: Config,
}

impl Server {
    /// A server with default limits.
    pub fn new(registry: Registry) -> Self {
        Self { registry, config: Config::default() }
    }

    /// Replaces the limits.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.config.limits = limits;
        self
    }

    /// Speaks these protocols alone; all of them by default. A frame of another closes its connection
    /// and is never parsed.
    pub fn protocols(mut self, protocols: &[Protocol]) -> Self {
        self.config.protocols = protocols.into();
        self
    }

    /// At most this many calls at once in the whole server; more are answered ELIMIT. Zero leaves
    /// [`Limits::max_calls`] alone in force.
    pub fn max_concurrency(mut self, calls: usize) -> Self {
        self.config.max_concurrency = calls;
        self
    }

    /// Adds an interceptor; they run in the order in which they were added.
    pub fn interceptor(mut self, interceptor: impl Interceptor) -> Self {
        self.config.interceptors.push(Arc::new(interceptor));
        self
    }

    /// Checks every connection's first request.
    pub fn authenticator(mut self, authenticator: impl Authenticator) -> Self {
        self.config.authenticator = Some(Arc::new(authenticator));
        self
    }

    /// Drops handlers that wait as soon as their caller's connection is gone, instead of letting
    /// them run to their end. A handler is then dropped at any of its `await`s.
    pub fn abort_on_disconnect(mut self, abort: bool) -> Self {
        self.config.abort_on_disconnect = abort;
        self
    }

    /// Whether handlers of methods that compute for long (10 µs and more a poll) are handed to other cores; true by
    /// default. Such calls of one connection may then be answered in another order than they came in. Without it only
    /// handlers that wait are overtaken.
    pub fn hand_off(mut self, hand_off: bool) -> Self {
        self.config.hand_off = hand_off;
        self
    }

    /// Keeps the runtime looking for requests for so long after each read, instead of sleeping; off by default.
    ///
    /// For one caller at a time this takes most of a call's latency away where waking a core is dear, as on virtual
    /// machines: 50 µs is a good window. It burns a core for as long as requests keep coming within the window, and
    /// does nothing for a server that is busy anyway. On a multi-thread runtime it keeps one worker busy, which
    /// helps with one worker and seldom with more: the others may still be asleep over the sockets.
    pub fn spin_for(mut self, window: Duration) -> Self {
        self.config.spinner = (!window.is_zero()).then(|| Arc::new(Spinner::new(window)));
        self
    }

    /// How long a handler may hold a thread of the runtime before it is told by name, as
    /// [`EventKind::HandlerBlocks`](super::EventKind::HandlerBlocks); 100 ms by default, `None` turns it off.
    ///
    /// One thread looks that often at what the others do. Methods that are marked
    /// [`offload`](crate::MethodHandle::offload) may block.
    pub fn report_blocking_after(mut self, patience: impl Into<Option<Duration>>) -> Self {
        // Looking without a pause would take a core.
        let shortest = Duration::from_millis(1);
        self.config.report_blocking_after = patience.into().map(|patience| patience.max(shortest));
        self
    }

    /// Tells `observer` of faults, at most one of a kind per second. Without it they only count, but for handlers
    /// that block: those are told on standard error.
    pub fn on_event(mut self, observer: impl Fn(&Event) + Send + Sync + 'static) -> Self {
        self.config.observer = Some(Box::new(observer));
        self
    }

    /// Tells `observer` of every call how far it came and when, once its reply was written or given up. Off by default;
    /// it costs each call some looks at the clock and three allocations.
    ///
    /// Told are calls that got as far as their interceptors. Requests refused before, for want of their method or for a
    /// limit of the server or the method, are not. The observer runs where connections are written: it must not block.
    /// One that panics is passed over.
    ///
    /// ```
    /// # fn serve(registry: stubwire::Registry) -> stubwire::Server {
    /// stubwire::Server::new(registry).on_phases(|phases| {
    ///     println!("{}: handler {:?} of {:?}", phases.method.full_name(), phases.handling(), phases.total());
    /// })
    /// # }
    /// ```
    pub fn on_phases(mut self, observer: impl Fn(&ServerPhases) + Send + Sync + 'static) -> Self {
        self.config.on_phases = Some(Arc::new(observer));
        self
    }

    /// Listens on `host:port`, or on a Unix socket given as `unix:/path`.
    ///
    /// # Errors
    /// What the operating system says, with the address. A socket file that nobody listens on any
    /// more is replaced; one that is in use is an error.
    pub async fn bind(self, address: impl AsRef<str>) -> io::Result<BoundServer> {
        let address = address.as_ref();
        let listener = match address.strip_prefix("unix:") {
            Some(path) => bind_unix(Path::new(path)),
            None => bind_tcp(address).await,
        };
        let listener = listener.map_err(|error| {
            io::Error::new(error.kind(), format!("cannot listen on `{address}`: {error}"))
        })?;
        Ok(BoundServer::new(listener, ServerState::new(self.registry, self.config)))
    }
}

/// Connections that may wait to be accepted: a burst of clients must not wait for a second SYN. The
/// kernel's own limit (`somaxconn`) still holds.
const BACKLOG: u32 = 4096;

/// The first of the name's addresses that can be bound.
async fn bind_tcp(address: &str) -> io::Result<Listener> {
    let mut last = io::Error::new(io::ErrorKind::InvalidInput, "the name has no address");
    for address in tokio::net::lookup_host(address).await? {
        match listen(address) {
            Ok(listener) => return Ok(Listener::Tcp(listener)),
            Err(error) => last = error,
        }
    }
    Err(last)
}

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // A restarted server must not wait for connections of the old one to be forgotten.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

fn bind_unix(path: &Path) -> io::Result<Listener> {
    match UnixListener::bind(path) {
        Err(error) if error.kind() == io::ErrorKind::AddrInUse && is_stale(path) => {
            std::fs::remove_file(path)?;
            UnixListener::bind(path)
        }
        bound => bound,
    }
    .map(Listener::Unix)
}

/// True for a socket file that refuses connections: its server is gone.
fn is_stale(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    let is_socket = std::fs::symlink_metadata(path).is_ok_and(|file| file.file_type().is_socket());
    let refuses = || match std::os::unix::net::UnixStream::connect(path) {
        Err(error) => error.kind() == io::ErrorKind::ConnectionRefused,
        Ok(_) => false,
    };
    is_socket && refuses()
}
