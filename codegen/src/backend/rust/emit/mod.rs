//! Tokens out of the Rust-shaped model. Decides nothing: every name and every fact stands in the
//! model. Paths are absolute, nothing is imported, no generic parameter has a name that a schema
//! could use, and no item has a number that moves when another is added.

mod client;
mod descriptor;
mod flat_service;
mod header;
mod layout;
mod module;
mod server;
mod service_trait;
mod shape;
mod tree;

use proc_macro2::{Ident, Span, TokenStream};

use crate::ir::PayloadType;

use super::lower::model::{ModulePath, Names, RustMethod, RustService};
use super::options::RustOptions;

pub(crate) use header::{MARK, Unsafety, header};
pub(crate) use module::{Content, FlatText, files};
pub(crate) use tree::tree;

/// The number of the contract between generated code and runtime.
const API: u32 = 1;

/// What every item needs.
pub(crate) struct Emit<'a> {
    pub(crate) options: &'a RustOptions,
    pub(crate) names: &'a Names,
    /// The runtime, as tokens.
    pub(crate) runtime: TokenStream,
}

impl<'a> Emit<'a> {
    pub(crate) fn new(options: &'a RustOptions, names: &'a Names) -> Self {
        Self { options, names, runtime: tokens(&options.runtime_path) }
    }

    /// The Rust types of request and reply, as seen from the service's module.
    fn types(&self, module: &ModulePath, method: &RustMethod) -> (TokenStream, TokenStream) {
        if method.input.table().is_some() {
            return self.flat_types(module, method);
        }
        let text = |payload: PayloadType| {
            let message = payload.message().map(|id| self.names.message_type(module, id));
            message.map(|text| tokens(&text)).unwrap_or_default()
        };
        (text(method.input), text(method.output))
    }

    /// `#[allow(deprecated)]` where generated code has to name what is deprecated.
    fn allow_deprecated(&self, needed: bool) -> TokenStream {
        if needed { quote::quote!(#[allow(deprecated)]) } else { TokenStream::new() }
    }
}

/// Text that was checked to parse, as tokens.
pub(crate) fn tokens(text: &str) -> TokenStream {
    text.parse().unwrap_or_default()
}

/// An identifier that may be raw.
pub(crate) fn ident(text: &str) -> Ident {
    match text.strip_prefix("r#") {
        Some(word) => Ident::new_raw(word, Span::call_site()),
        None => Ident::new(text, Span::call_site()),
    }
}

/// `#[doc]` attributes, one a line.
pub(crate) fn docs(text: &str) -> TokenStream {
    text.split('\n')
        .map(|line| {
            let line = if line.is_empty() { String::new() } else { format!(" {line}") };
            quote::quote!(#[doc = #line])
        })
        .collect()
}

/// The documentation of a method, on the trait and on the client.
fn method_docs(method: &RustMethod) -> TokenStream {
    let fallback = || format!("Method `{}`.", method.wire_name);
    let mut text = method.doc.clone().unwrap_or_else(fallback);
    if let Some(name) = &method.renamed_from {
        text.push_str(&format!("\n\nCalled `{name}` in the schema and on the wire."));
    }
    docs(&text)
}

/// `#[deprecated]`, when the schema says so.
fn deprecated(flag: bool) -> TokenStream {
    if flag { quote::quote!(#[deprecated]) } else { TokenStream::new() }
}

/// True when anything that generated code of the service names is deprecated.
fn names_deprecated(service: &RustService) -> bool {
    service.deprecated
}

/// Attributes of the configuration for a service, whose text was checked before.
fn attributes<'m>(texts: impl Iterator<Item = &'m String>) -> TokenStream {
    texts.map(|text| tokens(text)).collect()
}

/// Clippy's rules about method names that a schema may break.
pub(crate) fn allow_naming(ident: &str) -> TokenStream {
    const TRAIT_METHODS: [&str; 1] = ["cmp"];
    const CONVENTIONS: [&str; 6] = ["as_", "from_", "into_", "is_", "to_", "try_into_"];
    if TRAIT_METHODS.contains(&ident) {
        quote::quote!(#[allow(clippy::should_implement_trait)])
    } else if CONVENTIONS.iter().any(|prefix| ident.starts_with(prefix)) {
        quote::quote!(#[allow(clippy::wrong_self_convention)])
    } else {
        TokenStream::new()
    }
}
