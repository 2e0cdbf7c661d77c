//! What differs in the services of FlatBuffers: a handler borrows the verified root, a client
//! builds its request in place.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Emit, allow_naming, deprecated, docs, ident, method_docs, tokens};
use crate::backend::rust::lower::model::{ModulePath, Names, RustMethod, RustService, TypePlace};
use crate::ir::{PayloadType, TableId};

impl Emit<'_> {
    /// The type of a table as seen from a module, without its lifetime.
    fn table(&self, module: &ModulePath, payload: PayloadType) -> TokenStream {
        let place = payload.table().and_then(|id| self.names.flat.tables.get(id.0 as usize));
        place.map(|place| tokens(&place.seen_from(module))).unwrap_or_default()
    }

    /// What stands for the table where the runtime needs a type of its own: the table itself, or
    /// the marker of one that another crate made.
    fn owned(&self, module: &ModulePath, payload: PayloadType) -> TokenStream {
        let marker = payload.table().and_then(|id| {
            let key: (ModulePath, TableId) = (module.clone(), id);
            self.names.flat.markers.get(&key)
        });
        match marker {
            Some(marker) => {
                let marker = ident(marker);
                quote!(#marker)
            }
            None => {
                let table = self.table(module, payload);
                quote!(#table<'static>)
            }
        }
    }

    /// Request and reply in the server trait.
    pub(super) fn flat_types(
        &self,
        module: &ModulePath,
        method: &RustMethod,
    ) -> (TokenStream, TokenStream) {
        let runtime = &self.runtime;
        let (table, reply) = (self.table(module, method.input), self.owned(module, method.output));
        (quote!(#table<'_>), quote!(#runtime::Flat<#reply>))
    }

    /// Puts a method into the registry.
    pub(super) fn register_flat_method(
        &self,
        service: &RustService,
        method: &RustMethod,
    ) -> TokenStream {
        let runtime = &self.runtime;
        let input = self.owned(&service.module, method.input);
        let of = ident(&service.trait_ident);
        let name = ident(&method.ident);
        let constant = ident(&method.const_ident);
        let allow = self.allow_deprecated(method.deprecated);
        quote! {
            #allow
            methods.flatbuffers(
                &#constant,
                &self.service,
                |service, mut call, request: #runtime::flat::Verified<#input>| async move {
                    let reply = <__Service as #of>::#name(&service, &mut call, request.root()).await;
                    (call, reply)
                },
            );
        }
    }

    /// The two methods of a client.
    pub(super) fn flat_client_methods(
        &self,
        service: &RustService,
        method: &RustMethod,
    ) -> TokenStream {
        let (runtime, fb) = (&self.runtime, tokens(&self.options.flatbuffers_path));
        let request = self.table(&service.module, method.input);
        let reply = self.owned(&service.module, method.output);
        let deprecated = deprecated(method.deprecated);
        let constant = ident(&method.const_ident);
        let build = quote! {
            build: impl ::core::ops::FnOnce(
                &mut #fb::FlatBufferBuilder<'static>,
            ) -> #fb::WIPOffset<#request<'static>>
        };
        let returned = quote!(#runtime::Pending<'_, #runtime::flat::Verified<#reply>>);
        let call = |capacity: TokenStream| quote!(#runtime::__private::flat_call(&self.channel, &#constant, #capacity, build));
        let doc = method_docs(method);
        let (name, allow) = (ident(&method.ident), allow_naming(&method.ident));
        let (plain, sized) = (call(quote!(0)), call(quote!(capacity)));
        let with_capacity = method.with_capacity.as_ref().map(|text| {
            let name = ident(text);
            let allow = allow_naming(text);
            let doc = docs(&format!(
                "Method `{}`, with a request that needs `capacity` bytes at least.",
                method.wire_name
            ));
            quote! {
                #doc
                #deprecated
                #allow
                pub fn #name(&self, capacity: usize, #build) -> #returned {
                    #sized
                }
            }
        });
        quote! {
            #doc
            #deprecated
            #allow
            pub fn #name(&self, #build) -> #returned {
                #plain
            }

            #with_capacity
        }
    }

    /// Types that stand for tables of other crates: the traits of the runtime cannot be implemented
    /// for those here.
    pub(super) fn markers(&self, names: &Names, module: &ModulePath) -> TokenStream {
        let (runtime, fb) = (&self.runtime, tokens(&self.options.flatbuffers_path));
        let here = names.flat.markers.iter().filter(|((place, _), _)| place == module);
        // By name: ids depend on how the schema was given.
        let mut here: Vec<_> = here.map(|((_, id), marker)| (marker, id)).collect();
        here.sort();
        here.into_iter()
            .filter_map(|(marker, id)| {
                let place = names.flat.tables.get(id.0 as usize)?;
                let TypePlace::External { rust_type } = place else { return None };
                let (marker, table) = (ident(marker), tokens(rust_type));
                let doc = docs(&format!(
                    "Stands for `{rust_type}` where a call needs a type of its own."
                ));
                Some(quote! {
                    #doc
                    #[derive(::core::fmt::Debug)]
                    #[allow(nonstandard_style)]
                    pub enum #marker {}

                    impl #marker {
                        /// Takes what was built as a message.
                        pub fn of(root: #fb::WIPOffset<#table<'_>>) -> #fb::WIPOffset<Self> {
                            #fb::WIPOffset::new(root.value())
                        }
                    }

                    impl #runtime::flat::Table for #marker {
                        type Root<'bytes> = #table<'bytes>;
                    }
                })
            })
            .collect()
    }
}
