//! Sockets without waiting, TCP and Unix.

use std::io::{self, IoSlice, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use stubwire_bench_load::Address;

/// A connected socket.
pub(crate) enum Socket {
    Tcp(TcpStream),
    Unix(UnixStream),
}

/// A listening socket.
pub(crate) enum Listener {
    Tcp(TcpListener),
    Unix(UnixListener, Address),
}

impl Listener {
    pub(crate) fn bind(address: &Address) -> io::Result<Self> {
        match address {
            Address::Tcp(address) => {
                let listener = TcpListener::bind(address)?;
                listener.set_nonblocking(true)?;
                Ok(Self::Tcp(listener))
            }
            Address::Unix(path) => {
                let listener = UnixListener::bind(path)?;
                listener.set_nonblocking(true)?;
                Ok(Self::Unix(listener, address.clone()))
            }
        }
    }

    pub(crate) fn address(&self) -> io::Result<Address> {
        match self {
            Self::Tcp(listener) => Ok(Address::Tcp(listener.local_addr()?.to_string())),
            Self::Unix(_, address) => Ok(address.clone()),
        }
    }

    /// The next connection, if there is one.
    pub(crate) fn accept(&self) -> io::Result<Option<Socket>> {
        let accepted = match self {
            Self::Tcp(listener) => listener.accept().map(|(stream, _)| Socket::Tcp(stream)),
            Self::Unix(listener, _) => listener.accept().map(|(stream, _)| Socket::Unix(stream)),
        };
        match accepted {
            Ok(socket) => socket.prepared().map(Some),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl AsFd for Listener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Tcp(listener) => listener.as_fd(),
            Self::Unix(listener, _) => listener.as_fd(),
        }
    }
}

impl Socket {
    pub(crate) fn connect(address: &Address) -> io::Result<Self> {
        match address {
            Address::Tcp(address) => Self::Tcp(TcpStream::connect(address)?),
            Address::Unix(path) => Self::Unix(UnixStream::connect(path)?),
        }
        .prepared()
    }

    /// Without waiting, and without Nagle's delay.
    fn prepared(self) -> io::Result<Self> {
        match &self {
            Self::Tcp(stream) => {
                stream.set_nodelay(true)?;
                stream.set_nonblocking(true)?;
            }
            Self::Unix(stream) => stream.set_nonblocking(true)?,
        }
        Ok(self)
    }

    pub(crate) fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.read(bytes),
            Self::Unix(stream) => stream.read(bytes),
        }
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.write(bytes),
            Self::Unix(stream) => stream.write(bytes),
        }
    }

    pub(crate) fn write_vectored(&mut self, slices: &[IoSlice<'_>]) -> io::Result<usize> {
        match self {
            Self::Tcp(stream) => stream.write_vectored(slices),
            Self::Unix(stream) => stream.write_vectored(slices),
        }
    }
}

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Tcp(stream) => stream.as_fd(),
            Self::Unix(stream) => stream.as_fd(),
        }
    }
}
