//! Everything end to end, in one binary so that it is linked once.

mod calls;
mod client_wire;
mod concurrency;
mod deadlines;
mod frames;
mod handlers;
mod hooks;
mod load;
mod options;
mod patience;
mod payloads;
mod probes;
mod registry;
mod retries;
mod statistics;
mod stopping;
mod strangers;
