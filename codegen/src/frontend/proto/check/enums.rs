//! Rules about enums.

use std::collections::{HashMap, HashSet, hash_map::Entry};

use prost_types::{EnumDescriptorProto, EnumValueDescriptorProto};

use super::{
    super::parsed::{Parsed, tag},
    fields::allows_legacy_clashes,
};
use crate::ir::{Diagnostic, Span, code};

/// Checks one enum.
pub(super) fn check(
    file: &Parsed,
    enumeration: &EnumDescriptorProto,
    path: &[i32],
    is_proto3: bool,
    found: &mut Vec<Diagnostic>,
) {
    check_reserved(file, enumeration, path, found);
    let is_nonzero = |value: &&EnumValueDescriptorProto| value.number() != 0;
    if let Some(first) = enumeration.value.first().filter(|value| is_proto3 && is_nonzero(value)) {
        let message = format!("the first value of a proto3 enum must be 0, not {}", first.number());
        let span = value_span(file, path, 0);
        found.push(Diagnostic::error(code::PROTO_INVALID, message).label(span, ""));
    }
    let options = enumeration.options.as_ref().map(|it| it.uninterpreted_option.as_slice());
    // A permission for proto2 alone; protoc then only warns.
    if is_proto3 || !allows_legacy_clashes(options.unwrap_or_default()) {
        check_prefix_clash(file, enumeration, path, found);
    }
}

/// "Enum name … has the same name as … if you ignore case and strip out the enum name prefix":
/// generators do both, so that protoc rejects it. Aliases may clash.
fn check_prefix_clash(
    file: &Parsed,
    enumeration: &EnumDescriptorProto,
    path: &[i32],
    found: &mut Vec<Diagnostic>,
) {
    let prefix: String = letters(enumeration.name()).collect();
    let mut seen: HashMap<String, usize> = HashMap::new();
    for (at, value) in enumeration.value.iter().enumerate() {
        match seen.entry(pascal_case(without_prefix(value.name(), &prefix))) {
            Entry::Vacant(entry) => {
                entry.insert(at);
            }
            Entry::Occupied(entry) => {
                let first = &enumeration.value[*entry.get()];
                if first.name() == value.name() || first.number() == value.number() {
                    continue;
                }
                let message = format!(
                    "`{}` and `{}` are equal without case and the prefix of the enum's name",
                    first.name(),
                    value.name(),
                );
                found.push(
                    Diagnostic::error(code::PROTO_ENUM_CLASH, message)
                        .label(value_span(file, path, at), "and again here")
                        .label(value_span(file, path, *entry.get()), "first here")
                        .help("rename one; two names of one number need `allow_alias`"),
                );
            }
        }
    }
}

fn check_reserved(
    file: &Parsed,
    enumeration: &EnumDescriptorProto,
    path: &[i32],
    found: &mut Vec<Diagnostic>,
) {
    if enumeration.reserved_name.is_empty() {
        return;
    }
    let reserved: HashSet<&str> = enumeration.reserved_name.iter().map(String::as_str).collect();
    for (at, value) in enumeration.value.iter().enumerate() {
        if reserved.contains(value.name()) {
            let message = format!("the enum value name `{}` is reserved", value.name());
            let span = value_span(file, path, at);
            found.push(Diagnostic::error(code::PROTO_INVALID, message).label(span, ""));
        }
    }
}

/// Lower-case letters and digits, underscores left out.
fn letters(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|c| *c != '_').map(|c| c.to_ascii_lowercase())
}

/// `PrefixRemover::MaybeRemove` in protoc: the name behind the enum's own name, if it starts with
/// it and goes on behind.
fn without_prefix<'a>(name: &'a str, prefix: &str) -> &'a str {
    let mut rest = name;
    for wanted in prefix.chars() {
        rest = rest.trim_start_matches('_');
        match rest.chars().next() {
            Some(c) if c.to_ascii_lowercase() == wanted => rest = &rest[c.len_utf8()..],
            _ => return name,
        }
    }
    let rest = rest.trim_start_matches('_');
    if rest.is_empty() { name } else { rest }
}

/// `EnumValueToPascalCase` in protoc.
fn pascal_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut upper = true;
    for c in name.chars() {
        match (c, upper) {
            ('_', _) => upper = true,
            (c, true) => {
                out.push(c.to_ascii_uppercase());
                upper = false;
            }
            (c, false) => out.push(c.to_ascii_lowercase()),
        }
    }
    out
}

fn value_span(file: &Parsed, path: &[i32], at: usize) -> Span {
    let value = [path, &[tag::ENUM_VALUE, at as i32, tag::NAME]].concat();
    file.places.span_or_outer(&value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_go_as_protoc_takes_them() {
        let strip = |name, prefix| without_prefix(name, prefix).to_owned();
        assert_eq!(strip("MY_ENUM_A", "myenum"), "A");
        assert_eq!(strip("MYENUM__A_B", "myenum"), "A_B");
        assert_eq!(strip("MY_ENUM", "myenum"), "MY_ENUM");
        assert_eq!(strip("MY_ENUM_", "myenum"), "MY_ENUM_");
        assert_eq!(strip("OTHER", "myenum"), "OTHER");
        assert_eq!(pascal_case("A_bC_D"), "ABcD");
    }
}
