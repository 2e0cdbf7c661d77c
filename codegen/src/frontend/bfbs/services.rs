//! Services, by the rules of the `.fbs` front end.

use std::collections::{HashMap, HashSet};

use flatbuffers_reflection::reflection::{Object, RPCCall, Service as BinaryService};

use super::{attribute, convert::Converter, index::ObjectId, name};
use crate::ir::{
    Diagnostic, FullName, Idempotency, Method, OptionValue, Options, PayloadCodec, PayloadType,
    Service, ServiceId, Streaming, TableId, code,
};

impl<'b> Converter<'_, 'b> {
    pub(super) fn convert_services(&mut self) -> Option<()> {
        let mut names: HashSet<&'b str> = HashSet::new();
        for it in self.binary.services().into_iter().flatten() {
            self.spend(1, 2 * it.name().len())?;
            if !name::is_full_name(it.name()) {
                self.malformed(format!("a service is called {}", name::shown(it.name())));
            } else if !names.insert(it.name()) {
                let message = format!("two services are called {}", name::shown(it.name()));
                self.error(code::FBS_DUPLICATE, message);
            } else {
                self.service(it)?;
            }
        }
        Some(())
    }

    fn service(&mut self, it: BinaryService<'b>) -> Option<()> {
        let full_name = it.name();
        let mut names = HashSet::new();
        let mut methods = Vec::new();
        for call in it.calls().into_iter().flatten() {
            self.spend(1, call.name().len())?;
            if self.check_member(&mut names, full_name, call.name()) {
                methods.extend(self.method(full_name, call)?);
            }
        }
        let file = self.file_of(it.declaration_file());
        self.files.serve(file, ServiceId(self.schema.services.len() as u32));
        let is_input = self.schema.files.get(file.0 as usize).is_some_and(|file| file.is_input);
        self.check_method_ids(full_name, &mut methods, is_input);
        let service = Service {
            schema_name: name::last(full_name).to_owned(),
            full_name: FullName(full_name.to_owned()),
            file,
            codec: PayloadCodec::FlatBuffers,
            methods,
            options: self.options(it.attributes())?,
            doc: self.doc(it.documentation())?,
            span: self.place,
            name_span: self.place,
        };
        self.schema.services.push(service);
        Some(())
    }

    /// The outer `None` gives the file up, the inner one the method.
    fn method(&mut self, service: &str, call: RPCCall<'b>) -> Option<Option<Method>> {
        let options = self.options(call.attributes())?;
        let doc = self.doc(call.documentation())?;
        let method = call.name();
        let streaming = self.streaming(service, method, &options);
        let input = self.payload(service, method, "takes", call.request());
        let output = self.payload(service, method, "returns", call.response());
        let Some((input, output)) = input.zip(output) else { return Some(None) };
        let idempotent = attribute::has(&options, "idempotent");
        Some(Some(Method {
            schema_name: method.to_owned(),
            explicit_id: None,
            input: PayloadType::Table(input),
            output: PayloadType::Table(output),
            streaming,
            idempotency: if idempotent { Idempotency::Idempotent } else { Idempotency::Unknown },
            options,
            doc,
            span: self.place,
            name_span: self.place,
        }))
    }

    /// A method refers to its tables by copies of them; their names say which are meant.
    fn payload(
        &mut self,
        service: &str,
        method: &str,
        does: &str,
        object: Object<'b>,
    ) -> Option<TableId> {
        match self.index.named(object.name()) {
            Some(ObjectId::Table(id)) => Some(id),
            Some(ObjectId::Struct(_)) => {
                let shown = name::shown(object.name());
                let message = format!("`{service}.{method}` {does} {shown}, which is no table");
                self.error(code::FBS_RPC_TYPE, message);
                None
            }
            None => {
                let shown = name::shown(object.name());
                let message = format!("`{service}.{method}` {does} {shown}, which does not exist");
                self.error(code::FBS_UNRESOLVED, message);
                None
            }
        }
    }

    fn streaming(&mut self, service: &str, method: &str, options: &Options) -> Streaming {
        let Some(value) = options.get("streaming") else { return Streaming::Unary };
        let known = match value {
            OptionValue::String(text) => match text.as_str() {
                "none" => Some(Streaming::Unary),
                "client" => Some(Streaming::Client),
                "server" => Some(Streaming::Server),
                "bidi" => Some(Streaming::Bidirectional),
                _ => None,
            },
            _ => None,
        };
        if known.is_none() {
            let message = format!(
                "`streaming` of `{service}.{method}` is none of \"none\", \"client\", \"server\" \
                 and \"bidi\""
            );
            let found = Diagnostic::error(code::FBS_STREAMING, message).label(self.place, "");
            self.report(found.help("flatc takes any value here and then ignores it"));
        }
        known.unwrap_or(Streaming::Unary)
    }

    /// Ids of methods: all explicit, or all by position with a warning.
    fn check_method_ids(&mut self, service: &str, methods: &mut [Method], is_input: bool) {
        let with = methods.iter().filter(|it| attribute::has(&it.options, "id")).count();
        if with == 0 {
            if is_input && !methods.is_empty() {
                let message =
                    format!("the methods of `{service}` have no ids, so their positions are taken");
                let found = Diagnostic::warning(code::FBS_METHOD_ID_MISSING, message);
                let help = "positions move when methods do, and peers find methods by them: add \
                            `(id: 0)` and so on to the schema, and keep them by `--bfbs-builtins`";
                self.report(found.label(self.place, "").help(help));
            }
            return;
        }
        if with < methods.len() {
            let message = format!("either all methods of `{service}` have an id or none");
            self.error(code::FBS_METHOD_ID, message);
        }
        let mut taken: HashMap<u32, String> = HashMap::new();
        for method in methods {
            if !attribute::has(&method.options, "id") {
                continue;
            }
            let id = attribute::number_of(&method.options, "id");
            let Some(id) = id.filter(|id| i32::try_from(*id).is_ok()) else {
                let name = &method.schema_name;
                let message =
                    format!("the id of `{service}.{name}` is no number from 0 to {}", i32::MAX);
                self.error(code::FBS_METHOD_ID, message);
                continue;
            };
            method.explicit_id = Some(id);
            if let Some(first) = taken.insert(id, method.schema_name.clone()) {
                let second = &method.schema_name;
                let message = format!("`{first}` and `{second}` of `{service}` have the id {id}");
                self.error(code::FBS_METHOD_ID, message);
            }
        }
    }
}
