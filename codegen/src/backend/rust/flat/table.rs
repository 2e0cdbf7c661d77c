//! Tables: the type, its slots, `create`, and what belongs to it.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::super::emit::{docs, ident, tokens};
use super::emit::{Flat, attributes, defaults, hidden};
use super::model::{Element, FieldKind, FlatTable};

impl Flat {
    pub(super) fn table(&self, it: &FlatTable) -> TokenStream {
        let fb = &self.fb;
        let name = ident(&it.head.ident);
        let offset = ident(&it.offset_ident);
        let (doc, hidden, attributes) = (docs(&it.head.doc), hidden(&it.head), attributes());
        let offset_doc = docs(&format!("An offset of a `{}`.", it.head.full_name));
        let inherent = self.table_inherent(it);
        let (verifiable, debug) = (self.verifiable(it), self.debug(it));
        let (args, builder) = (self.args(it), self.builder(it));
        let root = it.root.as_ref().map(|root| self.root(it, root));
        let message = it.is_message.then(|| self.message(it));
        quote! {
            #offset_doc
            #hidden
            #attributes
            pub enum #offset {}

            #doc
            #hidden
            #attributes
            #[derive(::core::marker::Copy, ::core::clone::Clone, ::core::cmp::PartialEq)]
            pub struct #name<'a> {
                _tab: #fb::Table<'a>,
            }

            #attributes
            impl<'a> #fb::Follow<'a> for #name<'a> {
                type Inner = #name<'a>;
                #[inline]
                unsafe fn follow(buf: &'a [u8], loc: usize) -> Self::Inner {
                    Self { _tab: unsafe { #fb::Table::new(buf, loc) } }
                }
            }

            #inherent
            #verifiable
            #args
            #builder
            #debug
            #message
            #root
        }
    }

    fn table_inherent(&self, it: &FlatTable) -> TokenStream {
        let fb = &self.fb;
        let name = ident(&it.head.ident);
        let (attributes, defaults) = (attributes(), defaults(it));
        let slots = it.fields.iter().map(|field| {
            let doc = docs(&format!("The slot of `{}`.", field.schema_name));
            let (name, vt) = (ident(&field.vt_ident), Literal::u16_unsuffixed(field.vt));
            quote!(#doc pub const #name: #fb::VOffsetT = #vt;)
        });
        let init_from_table = ident(&it.init_from_table);
        let create = self.create(it);
        let accessors = it.fields.iter().map(|field| self.accessor(field));
        let key = it.key.as_ref().map(|key| self.key(key, &quote!(#name<'_>)));
        quote! {
            #attributes
            #defaults
            impl<'a> #name<'a> {
                #(#slots)*

                /// Takes a table as one of this type.
                ///
                /// # Safety
                /// It was verified as one.
                #[inline]
                pub unsafe fn #init_from_table(table: #fb::Table<'a>) -> Self {
                    Self { _tab: table }
                }

                #create
                #(#accessors)*
                #key
            }
        }
    }

    fn create(&self, it: &FlatTable) -> TokenStream {
        let fb = &self.fb;
        let (name, args) = (ident(&it.head.ident), ident(&it.args_ident));
        let (builder, create) = (ident(&it.builder_ident), ident(&it.create));
        let lifetime = if it.args_borrow() { quote!(<'args>) } else { TokenStream::new() };
        let adds = it.create_order.iter().filter_map(|index| it.fields.get(*index)).map(|field| {
            let (adder, field_ident) = (ident(&field.adder), ident(&field.ident));
            let inline = matches!(field.kind, FieldKind::Inline(_));
            if inline && !matches!(field.presence, super::model::Presence::Optional) {
                quote!(builder.#adder(args.#field_ident);)
            } else {
                quote! {
                    if let ::core::option::Option::Some(value) = args.#field_ident {
                        builder.#adder(value);
                    }
                }
            }
        });
        let (mutable, argument) = if it.fields.is_empty() {
            (TokenStream::new(), quote!(_))
        } else {
            (quote!(mut), quote!(args))
        };
        quote! {
            /// Writes a table, largest fields first.
            pub fn #create<'bldr: 'args, 'args: 'mut_bldr, 'mut_bldr, __Allocator>(
                fbb: &'mut_bldr mut #fb::FlatBufferBuilder<'bldr, __Allocator>,
                #argument: &'args #args #lifetime,
            ) -> #fb::WIPOffset<#name<'bldr>>
            where
                __Allocator: #fb::Allocator + 'bldr,
            {
                let #mutable builder = #builder::new(fbb);
                #(#adds)*
                builder.finish()
            }
        }
    }

    fn message(&self, it: &FlatTable) -> TokenStream {
        self.message_impl(&it.head.ident)
    }

    /// Lets the runtime take the table as a message.
    pub(super) fn message_impl(&self, ident_of_table: &str) -> TokenStream {
        let runtime = &self.runtime;
        let name = ident(ident_of_table);
        quote! {
            impl #runtime::flat::Table for #name<'static> {
                type Root<'bytes> = #name<'bytes>;
            }
        }
    }

    /// The type that follows an offset in a buffer, with this lifetime.
    pub(super) fn follow_type(&self, kind: &FieldKind, lifetime: &TokenStream) -> TokenStream {
        let fb = &self.fb;
        match kind {
            FieldKind::Inline(ty) | FieldKind::Struct(ty) => tokens(ty),
            FieldKind::String => quote!(#fb::ForwardsUOffset<&#lifetime str>),
            FieldKind::Table(ty) => {
                let ty = tokens(ty);
                quote!(#fb::ForwardsUOffset<#ty<#lifetime>>)
            }
            FieldKind::Vector(element) => {
                let vector = self.vector_type(element, lifetime);
                quote!(#fb::ForwardsUOffset<#vector>)
            }
            FieldKind::Union(_) => quote!(#fb::ForwardsUOffset<#fb::Table<#lifetime>>),
        }
    }

    pub(super) fn vector_type(&self, element: &Element, lifetime: &TokenStream) -> TokenStream {
        let fb = &self.fb;
        let element = match element {
            Element::Inline(ty) => tokens(ty),
            Element::String => quote!(#fb::ForwardsUOffset<&#lifetime str>),
            Element::Table(ty) => {
                let ty = tokens(ty);
                quote!(#fb::ForwardsUOffset<#ty<#lifetime>>)
            }
        };
        quote!(#fb::Vector<#lifetime, #element>)
    }
}
