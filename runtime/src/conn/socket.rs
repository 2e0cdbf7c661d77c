//! TCP and Unix sockets behind one face.

use super::Peer;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::task::{Context, Poll};
#[cfg(any(target_os = "linux", target_os = "android"))]
use tokio::io::Interest;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream, tcp, unix};

/// A connected stream.
#[derive(Debug)]
pub(crate) enum Socket {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Socket {
    pub(crate) async fn connect_tcp(host: &str, port: u16) -> io::Result<Self> {
        let stream = TcpStream::connect((host, port)).await?;
        stream.set_nodelay(true)?;
        Ok(Self::Tcp(stream))
    }

    pub(crate) async fn connect_unix(path: &Path) -> io::Result<Self> {
        Ok(Self::Unix(UnixStream::connect(path).await?))
    }

    pub(crate) fn peer(&self) -> io::Result<Peer> {
        match self {
            Self::Tcp(stream) => stream.peer_addr().map(Peer::Tcp),
            Self::Unix(_) => Ok(Peer::Unix),
        }
    }

    /// The own address as brpc writes it into error texts.
    pub(crate) fn local_name(&self) -> String {
        match self {
            Self::Tcp(stream) => {
                stream.local_addr().map_or_else(|_| "?".to_owned(), |address| address.to_string())
            }
            Self::Unix(stream) => {
                let address = stream.local_addr().ok();
                let path = address.as_ref().and_then(|address| address.as_pathname());
                format!("unix:{}", path.unwrap_or(Path::new("")).display())
            }
        }
    }

    pub(crate) fn into_split(self) -> (ReadHalf, WriteHalf) {
        match self {
            Self::Tcp(stream) => {
                let (read, write) = stream.into_split();
                (ReadHalf::Tcp(read), WriteHalf::Tcp(write))
            }
            Self::Unix(stream) => {
                let (read, write) = stream.into_split();
                (ReadHalf::Unix(read), WriteHalf::Unix(write))
            }
        }
    }
}

/// A listening socket.
#[derive(Debug)]
pub(crate) enum Listener {
    Tcp(TcpListener),
    Unix(UnixListener),
}

impl Listener {
    pub(crate) async fn accept(&self) -> io::Result<Socket> {
        match self {
            Self::Tcp(listener) => {
                let (stream, _) = listener.accept().await?;
                // Replies are flushed in batches already; Nagle would only hold them back.
                stream.set_nodelay(true)?;
                Ok(Socket::Tcp(stream))
            }
            Self::Unix(listener) => Ok(Socket::Unix(listener.accept().await?.0)),
        }
    }
}

#[derive(Debug)]
pub(crate) enum ReadHalf {
    Tcp(tcp::OwnedReadHalf),
    Unix(unix::OwnedReadHalf),
}

#[derive(Debug)]
pub(crate) enum WriteHalf {
    Tcp(tcp::OwnedWriteHalf),
    Unix(unix::OwnedWriteHalf),
}

impl ReadHalf {
    /// Waits until the peer ended or broke its stream, however much of it is still unread.
    ///
    /// Only Linux tells that apart from data to be read; elsewhere this waits for ever, and the end
    /// is found when the reader comes to it.
    pub(crate) async fn ended(&self) {
        #[cfg(any(target_os = "linux", target_os = "android"))]
        {
            // What tokio calls priority is urgent data, and the end of the stream.
            let ready = match self {
                Self::Tcp(half) => half.ready(Interest::PRIORITY).await,
                Self::Unix(half) => half.ready(Interest::PRIORITY).await,
            };
            if ready.is_ok_and(|ready| ready.is_read_closed()) {
                return;
            }
        }
        // Urgent data stays pending for as long as nobody reads it: asking again would spin.
        std::future::pending().await
    }
}

impl WriteHalf {
    /// Writes what the socket takes at once. One slice alone is sent by the plain call, which costs the kernel less.
    pub(crate) fn try_write_slices(&self, slices: &[io::IoSlice<'_>]) -> io::Result<usize> {
        match (self, slices) {
            (Self::Tcp(half), [bytes]) => half.try_write(bytes),
            (Self::Unix(half), [bytes]) => half.try_write(bytes),
            (Self::Tcp(half), slices) => half.try_write_vectored(slices),
            (Self::Unix(half), slices) => half.try_write_vectored(slices),
        }
    }

    /// The same, waiting for the socket to take something.
    pub(crate) fn poll_write_slices(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match slices {
            [bytes] => self.poll_write(context, bytes),
            slices => self.poll_write_vectored(context, slices),
        }
    }
}

impl AsyncRead for ReadHalf {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Tcp(half) => Pin::new(half).poll_read(context, buffer),
            Self::Unix(half) => Pin::new(half).poll_read(context, buffer),
        }
    }
}

impl AsyncWrite for WriteHalf {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Tcp(half) => Pin::new(half).poll_write(context, bytes),
            Self::Unix(half) => Pin::new(half).poll_write(context, bytes),
        }
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Tcp(half) => Pin::new(half).poll_write_vectored(context, slices),
            Self::Unix(half) => Pin::new(half).poll_write_vectored(context, slices),
        }
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Tcp(half) => Pin::new(half).poll_flush(context),
            Self::Unix(half) => Pin::new(half).poll_flush(context),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Tcp(half) => Pin::new(half).poll_shutdown(context),
            Self::Unix(half) => Pin::new(half).poll_shutdown(context),
        }
    }
}
