//! Spelling: from a schema's name to a Rust identifier, by the rules that prost-build follows, so
//! that a team that comes from prost finds its types where they were. Knows no scope and no
//! collisions (see [`scope`](super::scope)).

use heck::{ToShoutySnakeCase, ToSnakeCase, ToUpperCamelCase};

/// Keywords that may be written `r#…`; 2024 reserves `gen`.
const RAW: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "static",
    "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual",
    "where", "while", "yield",
];

/// Keywords that no prefix makes an identifier. (`extern` could be raw; prost suffixes it.)
const RESERVED: &[&str] = &["_", "Self", "crate", "extern", "self", "super"];

/// Makes an identifier of a word that has the right case. Empty stays empty: no identifier.
pub(crate) fn sanitize(word: &str) -> String {
    if RAW.contains(&word) {
        format!("r#{word}")
    } else if RESERVED.contains(&word) {
        format!("{word}_")
    } else if word.starts_with(|first: char| first.is_numeric()) {
        format!("_{word}")
    } else {
        word.to_owned()
    }
}

/// `FooBar` → `foo_bar`: fields, methods, modules.
pub(crate) fn snake(schema_name: &str) -> String {
    sanitize(&schema_name.to_snake_case())
}

/// Types that are always in scope; a module of such a name hides them from its siblings.
const PRIMITIVE: &[&str] = &[
    "bool", "char", "f128", "f16", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize", "str",
    "u128", "u16", "u32", "u64", "u8", "usize",
];

/// `FooBar` → `foo_bar`, for a module.
pub(crate) fn module(name: &str) -> String {
    let name = snake(unraw(name));
    if PRIMITIVE.contains(&&*name) { format!("{name}_") } else { name }
}

/// `foo_bar` → `FooBar`: types, traits, variants.
pub(crate) fn camel(schema_name: &str) -> String {
    sanitize(&schema_name.to_upper_camel_case())
}

/// `FooBar` → `FOO_BAR`: constants.
pub(crate) fn shouty(name: &str) -> String {
    sanitize(&unraw(name).to_shouty_snake_case())
}

/// The word without `r#`, for building longer names.
pub(crate) fn unraw(ident: &str) -> &str {
    ident.strip_prefix("r#").unwrap_or(ident)
}

/// True for text that may stand as an identifier, raw ones included.
pub(crate) fn is_valid(ident: &str) -> bool {
    ident != "_" && syn::parse_str::<syn::Ident>(ident).is_ok()
}

/// Takes the enum's name off a variant's, both in camel case, as prost-build does: only at a word
/// border.
pub(crate) fn strip_enum_prefix(enum_ident: &str, variant: &str) -> String {
    let stripped = variant.strip_prefix(enum_ident).unwrap_or(variant);
    let at_border = stripped.chars().next().is_some_and(char::is_uppercase);
    sanitize(if at_border { stripped } else { variant })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_o23_keywords_of_every_edition_become_raw() {
        for word in ["Move", "Type", "Async", "Gen", "Try", "Do", "Yield", "Await", "Dyn"] {
            assert_eq!(snake(word), format!("r#{}", word.to_lowercase()));
            assert!(is_valid(&snake(word)));
        }
    }

    #[test]
    fn trust_e09_words_that_cannot_be_raw_get_an_underscore() {
        assert_eq!(snake("self"), "self_");
        assert_eq!(snake("Super"), "super_");
        assert_eq!(camel("self"), "Self_");
        assert_eq!(snake("crate"), "crate_");
        assert_eq!(snake("_8M"), "_8m");
        assert_eq!(snake("_"), "");
    }

    #[test]
    fn names_o05_prefix_is_stripped_at_word_borders_only() {
        assert_eq!(strip_enum_prefix("Foo", "FooBar"), "Bar");
        assert_eq!(strip_enum_prefix("Foo", "Foobar"), "Foobar");
        assert_eq!(strip_enum_prefix("Foo", "Foo1"), "Foo1");
        assert_eq!(strip_enum_prefix("Care", "CareSelf"), "Self_");
    }
}
