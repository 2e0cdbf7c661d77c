//! Services and methods.

use prost_types::{
    MethodDescriptorProto, ServiceDescriptorProto, method_options::IdempotencyLevel,
};

use super::{
    Converter, child,
    messages::{Pair, pairs},
    option::Written,
    qualify, tag,
};
use crate::ir::{
    FullName, Idempotency, Method, Options, PayloadCodec, PayloadType, Service, Streaming,
};

impl Converter<'_> {
    pub(super) fn service(
        &mut self,
        pair: Pair<'_, ServiceDescriptorProto>,
        scope: &str,
        path: &[i32],
    ) {
        let proto = pair.linked;
        let full_name = qualify(scope, proto.name());
        let described = self.pool.get_service_by_name(&full_name);
        let options = pair.raw.options.as_ref().map_or_else(Options::default, |raw| {
            let raw = &raw.uninterpreted_option;
            let values = described.as_ref().map(|it| it.options());
            self.options(values, Written { path, field: tag::SERVICE_OPTIONS, raw })
        });
        let service = Service {
            schema_name: proto.name().to_owned(),
            full_name: FullName(full_name),
            file: self.file,
            codec: PayloadCodec::Protobuf,
            methods: self.methods(pair, described.as_ref(), path),
            options,
            doc: self.places.doc(path),
            span: self.span(path),
            name_span: self.name_span(path),
        };
        self.schema.services.push(service);
    }

    fn methods(
        &self,
        pair: Pair<'_, ServiceDescriptorProto>,
        described: Option<&prost_reflect::ServiceDescriptor>,
        path: &[i32],
    ) -> Vec<Method> {
        let descriptors: Vec<_> = described.map(|it| it.methods().collect()).unwrap_or_default();
        let mut methods = Vec::with_capacity(pair.linked.method.len());
        for (at, method) in pairs(&pair.raw.method, &pair.linked.method) {
            let path = child(path, tag::SERVICE_METHOD, at);
            let proto = method.linked;
            let types =
                (self.ids.message(proto.input_type()), self.ids.message(proto.output_type()));
            // The linker resolved both; a method without them cannot be described.
            let (Some(input), Some(output)) = types else { continue };
            let options = method.raw.options.as_ref().map_or_else(Options::default, |raw| {
                let raw = &raw.uninterpreted_option;
                let values = descriptors.get(at).map(|it| it.options());
                self.options(values, Written { path: &path, field: tag::METHOD_OPTIONS, raw })
            });
            methods.push(Method {
                schema_name: proto.name().to_owned(),
                explicit_id: None,
                input: PayloadType::Message(input),
                output: PayloadType::Message(output),
                streaming: streaming(proto),
                idempotency: idempotency(proto),
                options,
                doc: self.places.doc(&path),
                span: self.span(&path),
                name_span: self.name_span(&path),
            });
        }
        methods
    }
}

fn streaming(proto: &MethodDescriptorProto) -> Streaming {
    match (proto.client_streaming(), proto.server_streaming()) {
        (false, false) => Streaming::Unary,
        (true, false) => Streaming::Client,
        (false, true) => Streaming::Server,
        (true, true) => Streaming::Bidirectional,
    }
}

fn idempotency(proto: &MethodDescriptorProto) -> Idempotency {
    let level = proto.options.as_ref().map(|options| options.idempotency_level());
    match level.unwrap_or(IdempotencyLevel::IdempotencyUnknown) {
        IdempotencyLevel::IdempotencyUnknown => Idempotency::Unknown,
        IdempotencyLevel::NoSideEffects => Idempotency::NoSideEffects,
        IdempotencyLevel::Idempotent => Idempotency::Idempotent,
    }
}
