//! Structs: an array of bytes with accessors. Reading and writing goes through the crate's own
//! functions, so that endianness is its affair.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::super::emit::{docs, ident, tokens};
use super::emit::{Flat, attributes, hidden, naming};
use super::model::{FlatStruct, FlatStructField, Key, KeyKind};

impl Flat {
    pub(super) fn structure(&self, it: &FlatStruct) -> TokenStream {
        let name = ident(&it.head.ident);
        let (doc, hidden, attributes) = (docs(&it.head.doc), hidden(&it.head), attributes());
        let size = Literal::u32_unsuffixed(it.size);
        let schema_name = &it.head.schema_name;
        let names = it.fields.iter().map(|field| &field.schema_name);
        let getters = it.fields.iter().map(|field| ident(&field.ident));
        let new = self.new_struct(it);
        let fields = it.fields.iter().map(|field| self.struct_field(field));
        let key = it.key.as_ref().map(|key| self.key(key, &quote!(#name)));
        let traits = self.struct_traits(it);
        // Longer arrays have no `Default` to derive from.
        let (derived, implemented) = if it.size <= 32 {
            (quote!(#[derive(::core::default::Default)]), TokenStream::new())
        } else {
            let implemented = quote! {
                impl ::core::default::Default for #name {
                    fn default() -> Self {
                        Self([0; #size])
                    }
                }
            };
            (TokenStream::new(), implemented)
        };
        quote! {
            #doc
            #hidden
            #attributes
            #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::cmp::PartialEq)]
            #derived
            #[repr(transparent)]
            pub struct #name(
                /// The bytes, as they stand in the buffer.
                pub [u8; #size],
            );

            #implemented

            impl ::core::fmt::Debug for #name {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    f.debug_struct(#schema_name)
                        #(.field(#names, &self.#getters()))*
                        .finish()
                }
            }

            #traits

            #attributes
            impl #name {
                #new
                #(#fields)*
                #key
            }
        }
    }

    fn struct_traits(&self, it: &FlatStruct) -> TokenStream {
        let fb = &self.fb;
        let name = ident(&it.head.ident);
        let attributes = attributes();
        let alignment = Literal::u32_unsuffixed(it.alignment);
        let verifiable = self.verify_as(&quote!(#name), &quote!(v.in_buffer::<Self>(pos)));
        quote! {
            #attributes
            impl<'a> #fb::Follow<'a> for #name {
                type Inner = &'a #name;
                #[inline]
                unsafe fn follow(buf: &'a [u8], loc: usize) -> Self::Inner {
                    unsafe { #fb::follow_cast_ref::<#name>(buf, loc) }
                }
            }

            #attributes
            impl<'a> #fb::Follow<'a> for &'a #name {
                type Inner = &'a #name;
                #[inline]
                unsafe fn follow(buf: &'a [u8], loc: usize) -> Self::Inner {
                    unsafe { #fb::follow_cast_ref::<#name>(buf, loc) }
                }
            }

            #attributes
            impl #fb::Push for #name {
                type Output = Self;
                #[inline]
                unsafe fn push(&self, dst: &mut [u8], _: usize) {
                    dst.copy_from_slice(&self.0);
                }
                #[inline]
                fn alignment() -> #fb::PushAlignment {
                    #fb::PushAlignment::new(#alignment)
                }
            }

            #verifiable
        }
    }

    fn new_struct(&self, it: &FlatStruct) -> TokenStream {
        let new = ident(&it.new_ident);
        let size = Literal::u32_unsuffixed(it.size);
        let arguments = it.fields.iter().map(|field| {
            let (name, ty) = (ident(&field.argument), argument_type(field));
            quote!(#name: #ty)
        });
        let setters = it.fields.iter().map(|field| ident(&field.setter));
        let values = it.fields.iter().map(|field| ident(&field.argument));
        quote! {
            /// The struct of these values.
            #[allow(clippy::too_many_arguments)]
            pub fn #new(#(#arguments),*) -> Self {
                let mut value = Self([0; #size]);
                #(Self::#setters(&mut value, #values);)*
                value
            }
        }
    }

    fn struct_field(&self, field: &FlatStructField) -> TokenStream {
        let (getter, setter) = (ident(&field.ident), ident(&field.setter));
        let doc = docs(&field.doc);
        let set_doc = docs(&format!("Sets `{}`.", field.schema_name));
        let naming = naming(&field.ident);
        let argument = argument_type(field);
        let (returned, get) = self.struct_getter(field);
        let set = self.struct_setter(field);
        quote! {
            #doc
            #naming
            pub fn #getter(&self) -> #returned {
                #get
            }

            #set_doc
            pub fn #setter(&mut self, value: #argument) {
                #set
            }
        }
    }

    fn struct_getter(&self, field: &FlatStructField) -> (TokenStream, TokenStream) {
        let fb = &self.fb;
        let ty = tokens(&field.ty);
        let offset = Literal::u32_unsuffixed(field.offset);
        match field.length {
            Some(length) => {
                let length = Literal::u16_unsuffixed(length);
                let array = |lifetime| quote!(#fb::Array<#lifetime, #ty, #length>);
                let (returned, followed) = (array(quote!('_)), array(quote!('_)));
                let get =
                    quote!(unsafe { <#followed as #fb::Follow<'_>>::follow(&self.0, #offset) });
                (returned, get)
            }
            None if field.is_struct => {
                (quote!(&#ty), quote!(unsafe { #fb::follow_cast_ref::<#ty>(&self.0, #offset) }))
            }
            None => (quote!(#ty), quote!(unsafe { #fb::read_scalar_at::<#ty>(&self.0, #offset) })),
        }
    }

    fn struct_setter(&self, field: &FlatStructField) -> TokenStream {
        let fb = &self.fb;
        let ty = tokens(&field.ty);
        let length = u32::from(field.length.unwrap_or(1));
        let end = Literal::u32_unsuffixed(field.offset + field.size * length);
        let (offset, size) =
            (Literal::u32_unsuffixed(field.offset), Literal::u32_unsuffixed(field.size));
        match (field.length, field.is_struct) {
            (Some(_), true) => quote! {
                for (offset, value) in ::core::iter::Iterator::zip(
                    ::core::iter::Iterator::step_by(#offset..#end, #size),
                    value,
                ) {
                    self.0[offset..offset + #size].copy_from_slice(&value.0);
                }
            },
            (Some(_), false) => {
                quote!(unsafe { #fb::emplace_scalar_array(&mut self.0, #offset, value) })
            }
            (None, true) => quote!(self.0[#offset..#end].copy_from_slice(&value.0);),
            (None, false) => {
                quote!(unsafe { #fb::emplace_scalar::<#ty>(&mut self.0[#offset..#end], value) })
            }
        }
    }

    /// The comparisons that sort a vector and search it.
    pub(super) fn key(&self, key: &Key, holder: &TokenStream) -> TokenStream {
        let (field, less_than) = (ident(&key.field), ident(&key.less_than));
        let with_value = ident(&key.with_value);
        let (ty, order) = match &key.kind {
            KeyKind::Ordered(ty) => {
                let ty = tokens(ty);
                (ty.clone(), quote!(<#ty as ::core::cmp::Ord>::cmp(&key, &value)))
            }
            KeyKind::Float(ty) => {
                let ty = tokens(ty);
                (ty.clone(), quote!(<#ty>::total_cmp(&key, &value)))
            }
            KeyKind::Flags(ty) => {
                (tokens(ty), quote!(::core::cmp::Ord::cmp(&key.bits(), &value.bits())))
            }
            KeyKind::String => (quote!(&str), quote!(<str as ::core::cmp::Ord>::cmp(key, value))),
        };
        quote! {
            /// True when the key of this one is the smaller.
            #[inline]
            pub fn #less_than(&self, other: &#holder) -> bool {
                ::core::matches!(self.#with_value(other.#field()), ::core::cmp::Ordering::Less)
            }

            /// How the key of this one compares to `value`.
            #[inline]
            pub fn #with_value(&self, value: #ty) -> ::core::cmp::Ordering {
                let key = self.#field();
                #order
            }
        }
    }
}

/// What `new` and the setter take.
fn argument_type(field: &FlatStructField) -> TokenStream {
    let ty = tokens(&field.ty);
    match field.length {
        Some(length) => {
            let length = Literal::u16_unsuffixed(length);
            quote!(&[#ty; #length])
        }
        None if field.is_struct => quote!(&#ty),
        None => ty,
    }
}
