//! The first pass: ids for messages and enums, in the order in which the second pass builds them.

use std::collections::HashMap;

use prost_types::{DescriptorProto, FileDescriptorProto};

use super::qualify;
use crate::ir::{EnumId, MessageId, ServiceId};

/// What a full type name stands for.
#[derive(Clone, Copy)]
pub(super) enum Type {
    Message(MessageId),
    Enum(EnumId),
}

/// Ids by full name, without a leading dot.
#[derive(Default)]
pub(super) struct Ids {
    types: HashMap<String, Type>,
    messages: u32,
    enums: u32,
}

impl Ids {
    pub(super) fn assign(files: &[FileDescriptorProto]) -> Self {
        let mut ids = Self::default();
        for file in files {
            for message in &file.message_type {
                ids.add_message(file.package(), message);
            }
            for enumeration in &file.enum_type {
                ids.add_enum(file.package(), enumeration.name());
            }
        }
        ids
    }

    fn add_message(&mut self, scope: &str, message: &DescriptorProto) {
        let full_name = qualify(scope, message.name());
        let id = MessageId(self.messages);
        self.messages += 1;
        for nested in &message.nested_type {
            self.add_message(&full_name, nested);
        }
        for nested in &message.enum_type {
            self.add_enum(&full_name, nested.name());
        }
        self.types.insert(full_name, Type::Message(id));
    }

    fn add_enum(&mut self, scope: &str, name: &str) {
        let id = EnumId(self.enums);
        self.enums += 1;
        self.types.insert(qualify(scope, name), Type::Enum(id));
    }

    /// The type of a resolved name such as `.pkg.Name`.
    pub(super) fn find(&self, name: &str) -> Option<Type> {
        self.types.get(name.strip_prefix('.').unwrap_or(name)).copied()
    }

    pub(super) fn message(&self, name: &str) -> Option<MessageId> {
        match self.find(name) {
            Some(Type::Message(id)) => Some(id),
            _ => None,
        }
    }
}

pub(super) fn range(first: u32, end: usize) -> std::ops::Range<u32> {
    first..end as u32
}

pub(super) fn message(id: u32) -> MessageId {
    MessageId(id)
}

pub(super) fn enumeration(id: u32) -> EnumId {
    EnumId(id)
}

pub(super) fn service(id: u32) -> ServiceId {
    ServiceId(id)
}
