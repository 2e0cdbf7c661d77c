//! The syntax tree: lossless, with comments and places, and of use whatever the text.

use std::{fs, sync::Arc};

use stubwire_codegen::frontend::fbs::syntax::{ItemKind, Tree, parse};
use stubwire_tests_frontends::fbs::cases;

/// Joined, the tokens are the text; extents lie in it and in each other.
fn check(tree: &Tree) {
    let joined: String = tree.tokens.iter().map(|token| tree.text_of(token.extent)).collect();
    assert_eq!(joined, *tree.text);
    let mut end = 0;
    for item in &tree.items {
        assert!(item.extent.start >= end && item.extent.end >= item.extent.start, "{item:?}");
        assert!(item.docs.iter().all(|doc| doc.end <= item.extent.start), "{item:?}");
        end = item.extent.end;
        if let ItemKind::Table(record) | ItemKind::Struct(record) = &item.kind {
            for field in &record.fields {
                assert!(field.extent.start > item.extent.start && field.extent.end < end);
                assert_eq!(tree.text_of(field.name.extent), field.name.value);
                assert!(tree.text_of(field.extent).ends_with(';'));
            }
        }
    }
    assert!(end as usize <= tree.text.len());
}

#[test]
fn tokens_are_the_text() {
    for kind in ["valid", "invalid", "cases/accepted", "cases/refused"] {
        for (_, path) in cases(kind) {
            // Some cases are about bytes that are no text.
            let Ok(text) = String::from_utf8(fs::read(&path).unwrap_or_default()) else { continue };
            check(&parse(text.into()).0);
        }
    }
}

#[test]
fn comments_stay_where_they_are() {
    let text = "// head\n\n/* block */ table T { // behind\n  /// doc\n  /// more\n  a: int; /* inside */ }\n/// left over\n";
    let (tree, found) = parse(Arc::from(text));
    assert!(found.is_empty(), "{found:?}");
    let comments: Vec<_> = tree.comments().map(|token| tree.text_of(token.extent)).collect();
    let wanted = [
        "// head",
        "/* block */",
        "// behind",
        "/// doc",
        "/// more",
        "/* inside */",
        "/// left over",
    ];
    assert_eq!(comments, wanted);
    let ItemKind::Table(table) = &tree.items[0].kind else { panic!("a table") };
    let docs: Vec<_> = table.fields[0].docs.iter().map(|doc| tree.text_of(*doc)).collect();
    assert_eq!(docs, ["/// doc", "/// more"]);
}

/// What is whole around something broken is read.
#[test]
fn a_broken_declaration_costs_only_itself() {
    let text = "table A { a: int; }\ntable B { b int; c: int; }\nenum { X }\n{{{\ntable C { c: int; }\nunion U { A, 5, C }\n";
    let (tree, found) = parse(Arc::from(text));
    assert!(found.len() >= 3, "{found:?}");
    let names: Vec<_> = tree
        .items
        .iter()
        .filter_map(|item| match &item.kind {
            ItemKind::Table(table) => Some((table.name.value.as_str(), table.fields.len())),
            ItemKind::Union(union) => Some((union.name.value.as_str(), union.variants.len())),
            _ => None,
        })
        .collect();
    assert_eq!(names, [("A", 1), ("B", 1), ("C", 1), ("U", 2)]);
}
