//! Reads and writes with generated FlatBuffers code. That this crate forbids `unsafe` is a test
//! too: the generated code stands in a crate of its own, and who uses it needs none.
#![forbid(unsafe_code)]

mod cases;
mod golden;
mod hostile;
mod instructions;
mod nested;
mod oracle;
mod reading;
mod served;
