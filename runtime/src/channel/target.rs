//! `prpc://host:port` and its relatives.

use crate::frame::Protocol;
use crate::status::Status;
use std::fmt;
use std::path::PathBuf;

/// Where a channel goes and how it speaks there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Target {
    pub(crate) protocol: Protocol,
    pub(crate) address: Address,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Address {
    Tcp { host: String, port: u16 },
    Unix(PathBuf),
}

impl Target {
    /// Reads a target.
    ///
    /// # Errors
    /// EREQUEST with the form that was expected.
    pub(crate) fn parse(text: &str) -> Result<Self, Status> {
        let refuse = |why: &str| {
            Status::invalid_request(format!(
                "target `{text}` {why}; write `prpc://host:port` or `prpc+unix:/path` (`frpc` for FlatBuffers)"
            ))
        };
        let (scheme, rest) = text.split_once(':').ok_or_else(|| refuse("has no scheme"))?;
        let (protocol, over_unix) = match scheme {
            "prpc" => (Protocol::Prpc, false),
            "prpc+unix" => (Protocol::Prpc, true),
            "frpc" => (Protocol::Frpc, false),
            "frpc+unix" => (Protocol::Frpc, true),
            _ => return Err(refuse("has an unknown scheme")),
        };
        let address = if over_unix {
            parse_unix(rest).ok_or_else(|| refuse("has no path"))?
        } else {
            let authority = rest.strip_prefix("//").ok_or_else(|| refuse("lacks `//`"))?;
            parse_tcp(authority).ok_or_else(|| refuse("has no host and port"))?
        };
        Ok(Self { protocol, address })
    }
}

fn parse_unix(rest: &str) -> Option<Address> {
    let path = rest.strip_prefix("//").unwrap_or(rest);
    path.starts_with('/').then(|| Address::Unix(path.into()))
}

fn parse_tcp(authority: &str) -> Option<Address> {
    let (host, port) = authority.trim_end_matches('/').rsplit_once(':')?;
    let port = port.parse().ok().filter(|port| *port > 0)?;
    let bracketed = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let plain = || Some(host).filter(|host| !host.contains([':', '/', '[', ']']));
    let host = bracketed.or_else(plain).filter(|host| !host.is_empty())?;
    Some(Address::Tcp { host: host.to_owned(), port })
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = match self.protocol {
            Protocol::Prpc => "prpc",
            Protocol::Frpc => "frpc",
        };
        match &self.address {
            Address::Tcp { host, port } if host.contains(':') => {
                write!(f, "{scheme}://[{host}]:{port}")
            }
            Address::Tcp { host, port } => write!(f, "{scheme}://{host}:{port}"),
            Address::Unix(path) => write!(f, "{scheme}+unix:{}", path.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_read_back_as_they_are_shown() {
        for text in [
            "prpc://127.0.0.1:8000",
            "prpc://a.example:1",
            "prpc://[::1]:8000",
            "prpc+unix:/a/b",
            "frpc://a:1",
            "frpc+unix:/a",
        ] {
            assert_eq!(Target::parse(text).unwrap().to_string(), text);
        }
        let spelled = Target::parse("prpc+unix:///a/b").unwrap();
        assert_eq!(spelled, Target::parse("prpc+unix:/a/b").unwrap());
    }

    #[test]
    fn a_bad_target_is_told_the_right_form() {
        let bad = [
            "",
            "127.0.0.1:8000",
            "localhost",
            "http://a:1",
            "prpc:a:1",
            "prpc://a",
            "prpc://a:0",
            "prpc://a:70000",
            "prpc://:1",
            "prpc://::1:8000",
            "prpc+unix:x",
        ];
        for text in bad {
            let status = Target::parse(text).unwrap_err();
            assert_eq!(status.code().number(), 1003, "{text}");
            assert!(status.message().contains("write `prpc://host:port`"), "{status}");
        }
    }
}
