//! Front ends: a schema in some language goes in, a resolved [`ir::Schema`](crate::ir::Schema)
//! comes out. No front end knows a back end, and none of them prints.

#[cfg(feature = "bfbs")]
pub mod bfbs;
#[cfg(any(feature = "fbs", feature = "bfbs"))]
mod builtin;
mod failed;
#[cfg(feature = "fbs")]
pub mod fbs;
#[cfg(any(feature = "fbs", feature = "bfbs"))]
mod loaded;
#[cfg(any(feature = "bfbs", all(feature = "proto", feature = "fbs", feature = "print")))]
pub(crate) mod merge;
#[cfg(feature = "proto")]
pub mod proto;
mod read;
mod session;
mod worker;

pub use failed::Failed;
