//! Everything that stubwire generates from hazardous schemas, compiled.
//!
//! The tests of this crate are its build: what does not compile, or only with a warning, fails
//! it. Files under `golden` are compared byte for byte as well; those under `frozen` are the
//! output of earlier releases, which has to go on compiling.
#![deny(warnings, missing_docs)]
// `o53_chain_of_forty_messages` nests deeper than rustc follows by default; its warning says so.
#![recursion_limit = "256"]

pub mod case;
pub mod nasty;

/// Whole cases: messages and services.
pub mod cases {
    ::core::include!(::core::concat!(::core::env!("OUT_DIR"), "/cases.rs"));
}

/// The services of the cases alone: no prelude, and a runtime of another name.
pub mod services {
    ::core::include!(::core::concat!(::core::env!("OUT_DIR"), "/services.rs"));
}

/// The runtime by another name. (Cargo refuses one crate under two names; that the usual name
/// does not occur is checked where the services are generated.)
pub use ::stubwire as renamed_runtime;

/// A type that stands in for a generated one: none of the traits that a generated one would have.
pub mod own {
    /// Neither `Copy` nor `Eq`.
    #[derive(Clone, PartialEq, ::prost::Message)]
    pub struct Stamp {
        /// Its time.
        #[prost(double, tag = "1")]
        pub t: f64,
    }
    /// What is nested in it.
    pub mod stamp {
        /// A zone.
        #[derive(Clone, PartialEq, ::prost::Message)]
        pub struct Zone {}
    }
}

/// Messages by prost-build alone, services by stubwire.
pub mod plain_prost {
    /// What the team has had all along.
    #[allow(missing_docs)]
    pub mod messages {
        /// Types of the package `shop`.
        pub mod shop {
            ::core::include!(::core::concat!(::core::env!("OUT_DIR"), "/plain_prost/shop.rs"));
        }
    }
    ::core::include!(::core::concat!(::core::env!("OUT_DIR"), "/plain_prost_services/mod.rs"));
}

/// Output that is compared byte for byte.
#[allow(clippy::module_inception, reason = "the wrapper has the name of the package")]
pub mod golden {
    /// The service of the benchmarks.
    pub mod echo {
        ::core::include!("../golden/echo/mod.rs");
    }
    /// Every kind of field that decoding watches.
    pub mod shapes {
        ::core::include!("../golden/shapes/mod.rs");
    }
    /// Packages, and none.
    pub mod packages {
        ::core::include!("../golden/packages/mod.rs");
    }
}

/// Schemas out of nasty words, as many as the environment asked the build script for.
pub mod nasty_schemas {
    ::core::include!(::core::concat!(::core::env!("OUT_DIR"), "/nasty.rs"));
}

/// Output of earlier releases, as it was, against the runtime of today.
#[allow(clippy::module_inception, reason = "the wrapper has the name of the package")]
pub mod frozen {
    /// Release 0.1.
    pub mod v0_1 {
        /// The service of the benchmarks.
        pub mod echo {
            ::core::include!("../frozen/v0_1/echo/mod.rs");
        }
        /// Every kind of field that decoding watches.
        pub mod shapes {
            ::core::include!("../frozen/v0_1/shapes/mod.rs");
        }
        /// Packages, and none.
        pub mod packages {
            ::core::include!("../frozen/v0_1/packages/mod.rs");
        }
    }
}
