//! The server trait of a service.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Emit, allow_naming, attributes, deprecated, docs, ident, method_docs};
use crate::backend::rust::lower::model::{RustMethod, RustService};

impl Emit<'_> {
    /// The trait that a server implements.
    pub(super) fn service_trait(&self, service: &RustService) -> TokenStream {
        let fallback = || format!("Service `{}`.", service.full_name);
        let doc = docs(&service.doc.clone().unwrap_or_else(fallback));
        let deprecated = deprecated(service.deprecated);
        let path = format!(".{}", service.full_name);
        let users = attributes(self.options.trait_attributes.all(&path));
        let name = ident(&service.trait_ident);
        let methods = service.methods.iter().map(|method| self.trait_method(service, method));
        quote! {
            #doc
            #deprecated
            #users
            pub trait #name: ::core::marker::Send + ::core::marker::Sync + 'static {
                #(#methods)*
            }
        }
    }

    /// A method that can be written as a plain `async fn`.
    fn trait_method(&self, service: &RustService, method: &RustMethod) -> TokenStream {
        let runtime = &self.runtime;
        let (input, output) = self.types(&service.module, method);
        let doc = method_docs(method);
        let deprecated = deprecated(method.deprecated);
        let allow = allow_naming(&method.ident);
        let name = ident(&method.ident);
        let body =
            if self.options.generate_default_stubs { self.default_body(method) } else { quote!(;) };
        quote! {
            #doc
            #deprecated
            #allow
            fn #name(
                &self,
                call: &mut #runtime::Call,
                request: #input,
            ) -> impl ::core::future::Future<
                Output = ::core::result::Result<#output, #runtime::Status>
            > + ::core::marker::Send
            #body
        }
    }

    /// Answers that the method is not there.
    fn default_body(&self, method: &RustMethod) -> TokenStream {
        let runtime = &self.runtime;
        let text = format!("`{}` is not implemented", method.wire_name);
        quote! {
            {
                let _ = (call, request);
                ::core::future::ready(::core::result::Result::Err(
                    #runtime::Status::new(#runtime::Code::ENOMETHOD, #text)
                ))
            }
        }
    }
}
