//! How messages hold each other: what lies on a cycle and must be boxed, what can be `Copy` or
//! `Eq`, how deep the types nest. Linear in the schema, and without recursion: a chain of ten
//! thousand messages is legal.
//!
//! The rules are prost-build's, so that the types are the same: every singular field that closes
//! or lies on a cycle is boxed. Whether a field is boxed depends on its own cycle alone; messages
//! added elsewhere do not change it.

use crate::ir::{Field, FieldKind, FieldLabel, MessageId, Scalar, Schema};

use super::super::options::RustOptions;
use super::path::field_path;

/// Facts about every message, by id.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    /// Messages on one cycle of singular fields have the same number.
    component: Vec<u32>,
    /// The same over all fields, repeated ones and maps included.
    wide_component: Vec<u32>,
    copy: Vec<bool>,
    eq: Vec<bool>,
    /// Message types on the longest way down, this one included.
    depth: Vec<u32>,
}

/// What is known from outside about types that are not generated.
pub(crate) struct Outside<'a> {
    /// True when a type of the user's stands for the message, of which nothing is known.
    pub(crate) is_opaque: &'a dyn Fn(MessageId) -> bool,
}

/// The message that a field holds, maps included.
pub(crate) fn held_message(kind: &FieldKind) -> Option<MessageId> {
    match kind {
        FieldKind::Message(id) | FieldKind::Group(id) => Some(*id),
        FieldKind::Map(map) => held_message(&map.value),
        FieldKind::Scalar(_) | FieldKind::Enum(_) => None,
    }
}

/// The message that a field holds without a `Vec` or a map around it.
fn held_inline(field: &Field) -> Option<MessageId> {
    match field.kind {
        FieldKind::Message(id) | FieldKind::Group(id) if field.label != FieldLabel::Repeated => {
            Some(id)
        }
        _ => None,
    }
}

impl Graph {
    /// Reads the schema.
    pub(crate) fn new(schema: &Schema, options: &RustOptions, outside: &Outside<'_>) -> Self {
        let count = schema.messages.len();
        let (component, order) = components(schema, held_inline);
        let (wide_component, wide_order) = components(schema, |field| held_message(&field.kind));
        let mut graph = Self {
            component,
            copy: vec![false; count],
            eq: vec![false; count],
            depth: depths(schema, &wide_component, &wide_order),
            wide_component,
        };
        // Leaves come first, so whatever a message holds is known when it is looked at; what lies
        // on its own cycle counts as "no" through `is_recursive`.
        for index in order {
            let id = MessageId(index as u32);
            let fields = &schema.messages[index].fields;
            if !(outside.is_opaque)(id) {
                graph.copy[index] =
                    fields.iter().all(|field| graph.field_copy(schema, options, id, field));
                graph.eq[index] = fields.iter().all(|field| graph.field_eq(id, field));
            }
        }
        graph
    }

    /// True when a singular field must be on the heap, because its type holds the message itself.
    pub(crate) fn is_recursive(&self, holder: MessageId, field: &Field) -> bool {
        held_inline(field).is_some_and(|held| {
            self.component[holder.0 as usize] == self.component[held.0 as usize]
        })
    }

    /// True when the message can be `Copy`.
    pub(crate) fn is_copy(&self, id: MessageId) -> bool {
        self.copy[id.0 as usize]
    }

    /// True when the message can be `Eq` and `Hash`.
    pub(crate) fn is_eq(&self, id: MessageId) -> bool {
        self.eq[id.0 as usize]
    }

    /// How many message types the longest way down has, this one included.
    pub(crate) fn depth(&self, id: MessageId) -> u32 {
        self.depth[id.0 as usize]
    }

    /// True when both messages lie on one cycle, of whatever fields.
    pub(crate) fn same_cycle(&self, one: MessageId, other: MessageId) -> bool {
        self.wide_component[one.0 as usize] == self.wide_component[other.0 as usize]
    }

    fn field_copy(
        &self,
        schema: &Schema,
        options: &RustOptions,
        holder: MessageId,
        field: &Field,
    ) -> bool {
        if field.label == FieldLabel::Repeated {
            return false;
        }
        match &field.kind {
            FieldKind::Scalar(scalar) => !matches!(scalar, Scalar::String | Scalar::Bytes),
            FieldKind::Enum(_) => true,
            FieldKind::Message(held) => {
                !self.is_recursive(holder, field)
                    && self.copy[held.0 as usize]
                    && !options.messages.boxed.selects(&field_path(schema, holder, field))
            }
            FieldKind::Group(_) | FieldKind::Map(_) => false,
        }
    }

    fn field_eq(&self, holder: MessageId, field: &Field) -> bool {
        match &field.kind {
            FieldKind::Scalar(scalar) => !matches!(scalar, Scalar::Double | Scalar::Float),
            FieldKind::Enum(_) => true,
            FieldKind::Message(held) => {
                field.label != FieldLabel::Repeated
                    && !self.is_recursive(holder, field)
                    && self.eq[held.0 as usize]
            }
            FieldKind::Group(_) | FieldKind::Map(_) => false,
        }
    }
}

/// The longest way down from every message; a cycle counts as if all of it lay on the way.
fn depths(schema: &Schema, component: &[u32], order: &[usize]) -> Vec<u32> {
    let mut depth = vec![1; component.len()];
    for members in order.chunk_by(|one, other| component[*one] == component[*other]) {
        let below = members
            .iter()
            .flat_map(|member| &schema.messages[*member].fields)
            .filter_map(|field| held_message(&field.kind))
            .filter(|held| component[held.0 as usize] != component[members[0]])
            .map(|held| depth[held.0 as usize])
            .max();
        for &member in members {
            depth[member] = below.unwrap_or(0) + members.len() as u32;
        }
    }
    depth
}

/// Tarjan's strongly connected components over "holds", with a stack of our own. Returns the
/// component of every message, and the messages component by component, leaves first.
fn components(
    schema: &Schema,
    edge: impl Fn(&Field) -> Option<MessageId>,
) -> (Vec<u32>, Vec<usize>) {
    const NEW: u32 = u32::MAX;
    let count = schema.messages.len();
    let mut index = vec![NEW; count];
    let mut low = vec![0; count];
    let mut on_stack = vec![false; count];
    let mut component = vec![0; count];
    let (mut stack, mut order, mut walk) = (Vec::new(), Vec::with_capacity(count), Vec::new());
    let (mut next_index, mut next_component) = (0, 0);
    for root in 0..count {
        if index[root] != NEW {
            continue;
        }
        walk.push((root, 0));
        while let Some((message, field)) = walk.pop() {
            if field == 0 {
                index[message] = next_index;
                low[message] = next_index;
                next_index += 1;
                stack.push(message);
                on_stack[message] = true;
            }
            let fields = &schema.messages[message].fields;
            let mut descend = None;
            for (at, candidate) in fields.iter().enumerate().skip(field) {
                let Some(held) = edge(candidate).map(|id| id.0 as usize) else {
                    continue;
                };
                if index[held] == NEW {
                    descend = Some((at, held));
                    break;
                }
                if on_stack[held] {
                    low[message] = low[message].min(index[held]);
                }
            }
            if let Some((at, held)) = descend {
                walk.push((message, at + 1));
                walk.push((held, 0));
                continue;
            }
            if low[message] == index[message] {
                while let Some(member) = stack.pop() {
                    on_stack[member] = false;
                    component[member] = next_component;
                    order.push(member);
                    if member == message {
                        break;
                    }
                }
                next_component += 1;
            }
            if let Some(&(parent, _)) = walk.last() {
                low[parent] = low[parent].min(low[message]);
            }
        }
    }
    (component, order)
}
