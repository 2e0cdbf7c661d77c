//! FlatBuffers messages: what handlers read and build.
//!
//! A handler gets the root of its request, verified once and borrowed from the received bytes, and builds its reply with
//! [`Call::build`](crate::Call::build) into a builder as large as the method's replies needed before.

pub use crate::payload::flat::{Table, Verified};

use crate::buf::Built;
use crate::call::EncodeMessage;
use bytes::Bytes;
use flatbuffers::{Allocator, FlatBufferBuilder, Vector, WIPOffset};
use std::fmt;
use std::marker::PhantomData;

/// A finished message, still in the builder that made it; it goes out from there without a copy when it is large.
pub struct Flat<Message> {
    /// `None` once it is on its way.
    built: Option<Built>,
    message: PhantomData<fn() -> Message>,
}

impl<Message> Flat<Message> {
    pub(crate) fn new(built: Built) -> Self {
        Self { built: Some(built), message: PhantomData }
    }

    /// The finished bytes.
    pub fn bytes(&self) -> &[u8] {
        self.built.as_ref().map_or(&[], Built::bytes)
    }
}

impl<Message> fmt::Debug for Flat<Message> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Flat({} bytes)", self.bytes().len())
    }
}

impl<Message> EncodeMessage for Flat<Message> {
    fn encoded_len(&self) -> usize {
        self.bytes().len()
    }

    fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.bytes());
    }

    fn take_frame(&mut self, head: &[u8]) -> Bytes {
        self.built.take().map_or_else(Bytes::new, |built| built.into_frame(head))
    }
}

/// Writes a vector of bytes in one copy; `create_vector` of the flatbuffers crate goes byte by byte, 60 times slower.
/// The value suits the `[ubyte]` fields of generated `Args`.
pub fn bytes<'builder, Memory: Allocator + 'builder>(
    builder: &mut FlatBufferBuilder<'builder, Memory>,
    value: &[u8],
) -> WIPOffset<Vector<'builder, u8>> {
    // A byte string is such a vector with a zero behind it that nobody counts.
    WIPOffset::new(builder.create_byte_string(value).value())
}
