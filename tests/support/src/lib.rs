//! Data and helpers shared by the test crates.
