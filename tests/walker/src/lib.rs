//! Proves that verified means safe: whatever the verification at the product's edge accepts, every
//! accessor of every table and struct can be called on it.
//!
//! `build.rs` generates messages and, from the model of the same schemas, a [`walk`](walk::Walk) of
//! every type. [`buffer`] writes valid buffers, [`damage`] changes them, [`ENTRIES`] verifies and
//! walks. The tests do so with chosen decisions, and the fuzz target `verified_walk` with a fuzzer's,
//! under AddressSanitizer.

pub mod buffer;
pub mod choices;
pub mod damage;
mod entry;
mod generated;
pub mod walk;

use std::sync::LazyLock;

use stubwire_codegen::frontend::fbs::load_texts;
use stubwire_codegen::ir::{Schema, TableId};

pub use entry::Entry;
pub use generated::{ENTRIES, messages};

/// Tables and structs that one walk enters at most.
pub const LONGEST_WALK: usize = 100_000;

/// The model of the schemas.
pub static SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
    let texts: [(&str, &[u8]); 2] = [
        ("tangle.fbs", include_bytes!("../schema/tangle.fbs")),
        ("zoo.fbs", include_bytes!("../../flat/schema/zoo.fbs")),
    ];
    load_texts(&texts).expect("they compiled in the build script").schema
});

impl Entry {
    /// The table in the model.
    pub fn table_id(&self) -> TableId {
        let mut tables = SCHEMA.flat.tables.iter();
        let found = tables.position(|table| table.declaration.full_name.0 == self.table);
        TableId(found.expect("entries are made from the same schemas") as u32)
    }

    /// A valid buffer.
    pub fn valid(&self, choices: &mut choices::Choices<'_>) -> Vec<u8> {
        buffer::write(&SCHEMA.flat, self.table_id(), self.prefixed, choices)
    }
}
