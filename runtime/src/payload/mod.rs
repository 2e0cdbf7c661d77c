//! Message bytes to values, under limits.
//!
//! Stands between the frame, which says where the message is, and the handler, which gets it decoded. prost bounds
//! how deep a message nests, but neither what decoding it allocates nor whether the fields that proto2 requires are
//! there. So the generated code carries a small table for each message, a [`MessageShape`], and one scan of the
//! bytes checks all three before prost sees them.

mod error;
#[cfg(feature = "flatbuffers")]
pub mod flat;
#[cfg(feature = "protobuf")]
pub mod proto;
mod scan;
mod shape;

pub use error::{DecodeError, Fault};
pub use scan::scan;
pub use shape::{FieldShape, MessageShape, Wire};
