//! Everything end to end, in one binary so that it is linked once.

mod calls;
mod client_wire;
mod concurrency;
mod connections;
mod deadlines;
mod drops;
mod feel;
mod frames;
mod handlers;
mod hooks;
mod in_process;
mod layout;
mod load;
mod options;
mod patience;
mod payloads;
mod probes;
mod processes;
mod random;
mod reconnect;
mod registry;
mod retries;
mod statistics;
mod stopping;
mod strangers;
mod unix;
