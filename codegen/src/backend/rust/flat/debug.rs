//! `Debug` of a table: its fields by their names in the schema.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::emit::{ident, tokens};
use super::emit::Flat;
use super::model::{FieldKind, FlatField, FlatTable, UnionField};

impl Flat {
    pub(super) fn debug(&self, it: &FlatTable) -> TokenStream {
        let name = ident(&it.head.ident);
        let schema_name = &it.head.schema_name;
        let fields = it.fields.iter().map(|field| match &field.kind {
            FieldKind::Union(union) => union_field(field, union),
            _ => {
                let (name, accessor) = (&field.schema_name, ident(&field.ident));
                quote!(debug.field(#name, &self.#accessor());)
            }
        });
        let mutable = if it.fields.is_empty() { TokenStream::new() } else { quote!(mut) };
        let body = if it.fields.is_empty() {
            quote!(f.debug_struct(#schema_name).finish())
        } else {
            quote! {
                let #mutable debug = f.debug_struct(#schema_name);
                #(#fields)*
                debug.finish()
            }
        };
        quote! {
            impl ::core::fmt::Debug for #name<'_> {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    #body
                }
            }
        }
    }
}

fn union_field(field: &FlatField, union: &UnionField) -> TokenStream {
    let (name, type_field, ty) = (&field.schema_name, ident(&union.type_ident), tokens(&union.ty));
    let arms = union.variants.iter().map(|arm| {
        let (variant, accessor) = (ident(&arm.ident), ident(&arm.as_ident));
        quote!(#ty::#variant => debug.field(#name, &self.#accessor()),)
    });
    quote! {
        match self.#type_field() {
            #(#arms)*
            _ => debug.field(#name, &::core::option::Option::<()>::None),
        };
    }
}
