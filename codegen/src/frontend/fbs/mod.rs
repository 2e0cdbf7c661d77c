//! The FlatBuffers front end: `.fbs` files or texts in memory in, IR out.
