//! Enums, and the discriminants of unions.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::super::emit::{docs, ident, tokens};
use super::emit::{Flat, attributes, hidden};
use super::model::{EnumIdents, EnumKind, FlatEnum};

/// A number in the type that the context gives it.
pub(super) fn number(number: i128) -> TokenStream {
    let literal = Literal::u128_unsuffixed(number.unsigned_abs());
    if number < 0 { quote!(-#literal) } else { quote!(#literal) }
}

impl Flat {
    pub(super) fn enumeration(&self, it: &FlatEnum) -> TokenStream {
        match &it.kind {
            EnumKind::Flags { module_ident } => self.flags(it, module_ident),
            EnumKind::Plain(idents) => self.plain_enum(it, idents),
            EnumKind::Union { idents, offset_ident } => {
                let plain = self.plain_enum(it, idents);
                let offset = ident(offset_ident);
                let doc = docs(&format!("The value of a `{}`, as an offset.", it.head.full_name));
                let attributes = attributes();
                quote! {
                    #plain
                    #doc
                    #attributes
                    pub enum #offset {}
                }
            }
        }
    }

    fn plain_enum(&self, it: &FlatEnum, idents: &EnumIdents) -> TokenStream {
        let name = ident(&it.head.ident);
        let doc = docs(&it.head.doc);
        let (attributes, hidden) = (attributes(), hidden(&it.head));
        let ty = tokens(it.underlying);
        let constants = it.variants.iter().map(|variant| {
            let (doc, name) = (docs(&variant.doc), ident(&variant.ident));
            let number = number(variant.number);
            quote!(#doc pub const #name: Self = Self(#number);)
        });
        let outer = self.outer_constants(it, idents);
        let inner = self.inner_constants(it, idents);
        let variant_name = ident(&idents.variant_name);
        let traits = self.enum_traits(it);
        quote! {
            #outer

            #doc
            #hidden
            #attributes
            #[derive(
                ::core::clone::Clone, ::core::marker::Copy, ::core::cmp::PartialEq, ::core::cmp::Eq,
                ::core::cmp::PartialOrd, ::core::cmp::Ord, ::core::hash::Hash, ::core::default::Default
            )]
            #[repr(transparent)]
            pub struct #name(
                /// The number in the buffer, which may be none that the schema knows.
                pub #ty,
            );

            #attributes
            impl #name {
                #(#constants)*
                #inner
            }

            impl ::core::fmt::Debug for #name {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    match self.#variant_name() {
                        ::core::option::Option::Some(name) => f.write_str(name),
                        ::core::option::Option::None => {
                            f.write_fmt(::core::format_args!("<UNKNOWN {:?}>", self.0))
                        }
                    }
                }
            }

            #traits
        }
    }

    /// The constants that flatc has announced to leave out since its version 2.
    fn outer_constants(&self, it: &FlatEnum, idents: &EnumIdents) -> TokenStream {
        let name = ident(&it.head.ident);
        let ty = tokens(it.underlying);
        let (min, max, values) = (ident(&idents.min), ident(&idents.max), ident(&idents.values));
        let numbers = it.variants.iter().map(|variant| variant.number);
        let least = number(numbers.clone().min().unwrap_or_default());
        let most = number(numbers.max().unwrap_or_default());
        let variants = it.variants.iter().map(|variant| ident(&variant.ident));
        let count = Literal::usize_unsuffixed(it.variants.len());
        let attribute = |what: &str| {
            let doc = docs(&format!("The {what} of `{}`.", it.head.full_name));
            quote!(#doc #[deprecated(note = "use the associated constants")] #[allow(nonstandard_style)])
        };
        let (of_min, of_max) = (attribute("smallest value"), attribute("largest value"));
        let of_values = attribute("values");
        quote! {
            #of_min
            pub const #min: #ty = #least;
            #of_max
            pub const #max: #ty = #most;
            #of_values
            pub const #values: [#name; #count] = [#(#name::#variants),*];
        }
    }

    fn inner_constants(&self, it: &FlatEnum, idents: &EnumIdents) -> TokenStream {
        let ty = tokens(it.underlying);
        let (min, max) = (ident(&idents.own_min), ident(&idents.own_max));
        let (values, variant_name) = (ident(&idents.own_values), ident(&idents.variant_name));
        let numbers = it.variants.iter().map(|variant| variant.number);
        let least = number(numbers.clone().min().unwrap_or_default());
        let most = number(numbers.max().unwrap_or_default());
        let variants: Vec<_> = it.variants.iter().map(|variant| ident(&variant.ident)).collect();
        let names = it.variants.iter().map(|variant| &variant.schema_name);
        quote! {
            /// The smallest value.
            pub const #min: #ty = #least;
            /// The largest value.
            pub const #max: #ty = #most;
            /// All values.
            pub const #values: &'static [Self] = &[#(Self::#variants),*];
            /// The name in the schema; nothing for a number that has none.
            pub fn #variant_name(self) -> ::core::option::Option<&'static str> {
                match self {
                    #(Self::#variants => ::core::option::Option::Some(#names),)*
                    _ => ::core::option::Option::None,
                }
            }
        }
    }

    fn enum_traits(&self, it: &FlatEnum) -> TokenStream {
        let (name, ty) = (ident(&it.head.ident), tokens(it.underlying));
        self.scalar_traits(&quote!(#name), &ty, &quote!(self.0), &|value| quote!(Self(#value)))
    }

    /// What makes a type that wraps a number a scalar.
    pub(super) fn scalar_traits(
        &self,
        name: &TokenStream,
        ty: &TokenStream,
        number: &TokenStream,
        wrap: &dyn Fn(TokenStream) -> TokenStream,
    ) -> TokenStream {
        let fb = &self.fb;
        let attributes = attributes();
        let followed = wrap(quote!(value));
        let from_little_endian = wrap(quote!(<#ty>::from_le(v)));
        let verifiable =
            self.verify_as(name, &quote!(<#ty as #fb::Verifiable>::run_verifier(v, pos)));
        quote! {
            #attributes
            impl<'a> #fb::Follow<'a> for #name {
                type Inner = Self;
                #[inline]
                unsafe fn follow(buf: &'a [u8], loc: usize) -> Self::Inner {
                    let value = unsafe { #fb::read_scalar_at::<#ty>(buf, loc) };
                    #followed
                }
            }

            #attributes
            impl #fb::Push for #name {
                type Output = Self;
                #[inline]
                unsafe fn push(&self, dst: &mut [u8], _: usize) {
                    unsafe { #fb::emplace_scalar::<#ty>(dst, #number) };
                }
            }

            impl #fb::EndianScalar for #name {
                type Scalar = #ty;
                #[inline]
                fn to_little_endian(self) -> #ty {
                    #number.to_le()
                }
                #[inline]
                fn from_little_endian(v: #ty) -> Self {
                    #from_little_endian
                }
            }

            #verifiable
        }
    }
}
