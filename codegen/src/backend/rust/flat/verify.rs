//! `Verifiable` of a table: what makes its accessors sound.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::emit::{ident, tokens};
use super::emit::Flat;
use super::model::{FieldKind, FlatField, FlatTable, Presence, UnionField};

impl Flat {
    pub(super) fn verifiable(&self, it: &FlatTable) -> TokenStream {
        let fb = &self.fb;
        let name = ident(&it.head.ident);
        let visits = it.fields.iter().enumerate().filter_map(|(index, field)| {
            // A union is visited together with its discriminant.
            let next = it.fields.get(index + 1).map(|next| &next.kind);
            let is_discriminant = matches!(
                next, Some(FieldKind::Union(union)) if union.type_vt_ident == field.vt_ident
            );
            (!is_discriminant).then(|| self.visit(field))
        });
        quote! {
            impl #fb::Verifiable for #name<'_> {
                fn run_verifier(
                    v: &mut #fb::Verifier<'_, '_>,
                    pos: usize,
                ) -> ::core::result::Result<(), #fb::InvalidFlatbuffer> {
                    let table = v.visit_table(pos)?;
                    #(#visits)*
                    table.finish();
                    ::core::result::Result::Ok(())
                }
            }
        }
    }

    fn visit(&self, field: &FlatField) -> TokenStream {
        let vt = ident(&field.vt_ident);
        let schema_name = &field.schema_name;
        let required = matches!(field.presence, Presence::Required);
        if let FieldKind::Union(union) = &field.kind {
            return self.visit_union(field, union, required);
        }
        if let Some(nested) = &field.nested {
            let (runtime, ty) = (&self.runtime, tokens(&nested.ty));
            return quote! {
                let table = #runtime::__private::visit_nested::<#ty<'_>>(
                    table, #schema_name, Self::#vt, #required,
                )?;
            };
        }
        let ty = self.follow_type(&field.kind, &quote!('_));
        quote!(let table = table.visit_field::<#ty>(#schema_name, Self::#vt, #required)?;)
    }

    fn visit_union(&self, field: &FlatField, union: &UnionField, required: bool) -> TokenStream {
        let fb = &self.fb;
        let (vt, type_vt) = (ident(&field.vt_ident), ident(&union.type_vt_ident));
        let (name, type_name) = (&field.schema_name, &union.type_schema_name);
        let ty = tokens(&union.ty);
        let arms = union.variants.iter().map(|arm| {
            let (variant, table) = (ident(&arm.ident), tokens(&arm.table));
            let traced = format!("{}::{}", union.schema_name, arm.schema_name);
            quote! {
                #ty::#variant => {
                    v.verify_union_variant::<#fb::ForwardsUOffset<#table<'_>>>(#traced, pos)
                }
            }
        });
        // A variant of a newer schema: no accessor reads it as a table of some type, but the one of
        // the union itself hands it out as a table.
        let runtime = &self.runtime;
        let unknown = quote!(_ => #runtime::__private::verify_unknown_variant(v, pos));
        quote! {
            let table = table.visit_union::<#ty, _>(
                #type_name, Self::#type_vt, #name, Self::#vt, #required,
                |key, v, pos| match key {
                    #(#arms)*
                    #unknown,
                },
            )?;
        }
    }
}
