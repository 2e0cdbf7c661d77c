//! x

pub mod frame;
