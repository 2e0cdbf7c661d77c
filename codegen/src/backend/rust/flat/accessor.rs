//! Reading the fields of a table. The accessors check nothing: a table is only made from bytes that
//! were verified, or by a function that is unsafe.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::emit::{docs, ident, tokens};
use super::emit::{Flat, naming};
use super::model::{FieldKind, FlatField, Presence, UnionField};

impl Flat {
    pub(super) fn accessor(&self, field: &FlatField) -> TokenStream {
        let name = ident(&field.ident);
        let (doc, naming) = (docs(&field.doc), naming(&field.ident));
        let vt = ident(&field.vt_ident);
        let a = quote!('a);
        let (followed, returned) = (self.follow_type(&field.kind, &a), self.returned(&field.kind));
        let get = |default: TokenStream| quote!(self._tab.get::<#followed>(Self::#vt, #default));
        let none = quote!(::core::option::Option::None);
        let (returned, body) = match &field.presence {
            Presence::Optional => (quote!(::core::option::Option<#returned>), get(none)),
            Presence::Required => {
                let got = get(none);
                (returned, quote!(#got.unwrap()))
            }
            Presence::Default(value) => {
                let value = tokens(value);
                let got = get(quote!(::core::option::Option::Some(#value)));
                (returned, quote!(#got.unwrap()))
            }
        };
        let variants = match &field.kind {
            FieldKind::Union(union) => self.variants(field, union),
            _ => TokenStream::new(),
        };
        let nested = self.nested(field);
        quote! {
            #doc
            #naming
            #[inline]
            pub fn #name(&self) -> #returned {
                unsafe { #body }
            }

            #nested
            #variants
        }
    }

    fn returned(&self, kind: &FieldKind) -> TokenStream {
        let fb = &self.fb;
        match kind {
            FieldKind::Inline(ty) => tokens(ty),
            FieldKind::Struct(ty) => {
                let ty = tokens(ty);
                quote!(&'a #ty)
            }
            FieldKind::String => quote!(&'a str),
            FieldKind::Table(ty) => {
                let ty = tokens(ty);
                quote!(#ty<'a>)
            }
            FieldKind::Vector(element) => self.vector_type(element, &quote!('a)),
            FieldKind::Union(_) => quote!(#fb::Table<'a>),
        }
    }

    /// The root of a nested buffer, which was verified together with this table.
    fn nested(&self, field: &FlatField) -> TokenStream {
        let fb = &self.fb;
        let Some(nested) = &field.nested else { return TokenStream::new() };
        let (name, bytes, ty) = (ident(&nested.ident), ident(&field.ident), tokens(&nested.ty));
        let doc = docs(&format!(
            "The root of the buffer in `{}`. It was verified together with this table.",
            field.schema_name
        ));
        let vt = ident(&field.vt_ident);
        let get = quote!(self._tab.get::<#fb::ForwardsUOffset<#fb::Vector<'a, u8>>>(
            Self::#vt,
            ::core::option::Option::None,
        ));
        let follow =
            quote!(<#fb::ForwardsUOffset<#ty<'a>> as #fb::Follow<'a>>::follow(bytes.bytes(), 0));
        let (returned, body) = match field.presence {
            Presence::Required => (
                quote!(#ty<'a>),
                quote! {
                    let bytes = self.#bytes();
                    unsafe { #follow }
                },
            ),
            // A default is no buffer.
            Presence::Optional | Presence::Default(_) => (
                quote!(::core::option::Option<#ty<'a>>),
                quote! {
                    unsafe { #get }.map(|bytes| unsafe { #follow })
                },
            ),
        };
        quote! {
            #doc
            #[inline]
            pub fn #name(&self) -> #returned {
                #body
            }
        }
    }

    fn variants(&self, field: &FlatField, union: &UnionField) -> TokenStream {
        let fb = &self.fb;
        let (vt, ty) = (ident(&field.vt_ident), tokens(&union.ty));
        let type_field = ident(&union.type_ident);
        let arms = union.variants.iter().map(|arm| {
            let (name, table) = (ident(&arm.as_ident), tokens(&arm.table));
            let variant = ident(&arm.ident);
            let doc =
                docs(&format!("`{}`, when it holds a `{}`.", field.schema_name, arm.schema_name));
            quote! {
                #doc
                #[inline]
                pub fn #name(&self) -> ::core::option::Option<#table<'a>> {
                    if !::core::matches!(self.#type_field(), #ty::#variant) {
                        return ::core::option::Option::None;
                    }
                    unsafe {
                        self._tab.get::<#fb::ForwardsUOffset<#table<'a>>>(
                            Self::#vt,
                            ::core::option::Option::None,
                        )
                    }
                }
            }
        });
        quote!(#(#arms)*)
    }
}
