//! The first byte of a connection, and the server that takes it from there.

use std::io;
use std::time::Duration;
use stubwire_bench_load::{Listener, Stream};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use volo::net::Address;
use volo::net::conn::{Conn, OwnedReadHalf, OwnedWriteHalf};
use volo::net::dial::{DefaultMakeTransport, MakeTransport};
use volo::net::incoming::{Incoming, MakeIncoming};

/// How calls follow each other on a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    OneByOne,
    Multiplexed,
}

impl Mode {
    fn tag(self) -> u8 {
        match self {
            Self::OneByOne => b'1',
            Self::Multiplexed => b'*',
        }
    }
}

/// volo's own connections, each begun with the byte.
#[derive(Clone)]
pub(crate) struct Tagged {
    inner: DefaultMakeTransport,
    mode: Mode,
}

impl Tagged {
    pub(crate) fn new(mode: Mode) -> Self {
        Self { inner: DefaultMakeTransport::new(), mode }
    }
}

impl MakeTransport for Tagged {
    type ReadHalf = OwnedReadHalf;
    type WriteHalf = OwnedWriteHalf;

    async fn make_transport(
        &self,
        address: Address,
    ) -> io::Result<(OwnedReadHalf, OwnedWriteHalf)> {
        let (read, mut write) = self.inner.make_transport(address).await?;
        write.write_u8(self.mode.tag()).await?;
        Ok((read, write))
    }

    fn set_connect_timeout(&mut self, timeout: Option<Duration>) {
        self.inner.set_connect_timeout(timeout);
    }

    fn set_read_timeout(&mut self, timeout: Option<Duration>) {
        self.inner.set_read_timeout(timeout);
    }

    fn set_write_timeout(&mut self, timeout: Option<Duration>) {
        self.inner.set_write_timeout(timeout);
    }
}

/// Hands connections to the two servers.
#[derive(Clone)]
pub(crate) struct Routes {
    one_by_one: Sender<Conn>,
    multiplexed: Sender<Conn>,
}

/// The connections of one server.
pub(crate) struct Route(Receiver<Conn>);

/// Connections that wait for their server.
const BACKLOG: usize = 64;

impl Routes {
    pub(crate) fn new() -> (Self, Route, Route) {
        let (one_by_one, first) = channel(BACKLOG);
        let (multiplexed, second) = channel(BACKLOG);
        (Self { one_by_one, multiplexed }, Route(first), Route(second))
    }

    /// Accepts until the listener breaks.
    pub(crate) async fn accept(self, listener: Listener) -> io::Result<()> {
        loop {
            let stream = listener.accept().await?;
            let routes = self.clone();
            // A connection that ends before its first byte ends alone.
            tokio::spawn(async move { routes.route(stream).await.ok() });
        }
    }

    async fn route(&self, mut stream: Stream) -> io::Result<()> {
        let tag = stream.read_u8().await?;
        let conn = match stream {
            Stream::Tcp(stream) => Conn::from(stream),
            Stream::Unix(stream) => Conn::from(stream),
        };
        let route = match tag {
            tag if tag == Mode::OneByOne.tag() => &self.one_by_one,
            tag if tag == Mode::Multiplexed.tag() => &self.multiplexed,
            _ => return Err(io::ErrorKind::InvalidData.into()),
        };
        route.send(conn).await.map_err(io::Error::other)
    }
}

impl std::fmt::Debug for Route {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Route")
    }
}

impl Incoming for Route {
    async fn accept(&mut self) -> io::Result<Option<Conn>> {
        Ok(self.0.recv().await)
    }
}

impl MakeIncoming for Route {
    type Incoming = Self;

    async fn make_incoming(self) -> io::Result<Self> {
        Ok(self)
    }
}
