//! Layouts that are pinned: frames of both protocols, and messages with every kind of field.
//!
//! A golden comes in fours: the value here, its bytes and their dump under `golden/`, and the value read back from the
//! bytes in a test.
#![allow(missing_docs, reason = "generated from schemas without comments")]

stubwire::include_tree!();

pub mod services;
pub mod values;
