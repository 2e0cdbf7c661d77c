//! Everything end to end, in one binary so that it is linked once.

mod calls;
mod concurrency;
mod deadlines;
mod frames;
mod handlers;
mod hooks;
mod load;
mod patience;
mod payloads;
mod probes;
mod registry;
mod retries;
mod statistics;
mod stopping;
mod strangers;
