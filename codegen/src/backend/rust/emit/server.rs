//! What registers an implementation of the server trait.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Emit, attributes, docs, ident, names_deprecated};
use crate::backend::rust::lower::model::{RustMethod, RustService};
use crate::ir::PayloadCodec;

impl Emit<'_> {
    /// `XServer` and how it enters the registry.
    pub(super) fn server(&self, service: &RustService) -> TokenStream {
        let runtime = &self.runtime;
        let name = ident(&service.server_ident);
        let of = ident(&service.trait_ident);
        let doc = docs(&format!(
            "Serves an implementation of [`{of}`](trait@{of}): hand it to the registry.",
            of = service.trait_ident
        ));
        let path = format!(".{}", service.full_name);
        let users = attributes(self.options.server_attributes.all(&path));
        let allow = self.allow_deprecated(names_deprecated(service));
        let registration = self.registration(service);
        let unused =
            if service.methods.is_empty() { quote!(#[allow(dead_code)]) } else { quote!() };
        quote! {
            #doc
            #users
            pub struct #name<__Service> {
                #unused
                service: #runtime::__private::Arc<__Service>,
            }

            #allow
            impl<__Service: #of> #name<__Service> {
                /// Serves `service`.
                pub fn new(service: __Service) -> Self {
                    Self { service: #runtime::__private::Arc::new(service) }
                }

                /// Serves a service that others hold too.
                pub fn from_arc(service: #runtime::__private::Arc<__Service>) -> Self {
                    Self { service }
                }
            }

            #registration
        }
    }

    fn registration(&self, service: &RustService) -> TokenStream {
        let runtime = &self.runtime;
        let name = ident(&service.server_ident);
        let of = ident(&service.trait_ident);
        let constant = ident(&service.const_ident);
        let allow = self.allow_deprecated(names_deprecated(service));
        let methods = service.methods.iter().map(|method| self.register_method(service, method));
        // A service without methods registers nothing.
        let methods_argument = if service.methods.is_empty() { quote!(_) } else { quote!(methods) };
        quote! {
            #allow
            impl<__Service: #of> #runtime::Service for #name<__Service> {
                fn descriptor(&self) -> &'static #runtime::ServiceDescriptor {
                    &#constant
                }

                fn register(self, #methods_argument: &mut #runtime::__private::Methods) {
                    #(#methods)*
                }
            }
        }
    }

    fn register_method(&self, service: &RustService, method: &RustMethod) -> TokenStream {
        if service.codec == PayloadCodec::FlatBuffers {
            return self.register_flat_method(service, method);
        }
        let (input, _) = self.types(&service.module, method);
        let of = ident(&service.trait_ident);
        let name = ident(&method.ident);
        let constant = ident(&method.const_ident);
        let allow = self.allow_deprecated(method.deprecated);
        quote! {
            #allow
            methods.protobuf(&#constant, &self.service, |service, mut call, request: #input| async move {
                let reply = #of::#name(&*service, &mut call, request).await;
                (call, reply)
            });
        }
    }
}
