//! The layout text of a package, for the runtime's `golden`.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::{Emit, ident};
use crate::backend::rust::lower::HIDDEN_MODULE;
use crate::backend::rust::lower::model::{RustLayout, RustModel, RustService};

impl Emit<'_> {
    /// The static in the hidden module.
    pub(super) fn layout(&self, layout: &RustLayout) -> TokenStream {
        let runtime = &self.runtime;
        let name = ident(&layout.ident);
        // A line break in front, so that every type of the text begins a line of the file: a raw string
        // shows it as it is, and a change of one field changes one line.
        let text = format!("r\"\n{}\"", layout.text);
        let text = text.parse::<Literal>().unwrap_or_else(|_| Literal::string(&layout.text));
        quote! {
            pub(super) static #name: #runtime::__private::Layout =
                #runtime::__private::Layout::new(#text);
        }
    }

    /// What a method's descriptor says of it.
    pub(super) fn layout_of(&self, model: &RustModel, service: &RustService) -> TokenStream {
        let Some(layout) = model.layouts.get(&service.module) else { return TokenStream::new() };
        let (hidden, name) = (ident(HIDDEN_MODULE), ident(&layout.ident));
        quote!(.layout(&#hidden::#name))
    }
}
