//! Messages, oneofs and enums.

use prost_types::{DescriptorProto, EnumDescriptorProto, FileDescriptorProto};

use super::{Converter, child, option::Written, qualify, tag};
use crate::ir::{Enum, EnumId, EnumValue, FullName, Message, MessageId, Oneof, Options};

/// An element before and after linking. Before, its options still say where they are written.
pub(super) struct Pair<'a, T> {
    pub(super) raw: &'a T,
    pub(super) linked: &'a T,
}

// Written out: the derives would ask for `T: Copy`.
impl<T> Clone for Pair<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Pair<'_, T> {}

/// Pairs the elements of two lists of equal length.
pub(super) fn pairs<'a, T>(
    raw: &'a [T],
    linked: &'a [T],
) -> impl Iterator<Item = (usize, Pair<'a, T>)> {
    raw.iter().zip(linked).map(|(raw, linked)| Pair { raw, linked }).enumerate()
}

impl Converter<'_> {
    /// Everything that a file declares.
    pub(super) fn top_level(&mut self, linked: &FileDescriptorProto) {
        let raw = self.raw;
        for (at, message) in pairs(&raw.message_type, &linked.message_type) {
            self.message(message, linked.package(), None, &[tag::FILE_MESSAGE, at as i32]);
        }
        for (at, enumeration) in pairs(&raw.enum_type, &linked.enum_type) {
            self.enumeration(enumeration, linked.package(), None, &[tag::FILE_ENUM, at as i32]);
        }
        for (at, service) in pairs(&raw.service, &linked.service) {
            self.service(service, linked.package(), &[tag::FILE_SERVICE, at as i32]);
        }
    }

    pub(super) fn file_options(&self) -> Options {
        let Some(raw) = &self.raw.options else { return Options::default() };
        let values = self.pool.get_file_by_name(self.raw.name()).map(|file| file.options());
        let raw = &raw.uninterpreted_option;
        self.options(values, Written { path: &[], field: tag::FILE_OPTIONS, raw })
    }

    fn message(
        &mut self,
        pair: Pair<'_, DescriptorProto>,
        scope: &str,
        parent: Option<MessageId>,
        path: &[i32],
    ) -> MessageId {
        let proto = pair.linked;
        let full_name = qualify(scope, proto.name());
        let id = MessageId(self.schema.messages.len() as u32);
        let described = self.pool.get_message_by_name(&full_name);
        let options = pair.raw.options.as_ref().map_or_else(Options::default, |raw| {
            let raw = &raw.uninterpreted_option;
            let values = described.as_ref().map(|it| it.options());
            self.options(values, Written { path, field: tag::MESSAGE_OPTIONS, raw })
        });
        let oneof_indices = real_oneofs(proto);
        let message = Message {
            schema_name: proto.name().to_owned(),
            file: self.file,
            parent,
            fields: self.fields(pair, described.as_ref(), &oneof_indices, path),
            oneofs: self.oneofs(pair, described.as_ref(), &oneof_indices, path),
            messages: Vec::new(),
            enums: Vec::new(),
            is_map_entry: is_map_entry(proto),
            options,
            doc: self.places.doc(path),
            span: self.span(path),
            name_span: self.name_span(path),
            full_name: FullName(full_name.clone()),
        };
        // The place in the arena is taken before the nested ones take theirs.
        self.schema.messages.push(message);
        let mut messages = Vec::new();
        for (at, nested) in pairs(&pair.raw.nested_type, &proto.nested_type) {
            let path = child(path, tag::MESSAGE_NESTED, at);
            let nested_id = self.message(nested, &full_name, Some(id), &path);
            if !is_map_entry(nested.linked) {
                messages.push(nested_id);
            }
        }
        let mut enums = Vec::new();
        for (at, nested) in pairs(&pair.raw.enum_type, &proto.enum_type) {
            let path = child(path, tag::MESSAGE_ENUM, at);
            enums.push(self.enumeration(nested, &full_name, Some(id), &path));
        }
        let message = &mut self.schema.messages[id.0 as usize];
        message.messages = messages;
        message.enums = enums;
        id
    }

    fn oneofs(
        &self,
        pair: Pair<'_, DescriptorProto>,
        described: Option<&prost_reflect::MessageDescriptor>,
        indices: &[Option<usize>],
        path: &[i32],
    ) -> Vec<Oneof> {
        let descriptors: Vec<_> = described.map(|it| it.oneofs().collect()).unwrap_or_default();
        let mut oneofs = Vec::new();
        for (at, oneof) in pairs(&pair.raw.oneof_decl, &pair.linked.oneof_decl) {
            if indices.get(at).copied().flatten().is_none() {
                continue;
            }
            let path = child(path, tag::MESSAGE_ONEOF, at);
            let options = oneof.raw.options.as_ref().map_or_else(Options::default, |raw| {
                let raw = &raw.uninterpreted_option;
                let values = descriptors.get(at).map(|it| it.options());
                self.options(values, Written { path: &path, field: tag::ONEOF_OPTIONS, raw })
            });
            oneofs.push(Oneof {
                schema_name: oneof.linked.name().to_owned(),
                options,
                doc: self.places.doc(&path),
                span: self.span(&path),
                name_span: self.name_span(&path),
            });
        }
        oneofs
    }

    fn enumeration(
        &mut self,
        pair: Pair<'_, EnumDescriptorProto>,
        scope: &str,
        parent: Option<MessageId>,
        path: &[i32],
    ) -> EnumId {
        let proto = pair.linked;
        let full_name = qualify(scope, proto.name());
        let described = self.pool.get_enum_by_name(&full_name);
        let options = pair.raw.options.as_ref().map_or_else(Options::default, |raw| {
            let raw = &raw.uninterpreted_option;
            let values = described.as_ref().map(|it| it.options());
            self.options(values, Written { path, field: tag::ENUM_OPTIONS, raw })
        });
        let enumeration = Enum {
            schema_name: proto.name().to_owned(),
            full_name: FullName(full_name),
            file: self.file,
            parent,
            values: self.enum_values(pair, described.as_ref(), path),
            options,
            doc: self.places.doc(path),
            span: self.span(path),
            name_span: self.name_span(path),
        };
        self.schema.enums.push(enumeration);
        EnumId(self.schema.enums.len() as u32 - 1)
    }

    fn enum_values(
        &self,
        pair: Pair<'_, EnumDescriptorProto>,
        described: Option<&prost_reflect::EnumDescriptor>,
        path: &[i32],
    ) -> Vec<EnumValue> {
        let mut values = Vec::with_capacity(pair.linked.value.len());
        for (at, value) in pairs(&pair.raw.value, &pair.linked.value) {
            let path = child(path, tag::ENUM_VALUE, at);
            let options = value.raw.options.as_ref().map_or_else(Options::default, |raw| {
                let raw = &raw.uninterpreted_option;
                let described = described.and_then(|it| it.get_value_by_name(value.linked.name()));
                let values = described.map(|it| it.options());
                self.options(values, Written { path: &path, field: tag::ENUM_VALUE_OPTIONS, raw })
            });
            values.push(EnumValue {
                schema_name: value.linked.name().to_owned(),
                number: value.linked.number(),
                options,
                doc: self.places.doc(&path),
                span: self.span(&path),
                name_span: self.name_span(&path),
            });
        }
        values
    }
}

/// True for the entry type that a map field makes up.
pub(super) fn is_map_entry(proto: &DescriptorProto) -> bool {
    proto.options.as_ref().is_some_and(|options| options.map_entry())
}

/// For every oneof of the descriptor its index among those that the text declares; `None` for the
/// ones that `optional` makes up.
fn real_oneofs(proto: &DescriptorProto) -> Vec<Option<usize>> {
    let mut made_up = vec![false; proto.oneof_decl.len()];
    for field in proto.field.iter().filter(|field| field.proto3_optional()) {
        if let Some(flag) = made_up.get_mut(field.oneof_index() as usize) {
            *flag = true;
        }
    }
    let mut next = 0;
    let mut number = |made_up: bool| {
        (!made_up).then(|| {
            next += 1;
            next - 1
        })
    };
    made_up.into_iter().map(&mut number).collect()
}
