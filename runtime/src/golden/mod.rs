//! Pins the bytes of frames and messages in tests, with a dump in which every byte has its field and its meaning.
//!
//! ```no_run
//! # mod kv {
//! #     use stubwire::{Channel, MethodDescriptor, Pending, __private::MessageShape};
//! #     static EMPTY: MessageShape = MessageShape::new("kv.Empty", &[]);
//! #     const PING: MethodDescriptor = MethodDescriptor::protobuf("kv.Kv/Ping", &EMPTY, &EMPTY);
//! #     pub struct KvClient(Channel);
//! #     impl KvClient {
//! #         pub fn new(channel: Channel) -> Self { Self(channel) }
//! #         pub fn ping(&self, request: &'static [u8]) -> Pending<'_, bytes::Bytes> { self.0.raw(&PING, request) }
//! #     }
//! # }
//! # async fn pin(registry: stubwire::Registry, request: &'static [u8]) -> Result<(), stubwire::Status> {
//! use stubwire::frame::Protocol;
//! use stubwire::golden::{assert_frame, assert_message, channel, reply_frame};
//!
//! // The channel has no other end; what its client calls is what a client over a connection would write.
//! let client = kv::KvClient::new(channel(Protocol::Prpc));
//! assert_frame!("golden/ping", client.ping(request).log_id(7));
//! assert_message!("golden/ping_message", client.ping(request));
//! assert_frame!("golden/ping_reply", reply_frame(&registry, client.ping(request)).await?);
//! # Ok(())
//! # }
//! ```
//!
//! Each assertion compares with two files beside the crate's `Cargo.toml`: `golden/ping.bin`, the bytes, and
//! `golden/ping.txt`, the dump. One that is missing fails, as does one that differs, with the lines that are
//! others now. Files are written only when the test runs with `STUBWIRE_BLESS=1`, and never where `CI` is set. Tell git
//! that `*.bin` are binary (in `.gitattributes`), since a short message may look like a text to it.
//!
//! The bytes are those of the product: a request comes from the encoder that a connection uses, a reply from a server's
//! own connection. What a connection chooses is fixed: the correlation id is 1, the request the first one of its
//! connection. A timeout is on the wire when the call or the channel's options set one.
//!
//! Names come from generated code. A message that no service reaches has none, and neither has output of a generator
//! from before there were layouts: there fields are numbers, and the dump says so.

mod compare;
mod diff;
mod dump;
mod flat;
mod frames;
mod meta;
mod protobuf;
mod sheet;
mod types;
mod value;

#[doc(hidden)]
pub use compare::check;
pub use sheet::Region;

use crate::channel::{Channel, ChannelOptions, Pending, Recorded};
use crate::frame::Protocol;
use crate::frame::frpc::ByteOrder;
use crate::registry::{MethodDescriptor, Registry};
use crate::status::{Code, Status};
use bytes::Bytes;
use frames::Subject;
use sheet::Sheet;
use std::fmt;

/// Which way a message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// From client to server.
    Request,
    /// From server to client.
    Reply,
}

/// A channel that speaks a protocol and never connects: what its clients call is for [`Frame`] and
/// [`Message`]. It sets no timeout of its own; a call that is awaited fails.
pub fn channel(protocol: Protocol) -> Channel {
    channel_with(protocol, ChannelOptions { timeout: None, ..ChannelOptions::default() })
}

/// The same with options: byte order and appended block of FRPC, credentials, timeout, limits.
pub fn channel_with(protocol: Protocol, options: ChannelOptions) -> Channel {
    Channel::unconnected(protocol, options)
}

/// A frame and what is known about it. `Display` is the dump.
#[derive(Clone)]
pub struct Frame {
    subject: Subject,
    protocol: Protocol,
    /// FRPC: `None` is told by the sizes.
    order: Option<ByteOrder>,
    bytes: Bytes,
}

/// A message alone, without a frame. `Display` is the dump.
#[derive(Clone)]
pub struct Message {
    subject: Subject,
    bytes: Bytes,
}

impl Frame {
    /// The frame that the call's channel would send for it.
    ///
    /// # Errors
    /// EREQUEST when that channel writes no frames (it is in-process, or a user's transport) or cannot carry the call.
    pub fn of<Reply>(call: Pending<'_, Reply>) -> Result<Self, Status> {
        let Recorded { method, protocol, order, bytes } = call.record()?;
        Ok(Self::new(method, Side::Request, protocol, bytes).byte_order(order))
    }

    /// Bytes from elsewhere, a capture for instance, as a frame of a call of `method`.
    ///
    /// # Errors
    /// EREQUEST when they do not begin with the magic of a protocol.
    pub fn captured(
        method: &'static MethodDescriptor,
        side: Side,
        bytes: impl Into<Bytes>,
    ) -> Result<Self, Status> {
        let bytes = bytes.into();
        let known = Protocol::ALL.iter().find(|protocol| bytes.starts_with(&protocol.magic()));
        match known {
            Some(protocol) => Ok(Self::new(method, side, *protocol, bytes)),
            None => Err(Status::invalid_request("no frame of a known protocol")),
        }
    }

    fn new(
        method: &'static MethodDescriptor,
        side: Side,
        protocol: Protocol,
        bytes: Bytes,
    ) -> Self {
        Self { subject: Subject { method, side }, protocol, order: None, bytes }
    }

    /// Reads the metadata of FRPC in this order, whatever its sizes say.
    #[must_use]
    pub fn byte_order(mut self, order: ByteOrder) -> Self {
        self.order = Some(order);
        self
    }

    /// The bytes.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// Every byte with its field and its meaning: in order, each in one region.
    pub fn regions(&self) -> Vec<Region> {
        let mut sheet = Sheet::new(&self.bytes);
        frames::frame(&mut sheet, self.subject, self.protocol, self.order());
        sheet.finish()
    }

    fn order(&self) -> ByteOrder {
        self.order.unwrap_or_else(|| frames::byte_order(&self.bytes, self.subject.side))
    }
}

/// # Panics
/// Where [`Frame::of`] gives an error: a test that pins what cannot be sent is wrong.
impl<Reply> From<Pending<'_, Reply>> for Frame {
    #[track_caller]
    fn from(call: Pending<'_, Reply>) -> Self {
        let method = format!("{call:?}");
        Self::of(call).unwrap_or_else(|status| panic!("{method} has no frame: {status}"))
    }
}

impl From<&Self> for Frame {
    fn from(frame: &Self) -> Self {
        frame.clone()
    }
}

impl Message {
    /// An encoded message of a method: what `encode_to_vec` gives for Protobuf, `finished_data` for FlatBuffers.
    pub fn new(method: &'static MethodDescriptor, side: Side, bytes: impl AsRef<[u8]>) -> Self {
        let bytes = Bytes::copy_from_slice(bytes.as_ref());
        Self { subject: Subject { method, side }, bytes }
    }

    /// The bytes.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// Every byte with its field and its meaning: in order, each in one region.
    pub fn regions(&self) -> Vec<Region> {
        let mut sheet = Sheet::new(&self.bytes);
        frames::message(&mut sheet, self.subject, 0..self.bytes.len());
        sheet.finish()
    }
}

/// The request of a call, over whatever channel.
impl<Reply> From<Pending<'_, Reply>> for Message {
    fn from(call: Pending<'_, Reply>) -> Self {
        let (method, bytes) = call.into_message();
        Self { subject: Subject { method, side: Side::Request }, bytes }
    }
}

impl From<&Self> for Message {
    fn from(message: &Self) -> Self {
        message.clone()
    }
}

impl AsRef<[u8]> for Frame {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl AsRef<[u8]> for Message {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl fmt::Debug for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Frame({} bytes)", self.bytes.len())
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Message({} bytes)", self.bytes.len())
    }
}

/// The frame with which a server of this registry answers a call: a success or an error, from the method's own handler,
/// over a connection with default options. Needs a tokio runtime.
///
/// # Errors
/// As [`Frame::of`]; EFAILEDSOCKET when the server closes the connection instead.
pub async fn reply_frame<Reply>(
    registry: &Registry,
    call: Pending<'_, Reply>,
) -> Result<Frame, Status> {
    let request = Frame::of(call)?;
    let bytes = crate::server::answer(registry.clone(), &request.bytes).await.map_err(|error| {
        let text = format!("the server did not answer: {error}");
        Status::new(Code::EFAILEDSOCKET, text).with_source(error)
    })?;
    let order = request.order();
    let frame = Frame::new(request.subject.method, Side::Reply, request.protocol, bytes.into());
    Ok(frame.byte_order(order))
}

/// Compares a frame with `<path>.bin` and `<path>.txt`; the path starts where the calling crate's `Cargo.toml` stands.
///
/// Takes a [`Frame`], a reference to one, or a call over [`golden::channel`](crate::golden::channel).
///
/// # Panics
/// When a file is missing or differs.
#[macro_export]
#[doc(hidden)]
macro_rules! __stubwire_assert_frame {
    ($path:expr, $frame:expr $(,)?) => {
        $crate::golden::check(
            ::core::env!("CARGO_MANIFEST_DIR"),
            $path,
            &<$crate::golden::Frame as ::core::convert::From<_>>::from($frame),
        )
    };
}

/// Compares a message with `<path>.bin` and `<path>.txt`; the path starts where the calling crate's `Cargo.toml` stands.
///
/// Takes a [`Message`], a reference to one, or a call, whose request it is.
///
/// # Panics
/// When a file is missing or differs.
#[macro_export]
#[doc(hidden)]
macro_rules! __stubwire_assert_message {
    ($path:expr, $message:expr $(,)?) => {
        $crate::golden::check(
            ::core::env!("CARGO_MANIFEST_DIR"),
            $path,
            &<$crate::golden::Message as ::core::convert::From<_>>::from($message),
        )
    };
}

#[doc(inline)]
pub use __stubwire_assert_frame as assert_frame;
#[doc(inline)]
pub use __stubwire_assert_message as assert_message;
