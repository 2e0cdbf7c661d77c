//! What stubwire generates from FlatBuffers schemas, compiled: what does not compile, or only with
//! a warning, fails the build of this crate. Its tests read and write with it.
#![deny(warnings, missing_docs)]
#![allow(clippy::module_inception, reason = "a case has the name of its namespace")]

pub mod case;

/// Every case that flatc accepts, and schemas of hazardous names: no prelude, and both crates under
/// other names.
pub mod cases {
    ::core::include!(::core::concat!(::core::env!("OUT_DIR"), "/cases.rs"));
}

/// Output that is compared byte for byte, and that the tests use.
pub mod golden {
    /// Every kind of field and type.
    pub mod zoo {
        ::core::include!("../golden/zoo/mod.rs");
    }
    /// A FlatBuffers and a Protobuf service of one namespace.
    pub mod served {
        ::core::include!("../golden/served/mod.rs");
    }
}

/// One program, against our output.
#[allow(missing_docs, unreachable_pub)]
pub mod against_ours {
    use crate::golden::zoo::zoo as schema;
    ::core::include!(::core::concat!(::core::env!("OUT_DIR"), "/program.rs"));
}

/// The same program, against flatc's output.
#[cfg(flatc)]
#[allow(warnings, unsafe_code)]
pub mod against_flatc {
    mod generated {
        ::core::include!(::core::concat!(::core::env!("OUT_DIR"), "/flatc/zoo_generated.rs"));
    }
    use generated::zoo as schema;
    ::core::include!(::core::concat!(::core::env!("OUT_DIR"), "/program.rs"));
}

/// What flatc wrote by itself.
#[cfg(flatc)]
#[allow(warnings, missing_docs, unsafe_code)]
pub mod raw_flatc {
    ::core::include!(::core::concat!(::core::env!("OUT_DIR"), "/flatc/kv_generated.rs"));
}

/// Both services over messages that flatc made, in one tree.
#[cfg(flatc)]
pub mod served_by_flatc {
    ::core::include!(::core::concat!(::core::env!("OUT_DIR"), "/served_by_flatc/mod.rs"));
}

/// The same for several namespaces and files.
#[cfg(flatc)]
pub mod many_by_flatc {
    ::core::include!(::core::concat!(::core::env!("OUT_DIR"), "/many_by_flatc/mod.rs"));
}

/// Services over what flatc wrote, in another module.
#[cfg(flatc)]
pub mod foreign_by_flatc {
    ::core::include!(::core::concat!(::core::env!("OUT_DIR"), "/foreign_by_flatc/mod.rs"));
}

/// The same services, read from a binary schema.
#[cfg(flatc)]
pub mod foreign_from_bfbs {
    ::core::include!(::core::concat!(::core::env!("OUT_DIR"), "/foreign_from_bfbs/mod.rs"));
}

/// Tables that a peer can lie about.
pub mod hostile {
    ::core::include!(::core::concat!(::core::env!("OUT_DIR"), "/hostile/mod.rs"));
}

/// The services of that namespace over messages from elsewhere.
pub mod foreign {
    ::core::include!(::core::concat!(::core::env!("OUT_DIR"), "/foreign/mod.rs"));
}

/// The runtime by another name.
pub use ::stubwire as renamed_runtime;

/// The crate `flatbuffers` by another name.
pub use ::flatbuffers as renamed_flatbuffers;
