//! Protobuf messages through prost.

use bytes::Bytes;
use prost::Message;

use super::{DecodeError, Fault, MessageShape, scan};

/// Decodes a message that may take `budget` bytes of memory besides what it is made of.
///
/// # Errors
/// What [`scan`] finds, else what prost says. A text that is not UTF-8 is for prost to find; it names the message
/// and the field of every level.
pub fn decode<M: Message + Default>(
    shape: &MessageShape,
    bytes: Bytes,
    budget: usize,
) -> Result<M, DecodeError> {
    scan(shape, &bytes, budget)?;
    M::decode(bytes)
        .map_err(|error| DecodeError::new(Fault::Refused(error.to_string().into_boxed_str())))
}
