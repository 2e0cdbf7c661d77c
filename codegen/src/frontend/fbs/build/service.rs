//! Services: methods with tables on both sides.

use std::collections::HashMap;

use super::{
    super::syntax::{Attribute, AttributeValue, Extent, Item, MethodDecl, ServiceDecl},
    Builder, Here, attribute,
    resolve::Expected,
};
use crate::ir::{
    Diagnostic, FileId, Idempotency, Method, PayloadCodec, PayloadType, Service, Streaming, code,
};

const REQUEST: Expected = Expected { code: code::FBS_RPC_TYPE, because: "and requests are tables" };
const REPLY: Expected = Expected { code: code::FBS_RPC_TYPE, because: "and replies are tables" };

impl Builder<'_> {
    pub(super) fn service(&mut self, here: Here<'_>, item: &Item, decl: &ServiceDecl) {
        let options = self.options(here, &decl.attributes);
        let ids = self.method_ids(here, decl);
        let mut methods = Vec::with_capacity(decl.methods.len());
        let mut names: HashMap<&str, Extent> = HashMap::new();
        for (method, id) in decl.methods.iter().zip(ids) {
            self.work += 1;
            let name = &method.name;
            if let Some(first) = names.insert(&name.value, name.extent) {
                let message =
                    format!("service `{}` has two methods `{}`", decl.name.value, name.value);
                let second = (name.extent, "and again here");
                self.clash(here, code::FBS_DUPLICATE, message, second, (first, "first here"));
            }
            methods.extend(self.method(here, method, id));
        }
        let full_name = self.full_name(here, &decl.name.value);
        self.schema.services.push(Service {
            schema_name: decl.name.value.clone(),
            full_name,
            file: FileId(here.file as u32),
            codec: PayloadCodec::FlatBuffers,
            methods,
            options,
            doc: here.parsed.doc(&item.docs),
            span: here.parsed.span(item.extent),
            name_span: here.parsed.span(decl.name.extent),
        });
    }

    fn method(&mut self, here: Here<'_>, decl: &MethodDecl, id: Option<u32>) -> Option<Method> {
        let options = self.options(here, &decl.attributes);
        let streaming = self.streaming(here, decl);
        let idempotent = attribute::find(&decl.attributes, "idempotent").is_some();
        let input = self.resolve_table(here, &decl.request, &REQUEST);
        let output = self.resolve_table(here, &decl.reply, &REPLY);
        Some(Method {
            schema_name: decl.name.value.clone(),
            explicit_id: id,
            input: PayloadType::Table(input?),
            output: PayloadType::Table(output?),
            streaming,
            idempotency: if idempotent { Idempotency::Idempotent } else { Idempotency::Unknown },
            options,
            doc: here.parsed.doc(&decl.docs),
            span: here.parsed.span(decl.extent),
            name_span: here.parsed.span(decl.name.extent),
        })
    }

    fn streaming(&mut self, here: Here<'_>, decl: &MethodDecl) -> Streaming {
        let Some(attribute) = attribute::find(&decl.attributes, "streaming") else {
            return Streaming::Unary;
        };
        let known = streaming_of(attribute);
        if known.is_none() {
            let message = "`streaming` is \"none\", \"client\", \"server\" or \"bidi\"";
            let place = here.parsed.span(attribute.extent);
            self.report(
                Diagnostic::error(code::FBS_STREAMING, message)
                    .label(place, "")
                    .help("flatc takes any value here and then ignores it"),
            );
        }
        known.unwrap_or(Streaming::Unary)
    }
}

fn streaming_of(attribute: &Attribute) -> Option<Streaming> {
    let Some(AttributeValue::String(text)) = &attribute.value else { return None };
    Some(match text.value.as_str() {
        "none" => Streaming::Unary,
        "client" => Streaming::Client,
        "server" => Streaming::Server,
        "bidi" => Streaming::Bidirectional,
        _ => return None,
    })
}
