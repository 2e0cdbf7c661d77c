//! The helpers of a table that is the root of buffers.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::emit::{docs, ident};
use super::emit::{Flat, attributes};
use super::model::{FlatTable, Identifier, Root};

impl Flat {
    pub(super) fn root(&self, it: &FlatTable, root: &Root) -> TokenStream {
        let readers = self.readers(it, root);
        let unchecked = self.unchecked(it, root);
        let identifier = root.identifier.as_ref().map(|it| self.identifier(it));
        let extension = root.extension.as_ref().map(|(name, text)| {
            let name = ident(name);
            let doc = docs(&format!("The extension of files with a `{}`.", it.head.full_name));
            quote!(#doc #[allow(nonstandard_style)] pub const #name: &str = #text;)
        });
        let finishers = self.finishers(it, root);
        quote!(#readers #unchecked #identifier #extension #finishers)
    }

    fn readers(&self, it: &FlatTable, root: &Root) -> TokenStream {
        let fb = &self.fb;
        let table = ident(&it.head.ident);
        let reader = |name: &str, prefixed: bool, with_opts: bool| {
            let (what, function) = if prefixed {
                (" behind a prefix of its size", "size_prefixed_root")
            } else {
                ("", "root")
            };
            let function =
                if with_opts { format!("{function}_with_opts") } else { function.to_owned() };
            let limits = if with_opts { ", within the limits of `opts`" } else { "" };
            let doc = docs(&format!(
                "Verifies `buf` as a `{}`{what}{limits}, and returns its root.\n\n# Errors\nWhat is \
                 wrong with it, and where.",
                it.head.full_name
            ));
            let (name, function) = (ident(name), ident(&function));
            let (parameter, argument) = if with_opts {
                (quote!(opts: &#fb::VerifierOptions,), quote!(opts,))
            } else {
                (TokenStream::new(), TokenStream::new())
            };
            quote! {
                #doc
                #[inline]
                #[allow(nonstandard_style)]
                pub fn #name<'buf>(
                    #parameter
                    buf: &'buf [u8],
                ) -> ::core::result::Result<#table<'buf>, #fb::InvalidFlatbuffer> {
                    #fb::#function::<#table<'buf>>(#argument buf)
                }
            }
        };
        let readers = [
            reader(&root.root, false, false),
            reader(&root.size_prefixed, true, false),
            reader(&root.root_opts, false, true),
            reader(&root.size_prefixed_opts, true, true),
        ];
        quote!(#(#readers)*)
    }

    fn unchecked(&self, it: &FlatTable, root: &Root) -> TokenStream {
        let fb = &self.fb;
        let table = ident(&it.head.ident);
        let attributes = attributes();
        let reader = |name: &str, function: &str, what: &str| {
            let doc = docs(&format!(
                "Takes `buf` as a `{}`{what} without looking at it.\n\n# Safety\nIt was verified as \
                 one.",
                it.head.full_name
            ));
            let (name, function) = (ident(name), ident(function));
            quote! {
                #doc
                #[inline]
                #attributes
                pub unsafe fn #name(buf: &[u8]) -> #table<'_> {
                    unsafe { #fb::#function::<#table<'_>>(buf) }
                }
            }
        };
        let plain = reader(&root.root_unchecked, "root_unchecked", "");
        let prefixed = reader(
            &root.size_prefixed_unchecked,
            "size_prefixed_root_unchecked",
            " behind a prefix of its size",
        );
        quote!(#plain #prefixed)
    }

    fn identifier(&self, it: &Identifier) -> TokenStream {
        let fb = &self.fb;
        let (constant, text) = (ident(&it.constant), &it.text);
        let has = |name: &str, least: usize, prefixed: bool| {
            let name = ident(name);
            // The crate's own function panics on less.
            let doc = docs(&format!(
                "True when the buffer{} says that it is a [`{constant}`].",
                if prefixed { " behind a prefix of its size" } else { "" }
            ));
            quote! {
                #doc
                #[inline]
                #[allow(nonstandard_style)]
                pub fn #name(buf: &[u8]) -> bool {
                    buf.len() >= #least && #fb::buffer_has_identifier(buf, #constant, #prefixed)
                }
            }
        };
        let plain = has(&it.has, 8, false);
        let prefixed = has(&it.size_prefixed_has, 12, true);
        quote! {
            /// The identifier of the schema's files.
            #[allow(nonstandard_style)]
            pub const #constant: &str = #text;
            #plain
            #prefixed
        }
    }

    fn finishers(&self, it: &FlatTable, root: &Root) -> TokenStream {
        let fb = &self.fb;
        let table = ident(&it.head.ident);
        let identifier = match &root.identifier {
            Some(identifier) => {
                let constant = ident(&identifier.constant);
                quote!(::core::option::Option::Some(#constant))
            }
            None => quote!(::core::option::Option::None),
        };
        let finisher = |name: &str, method: &str, what: &str| {
            let doc =
                docs(&format!("Finishes a buffer{what} with a `{}` as root.", it.head.full_name));
            let (name, method) = (ident(name), ident(method));
            quote! {
                #doc
                #[inline]
                #[allow(nonstandard_style)]
                pub fn #name<'a, __Allocator: #fb::Allocator + 'a>(
                    fbb: &mut #fb::FlatBufferBuilder<'a, __Allocator>,
                    root: #fb::WIPOffset<#table<'a>>,
                ) {
                    fbb.#method(root, #identifier);
                }
            }
        };
        let plain = finisher(&root.finish, "finish", "");
        let prefixed = finisher(
            &root.finish_size_prefixed,
            "finish_size_prefixed",
            " behind a prefix of its size",
        );
        quote!(#plain #prefixed)
    }
}
