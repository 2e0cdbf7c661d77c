//! FlatBuffers messages that flatc made: its text, taken apart and put where ours would stand.
//!
//! flatc writes one file for an input and all that it includes, with a module for every namespace
//! and paths of `super` between them, so that items keep their meaning in any tree of the same shape.
//! What several inputs include comes several times and is taken once.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::{Attribute, Expr, ImplItem, Item, Lit, Meta, Visibility, parse_quote};

use super::super::lower::model::ModulePath;
use super::super::lower::sanitize;
use super::super::messages::attribute::docs;
use crate::ir::{Diagnostic, FileId, Schema, code};

/// The Rust code that flatc made of one input.
#[derive(Clone, Debug)]
pub struct GivenMessages {
    /// The input.
    pub file: FileId,
    /// The code.
    pub text: String,
}

/// What all of it holds, by module.
#[derive(Default)]
pub(crate) struct Given {
    pub(crate) modules: BTreeMap<ModulePath, GivenModule>,
}

/// The items of one module, and the names that they take.
#[derive(Default)]
pub(crate) struct GivenModule {
    pub(crate) items: Vec<Item>,
    pub(crate) types: BTreeSet<String>,
    pub(crate) values: BTreeSet<String>,
    /// Every item as text: what comes a second time is left out.
    seen: HashSet<String>,
    /// The text of the item that has a name.
    named: HashMap<String, String>,
}

impl Given {
    /// Reads the code.
    ///
    /// # Errors
    /// It is no Rust, or two inputs give one name to different things.
    pub(crate) fn parse(schema: &Schema, given: &[GivenMessages]) -> Result<Self, Vec<Diagnostic>> {
        let mut sorted: Vec<&GivenMessages> = given.iter().collect();
        sorted.sort_by_key(|it| &schema.file(it.file).import_name);
        let (mut all, mut found) = (Self::default(), Vec::new());
        for GivenMessages { file, text } in sorted {
            let file = schema.file(*file);
            let report = |message: String| {
                Diagnostic::error(code::FLATC_FAILED, message).label(file.package_span, "").help(
                    "leave the messages to stubwire, which has other names for what Rust reserves",
                )
            };
            let name = &file.import_name;
            match syn::parse_file(text) {
                Ok(parsed) => {
                    if let Err(ident) = all.sort(parsed.items) {
                        let message = format!(
                            "flatc's Rust for `{name}` has another `{ident}` than that of an earlier input"
                        );
                        found.push(report(message));
                    }
                }
                Err(error) => {
                    found
                        .push(report(format!("flatc's Rust for `{name}` does not parse: {error}")));
                }
            }
        }
        if found.is_empty() { Ok(all) } else { Err(found) }
    }

    /// Sorts items by module. How deep modules are nested was bounded by the front end, still nothing
    /// recurses.
    fn sort(&mut self, items: Vec<Item>) -> Result<(), String> {
        let mut todo = vec![(ModulePath::default(), items)];
        while let Some((path, items)) = todo.pop() {
            for item in items {
                match item {
                    Item::ExternCrate(_) => {}
                    // Private ones hold the flags of an enum.
                    Item::Mod(module) if matches!(module.vis, Visibility::Public(_)) => {
                        let inner = module.content.map(|(_, items)| items).unwrap_or_default();
                        todo.push((path.child(&module.ident.to_string()), inner));
                    }
                    item => self.modules.entry(path.clone()).or_default().take(item)?,
                }
            }
        }
        Ok(())
    }
}

impl GivenModule {
    fn take(&mut self, mut item: Item) -> Result<(), String> {
        let text = item.to_token_stream().to_string();
        if !self.seen.insert(text.clone()) {
            return Ok(());
        }
        let name = name_of(&item);
        if let Some((name, space)) = &name {
            if let Some(known) = self.named.insert(name.clone(), text.clone())
                && known != text
            {
                return Err(name.clone());
            }
            if space.is_type {
                self.types.insert(name.clone());
            }
            if space.is_value {
                self.values.insert(name.clone());
            }
        }
        make_harmless(&mut item);
        self.items.push(item);
        Ok(())
    }

    /// How often `unsafe` stands in it.
    pub(crate) fn unsafe_count(&self) -> usize {
        self.items.iter().map(|item| super::emit::count_unsafe(item.to_token_stream())).sum()
    }
}

/// Which namespaces of Rust a name is in.
struct Space {
    is_type: bool,
    is_value: bool,
}

fn name_of(item: &Item) -> Option<(String, Space)> {
    let (ident, is_type, is_value) = match item {
        // A tuple struct is a function of its name.
        Item::Struct(it) => (&it.ident, true, matches!(it.fields, syn::Fields::Unnamed(_))),
        Item::Enum(it) => (&it.ident, true, false),
        Item::Mod(it) => (&it.ident, true, false),
        Item::Const(it) => (&it.ident, false, true),
        Item::Fn(it) => (&it.sig.ident, false, true),
        Item::Use(it) => return used(&it.tree),
        _ => return None,
    };
    Some((ident.to_string(), Space { is_type, is_value }))
}

/// `pub use self::bitflags_x::X;`
fn used(tree: &syn::UseTree) -> Option<(String, Space)> {
    match tree {
        syn::UseTree::Path(path) => used(&path.tree),
        syn::UseTree::Name(name) => {
            Some((name.ident.to_string(), Space { is_type: true, is_value: false }))
        }
        _ => None,
    }
}

/// Lets the item pass whatever lints its new home has, and treats comments of the schema as those in
/// our own code: what looks like code in them is not to be run as a test.
fn make_harmless(item: &mut Item) {
    let inner: Vec<&mut Vec<Attribute>> = match item {
        Item::Impl(it) => it
            .items
            .iter_mut()
            .filter_map(|item| match item {
                ImplItem::Const(it) => Some(&mut it.attrs),
                ImplItem::Fn(it) => Some(&mut it.attrs),
                _ => None,
            })
            .collect(),
        Item::Struct(it) => it.fields.iter_mut().map(|field| &mut field.attrs).collect(),
        Item::Mod(it) => {
            let items = it.content.iter_mut().flat_map(|(_, items)| items);
            for item in items {
                if let Item::Macro(it) = item {
                    it.mac.tokens = without_docs(std::mem::take(&mut it.mac.tokens));
                }
            }
            Vec::new()
        }
        _ => Vec::new(),
    };
    inner.into_iter().for_each(sanitize_docs);
    let attributes = match item {
        Item::Const(it) => &mut it.attrs,
        Item::Enum(it) => &mut it.attrs,
        Item::Fn(it) => &mut it.attrs,
        Item::Impl(it) => &mut it.attrs,
        Item::Mod(it) => &mut it.attrs,
        Item::Struct(it) => &mut it.attrs,
        Item::Use(it) => &mut it.attrs,
        _ => return,
    };
    sanitize_docs(attributes);
    attributes.push(parse_quote! {
        #[allow(
            warnings,
            unused,
            nonstandard_style,
            missing_docs,
            unreachable_pub,
            unsafe_code,
            rust_2018_idioms,
            clippy::all,
            clippy::pedantic,
            rustdoc::all
        )]
    });
}

fn sanitize_docs(attributes: &mut Vec<Attribute>) {
    let lines: Vec<String> = attributes.iter().filter_map(doc_line).collect();
    if lines.is_empty() {
        return;
    }
    attributes.retain(|attribute| doc_line(attribute).is_none());
    let text = sanitize(&lines.join("\n"));
    if !text.is_empty() {
        attributes.splice(0..0, docs(&text));
    }
}

fn doc_line(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(meta) = &attribute.meta else { return None };
    if !meta.path.is_ident("doc") {
        return None;
    }
    match &meta.value {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}

/// The tokens without `#[doc = "…"]`, on every level.
fn without_docs(tokens: TokenStream) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    for tree in tokens {
        let TokenTree::Group(group) = tree else {
            out.push(tree);
            continue;
        };
        let is_doc =
            group.stream().into_iter().next().is_some_and(|first| first.to_string() == "doc");
        if is_doc && matches!(out.last(), Some(TokenTree::Punct(punct)) if punct.as_char() == '#') {
            out.pop();
            continue;
        }
        let inner = without_docs(group.stream());
        out.push(TokenTree::Group(proc_macro2::Group::new(group.delimiter(), inner)));
    }
    out.into_iter().collect()
}
