//! The runner of the benchmark: starts contestants in turn, measures them from outside, pairs their
//! rounds, and writes a record that can be shown, exported and compared.
//!
//! ```text
//!  plan ──► run ──► round ──► process (server, client) ◄── stubwire-bench-load's command line
//!             │       └─ procfs, sockets, writes: what the kernel says of both
//!             └─► record (a line of JSON a cell), store, hlog
//!                   ├─ ratio, verdict, notes: paired rounds, what was required, what to know
//!                   └─ table, csv, report (a page with plots), diff
//! ```
//!
//! `record` is the model that everything after a run reads. The programs are found by name; see
//! `contestant`. Nothing here knows the product's crates: it is measured as its peers are.

pub mod building;
pub mod cell;
pub mod contestant;
pub mod csv;
pub mod diff;
pub mod environment;
pub mod hlog;
pub mod notes;
pub mod plan;
pub mod process;
pub mod procfs;
mod progress;
pub mod ratio;
pub mod record;
pub mod report;
pub mod round;
pub mod run;
pub mod sockets;
pub mod store;
pub mod table;
#[cfg(test)]
mod testing;
pub mod verdict;
pub mod writes;
