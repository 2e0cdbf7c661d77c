//! Names in a binary schema: nothing but a compiler's word says that they are ones.

use super::limit;

/// True for a name as flatc reads it: letters, digits and underscores of ASCII, no digit first.
pub(super) fn is_identifier(text: &str) -> bool {
    text.len() <= limit::IDENTIFIER_BYTES
        && text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// True for identifiers with dots between them.
pub(super) fn is_full_name(text: &str) -> bool {
    text.split('.').count() <= limit::SEGMENTS && text.split('.').all(is_identifier)
}

/// A text of the file as a message repeats it: in part, and without what would shape the message.
pub(super) fn shown(text: &str) -> String {
    let end = text.char_indices().nth(limit::SHOWN_CHARS).map_or(text.len(), |(at, _)| at);
    let more = if end < text.len() { "…" } else { "" };
    format!("`{}{more}`", text[..end].escape_debug())
}

/// The namespace of a full name.
pub(super) fn namespace(full_name: &str) -> &str {
    full_name.rsplit_once('.').map_or("", |(outer, _)| outer)
}

/// The last segment of a full name.
pub(super) fn last(full_name: &str) -> &str {
    full_name.rsplit_once('.').map_or(full_name, |(_, last)| last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trust_e22_names_are_looked_at() {
        for good in ["a", "_", "a.B.c_1", "_.x"] {
            assert!(is_full_name(good), "{good}");
        }
        for bad in ["", ".", "a.", ".a", "1a", "a b", "a;", "é", "a\n", "a-b"] {
            assert!(!is_full_name(bad), "{bad}");
        }
        assert!(!is_identifier(&"a".repeat(limit::IDENTIFIER_BYTES + 1)));
        assert_eq!(shown("a\nb"), "`a\\nb`");
    }
}
