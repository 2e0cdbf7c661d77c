//! Names services, their methods and their companions.

use crate::ir::{Diagnostic, Method, OptionValue, Service, ServiceId, Streaming, code};

use super::doc::sanitize;
use super::model::{RustMethod, RustService};
use super::place::PLACEHOLDER;
use super::scope::{Claim, Scope, collision};
use super::{Lower, ident, remedy};

/// Inherent names of every client. A method of such a name gets a trailing underscore.
const CLIENT_NAMES: [&str; 2] = ["new", "connect"];

impl Lower<'_> {
    /// Claims the server traits: they are names of the schema.
    pub(super) fn claim_traits(&mut self) {
        let files = self.files.iter().map(|id| self.schema.file(*id));
        let ids: Vec<ServiceId> = files.flat_map(|file| file.services.iter().copied()).collect();
        for id in ids {
            let service = self.schema.service(id);
            if !self.is_generated_service(service) {
                continue;
            }
            let full_name = &service.full_name.0;
            let wanted = ident::camel(&service.schema_name);
            let ident = self.ident_of(full_name, "service", service.name_span, wanted);
            let module = self.module_of_service(service);
            let claim = Claim::user("service", full_name, service.name_span);
            self.claim_type(&module, &ident, claim, full_name);
            self.trait_idents.push((id, ident));
        }
    }

    /// Lowers every service, once all types have their names.
    pub(super) fn lower_services(&mut self) -> Vec<RustService> {
        let traits = std::mem::take(&mut self.trait_idents);
        traits.into_iter().map(|(id, ident)| self.lower_service(id, ident)).collect()
    }

    fn lower_service(&mut self, id: ServiceId, trait_ident: String) -> RustService {
        let schema = self.schema;
        let service = schema.service(id);
        let module = self.module_of_service(service);
        let stem = ident::unraw(&trait_ident).trim_end_matches('_').to_owned();
        let stem = if stem.is_empty() { trait_ident.clone() } else { stem };
        let const_stem = ident::shouty(&stem);
        let scope = self.scope(&module);
        let server_ident = scope.types.companion(&format!("{stem}Server"), "a server");
        let client_ident = scope.types.companion(&format!("{stem}Client"), "a client");
        let const_ident = scope.values.companion(&const_stem, "a constant");
        let mut methods = Vec::with_capacity(service.methods.len());
        let mut idents = Scope::default();
        for reserved in CLIENT_NAMES {
            let _ = idents.claim(reserved, Claim::reserved("a function of every client"));
        }
        for (index, method) in service.methods.iter().enumerate() {
            if self.refuses_streaming(service, method) {
                continue;
            }
            let ident = self.method_ident(&mut idents, service, method);
            let stem = format!("{const_stem}_{}", ident::shouty(ident.trim_end_matches('_')));
            let const_ident = self.scope(&module).values.companion(&stem, "a constant");
            for table in [method.input.table(), method.output.table()].into_iter().flatten() {
                self.place_marker(&module, table);
            }
            let mut lowered = self.lower_method(service, method, ident, const_ident);
            lowered.id = service.method_id(index);
            methods.push(lowered);
        }
        if self.is_flat(service) {
            // After all methods of the schema: a name that we make up gives way.
            for method in &mut methods {
                let wanted = format!("{}_with_capacity", ident::unraw(&method.ident));
                method.with_capacity = Some(idents.companion(&wanted, "a method with a capacity"));
            }
        }
        let doc = self.doc_of(&service.full_name.0, service.doc.text());
        RustService {
            codec: service.codec,
            module,
            full_name: service.full_name.0.clone(),
            trait_ident,
            server_ident,
            client_ident,
            const_ident,
            deprecated: service.options.flag("deprecated"),
            doc,
            methods,
        }
    }

    fn lower_method(
        &self,
        service: &Service,
        method: &Method,
        ident: String,
        const_ident: String,
    ) -> RustMethod {
        let plain = ident::snake(&method.schema_name);
        RustMethod {
            wire_name: format!("{}/{}", service.full_name, method.schema_name),
            renamed_from: (ident != plain).then(|| method.schema_name.clone()),
            ident,
            const_ident,
            input: method.input,
            output: method.output,
            idempotency: method.idempotency,
            deprecated: method.options.flag("deprecated"),
            id: None,
            with_capacity: None,
            reply_size: reply_size(method),
            doc: self.doc_of(&method_name(service, method), method.doc.text()),
        }
    }

    fn method_ident(&mut self, idents: &mut Scope, service: &Service, method: &Method) -> String {
        let full_name = method_name(service, method);
        let wanted = ident::snake(&method.schema_name);
        let ident = self.ident_of(&full_name, "method", method.name_span, wanted);
        if ident == PLACEHOLDER {
            return ident; // Reported.
        }
        let claim = Claim::user("method", &method.schema_name, method.name_span);
        let ident =
            if CLIENT_NAMES.contains(&ident.as_str()) { format!("{ident}_") } else { ident };
        if let Err(held) = idents.claim(&ident, claim.clone()) {
            let diagnostic = collision(&ident, held, &claim, remedy(&full_name, &ident));
            self.diagnostics.push(diagnostic);
        }
        ident
    }

    /// Reports a streaming method; true when there is nothing to generate for it.
    fn refuses_streaming(&mut self, service: &Service, method: &Method) -> bool {
        let shape = match method.streaming {
            Streaming::Unary => return false,
            Streaming::Client => "streams its requests",
            Streaming::Server => "streams its replies",
            Streaming::Bidirectional => "streams both ways",
        };
        let name = method_name(service, method);
        let diagnostic = if self.options.skip_streaming {
            Diagnostic::warning(
                code::STREAMING,
                format!("method `{name}` {shape}, which is not supported yet: it is left out"),
            )
        } else {
            Diagnostic::error(
                code::STREAMING,
                format!("method `{name}` {shape}, which is not supported yet"),
            )
            .help("streaming is coming; until then, set `skip_streaming(true)` to generate the unary methods alone")
        };
        self.diagnostics.push(diagnostic.label(method.name_span, "a streaming method"));
        true
    }

    /// The sanitised comment of an element, unless the user wants none.
    pub(super) fn doc_of(&self, full_name: &str, text: Option<&str>) -> Option<String> {
        if self.options.disable_comments.selects(&format!(".{full_name}")) {
            return None;
        }
        text.map(sanitize).filter(|doc| !doc.is_empty())
    }
}

/// `pkg.Service.Method`.
fn method_name(service: &Service, method: &Method) -> String {
    format!("{}.{}", service.full_name, method.schema_name)
}

/// `reply_size`, an attribute of a FlatBuffers method.
fn reply_size(method: &Method) -> Option<u64> {
    method.input.table()?;
    match method.options.get("reply_size")? {
        OptionValue::Uint(bytes) => Some(*bytes),
        OptionValue::Int(bytes) => u64::try_from(*bytes).ok(),
        OptionValue::String(text) => text.parse().ok(),
        _ => None,
    }
}
