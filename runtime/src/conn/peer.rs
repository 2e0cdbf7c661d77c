//! Who is at the other end.

use std::fmt;
use std::net::SocketAddr;

/// The other end of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Peer {
    /// A TCP peer.
    Tcp(SocketAddr),
    /// A peer on a Unix socket; such peers have no address of their own.
    Unix,
    /// A channel of this process.
    InProcess,
}

impl fmt::Display for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => address.fmt(f),
            Self::Unix => f.write_str("unix"),
            Self::InProcess => f.write_str("in-process"),
        }
    }
}
