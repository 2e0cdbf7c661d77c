//! The arena that holds everything, and the files.

use super::{
    Doc, Enum, FullName, Message, Options, Package, Service, Source, SourceId, Span, flat,
};

/// Index of a [`File`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// Index of a [`Message`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MessageId(pub u32);

/// Index of an [`Enum`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EnumId(pub u32);

/// Index of a [`Service`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ServiceId(pub u32);

/// Index of a FlatBuffers table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TableId(pub u32);

/// A whole set of schema files, always fully resolved.
///
/// Files come in dependency order (imports before importers, as far as circles of FlatBuffers
/// includes allow), elements in declaration order, a
/// nested element after its parent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schema {
    /// Every text that was read.
    pub sources: Vec<Source>,
    /// Inputs and their transitive imports.
    pub files: Vec<File>,
    /// Messages of all files, nested ones included.
    pub messages: Vec<Message>,
    /// Enums of all files, nested ones included.
    pub enums: Vec<Enum>,
    /// Services of all files.
    pub services: Vec<Service>,
    /// What FlatBuffers adds.
    pub flat: flat::Types,
}

impl Schema {
    /// The file `id`.
    pub fn file(&self, id: FileId) -> &File {
        &self.files[id.0 as usize]
    }
    /// The message `id`.
    pub fn message(&self, id: MessageId) -> &Message {
        &self.messages[id.0 as usize]
    }
    /// The enum `id`.
    pub fn enumeration(&self, id: EnumId) -> &Enum {
        &self.enums[id.0 as usize]
    }
    /// The service `id`.
    pub fn service(&self, id: ServiceId) -> &Service {
        &self.services[id.0 as usize]
    }
    /// The source `id`.
    pub fn source(&self, id: SourceId) -> &Source {
        &self.sources[id.0 as usize]
    }
    /// The message with this full name. Linear: for tests and diagnostics, not for loops.
    pub fn find_message(&self, name: &FullName) -> Option<MessageId> {
        let index = self.messages.iter().position(|message| &message.full_name == name)?;
        Some(MessageId(index as u32))
    }
}

/// The dialect of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// `syntax = "proto2"`, or no syntax line.
    Proto2,
    /// `syntax = "proto3"`.
    Proto3,
    /// A `.fbs` file.
    FlatBuffers,
}

/// One schema file.
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    /// The name by which others import it, with `/`, such as `dir/echo.proto`.
    pub import_name: String,
    /// Its text.
    pub source: SourceId,
    /// Its package. A `.fbs` file may change its namespace; this is the first one, and elements
    /// say theirs in their full names.
    pub package: Package,
    /// Where the package is declared; the start of the file when it is not.
    pub package_span: Span,
    /// Its dialect.
    pub syntax: Syntax,
    /// True for a file the user named, false for one that was only imported.
    pub is_input: bool,
    /// Direct imports, in order.
    pub imports: Vec<Import>,
    /// Top-level and nested messages of this file, the entry types of maps among them.
    pub messages: Vec<MessageId>,
    /// Top-level and nested enums of this file.
    pub enums: Vec<EnumId>,
    /// Services of this file.
    pub services: Vec<ServiceId>,
    /// What only a `.fbs` file has; empty for others.
    pub flat: flat::FileFacts,
    /// File options.
    pub options: Options,
    /// The comment above the package line, else above the syntax line.
    pub doc: Doc,
}

/// One `import` line.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// The imported file.
    pub file: FileId,
    /// `import public`.
    pub public: bool,
    /// The line.
    pub span: Option<Span>,
}
