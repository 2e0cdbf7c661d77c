//! Everything end to end, in one binary so that it is linked once.

mod calls;
mod deadlines;
mod frames;
mod handlers;
mod load;
mod patience;
mod payloads;
mod probes;
mod retries;
mod stopping;
mod strangers;
