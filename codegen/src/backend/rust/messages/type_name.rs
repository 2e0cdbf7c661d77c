//! `prost::Name` for messages, when asked for.

use syn::Item;

use super::Context;
use super::rewrite::raw_ident;
use crate::ir::MessageId;

/// The implementation for one message, for the module in which it lives.
pub(super) fn implement(context: &Context<'_>, id: MessageId, ident: &str) -> Item {
    let message = context.schema.message(id);
    let options = &context.options.messages;
    let full_name = &message.full_name.0;
    let name = &message.schema_name;
    let package = context.schema.file(message.file).package.to_string();
    let domain = options.type_name_domains.best(&format!(".{full_name}"));
    let url = format!("{}/{full_name}", domain.map_or("", String::as_str));
    let ident = raw_ident(ident);
    // Checked when the options were.
    let prost: proc_macro2::TokenStream = options.prost_path.parse().unwrap_or_default();
    syn::parse_quote! {
        impl #prost::Name for #ident {
            const NAME: &'static str = #name;
            const PACKAGE: &'static str = #package;
            fn full_name() -> #prost::alloc::string::String {
                ::core::convert::Into::into(#full_name)
            }
            fn type_url() -> #prost::alloc::string::String {
                ::core::convert::Into::into(#url)
            }
        }
    }
}
