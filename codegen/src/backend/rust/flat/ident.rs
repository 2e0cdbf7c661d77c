//! Spelling by flatc's rules, so that code written for its output finds every name where it was:
//! types, fields and variants keep their spelling, modules and functions are in flatc's own snake
//! case, and a word that Rust has a use for gets an underscore behind it.

/// The words that flatc escapes.
const FLATC: &[&str] = &[
    "ENUM_MAX",
    "ENUM_MIN",
    "ENUM_VALUES",
    "Self",
    "abstract",
    "alignof",
    "as",
    "become",
    "box",
    "break",
    "const",
    "continue",
    "crate",
    "do",
    "else",
    "enum",
    "extern",
    "f32",
    "f64",
    "false",
    "final",
    "fn",
    "follow",
    "for",
    "from_little_endian",
    "i128",
    "i16",
    "i32",
    "i64",
    "i8",
    "if",
    "impl",
    "in",
    "isize",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "offsetof",
    "override",
    "priv",
    "proc",
    "pub",
    "pure",
    "push",
    "ref",
    "return",
    "self",
    "sizeof",
    "static",
    "std",
    "struct",
    "super",
    "to_little_endian",
    "trait",
    "true",
    "type",
    "typeof",
    "u128",
    "u16",
    "u32",
    "u64",
    "u8",
    "unsafe",
    "unsized",
    "use",
    "usize",
    "virtual",
    "where",
    "while",
    "yield",
];

/// Keywords that flatc does not know; its output does not compile with them.
const LATER: &[&str] = &["_", "async", "await", "dyn", "gen", "try"];

/// Types that are always in scope; one of a schema of this name would hide it.
const PRIMITIVES: &[&str] = &["bool", "char", "f128", "f16", "str"];

/// What generated code calls its own: parameters of types, and variables. A type that is also a
/// function (a struct, an enum) must not have the name of a variable.
const OURS: &[&str] = &[
    "__Allocator",
    "__Service",
    "__stubwire",
    "args",
    "buf",
    "build",
    "builder",
    "call",
    "capacity",
    "channel",
    "debug",
    "dst",
    "f",
    "fbb",
    "key",
    "loc",
    "methods",
    "name",
    "opts",
    "other",
    "offset",
    "pos",
    "reply",
    "request",
    "root",
    "service",
    "start",
    "status",
    "table",
    "target",
    "v",
    "value",
    "written",
];

/// `CamelCase` to `camel_case` as flatc does it: acronyms stay whole, digits are words.
pub(crate) fn snake(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    let mut before: Option<char> = None;
    for char in name.chars() {
        let starts_word = char != '_' && !char.is_ascii_lowercase();
        let ends_word = before.is_some_and(|before| {
            before.is_ascii_lowercase() || before.is_ascii_digit() && !char.is_ascii_digit()
        });
        if starts_word && ends_word {
            out.push('_');
        }
        out.push(char.to_ascii_lowercase());
        before = Some(char);
    }
    out
}

/// `CamelCase` to `CAMEL_CASE`.
pub(crate) fn shouty(name: &str) -> String {
    snake(name).to_ascii_uppercase()
}

/// A field, a variant: as spelled.
pub(crate) fn member(schema_name: &str) -> String {
    escape(schema_name, &[FLATC, LATER])
}

/// A type: as spelled.
pub(crate) fn type_name(schema_name: &str) -> String {
    escape(schema_name, &[FLATC, LATER, PRIMITIVES, OURS])
}

/// A type in flatc's own output: words that it does not know make Rust of it that does not parse.
pub(crate) fn type_of_flatc(schema_name: &str) -> String {
    escape(schema_name, &[FLATC])
}

/// A module in flatc's own output.
pub(crate) fn module_of_flatc(segment: &str) -> String {
    escape(&snake(segment), &[FLATC])
}

/// A segment of a namespace.
pub(crate) fn module(segment: &str) -> String {
    // flatc escapes `Self`, but its module is `self_` either way.
    escape(&snake(segment), &[FLATC, LATER, PRIMITIVES])
}

fn escape(word: &str, lists: &[&[&str]]) -> String {
    let taken = lists.iter().any(|list| list.contains(&word));
    if taken { format!("{word}_") } else { word.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snake_case_is_that_of_flatc() {
        for (name, wanted) in [
            ("Vec3", "vec_3"),
            ("HTTPServer", "httpserver"),
            ("MyGame2", "my_game_2"),
            ("A1B2", "a1_b2"),
            ("Foo__Bar", "foo__bar"),
            ("Foo3D", "foo_3_d"),
            ("ABCDef", "abcdef"),
            ("x2Y", "x_2_y"),
            ("iOSApp", "i_osapp"),
            ("_Lead", "_lead"),
            ("Trail_", "trail_"),
            ("foo_Bar", "foo_bar"),
            ("fooBAR", "foo_bar"),
            ("SHA256Sum", "sha256_sum"),
        ] {
            assert_eq!(snake(name), wanted);
        }
    }

    #[test]
    fn trust_e09_words_of_rust_get_an_underscore() {
        assert_eq!(member("async"), "async_");
        assert_eq!(member("gen"), "gen_");
        assert_eq!(member("Self"), "Self_");
        assert_eq!(member("str"), "str");
        assert_eq!(type_name("str"), "str_");
        assert_eq!(type_name("args"), "args_");
        assert_eq!(type_name("Option"), "Option");
        assert_eq!(module("Self"), "self_");
    }
}
