//! How a channel behaves.

use crate::call::PhaseObserver;
use crate::frame::frpc::ByteOrder;
use crate::limits::Limits;
use std::time::Duration;

/// How a channel uses connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConnectionPolicy {
    /// All calls share this many connections. Four overlap both sides' work; a hundred callers over
    /// them reach ten times what they do over a connection each.
    Shared(usize),
    /// Every call in flight has a connection to itself; connections are kept for the next call.
    Pooled {
        /// Connections kept while nobody uses them.
        max_idle: usize,
        /// Connections at most; further calls wait for one.
        max_connections: usize,
    },
    /// Every call opens a connection and closes it.
    Short,
}

impl Default for ConnectionPolicy {
    fn default() -> Self {
        Self::Shared(4)
    }
}

/// The settings of a [`Channel`](crate::Channel).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ChannelOptions {
    /// How connections are used; `Shared(4)` by default.
    pub policy: ConnectionPolicy,
    /// Channels to one target share their connections unless this differs.
    pub connection_group: String,
    /// How long a call may take when it does not say so itself; 30 s by default, so that nothing
    /// waits forever; `None` lets it.
    pub timeout: Option<Duration>,
    /// How long opening a connection may take; 3 s by default, which survives two lost packets.
    pub connect_timeout: Duration,
    /// Whether the server is told how long the caller waits (`timeout_ms`); yes by default.
    pub send_timeout: bool,
    /// How often a call is tried again at most, 3 by default as in brpc.
    ///
    /// Calls that were not executed are tried again: refused for a limit (ELIMIT, EOVERCROWDED),
    /// by a stopping server (ELOGOFF), for want of a connection, or lost before their first byte
    /// was written. Calls lost later only if their method is idempotent. Retries may not exceed a
    /// tenth of the calls.
    pub max_retries: u32,
    /// Tries calls again that brpc would: also those lost after they were written, idempotent or
    /// not, and those for which the server reports a broken connection of its own (EFAILEDSOCKET,
    /// EEOF, EHOSTDOWN, ECONNRESET and their like). A server may then execute a call twice.
    pub retry_as_brpc: bool,
    /// Sent with the first request of every connection, for the server's authenticator.
    pub authentication_data: Vec<u8>,
    /// The byte order of FRPC metadata: big-endian as the review of 28 October 2026 decided, unless
    /// the server is a build from before that.
    pub frpc_byte_order: ByteOrder,
    /// Appends a block of stubwire's own to FRPC metadata, and reads one from replies: it carries
    /// timeout, user fields and log id there, error texts and user fields back. Off by default; a
    /// brpc passes it over.
    pub frpc_append: bool,
    /// Keeps the runtime looking for replies for so long after each read, instead of sleeping; `None` by default.
    ///
    /// A lone caller waits most of its time for cores to wake up. 50 µs on both sides, see
    /// [`Server::spin_for`](crate::Server::spin_for), avoid that at the price of a busy core.
    pub spin_for: Option<Duration>,
    /// Bytes that may wait to be written to one connection; calls beyond fail with EOVERCROWDED.
    /// 64 MiB by default, brpc's `socket_max_unwritten_bytes`.
    pub max_unwritten: usize,
    /// Hears of every request how far it came and when. `None` by default; it costs each call some looks at the clock
    /// and two allocations. Channels share connections only with those that have the same observer or, like it, none.
    /// Transports of a user's own and calls in process have no phases.
    pub on_phases: Option<PhaseObserver>,
    /// What is accepted from the server. A request larger than `max_body_size` is not sent either:
    /// a server with that limit would close the connection, and with it every other call on it.
    pub limits: Limits,
}

impl Default for ChannelOptions {
    fn default() -> Self {
        Self {
            policy: ConnectionPolicy::default(),
            connection_group: String::new(),
            timeout: Some(Duration::from_secs(30)),
            connect_timeout: Duration::from_secs(3),
            send_timeout: true,
            max_retries: 3,
            retry_as_brpc: false,
            authentication_data: Vec::new(),
            frpc_byte_order: ByteOrder::default(),
            frpc_append: false,
            spin_for: None,
            max_unwritten: 64 << 20,
            on_phases: None,
            limits: Limits::default(),
        }
    }
}
