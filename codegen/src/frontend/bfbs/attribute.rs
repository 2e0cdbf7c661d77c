//! Attributes, which a binary schema keeps as texts.

use flatbuffers::{ForwardsUOffset, Vector};
use flatbuffers_reflection::reflection::KeyValue;

use super::{builtins, convert::Converter, name};
use crate::{
    frontend::builtin::{BUILT_IN, FLAGS},
    ir::{Doc, OptionEntry, OptionValue, Options},
};

/// How the file lists attributes.
pub(super) type Attributes<'b> = Option<Vector<'b, ForwardsUOffset<KeyValue<'b>>>>;

/// How the file lists the lines of a comment.
pub(super) type Lines<'b> = Option<Vector<'b, ForwardsUOffset<&'b str>>>;

impl Converter<'_, '_> {
    /// The attributes of one element; `None` when the file is given up.
    pub(super) fn options(&mut self, attributes: Attributes<'_>) -> Option<Options> {
        let mut entries: Vec<OptionEntry> = Vec::new();
        for entry in attributes.into_iter().flatten() {
            let (key, value) = (entry.key(), entry.value());
            self.spend(1, key.len() + value.map_or(0, str::len))?;
            if !name::is_identifier(key) {
                self.malformed(format!("an attribute is called {}", name::shown(key)));
                continue;
            }
            if entries.iter().any(|known| known.name == key) {
                self.malformed(format!("attribute `{key}` is set twice on one element"));
                continue;
            }
            self.builtins_seen |= builtins::proves_builtins(key);
            entries.push(OptionEntry {
                name: key.to_owned(),
                custom: !BUILT_IN.contains(&key),
                value: option_value(key, value),
                span: None,
            });
            // Looked through for every further one, above.
            if entries.len() > super::limit::NAMED * super::limit::NAMED {
                self.malformed("one element has hundreds of attributes".to_owned());
                return None;
            }
        }
        Some(Options(entries))
    }

    /// A comment; `None` when the file is given up.
    pub(super) fn doc(&mut self, lines: Lines<'_>) -> Option<Doc> {
        let mut text: Option<String> = None;
        for line in lines.into_iter().flatten() {
            self.spend(1, line.len() + 1)?;
            match &mut text {
                None => text = Some(line.to_owned()),
                Some(text) => {
                    text.push('\n');
                    text.push_str(line);
                }
            }
        }
        Some(Doc { leading: text, ..Doc::default() })
    }
}

/// A value by its text. An attribute without a value has the text `0`; which of one's own has none
/// cannot be told from a zero, nor a quoted number from a bare one.
fn option_value(key: &str, text: Option<&str>) -> OptionValue {
    match text {
        None => OptionValue::Bool(true),
        Some("0") if FLAGS.contains(&key) => OptionValue::Bool(true),
        Some(text) => match integer(text) {
            Some(number) => match i64::try_from(number) {
                Ok(number) => OptionValue::Int(number),
                Err(_) => match u64::try_from(number) {
                    Ok(number) => OptionValue::Uint(number),
                    Err(_) => OptionValue::String(text.to_owned()),
                },
            },
            None => OptionValue::String(text.to_owned()),
        },
    }
}

/// An integer as schemas spell them: decimal or hexadecimal, with or without a sign.
fn integer(text: &str) -> Option<i128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let hex = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let (digits, radix) = hex.map_or((digits, 10), |digits| (digits, 16));
    if digits.is_empty() || digits.len() > 24 || !digits.chars().all(|it| it.is_digit(radix)) {
        return None;
    }
    let number = i128::from_str_radix(digits, radix).ok()?;
    Some(if negative { -number } else { number })
}

/// The text of an attribute, whatever it looks like.
pub(super) fn text_of(options: &Options, key: &str) -> Option<String> {
    match options.get(key)? {
        OptionValue::String(text) => Some(text.clone()),
        _ => None,
    }
}

/// True when the attribute is there, with any value.
pub(super) fn has(options: &Options, key: &str) -> bool {
    options.get(key).is_some()
}

/// The attribute as a number.
pub(super) fn number_of(options: &Options, key: &str) -> Option<u32> {
    match options.get(key)? {
        OptionValue::Int(number) => u32::try_from(*number).ok(),
        _ => None,
    }
}
