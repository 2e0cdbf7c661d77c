//! Every type of every module as text, and the count of `unsafe` in it.

use std::collections::BTreeMap;

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

use super::super::emit::{FlatText, allow_naming, tokens};
use super::super::lower::model::{ModulePath, RustModel};
use super::super::options::RustOptions;
use super::super::print::{print_items, print_tokens};
use super::given::Given;
use super::model::{FieldKind, FlatField, FlatModule, FlatTable, Head, Presence};
use crate::ir::Diagnostic;

/// What every item needs.
pub(super) struct Flat {
    /// The crate `flatbuffers`.
    pub(super) fb: TokenStream,
    pub(super) runtime: TokenStream,
}

/// The types of one module.
pub(crate) struct Emitted {
    pub(crate) text: FlatText,
    /// How often `unsafe` stands in it.
    pub(crate) unsafe_count: usize,
}

/// Emits every FlatBuffers type.
///
/// # Errors
/// What was emitted is no Rust, which is our fault.
pub(crate) fn emit(
    options: &RustOptions,
    model: &RustModel,
) -> Result<BTreeMap<ModulePath, Emitted>, Diagnostic> {
    let flat =
        Flat { fb: tokens(&options.flatbuffers_path), runtime: tokens(&options.runtime_path) };
    let mut modules = BTreeMap::new();
    for (path, module) in &model.flat {
        let (mut text, mut unsafe_count) = (String::new(), 0);
        // One type at a time: tokens and syntax tree of a type take a hundred times the memory of its text.
        for tokens in flat.types(module) {
            unsafe_count += count_unsafe(tokens.clone());
            print_tokens(tokens, &mut text)?;
        }
        // What the crate does not verify, the runtime does: nested buffers, and unknown variants.
        let asks =
            |field: &FlatField| field.nested.is_some() || matches!(field.kind, FieldKind::Union(_));
        let needs_runtime =
            module.tables.iter().any(|table| table.is_message || table.fields.iter().any(asks));
        let text = FlatText { text, needs_runtime };
        modules.insert(path.clone(), Emitted { text, unsafe_count });
    }
    Ok(modules)
}

/// The same of what flatc made: its items, and what lets the runtime take its tables.
///
/// # Errors
/// As [`emit`].
pub(crate) fn emit_given(
    options: &RustOptions,
    model: &RustModel,
    given: Given,
) -> Result<BTreeMap<ModulePath, Emitted>, Diagnostic> {
    let flat =
        Flat { fb: tokens(&options.flatbuffers_path), runtime: tokens(&options.runtime_path) };
    let mut modules: BTreeMap<ModulePath, Emitted> = BTreeMap::new();
    for (path, module) in given.modules {
        let unsafe_count = module.unsafe_count();
        let mut text = FlatText::default();
        print_items(module.items, &mut text.text)?;
        modules.insert(path, Emitted { text, unsafe_count });
    }
    for (path, ident) in &model.given_messages {
        if let Some(module) = modules.get_mut(path) {
            print_tokens(flat.message_impl(ident), &mut module.text.text)?;
            module.text.needs_runtime = true;
        }
    }
    Ok(modules)
}

pub(super) fn count_unsafe(tokens: TokenStream) -> usize {
    tokens
        .into_iter()
        .map(|tree| match tree {
            TokenTree::Group(group) => count_unsafe(group.stream()),
            TokenTree::Ident(ident) => usize::from(ident == "unsafe"),
            _ => 0,
        })
        .sum()
}

impl Flat {
    fn types(&self, module: &FlatModule) -> impl Iterator<Item = TokenStream> {
        let enums = module.enums.iter().map(|it| self.enumeration(it));
        let structs = module.structs.iter().map(|it| self.structure(it));
        let tables = module.tables.iter().map(|it| self.table(it));
        enums.chain(structs).chain(tables)
    }

    /// `Verifiable` for something of a fixed size.
    pub(super) fn verify_as(&self, name: &TokenStream, body: &TokenStream) -> TokenStream {
        let fb = &self.fb;
        quote! {
            impl #fb::Verifiable for #name {
                #[inline]
                fn run_verifier(
                    v: &mut #fb::Verifier<'_, '_>,
                    pos: usize,
                ) -> ::core::result::Result<(), #fb::InvalidFlatbuffer> {
                    #body
                }
            }

            impl #fb::SimpleToVerifyInSlice for #name {}
        }
    }
}

/// What a type wears: names of a schema have any case, and the traits of the crate are unsafe.
pub(super) fn attributes() -> TokenStream {
    quote!(#[allow(nonstandard_style, unsafe_code)])
}

/// `#[doc(hidden)]` for what is private to the schema.
pub(super) fn hidden(head: &Head) -> TokenStream {
    if head.private { quote!(#[doc(hidden)]) } else { TokenStream::new() }
}

/// Clippy's rules about names of methods that a schema may break.
pub(super) fn naming(ident: &str) -> TokenStream {
    const OF_TRAITS: [&str; 4] = ["as_ref", "borrow", "clone", "deref"];
    if OF_TRAITS.contains(&ident) {
        quote!(#[allow(clippy::should_implement_trait)])
    } else if ident == "new" {
        quote!(#[allow(clippy::new_ret_no_self)])
    } else {
        allow_naming(ident)
    }
}

/// Where a table writes its defaults: a schema may say 3.14 and mean it.
pub(super) fn defaults(it: &FlatTable) -> TokenStream {
    let is_float = |field: &FlatField| match (&field.kind, &field.presence) {
        (FieldKind::Inline(ty), Presence::Default(_)) => ty == "f32" || ty == "f64",
        _ => false,
    };
    if it.fields.iter().any(is_float) {
        quote!(#[allow(clippy::approx_constant)])
    } else {
        TokenStream::new()
    }
}
