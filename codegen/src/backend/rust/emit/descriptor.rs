//! The constants that describe a service and its methods.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Emit, docs, ident};
use crate::backend::rust::lower::HIDDEN_MODULE;
use crate::backend::rust::lower::model::{RustMethod, RustModel, RustService};
use crate::backend::rust::print::LINE_BREAK;
use crate::ir::{Idempotency, PayloadCodec, PayloadType};

impl Emit<'_> {
    /// One constant a method, then the service.
    pub(super) fn descriptors(&self, model: &RustModel, service: &RustService) -> TokenStream {
        let runtime = &self.runtime;
        let methods =
            service.methods.iter().map(|method| self.method_descriptor(model, service, method));
        let doc = docs(&format!("Facts of the service `{}`.", service.full_name));
        let name = ident(&service.const_ident);
        let full_name = &service.full_name;
        let constants = service.methods.iter().map(|method| ident(&method.const_ident));
        let codec = match service.codec {
            PayloadCodec::Protobuf => quote!(Protobuf),
            PayloadCodec::FlatBuffers => quote!(FlatBuffers),
        };
        let line_break = ident(LINE_BREAK);
        let list = if service.methods.is_empty() {
            quote!(&[])
        } else {
            quote!(&[#line_break, #(&#constants),*])
        };
        let deprecated =
            if service.deprecated { quote!(.deprecated()) } else { TokenStream::new() };
        quote! {
            #(#methods)*

            #doc
            pub const #name: #runtime::ServiceDescriptor =
                #runtime::ServiceDescriptor::new(#full_name, #runtime::Codec::#codec, #list)
                #deprecated;
        }
    }

    fn method_descriptor(
        &self,
        model: &RustModel,
        service: &RustService,
        method: &RustMethod,
    ) -> TokenStream {
        let runtime = &self.runtime;
        let doc = docs(&format!("Facts of the method `{}`.", method.wire_name));
        let name = ident(&method.const_ident);
        let wire_name = &method.wire_name;
        let hidden = ident(HIDDEN_MODULE);
        let shape = |payload: PayloadType| {
            let module = service.module.clone();
            let found = match payload {
                PayloadType::Message(id) => model.shape_idents.get(&(module, id)),
                PayloadType::Table(id) => model.table_shape_idents.get(&(module, id)),
            };
            found.map(|name| ident(name)).map(|name| quote!(&#hidden::#name))
        };
        let (request, reply) = (shape(method.input), shape(method.output));
        let idempotency = match method.idempotency {
            Idempotency::Unknown => TokenStream::new(),
            Idempotency::Idempotent => quote!(.idempotent()),
            Idempotency::NoSideEffects => quote!(.no_side_effects()),
        };
        let deprecated = if method.deprecated { quote!(.deprecated()) } else { TokenStream::new() };
        let id = method.id.map(|id| {
            let id = proc_macro2::Literal::u32_unsuffixed(id);
            quote!(.id(#id))
        });
        let reply_size = method.reply_size.map(|bytes| {
            let bytes = proc_macro2::Literal::u64_unsuffixed(bytes);
            quote!(.reply_size(#bytes))
        });
        let layout = self.layout_of(model, service);
        let constructor = match service.codec {
            PayloadCodec::Protobuf => quote!(protobuf),
            PayloadCodec::FlatBuffers => quote!(flatbuffers),
        };
        quote! {
            #doc
            pub const #name: #runtime::MethodDescriptor =
                #runtime::MethodDescriptor::#constructor(#wire_name, #request, #reply)
                #id #reply_size #idempotency #deprecated #layout;
        }
    }
}
