//! Both text forms of findings, against snapshots.

use std::sync::Arc;

use stubwire_codegen::{
    ir::{Diagnostic, Diagnostics, Position, Source, SourceId, Span},
    render::{compact, rich},
};

const USER: &str = "syntax = \"proto3\";\n\nservice Users {\n  rpc GetUser(Id) returns (User);\n  rpc get_user(Id) returns (User);\n}\n";

fn sources(texts: &[(&str, Option<&str>)]) -> Vec<Source> {
    let source = |(path, text): &(&str, Option<&str>)| Source {
        path: (*path).to_owned(),
        text: text.map(Arc::from),
    };
    texts.iter().map(source).collect()
}

fn span(source: u32, start: (u32, u32), end: (u32, u32)) -> Span {
    let position = |(line, column)| Position { line, column };
    Span { source: SourceId(source), start: position(start), end: position(end) }
}

fn both(diagnostics: Vec<Diagnostic>, sources: &[Source]) -> String {
    let diagnostics = Diagnostics(diagnostics);
    format!("{}\n----\n{}", rich(&diagnostics, sources, false), compact(&diagnostics, sources))
}

fn two_methods() -> Diagnostic {
    Diagnostic::error("SW0107", "methods `GetUser` and `get_user` both become `get_user` in Rust")
        .label(span(0, (5, 7), (5, 15)), "and again here")
        .label(span(0, (4, 7), (4, 14)), "first here")
        .help("rename one, or set `method_attribute(\"user.Users.get_user\", rename = \"…\")`")
}

#[test]
fn two_places_in_one_file() {
    let sources = sources(&[("schema/user.proto", Some(USER))]);
    insta::assert_snapshot!(both(vec![two_methods()], &sources));
}

#[test]
fn two_places_in_two_files() {
    let sources = sources(&[
        ("a.proto", Some("package p;\nmessage M {}\n")),
        ("b.proto", Some("// something\npackage p;\n\nmessage M {\n  int32 a = 1;\n}\n")),
    ]);
    let found = Diagnostic::error("SW0209", "`p.M` is declared twice")
        .label(span(1, (4, 9), (4, 10)), "and again here")
        .label(span(0, (2, 9), (2, 10)), "first here");
    insta::assert_snapshot!(both(vec![found], &sources));
}

#[test]
fn warnings_and_findings_without_places() {
    let sources = sources(&[("schema/user.proto", Some(USER))]);
    let found = vec![
        Diagnostic::warning("SW0110", "a long chain")
            .label(span(0, (3, 1), (6, 2)), "this service"),
        Diagnostic::error("SW0001", "no schema file was given").help("name one"),
    ];
    insta::assert_snapshot!(both(found, &sources));
}

#[test]
fn files_without_text() {
    let sources = sources(&[("missing/dir", None), ("set.proto", None)]);
    let found = vec![
        Diagnostic::error("SW0003", "include directory `missing/dir` does not exist")
            .label(span(0, (1, 1), (1, 1)), ""),
        Diagnostic::error("SW0107", "two methods clash")
            .label(span(1, (12, 7), (12, 9)), "and again here")
            .label(span(1, (11, 7), (11, 9)), "first here"),
    ];
    insta::assert_snapshot!(both(found, &sources));
}

/// A schema may hold escape sequences and characters that turn text around: none gets through.
#[test]
fn trust_f01_text_of_others_is_escaped() {
    let text = "message \u{1b}[31mM\u{202e} {} // \u{9b}2J \u{2028} \u{feff}\u{200b}\n";
    let sources = sources(&[("dir/\u{1b}]0;title\u{7}.proto", Some(text))]);
    let found = Diagnostic::error("SW0201", "found `\u{1b}[2J\u{202e}`\nand more\r")
        .label(span(0, (1, 9), (1, 15)), "this \u{1b}[1m")
        .help("do \u{2066}not");
    let text = both(vec![found.clone()], &sources);
    let diagnostics = Diagnostics(vec![found]);
    let colored = rich(&diagnostics, &sources, true);
    for unsafe_char in
        ['\u{202e}', '\u{9b}', '\u{2028}', '\u{2066}', '\u{7}', '\u{200b}', '\u{feff}']
    {
        assert!(!text.contains(unsafe_char) && !colored.contains(unsafe_char), "{unsafe_char:?}");
    }
    assert!(!text.contains('\u{1b}'));
    assert!(!colored.contains("\u{1b}[2J") && !colored.contains("\u{1b}]0"));
    insta::assert_snapshot!(text);
}

#[test]
fn trust_f01_colour_where_asked() {
    let sources = sources(&[("schema/user.proto", Some(USER))]);
    let diagnostics = Diagnostics(vec![two_methods()]);
    assert!(rich(&diagnostics, &sources, true).contains("\u{1b}["));
    assert!(!rich(&diagnostics, &sources, false).contains('\u{1b}'));
    assert!(!compact(&diagnostics, &sources).contains('\u{1b}'));
}

/// Columns count characters, and tabs and wide characters stand before the place.
#[test]
fn tabs_and_characters_of_many_bytes() {
    let sources = sources(&[("a.proto", Some("\tint32 é = 1; /* →𝄞 */ int32 b = 2;\r\n"))]);
    let found = Diagnostic::error("SW0208", "something about `b`")
        .label(span(0, (1, 31), (1, 32)), "here")
        .label(span(0, (1, 8), (1, 9)), "there");
    insta::assert_snapshot!(both(vec![found], &sources));
}

/// Spans that lie outside of their text must not panic: they may come from a descriptor set.
#[test]
fn places_outside_of_the_text_do_no_harm() {
    let sources = sources(&[("a.proto", Some("one\ntwo")), ("empty.proto", Some(""))]);
    let places = [
        span(0, (0, 0), (0, 0)),
        span(0, (2, 99), (2, 120)),
        span(0, (99, 1), (99, 9)),
        span(0, (2, 3), (1, 1)),
        span(0, (1, 1), (u32::MAX, u32::MAX)),
        span(0, (u32::MAX, u32::MAX), (u32::MAX, u32::MAX)),
        span(1, (1, 1), (1, 1)),
        span(7, (1, 1), (1, 1)),
    ];
    for place in places {
        let found =
            Diagnostic::error("SW0208", "odd").label(place, "here").label(places[1], "there");
        let text = both(vec![found], &sources);
        assert!(text.contains("SW0208"), "{text}");
    }
}

/// A line of a megabyte is not shown, its place is.
#[test]
fn endless_lines_are_left_out() {
    let line = format!("message M {{ {} }}", "a ".repeat(500_000));
    let sources = sources(&[("a.proto", Some(&line))]);
    let found =
        Diagnostic::error("SW0208", "odd").label(span(0, (1, 900_000), (1, 900_001)), "here");
    let text = both(vec![found], &sources);
    assert!(text.contains("a.proto:1:900000") && text.len() < 1_000, "{}", text.len());
}
