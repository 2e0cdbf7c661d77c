//! Sets of flags, by the `bitflags` that the crate `flatbuffers` brings.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::emit::{docs, ident, tokens};
use super::emit::{Flat, hidden};
use super::enumeration::number;
use super::model::FlatEnum;

impl Flat {
    pub(super) fn flags(&self, it: &FlatEnum, module: &str) -> TokenStream {
        let fb = &self.fb;
        let (name, module, ty) = (ident(&it.head.ident), ident(module), tokens(it.underlying));
        let (doc, hidden) = (docs(&it.head.doc), hidden(&it.head));
        let constants = it.variants.iter().map(|variant| {
            let (doc, name) = (docs(&variant.doc), ident(&variant.ident));
            // A flag in the sign bit is written by its bits.
            let number = number(variant.number);
            quote!(#doc const #name = #number;)
        });
        let traits = self.scalar_traits(
            &quote!(#name),
            &ty,
            &quote!(self.bits()),
            &|value| quote!(Self::from_bits_retain(#value)),
        );
        quote! {
            // In a module of its own, because the macro takes no attributes for its constants.
            #[doc(hidden)]
            #[allow(nonstandard_style, missing_docs, clippy::all)]
            mod #module {
                #fb::bitflags::bitflags! {
                    #doc
                    #hidden
                    #[derive(
                        ::core::default::Default, ::core::fmt::Debug, ::core::clone::Clone,
                        ::core::marker::Copy, ::core::cmp::PartialEq
                    )]
                    pub struct #name: #ty {
                        #(#constants)*
                    }
                }
            }
            pub use self::#module::#name;

            #traits
        }
    }
}
