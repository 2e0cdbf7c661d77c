//! Warnings about schemas that compile to Rust with a catch: chains of types that are too deep
//! for rustc's default limits, and messages that no one can decode.

use std::collections::BTreeSet;

use crate::ir::{Diagnostic, FieldKind, FieldLabel, MessageId, code};

use super::Lower;
use super::graph::Graph;

/// rustc evaluates `Send` and `Sync` through every type on the way and stops at 128 steps; a level
/// through `Vec` takes four of them.
const DEEP: u32 = 28;

impl Lower<'_> {
    /// Warns once, at the message that the longest chain starts from.
    pub(super) fn warn_deep_chain(&mut self, graph: &Graph) {
        let local = (0..self.schema.messages.len() as u32)
            .map(MessageId)
            .filter(|id| self.is_local(*id) && !self.schema.message(*id).is_map_entry);
        // Among equals by name, so that the place does not depend on the order of the inputs.
        let deepest = local.max_by_key(|id| {
            (graph.depth(*id), std::cmp::Reverse(&self.schema.message(*id).full_name))
        });
        let Some(id) = deepest.filter(|id| graph.depth(*id) >= DEEP) else { return };
        let message = self.schema.message(id);
        let text = format!(
            "message `{}` starts a chain of {} message types, each holding the next",
            message.full_name,
            graph.depth(id)
        );
        self.diagnostics.push(
            Diagnostic::warning(code::DEEP_CHAIN, text)
                .label(message.name_span, "the chain starts here")
                .help(format!(
                    "if rustc reports E0275, put `#![recursion_limit = \"{}\"]` into the crate that \
                     uses it",
                    limit_for(graph.depth(id))
                )),
        );
    }

    /// Warns of messages that contain themselves through required fields alone: no finite message
    /// satisfies them.
    pub(super) fn warn_required_cycles(&mut self, graph: &Graph) {
        let mut reported = BTreeSet::new();
        for index in 0..self.schema.messages.len() {
            let start = MessageId(index as u32);
            if !self.is_local(start) || reported.contains(&start) {
                continue;
            }
            let Some(cycle) = self.required_cycle(graph, start) else { continue };
            let mut diagnostic = Diagnostic::warning(
                code::REQUIRED_CYCLE,
                format!(
                    "message `{}` requires itself: no finite message can satisfy that",
                    self.schema.message(start).full_name
                ),
            );
            for (id, field) in cycle {
                reported.insert(id);
                let field = &self.schema.message(id).fields[field];
                diagnostic = diagnostic.label(field.name_span, "required here");
            }
            self.diagnostics.push(diagnostic.help("make one of the fields optional"));
        }
    }

    /// The way from `start` back to itself over required fields of its own cycle.
    fn required_cycle(&self, graph: &Graph, start: MessageId) -> Option<Vec<(MessageId, usize)>> {
        let mut visited = BTreeSet::new();
        let mut way: Vec<(MessageId, usize)> = vec![(start, 0)];
        while let Some((id, from)) = way.pop() {
            let fields = &self.schema.message(id).fields;
            let next = fields.iter().enumerate().skip(from).find_map(|(at, field)| {
                let (FieldKind::Message(held) | FieldKind::Group(held)) = field.kind else {
                    return None;
                };
                let stays = field.label == FieldLabel::Required && graph.same_cycle(start, held);
                (stays && (held == start || !visited.contains(&held))).then_some((at, held))
            });
            let Some((at, held)) = next else { continue };
            way.push((id, at + 1));
            if held == start {
                return Some(way.into_iter().map(|(id, next)| (id, next - 1)).collect());
            }
            visited.insert(held);
            way.push((held, 0));
        }
        None
    }
}

/// Four steps a level, rounded up to a power of two.
fn limit_for(depth: u32) -> u32 {
    (depth.saturating_mul(4).saturating_add(64)).next_power_of_two().max(256)
}
