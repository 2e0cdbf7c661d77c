//! Attributes: known or declared, once, and with the value that they need.

use std::collections::HashMap;

use super::{
    super::syntax::{Attribute, AttributeValue, Text, literal},
    Builder, Here,
};
use crate::frontend::builtin::BUILT_IN;
use crate::ir::{Diagnostic, OptionEntry, OptionValue, Options, code};

/// The first attribute of this name: as in flatc, later ones do not count.
pub(super) fn find<'a>(attributes: &'a [Attribute], name: &str) -> Option<&'a Attribute> {
    attributes.iter().find(|attribute| attribute.name.value == name)
}

impl Builder<'_> {
    /// Checks attributes and keeps them as written.
    pub(super) fn options(&mut self, here: Here<'_>, attributes: &[Attribute]) -> Options {
        let mut seen: HashMap<&str, &Attribute> = HashMap::new();
        let mut entries = Vec::with_capacity(attributes.len());
        for attribute in attributes {
            self.work += 1;
            let name = attribute.name.value.as_str();
            if let Some(first) = seen.get(name) {
                let message = format!("attribute `{name}` is set twice: the first one counts");
                self.report(
                    Diagnostic::warning(code::FBS_ATTRIBUTE, message)
                        .label(here.parsed.span(attribute.extent), "and again here")
                        .label(here.parsed.span(first.extent), "first here"),
                );
                continue;
            }
            seen.insert(name, attribute);
            let custom = !BUILT_IN.contains(&name);
            if custom {
                self.check_declared(here, &attribute.name);
            }
            let Some(value) = self.option_value(here, attribute) else { continue };
            let span = Some(here.parsed.span(attribute.extent));
            entries.push(OptionEntry { name: name.to_owned(), custom, value, span });
        }
        Options(entries)
    }

    fn check_declared(&mut self, here: Here<'_>, name: &Text) {
        let places = self.symbols.attribute(&name.value);
        self.work += places.len() as u64;
        let known = places.iter().any(|(file, extent)| {
            let reach = &self.symbols.reach;
            match *file == here.file {
                true => extent.start < name.extent.start,
                false => reach.sees(here.file, *file),
            }
        });
        if known {
            return;
        }
        let value = &name.value;
        let place = here.parsed.span(name.extent);
        if let Some((file, extent)) = places.first().copied() {
            let declared = self.files[file].span(extent);
            let found = match file == here.file {
                true => Diagnostic::error(
                    code::FBS_ATTRIBUTE,
                    format!("attribute `{value}` is used before its declaration"),
                ),
                false => Diagnostic::warning(
                    code::FBS_NOT_INCLUDED,
                    format!("attribute `{value}` is declared in a file that is not included"),
                ),
            };
            self.report(found.label(place, "").label(declared, "declared here"));
            return;
        }
        let message = format!("there is no attribute `{value}`");
        self.report(
            Diagnostic::error(code::FBS_ATTRIBUTE, message)
                .label(place, "")
                .help(format!("declare it: `attribute \"{}\";`", value.escape_debug())),
        );
    }

    fn option_value(&mut self, here: Here<'_>, attribute: &Attribute) -> Option<OptionValue> {
        match &attribute.value {
            None => Some(OptionValue::Bool(true)),
            Some(AttributeValue::String(text)) => Some(OptionValue::String(text.value.clone())),
            Some(AttributeValue::Integer(text)) => {
                let number = literal::integer(&text.value);
                let value = number.and_then(|number| match i64::try_from(number) {
                    Ok(number) => Some(OptionValue::Int(number)),
                    Err(_) => u64::try_from(number).ok().map(OptionValue::Uint),
                });
                if value.is_none() {
                    let message = format!("`{}` does not fit into 64 bits", shown(&text.value));
                    self.error(here, code::FBS_ATTRIBUTE, text.extent, message);
                }
                value
            }
        }
    }

    /// The string of an attribute that needs one.
    pub(super) fn string_of<'t>(
        &mut self,
        here: Here<'_>,
        attribute: &'t Attribute,
        what: &str,
    ) -> Option<&'t Text> {
        if let Some(AttributeValue::String(text)) = &attribute.value {
            return Some(text);
        }
        let name = &attribute.name.value;
        let message = format!("`{name}` needs {what} as a string");
        self.error(here, code::FBS_ATTRIBUTE, attribute.extent, message);
        None
    }

    /// `force_align`: a power of two from `least` to 32.
    pub(super) fn alignment(
        &mut self,
        here: Here<'_>,
        attribute: &Attribute,
        least: u32,
    ) -> Option<u32> {
        let number = match &attribute.value {
            Some(AttributeValue::Integer(text) | AttributeValue::String(text)) => {
                literal::integer(text.value.trim())
            }
            None => None,
        };
        let fits = |it: &u32| it.is_power_of_two() && (least..=32).contains(it);
        let align = number.and_then(|number| u32::try_from(number).ok()).filter(fits);
        if align.is_none() {
            let message = format!("an alignment is a power of two from {least} to 32");
            self.error(here, code::FBS_ATTRIBUTE, attribute.extent, message);
        }
        align
    }
}

/// A number as an error message repeats it.
pub(super) fn shown(text: &str) -> &str {
    text.get(..super::super::limit::SHOWN_CHARS).unwrap_or(text)
}
