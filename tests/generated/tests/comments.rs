//! What becomes of comments, over every case: no item more than the schema has, no line that
//! rustdoc would run.

use std::path::Path;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};
use stubwire_codegen::configure;
use stubwire_tests_generated::case::cases;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, ExprLit, Item, Lit, Meta};

/// Looks at the documentation of every element.
struct Docs<'a>(&'a str);

impl<'ast> Visit<'ast> for Docs<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        self.check(attributes(item));
        visit::visit_item(self, item);
    }
    fn visit_field(&mut self, field: &'ast syn::Field) {
        self.check(&field.attrs);
    }
    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        self.check(&variant.attrs);
    }
    fn visit_trait_item_fn(&mut self, method: &'ast syn::TraitItemFn) {
        self.check(&method.attrs);
    }
    fn visit_impl_item_fn(&mut self, method: &'ast syn::ImplItemFn) {
        self.check(&method.attrs);
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Struct(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Const(item) => &item.attrs,
        _ => &[],
    }
}

impl Docs<'_> {
    fn check(&self, attributes: &[Attribute]) {
        let mut text = String::new();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("doc")) {
            if let Meta::NameValue(pair) = &attribute.meta
                && let Expr::Lit(ExprLit { lit: Lit::Str(line), .. }) = &pair.value
            {
                text.push_str(line.value().strip_prefix(' ').unwrap_or(&line.value()));
                text.push('\n');
            }
        }
        let options =
            Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_STRIKETHROUGH;
        for event in Parser::new_ext(&text, options) {
            let harmless = match &event {
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => {
                    &**language == "text"
                }
                Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => false,
                Event::Html(_) | Event::InlineHtml(_) => false,
                _ => true,
            };
            assert!(harmless, "{}: {event:?} in\n{text}", self.0);
        }
    }
}

#[test]
fn trust_e08_no_generated_documentation_runs() {
    for case in cases(Path::new("../schemas/hazards/compiles")) {
        let builder = case.configure(configure());
        for file in builder.generate(&case.inputs, &[&case.include]).expect("generated").files {
            if file.name == "stubwire.rs" {
                // No comment of the schema is in the tree, but modules deeper than syn likes.
                continue;
            }
            let parsed = syn::parse_file(&file.content).expect("Rust");
            Docs(&case.name).visit_file(&parsed);
        }
    }
}

#[test]
fn trust_e08_comments_add_no_item() {
    let directory = Path::new("../schemas/hazards/compiles");
    let input = directory.join("e08_comments_that_try_to_break_out.proto");
    let output = configure().generate(&[input], &[directory]).expect("generated");
    let parsed = syn::parse_file(output.file("hz.rs").expect("the package")).expect("Rust");
    let names: Vec<String> = parsed
        .items
        .iter()
        .map(|item| match item {
            Item::Struct(item) => format!("struct {}", item.ident),
            Item::Trait(item) => format!("trait {}", item.ident),
            Item::Mod(item) => format!("mod {}", item.ident),
            Item::Const(item) => format!("const {}", item.ident),
            Item::Impl(_) => "impl".to_owned(),
            Item::Macro(_) => "macro".to_owned(),
            other => panic!("nothing makes a {other:?}"),
        })
        .collect();
    assert_eq!(
        names,
        [
            "macro",
            "struct M",
            "mod m",
            "trait S",
            "struct SServer",
            "impl",
            "impl",
            "struct SClient",
            "impl",
            "const S_G",
            "const S",
            "mod __stubwire",
        ]
    );
}

#[test]
fn trust_e07_what_cannot_be_seen_is_spelled_out() {
    let directory = Path::new("../schemas/hazards/compiles");
    let input = directory.join("e07_invisible_characters_in_comments.proto");
    let output = configure().generate(&[input], &[directory]).expect("generated");
    let text = output.file("hz.rs").expect("the package");
    for spelled in
        ["\\u{202e}", "\\u{2066}", "\\u{2028}", "\\u{2029}", "\\u{feff}", "\\u{200b}", "\\u{7}"]
    {
        assert!(text.contains(spelled), "{spelled} in\n{text}");
    }
    assert!(text.chars().all(|char| char == '\n' || !char.is_control()));
}
