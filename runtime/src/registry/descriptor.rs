//! Static facts about services and methods, as generated code states them.

use super::Layout;
use crate::payload::MessageShape;
use std::fmt;

/// How the messages of a service are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Codec {
    /// Protocol Buffers.
    Protobuf,
    /// FlatBuffers.
    FlatBuffers,
}

impl fmt::Display for Codec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Protobuf => "Protobuf",
            Self::FlatBuffers => "FlatBuffers",
        })
    }
}

/// Which sides of a method stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Streaming {
    /// One request, one reply.
    Unary,
}

/// Facts of one method.
#[derive(Clone, Copy, Debug)]
pub struct MethodDescriptor {
    full_name: &'static str,
    slash: usize,
    codec: Codec,
    streaming: Streaming,
    id: Option<u32>,
    idempotent: bool,
    no_side_effects: bool,
    deprecated: bool,
    reply_size: usize,
    request: &'static MessageShape,
    reply: &'static MessageShape,
    layout: Option<&'static Layout>,
}

impl MethodDescriptor {
    /// A unary method.
    ///
    /// # Panics
    /// When `full_name` is not `package.Service/Method`; in a `const` that stops the build.
    pub const fn new(
        codec: Codec,
        full_name: &'static str,
        request: &'static MessageShape,
        reply: &'static MessageShape,
    ) -> Self {
        Self {
            full_name,
            slash: find_slash(full_name),
            codec,
            streaming: Streaming::Unary,
            id: None,
            idempotent: false,
            no_side_effects: false,
            deprecated: false,
            reply_size: 0,
            request,
            reply,
            layout: None,
        }
    }

    /// A unary Protobuf method.
    ///
    /// # Panics
    /// As [`new`](Self::new).
    pub const fn protobuf(
        full_name: &'static str,
        request: &'static MessageShape,
        reply: &'static MessageShape,
    ) -> Self {
        Self::new(Codec::Protobuf, full_name, request, reply)
    }

    /// A unary FlatBuffers method; the names are those of its tables.
    ///
    /// # Panics
    /// As [`new`](Self::new).
    pub const fn flatbuffers(
        full_name: &'static str,
        request: &'static MessageShape,
        reply: &'static MessageShape,
    ) -> Self {
        Self::new(Codec::FlatBuffers, full_name, request, reply)
    }

    /// Says how many bytes a reply needs at least, so that already the first is built without growing.
    #[must_use]
    pub const fn reply_size(mut self, bytes: usize) -> Self {
        self.reply_size = bytes;
        self
    }

    /// Says how its messages are laid out, for `golden` to name their bytes.
    #[doc(hidden)]
    #[must_use]
    pub const fn layout(mut self, layout: &'static Layout) -> Self {
        self.layout = Some(layout);
        self
    }

    /// Sets the explicit number of the schema.
    #[must_use]
    pub const fn id(mut self, id: u32) -> Self {
        self.id = Some(id);
        self
    }

    /// Says that repeating a call does no harm.
    #[must_use]
    pub const fn idempotent(mut self) -> Self {
        self.idempotent = true;
        self
    }

    /// Says that a call changes nothing, so that repeating it does no harm.
    #[must_use]
    pub const fn no_side_effects(mut self) -> Self {
        self.no_side_effects = true;
        self.idempotent = true;
        self
    }

    /// Marks the method as deprecated in the schema.
    #[must_use]
    pub const fn deprecated(mut self) -> Self {
        self.deprecated = true;
        self
    }

    /// `package.Service/Method`, as the schema spells it.
    pub const fn full_name(&self) -> &'static str {
        self.full_name
    }

    /// `package.Service`.
    pub fn service(&self) -> &'static str {
        &self.full_name[..self.slash]
    }

    /// The method alone.
    pub fn name(&self) -> &'static str {
        &self.full_name[self.slash + 1..]
    }

    /// How its messages are encoded.
    pub const fn codec(&self) -> Codec {
        self.codec
    }

    /// Which sides stream.
    pub const fn streaming(&self) -> Streaming {
        self.streaming
    }

    /// The explicit number of the schema.
    pub const fn explicit_id(&self) -> Option<u32> {
        self.id
    }

    /// True when repeating a call does no harm.
    pub const fn is_idempotent(&self) -> bool {
        self.idempotent
    }

    /// True when a call changes nothing.
    pub const fn has_no_side_effects(&self) -> bool {
        self.no_side_effects
    }

    /// True when the schema deprecates it.
    pub const fn is_deprecated(&self) -> bool {
        self.deprecated
    }

    /// How many bytes a reply needs at least, as the schema says; zero when it does not.
    pub const fn declared_reply_size(&self) -> usize {
        self.reply_size
    }

    /// How its messages are laid out; unknown for what was generated before there were layouts, or written by hand.
    #[cfg(feature = "golden")]
    pub(crate) fn layout_text(&self) -> Option<&'static str> {
        self.layout.map(Layout::text)
    }

    /// What stands for its replies where sizes are remembered.
    #[cfg(feature = "flatbuffers")]
    pub(crate) fn reply_key(&self) -> usize {
        self.full_name.as_ptr() as usize
    }

    /// What stands for its requests there: a full name has three bytes at least, so the next address is its own too.
    #[cfg(feature = "flatbuffers")]
    pub(crate) fn request_key(&self) -> usize {
        self.full_name.as_ptr() as usize + 1
    }

    /// The shape of the request.
    pub const fn request(&self) -> &'static MessageShape {
        self.request
    }

    /// The shape of the reply.
    pub const fn reply(&self) -> &'static MessageShape {
        self.reply
    }
}

const fn find_slash(full_name: &str) -> usize {
    let bytes = full_name.as_bytes();
    let mut index = 0;
    while index < bytes.len() {
        if bytes[index] == b'/' {
            return index;
        }
        index += 1;
    }
    panic!("a method's full name has the form `package.Service/Method`");
}

/// Facts of one service.
#[derive(Clone, Copy, Debug)]
pub struct ServiceDescriptor {
    full_name: &'static str,
    codec: Codec,
    methods: &'static [&'static MethodDescriptor],
    deprecated: bool,
}

impl ServiceDescriptor {
    /// A service by its full name, `package.Service`.
    pub const fn new(
        full_name: &'static str,
        codec: Codec,
        methods: &'static [&'static MethodDescriptor],
    ) -> Self {
        Self { full_name, codec, methods, deprecated: false }
    }

    /// Marks the service as deprecated in the schema.
    #[must_use]
    pub const fn deprecated(mut self) -> Self {
        self.deprecated = true;
        self
    }

    /// `package.Service`, as the schema spells it.
    pub const fn full_name(&self) -> &'static str {
        self.full_name
    }

    /// How its messages are encoded.
    pub const fn codec(&self) -> Codec {
        self.codec
    }

    /// Its methods, in the schema's order.
    pub const fn methods(&self) -> &'static [&'static MethodDescriptor] {
        self.methods
    }

    /// True when the schema deprecates it.
    pub const fn is_deprecated(&self) -> bool {
        self.deprecated
    }
}
