//! Data and helpers shared by the test crates. Knows no other crate of this project, so that what it says about
//! bytes is a second opinion.

mod answer;
mod exchange;
mod frpc;

pub use answer::{Answer, split_frames};
pub use exchange::{Connection, Exchange, Fields, Outcome, Reply, captures, probes, rules};
pub use frpc::{FrpcExchange, frpc};
