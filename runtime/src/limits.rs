//! Every size, count and time limit with its default and its reason.

use std::sync::OnceLock;
use std::time::Duration;

/// What one side accepts from the other. Servers and channels each have their own copy.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Largest `body_size` of a frame (metadata, message and attachment) in bytes.
    ///
    /// 64 MiB, brpc's `max_body_size`: a smaller one would refuse calls that work today.
    pub max_body_size: usize,
    /// Largest message after decompression, in bytes.
    ///
    /// 64 MiB: a compressed message may not be larger than a plain one could be.
    pub max_decompressed_size: usize,
    /// How much memory decoding a Protobuf message may take, as a multiple of its size.
    ///
    /// 8: two bytes of an empty sub-message become 240 bytes in memory; honest data of small
    /// points takes 1.3 times its size.
    pub decode_factor: usize,
    /// What decoding may take on top of that, in bytes.
    ///
    /// 1 MiB: small messages of large types stay welcome.
    pub decode_allowance: usize,
    /// How deep FlatBuffers tables may nest.
    ///
    /// 64, the depth of FlatBuffers' other verifiers.
    pub max_table_depth: usize,
    /// Tables that verifying a FlatBuffers message may visit, beyond a quarter of its bytes.
    ///
    /// 1,024: a table takes four bytes at least, but an ordinary builder may share one many times.
    pub table_allowance: usize,
    /// Bytes that verifying may pass over, as a multiple of the message's size.
    ///
    /// 16: shared strings and vectors count each time they are reached.
    pub apparent_size_factor: usize,
    /// Bytes that verifying may pass over on top of that.
    ///
    /// 1 MiB: small messages that share much stay welcome.
    pub apparent_size_allowance: usize,
    /// How long a peer may take from the first byte of a frame to the end of its header.
    ///
    /// 10 s: twelve bytes need no longer on any link that carries calls.
    pub header_timeout: Duration,
    /// How long a frame that has begun may take to bring its next 64 KiB or its rest, and how long a
    /// reply may wait that the peer does not read.
    ///
    /// 30 s: longer than a lost segment takes to come again, shorter than an attacker would like. A
    /// peer below 2 KB a second holds on to memory for hours.
    pub progress_timeout: Duration,
    /// How many bytes may wait to be written to one connection before its requests are left unread.
    ///
    /// 8 MiB: some replies of a megabyte each, and far below brpc's 64 MiB.
    pub max_unwritten: usize,
    /// How many calls of one connection may run at once; more are left unread.
    ///
    /// 1,024: two and a half times the deepest pipeline that gains throughput.
    pub max_calls_per_connection: usize,
    /// How many calls may run at once in a server; more are answered ELIMIT.
    ///
    /// 10,000: ten full connections.
    pub max_calls: usize,
    /// How many connections a server holds; more are closed at once.
    ///
    /// 10,000: half of a usual descriptor limit.
    pub max_connections: usize,
    /// How long a stopping server waits for its calls.
    ///
    /// 30 s, the grace period that service managers grant before they kill.
    pub drain_timeout: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_body_size: 64 << 20,
            max_decompressed_size: 64 << 20,
            decode_factor: 8,
            decode_allowance: 1 << 20,
            max_table_depth: 64,
            table_allowance: 1024,
            apparent_size_factor: 16,
            apparent_size_allowance: 1 << 20,
            header_timeout: Duration::from_secs(10),
            progress_timeout: Duration::from_secs(30),
            max_unwritten: 8 << 20,
            max_calls_per_connection: 1024,
            max_calls: 10_000,
            max_connections: 10_000,
            drain_timeout: Duration::from_secs(30),
        }
    }
}

impl Limits {
    /// The defaults, for where no copy is at hand.
    pub(crate) fn shared_default() -> &'static Self {
        static DEFAULT: OnceLock<Limits> = OnceLock::new();
        DEFAULT.get_or_init(Self::default)
    }

    /// What decoding a message of `size` bytes may take in memory.
    pub fn decode_budget(&self, size: usize) -> usize {
        size.saturating_mul(self.decode_factor).saturating_add(self.decode_allowance)
    }
}
