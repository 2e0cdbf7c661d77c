//! Verified means safe to walk (TRUST D1), and the walk leaves nothing out.

mod complete;
mod verified;
