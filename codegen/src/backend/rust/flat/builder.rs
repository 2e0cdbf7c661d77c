//! Writing a table: the `Args`, and the builder that sets one field at a time.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::emit::{docs, ident, tokens};
use super::emit::{Flat, attributes, defaults, hidden};
use super::model::{FieldKind, FlatField, FlatTable, Presence};

impl Flat {
    pub(super) fn args(&self, it: &FlatTable) -> TokenStream {
        let name = ident(&it.args_ident);
        let doc = docs(&format!("What a `{}` is created from.", it.head.full_name));
        let (attributes, hidden) = (attributes(), hidden(&it.head));
        let lifetime = if it.args_borrow() { quote!(<'a>) } else { TokenStream::new() };
        let elided = if it.args_borrow() { quote!(<'_>) } else { TokenStream::new() };
        let float_defaults = super::emit::defaults(it);
        let fields = it.fields.iter().map(|field| {
            let (doc, name) = (docs(&field.doc), ident(&field.ident));
            let ty = self.arg_type(field);
            quote!(#doc pub #name: #ty)
        });
        let defaults = it.fields.iter().map(|field| {
            let name = ident(&field.ident);
            let value = match (&field.kind, &field.presence) {
                (FieldKind::Inline(_), Presence::Default(value)) => tokens(value),
                _ => quote!(::core::option::Option::None),
            };
            quote!(#name: #value)
        });
        quote! {
            #doc
            #hidden
            #attributes
            pub struct #name #lifetime {
                #(#fields),*
            }

            #float_defaults
            impl ::core::default::Default for #name #elided {
                #[inline]
                fn default() -> Self {
                    Self { #(#defaults),* }
                }
            }
        }
    }

    fn arg_type(&self, field: &FlatField) -> TokenStream {
        let ty = match &field.kind {
            FieldKind::Struct(ty) => {
                let ty = tokens(ty);
                quote!(&'a #ty)
            }
            kind => self.written(kind, &quote!('a)),
        };
        match (&field.kind, &field.presence) {
            (FieldKind::Inline(_), Presence::Default(_)) => ty,
            _ => quote!(::core::option::Option<#ty>),
        }
    }

    /// What the builder takes for a field.
    fn written(&self, kind: &FieldKind, lifetime: &TokenStream) -> TokenStream {
        let fb = &self.fb;
        let inner = match kind {
            FieldKind::Inline(ty) => return tokens(ty),
            FieldKind::Struct(ty) => {
                let ty = tokens(ty);
                return quote!(&#ty);
            }
            FieldKind::String => quote!(&#lifetime str),
            FieldKind::Table(ty) => {
                let ty = tokens(ty);
                quote!(#ty<#lifetime>)
            }
            FieldKind::Vector(element) => self.vector_type(element, lifetime),
            FieldKind::Union(_) => quote!(#fb::UnionWIPOffset),
        };
        quote!(#fb::WIPOffset<#inner>)
    }

    pub(super) fn builder(&self, it: &FlatTable) -> TokenStream {
        let fb = &self.fb;
        let (name, table) = (ident(&it.builder_ident), ident(&it.head.ident));
        let doc = docs(&format!("Writes a `{}` field by field.", it.head.full_name));
        let (attributes, hidden) = (attributes(), hidden(&it.head));
        let defaults = defaults(it);
        let adders = it.fields.iter().map(|field| self.adder(field, &table));
        let required =
            it.fields.iter().filter(|field| matches!(field.presence, Presence::Required)).map(
                |field| {
                    let (vt, name) = (ident(&field.vt_ident), &field.schema_name);
                    quote!(self.fbb_.required(offset, #table::#vt, #name);)
                },
            );
        quote! {
            #doc
            #hidden
            #attributes
            pub struct #name<'a, 'b, __Allocator: #fb::Allocator> {
                fbb_: &'b mut #fb::FlatBufferBuilder<'a, __Allocator>,
                start_: #fb::WIPOffset<#fb::TableUnfinishedWIPOffset>,
            }

            #attributes
            #defaults
            impl<'a: 'b, 'b, __Allocator: #fb::Allocator + 'a> #name<'a, 'b, __Allocator> {
                #(#adders)*

                /// Starts a table.
                #[inline]
                pub fn new(fbb: &'b mut #fb::FlatBufferBuilder<'a, __Allocator>) -> Self {
                    let start = fbb.start_table();
                    Self { fbb_: fbb, start_: start }
                }

                /// Ends the table.
                ///
                /// # Panics
                /// A required field was not set.
                #[inline]
                pub fn finish(self) -> #fb::WIPOffset<#table<'a>> {
                    let offset = self.fbb_.end_table(self.start_);
                    #(#required)*
                    #fb::WIPOffset::new(offset.value())
                }
            }
        }
    }

    fn adder(&self, field: &FlatField, table: &proc_macro2::Ident) -> TokenStream {
        let fb = &self.fb;
        let (name, vt) = (ident(&field.adder), ident(&field.vt_ident));
        let doc = docs(&format!("Sets `{}`.", field.schema_name));
        let written = self.written(&field.kind, &quote!('b));
        let push = match (&field.kind, &field.presence) {
            (FieldKind::Inline(ty), Presence::Default(value)) => {
                let (ty, value) = (tokens(ty), tokens(value));
                quote!(push_slot::<#ty>(#table::#vt, value, #value))
            }
            (FieldKind::Inline(ty), _) => {
                let ty = tokens(ty);
                quote!(push_slot_always::<#ty>(#table::#vt, value))
            }
            (FieldKind::Struct(ty), _) => {
                let ty = tokens(ty);
                quote!(push_slot_always::<&#ty>(#table::#vt, value))
            }
            _ => quote!(push_slot_always::<#fb::WIPOffset<_>>(#table::#vt, value)),
        };
        quote! {
            #doc
            #[inline]
            pub fn #name(&mut self, value: #written) {
                self.fbb_.#push;
            }
        }
    }
}
