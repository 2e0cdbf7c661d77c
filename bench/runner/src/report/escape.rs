//! Text for HTML and for SVG inside it, in content and between double quotes.

/// Text as it can stand anywhere in the page. Control characters, which HTML knows no way to write,
/// become a replacement character.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(' '),
            control if control.is_control() => out.push(char::REPLACEMENT_CHARACTER),
            other => out.push(other),
        }
    }
    out
}

/// The first so many characters, with an ellipsis for the others.
pub(super) fn shortened(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        None => text.to_owned(),
        Some(_) => text.chars().take(longest.saturating_sub(1)).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leaves_text() {
        let hostile = "</title><script>alert('1')</script> \"&amp;\u{0}\n";
        assert_eq!(
            escape(hostile),
            "&lt;/title&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &quot;&amp;amp;\u{fffd} "
        );
    }

    #[test]
    fn long_texts_end_in_an_ellipsis() {
        assert_eq!(shortened("tonic", 5), "tonic");
        assert_eq!(shortened("tönïcs", 5), "tönï…");
    }
}
