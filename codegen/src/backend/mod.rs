//! Back ends: from the schema model to text. They read the model, decide nothing about schemas,
//! and write no files.

pub mod rust;
