//! Tells a protocol by the first bytes of a connection.
//!
//! A frame of a protocol that is not served here is recognised only to give the log line a useful word; nothing
//! of it is parsed.

use core::fmt;

/// A wire protocol that this runtime speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Protocol {
    /// brpc's `baidu_std`: [`prpc`](super::prpc).
    Prpc,
    /// brpc's FlatBuffers protocol: [`frpc`](super::frpc).
    Frpc,
}

impl Protocol {
    /// Every protocol there is.
    pub const ALL: &'static [Self] = &[Self::Prpc, Self::Frpc];

    /// The bytes that each of its frames starts with.
    pub const fn magic(self) -> [u8; 4] {
        match self {
            Self::Prpc => super::prpc::MAGIC,
            Self::Frpc => super::frpc::MAGIC,
        }
    }
}

/// What the first bytes say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sniff {
    /// So far a prefix of a known protocol: read more.
    Incomplete,
    /// A frame of this protocol.
    Known(Protocol),
    /// No frame of any protocol spoken here: close. More bytes would not change that.
    Unknown(Guess),
}

/// What bytes of an unknown protocol look like. `Display` gives the words for a log line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Guess {
    /// An HTTP/1 request.
    Http,
    /// The preface of an HTTP/2 connection, gRPC for instance.
    Http2,
    /// The first record of a TLS handshake, sent to a port that does not speak TLS.
    Tls,
    /// brpc's Protobuf protocol, on a port that does not speak it.
    Prpc,
    /// brpc's FlatBuffers protocol, on a port that does not speak it.
    Frpc,
    /// The magic number that an early trial of brpc's FlatBuffers protocol used.
    OldFlatBuffers,
    /// A frame of brpc's streaming protocol.
    Stream,
    /// Nothing that has a name here.
    Other,
}

/// The beginnings of protocols that are not served. The first entry that fits wins.
const KNOWN_STRANGERS: &[(&[u8], Guess)] = &[
    (b"PRPC", Guess::Prpc),
    (b"FRPC", Guess::Frpc),
    (b"BRPC", Guess::OldFlatBuffers),
    (b"STRM", Guess::Stream),
    (b"PRI * HTTP/2", Guess::Http2),
    // A handshake record; the second byte is the major version, 3 since SSL 3.0.
    (&[0x16, 0x03], Guess::Tls),
    (b"GET ", Guess::Http),
    (b"HEAD ", Guess::Http),
    (b"POST ", Guess::Http),
    (b"PUT ", Guess::Http),
    (b"DELETE ", Guess::Http),
    (b"CONNECT ", Guess::Http),
    (b"OPTIONS ", Guess::Http),
    (b"TRACE ", Guess::Http),
    (b"PATCH ", Guess::Http),
];

/// Shorter beginnings than this prove nothing: a stranger that was cut off earlier stays without a name.
const ENOUGH_TO_GUESS: usize = 2;

/// Looks at the bytes that a connection, or a frame on it, starts with.
///
/// The answer is final unless it is [`Sniff::Incomplete`], and it comes with the first byte that does not fit.
pub fn sniff(first_bytes: &[u8]) -> Sniff {
    sniff_among(Protocol::ALL, first_bytes)
}

/// The same where only some protocols are spoken; nothing of another is parsed.
pub fn sniff_among(spoken: &[Protocol], first_bytes: &[u8]) -> Sniff {
    let mut begun = false;
    for &protocol in spoken {
        let magic = protocol.magic();
        if first_bytes.starts_with(&magic) {
            return Sniff::Known(protocol);
        }
        begun |= magic.starts_with(first_bytes);
    }
    if begun {
        return Sniff::Incomplete;
    }
    let guess = KNOWN_STRANGERS.iter().find(|(beginning, _)| {
        let shared = beginning.len().min(first_bytes.len());
        shared >= ENOUGH_TO_GUESS && beginning[..shared] == first_bytes[..shared]
    });
    Sniff::Unknown(guess.map_or(Guess::Other, |&(_, guess)| guess))
}

impl fmt::Display for Guess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Http => "looks like HTTP/1",
            Self::Http2 => "looks like HTTP/2",
            Self::Tls => "looks like a TLS ClientHello",
            Self::Prpc => "PRPC: not served here",
            Self::Frpc => "FRPC: not served here",
            Self::OldFlatBuffers => "BRPC: an older FlatBuffers trial, not served",
            Self::Stream => "STRM: a streaming frame, not served here",
            Self::Other => "not a known protocol",
        })
    }
}
