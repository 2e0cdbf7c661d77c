//! The client of a service.

use proc_macro2::TokenStream;
use quote::quote;

use super::{
    Emit, allow_naming, attributes, deprecated, docs, ident, method_docs, names_deprecated,
};
use crate::backend::rust::lower::model::{RustMethod, RustService};
use crate::ir::PayloadCodec;

impl Emit<'_> {
    /// `XClient`: it holds its channel, and has no inherent functions but `new`, `connect` and the
    /// methods of the schema.
    pub(super) fn client(&self, service: &RustService) -> TokenStream {
        let runtime = &self.runtime;
        let name = ident(&service.client_ident);
        let doc = docs(&format!("Calls `{}`. Cheap to clone.", service.full_name));
        let deprecated = deprecated(service.deprecated);
        let path = format!(".{}", service.full_name);
        let users = attributes(self.options.client_attributes.all(&path));
        let allow = self.allow_deprecated(names_deprecated(service));
        let methods = service.methods.iter().map(|method| self.client_method(service, method));
        let target = match service.codec {
            PayloadCodec::Protobuf => " Connects to a target such as `prpc://127.0.0.1:8000`.",
            PayloadCodec::FlatBuffers => " Connects to a target such as `frpc://127.0.0.1:8000`.",
        };
        let unused =
            if service.methods.is_empty() { quote!(#[allow(dead_code)]) } else { quote!() };
        quote! {
            #doc
            #deprecated
            #users
            #[derive(::core::clone::Clone, ::core::fmt::Debug)]
            pub struct #name {
                #unused
                channel: #runtime::Channel,
            }

            #allow
            impl #name {
                /// Calls over `channel`, or over anything that turns into one.
                pub fn new(channel: impl ::core::convert::Into<#runtime::Channel>) -> Self {
                    Self { channel: ::core::convert::Into::into(channel) }
                }

                #[doc = #target]
                ///
                /// # Errors
                /// The target is malformed or cannot be reached.
                pub async fn connect(
                    target: impl ::core::convert::AsRef<str>,
                ) -> ::core::result::Result<Self, #runtime::Status> {
                    match #runtime::Channel::connect(target).await {
                        ::core::result::Result::Ok(channel) => {
                            ::core::result::Result::Ok(Self { channel })
                        }
                        ::core::result::Result::Err(status) => ::core::result::Result::Err(status),
                    }
                }

                #(#methods)*
            }
        }
    }

    fn client_method(&self, service: &RustService, method: &RustMethod) -> TokenStream {
        if service.codec == PayloadCodec::FlatBuffers {
            return self.flat_client_methods(service, method);
        }
        let runtime = &self.runtime;
        let (input, output) = self.types(&service.module, method);
        let doc = method_docs(method);
        let deprecated = deprecated(method.deprecated);
        let allow = allow_naming(&method.ident);
        let name = ident(&method.ident);
        let constant = ident(&method.const_ident);
        quote! {
            #doc
            #deprecated
            #allow
            pub fn #name(&self, request: #input) -> #runtime::Pending<'_, #output> {
                #runtime::__private::protobuf_call(&self.channel, &#constant, request)
            }
        }
    }
}
