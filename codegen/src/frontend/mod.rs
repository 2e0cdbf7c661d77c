//! Front ends: a schema in some language goes in, a resolved [`ir::Schema`](crate::ir::Schema)
//! comes out. No front end knows a back end, and none of them prints.

mod failed;
#[cfg(feature = "fbs")]
pub mod fbs;
#[cfg(feature = "proto")]
pub mod proto;
mod read;
mod session;
mod worker;

pub use failed::Failed;
