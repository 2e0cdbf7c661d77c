//! Front ends: a schema in some language goes in, a resolved [`ir::Schema`](crate::ir::Schema)
//! comes out. No front end knows a back end, and none of them prints.

pub mod proto;
