//! What stubwire generates from FlatBuffers schemas, compiled: what does not compile, or only with
//! a warning, fails the build of this crate. Its tests read and write with it.
#![deny(warnings, missing_docs)]

pub mod case;

/// Every case that flatc accepts, and schemas of hazardous names: no prelude, and both crates under
/// other names.
pub mod cases {
    ::core::include!(::core::concat!(::core::env!("OUT_DIR"), "/cases.rs"));
}

/// Every kind of field and type.
pub mod zoo {
    ::core::include!(::core::concat!(::core::env!("OUT_DIR"), "/zoo/mod.rs"));
}

/// A FlatBuffers and a Protobuf service of one namespace.
pub mod served {
    ::core::include!(::core::concat!(::core::env!("OUT_DIR"), "/served/mod.rs"));
}

/// The services of that namespace over messages from elsewhere.
pub mod foreign {
    ::core::include!(::core::concat!(::core::env!("OUT_DIR"), "/foreign/mod.rs"));
}

/// The runtime by another name.
pub use ::stubwire as renamed_runtime;

/// The crate `flatbuffers` by another name.
pub use ::flatbuffers as renamed_flatbuffers;
