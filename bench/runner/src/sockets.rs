//! How many connections a server has, as the kernel shows it.

use std::fs;
use stubwire_bench_load::Address;

/// Established connections to an address of this host, seen from their client's end. None where the
/// kernel does not tell.
pub fn connections_to(address: &Address) -> Option<usize> {
    match address {
        Address::Tcp(address) => {
            let port = address.rsplit_once(':')?.1.parse().ok()?;
            let four = fs::read_to_string("/proc/net/tcp").ok()?;
            // A kernel without IPv6 has no such file.
            let six = fs::read_to_string("/proc/net/tcp6").unwrap_or_default();
            Some(tcp(&four, port) + tcp(&six, port))
        }
        Address::Unix(path) => {
            Some(unix(&fs::read_to_string("/proc/net/unix").ok()?, path.to_str()?))
        }
    }
}

/// `01` is ESTABLISHED; the remote address is the third field, its port in hexadecimal.
fn tcp(table: &str, port: u16) -> usize {
    let remote = format!(":{port:04X}");
    let matches = |line: &&str| {
        let mut fields = line.split_whitespace().skip(2);
        fields.next().is_some_and(|address| address.ends_with(&remote))
            && fields.next() == Some("01")
    };
    table.lines().skip(1).filter(matches).count()
}

/// The server's ends bear the path: `03` is connected, and flag `00010000` marks the listener.
fn unix(table: &str, path: &str) -> usize {
    let matches = |line: &&str| {
        let fields: Vec<_> = line.split_whitespace().collect();
        matches!(&fields[..], [_, _, _, "00000000", "0001", "03", _, name] if *name == path)
    };
    table.lines().skip(1).filter(matches).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{TcpListener, TcpStream};
    use std::os::unix::net::{UnixListener, UnixStream};

    #[test]
    fn connections_are_counted_once() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let of = Address::Tcp(address.to_string());
        assert_eq!(connections_to(&of), Some(0));
        let open: Vec<_> = (0..3).map(|_| TcpStream::connect(address).unwrap()).collect();
        let accepted: Vec<_> = (0..3).map(|_| listener.accept().unwrap()).collect();
        assert_eq!(connections_to(&of), Some(3));
        drop((open, accepted));

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("socket");
        let listener = UnixListener::bind(&path).unwrap();
        let of = Address::Unix(path.clone());
        assert_eq!(connections_to(&of), Some(0));
        let open: Vec<_> = (0..3).map(|_| UnixStream::connect(&path).unwrap()).collect();
        let accepted: Vec<_> = (0..3).map(|_| listener.accept().unwrap()).collect();
        assert_eq!(connections_to(&of), Some(3));
        drop((open, accepted));
    }
}
