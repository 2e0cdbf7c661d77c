//! Comments that try to break out, and comments that should stay as they are.

use super::*;

/// Texts that have tried things. Each must come out harmless.
const HOSTILE: &[&str] = &[
    "```\nlet x = 1;\n```",
    "```rust\npanic!()\n```",
    "~~~\n```\npanic!()\n~~~",
    "````rust\n```\npanic!()\n````",
    "```rust\nnever closed",
    "    panic!(\"indented\")",
    "text\n\n        panic!(\"deep\")",
    "-      panic!(\"in a list\")",
    "1.      panic!()",
    "- a\n\n  ```rust\n  panic!()\n  ```",
    "> ```rust\n> panic!()\n> ```",
    ">     panic!()",
    "> -     panic!()",
    "\tpanic!(\"tab\")",
    " \t panic!(\"mixed\")",
    "a */ pub struct Evil; /*",
    "\"] pub struct Evil; #[doc = \"",
    "#![allow(warnings)]",
    "#[doc = include_str!(\"/etc/passwd\")]",
    "[link](javascript:alert(1))",
    "[link]: javascript:alert(1)\n[link]",
    "![image](http://example.com/x.png)",
    "[`Missing`] and [Missing](crate::Missing) and [Missing][crate::Missing]",
    "<script>alert(1)</script>",
    "<div>\n\n```rust\npanic!()\n```\n\n</div>",
    "Vec<u8> and Option<String>",
    "<!-- comment",
    "<https://example.com>",
    "see https://example.com/a_b?c=d#e, or http://x.y.",
    "[^1]\n\n[^1]: footnote\n\n        panic!()",
    "\\[already\\] \\\\[half\\]",
    "`unbalanced [code",
    "``a ` [b]`` [c]",
    "lone\rreturn and \u{202e}bidi and \u{2028}separator and \u{feff}mark and \u{0}nul",
    "| a | b |\n|---|---|\n| <b> | [c] |",
    "---\ntitle: x\n---",
    "* * *\n\n    - [ ] task <x>",
    "a\\",
    "```\u{a0}rust\npanic!()\n```",
    "```text,should_panic\npanic!()\n```",
    "/ slash",
    "//! inner",
    "$$x$$ and &lt;b&gt; &#60;b&#62;",
];

fn assert_inert(comment: &str) {
    let doc = sanitize(comment);
    assert!(is_harmless(&doc), "{comment:?} became {doc:?}");
    assert!(!doc.chars().any(|char| char.is_control() && char != '\n'), "{doc:?}");
    assert!(!doc.contains(['\u{202e}', '\u{2028}', '\u{feff}']), "{doc:?}");
}

#[test]
fn trust_e08_no_comment_stays_code_link_or_tag() {
    for comment in HOSTILE {
        assert_inert(comment);
    }
}

#[test]
fn trust_e08_no_pair_of_comments_joins_to_something_worse() {
    for first in HOSTILE {
        for second in HOSTILE {
            assert_inert(&format!("{first}\n{second}"));
            assert_inert(&format!("{first}\n\n   {second}"));
        }
    }
}

#[test]
fn trust_e07_invisible_characters_are_spelled_out() {
    assert_eq!(sanitize("a\u{202e}b\u{2028}c\u{0}d"), "a\\u{202e}b\\u{2028}c\\u{0}d");
    assert_eq!(sanitize("one\rtwo\r\nthree"), "one\ntwo\nthree");
}

#[test]
fn ordinary_markdown_survives() {
    let text = " Adds *two* numbers, `a[0]` and **b**.\n\n - one\n - two\n";
    assert_eq!(sanitize(text), "Adds *two* numbers, `a[0]` and **b**.\n\n- one\n- two");
}

#[test]
fn code_becomes_text() {
    assert_eq!(sanitize("```rust\nf()\n```"), "```text\nf()\n```");
    assert_eq!(sanitize(" a\n\n     f()\n"), "a\n\n   f()");
}

#[test]
fn brackets_tags_and_urls() {
    assert_eq!(sanitize("[0, 9) of Vec<u8>"), "\\[0, 9) of Vec\\<u8>");
    assert_eq!(sanitize("see https://a.b/c."), "see <https://a.b/c>.");
    assert_eq!(sanitize("<https://a.b>"), "<https://a.b>");
}
