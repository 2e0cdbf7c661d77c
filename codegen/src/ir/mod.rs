//! The schema model that every other room agrees on.
//!
//! A front end builds a [`Schema`] in which every type name is already resolved to an arena id; a
//! back end reads it and cannot tell which front end made it, except by facts that stand in it.
//! This room imports nothing of ours.

pub mod code;
mod diagnostic;
mod doc;
mod dump;
pub mod flat;
mod flat_dump;
mod flat_types;
mod name;
mod option;
mod schema;
mod service;
mod source;
mod types;

pub use code::Code;
pub use diagnostic::{Diagnostic, Diagnostics, Label, Severity};
pub use doc::Doc;
pub use dump::{dump, dump_service};
pub use flat_dump::dump_type;
pub use name::{FullName, Package};
pub use option::{OptionEntry, OptionValue, Options};
pub use schema::{EnumId, File, FileId, Import, MessageId, Schema, ServiceId, Syntax, TableId};
pub use service::{Idempotency, Method, PayloadCodec, PayloadType, Service, Streaming};
pub use source::{Position, Source, SourceId, Span, TextIndex};
pub use types::{Enum, EnumValue, Field, FieldKind, FieldLabel, MapField, Message, Oneof, Scalar};
