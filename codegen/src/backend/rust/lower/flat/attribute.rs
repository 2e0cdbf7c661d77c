//! Attributes of the configuration that ask for FlatBuffers types: they are for those of Protobuf.

use super::super::Lower;
use crate::backend::rust::path_map::PathMap;
use crate::ir::{Diagnostic, code};

impl Lower<'_> {
    /// Warns of options about messages that select FlatBuffers types alone, and so do nothing.
    /// What selects everything means what there is.
    pub(in super::super) fn warn_attributes_of_flat(&mut self) {
        let messages = &self.options.messages;
        let maps = [
            ("type_attribute", &messages.type_attributes),
            ("message_attribute", &messages.message_attributes),
            ("enum_attribute", &messages.enum_attributes),
            ("field_attribute", &messages.field_attributes),
        ];
        let mut found = Vec::new();
        for (option, map) in maps {
            for path in map.entries().iter().map(|(path, _)| path).filter(|path| *path != ".") {
                found.extend(self.selects_flat_alone(option, path));
            }
        }
        self.diagnostics.0.extend(found);
    }

    fn selects_flat_alone(&self, option: &str, path: &str) -> Option<Diagnostic> {
        let schema = self.schema;
        let mut one: PathMap<()> = PathMap::default();
        one.insert(path, ());
        let is_inside = |full_name: &str| one.selects(&format!(".{full_name}"));
        let messages = schema.messages.iter().map(|it| &it.full_name.0);
        let enums = schema.enums.iter().map(|it| &it.full_name.0);
        // Members of theirs are selected by paths that name them.
        let names_member =
            |full_name: &String| path.trim_start_matches('.').starts_with(&format!("{full_name}."));
        if messages.chain(enums).any(|it| is_inside(it) || names_member(it)) {
            return None;
        }
        let flat = schema
            .flat
            .declarations()
            .find(|it| is_inside(&it.full_name.0) || names_member(&it.full_name.0))?;
        let name = &flat.full_name;
        let message = format!("`{option}({path:?}, …)` does nothing: `{name}` is of FlatBuffers");
        let found = Diagnostic::warning(code::UNUSED_MAPPING, message).label(flat.name_span, "");
        Some(found.help("attributes are added to Protobuf messages alone"))
    }
}
