//! x

pub mod frame;
pub mod payload;
