//! Everything end to end, in one binary so that it is linked once.

mod calls;
mod frames;
mod handlers;
mod load;
mod patience;
mod payloads;
mod probes;
mod strangers;
