//! One file after parsing: its descriptor, where its parts stand, and how it came in.

use prost::bytes::Bytes;
use prost_types::FileDescriptorProto;

use super::places::Places;
use crate::ir::SourceId;

/// A parsed file, its imports not yet resolved.
pub(super) struct Parsed {
    /// The name it is imported by.
    pub(super) name: String,
    /// Its descriptor; the source info has moved to `places`.
    pub(super) proto: FileDescriptorProto,
    /// The bytes it came from when it came in a descriptor set: they hold the custom options.
    pub(super) encoded: Option<Bytes>,
    pub(super) places: Places,
    /// True for a file the user named.
    pub(super) is_input: bool,
}

impl Parsed {
    /// Takes the source info out of `proto`.
    pub(super) fn new(
        mut proto: FileDescriptorProto,
        source: SourceId,
        text: Option<crate::ir::TextIndex>,
    ) -> Self {
        let locations = proto.source_code_info.take().map(|info| info.location).unwrap_or_default();
        Self {
            name: proto.name().to_owned(),
            places: Places::new(source, text, locations),
            proto,
            encoded: None,
            is_input: false,
        }
    }
}

/// Field numbers of descriptor.proto, the parts of a `SourceCodeInfo` path.
pub(super) mod tag {
    pub(in super::super) const NAME: i32 = 1;
    pub(in super::super) const FILE_PACKAGE: i32 = 2;
    pub(in super::super) const FILE_DEPENDENCY: i32 = 3;
    pub(in super::super) const FILE_MESSAGE: i32 = 4;
    pub(in super::super) const FILE_ENUM: i32 = 5;
    pub(in super::super) const FILE_SERVICE: i32 = 6;
    pub(in super::super) const FILE_EXTENSION: i32 = 7;
    pub(in super::super) const FILE_OPTIONS: i32 = 8;
    pub(in super::super) const FILE_SYNTAX: i32 = 12;
    pub(in super::super) const MESSAGE_FIELD: i32 = 2;
    pub(in super::super) const MESSAGE_NESTED: i32 = 3;
    pub(in super::super) const MESSAGE_ENUM: i32 = 4;
    pub(in super::super) const MESSAGE_EXTENSION: i32 = 6;
    pub(in super::super) const MESSAGE_OPTIONS: i32 = 7;
    pub(in super::super) const MESSAGE_ONEOF: i32 = 8;
    pub(in super::super) const FIELD_OPTIONS: i32 = 8;
    pub(in super::super) const FIELD_TYPE_NAME: i32 = 6;
    pub(in super::super) const FIELD_EXTENDEE: i32 = 2;
    pub(in super::super) const ONEOF_OPTIONS: i32 = 2;
    pub(in super::super) const ENUM_VALUE: i32 = 2;
    pub(in super::super) const ENUM_OPTIONS: i32 = 3;
    pub(in super::super) const ENUM_VALUE_OPTIONS: i32 = 3;
    pub(in super::super) const SERVICE_METHOD: i32 = 2;
    pub(in super::super) const SERVICE_OPTIONS: i32 = 3;
    pub(in super::super) const METHOD_INPUT: i32 = 2;
    pub(in super::super) const METHOD_OUTPUT: i32 = 3;
    pub(in super::super) const METHOD_OPTIONS: i32 = 4;
    pub(in super::super) const UNINTERPRETED_OPTION: i32 = 999;
}
