//! The schema as readable text, for snapshots and for people who debug a front end.
//!
//! The format is no contract: it changes whenever the model does.

use std::fmt::{self, Display, Write};

use super::{
    Doc, Enum, Field, FieldKind, FieldLabel, File, Idempotency, Message, Method, OptionValue,
    Options, PayloadType, Schema, Service, ServiceId, Span, Streaming,
};

/// Dumps every file that has a text, and the names of the others.
pub fn dump(schema: &Schema) -> String {
    let mut dumper = Dumper::new(schema);
    for file in &schema.files {
        dumper.file(file);
    }
    dumper.into_text()
}

/// One service of a schema, in the same form.
pub fn dump_service(schema: &Schema, id: ServiceId) -> String {
    let mut dumper = Dumper::new(schema);
    dumper.service(schema.service(id));
    dumper.into_text()
}

pub(super) struct Dumper<'a> {
    pub(super) schema: &'a Schema,
    out: String,
    depth: usize,
}

impl<'a> Dumper<'a> {
    pub(super) fn new(schema: &'a Schema) -> Self {
        Self { schema, out: String::new(), depth: 0 }
    }

    pub(super) fn into_text(self) -> String {
        self.out
    }

    pub(super) fn line(&mut self, text: impl Display) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.out, "{:width$}{text}", "", width = self.depth * 2);
    }

    pub(super) fn nested(&mut self, visit: impl FnOnce(&mut Self)) {
        self.depth += 1;
        visit(self);
        self.depth -= 1;
    }

    fn file(&mut self, file: &File) {
        let schema = self.schema;
        let input = if file.is_input { ", input" } else { "" };
        let syntax = file.syntax;
        self.line(format_args!("file {} ({syntax:?}{input})", file.import_name));
        if schema.source(file.source).text.is_none() && !file.is_input {
            return;
        }
        self.nested(|this| {
            this.line(format_args!("package `{}` at {}", file.package, At(file.package_span)));
            this.doc(&file.doc);
            this.options(&file.options);
            for import in &file.imports {
                let public = if import.public { "public " } else { "" };
                let name = &schema.file(import.file).import_name;
                let at = import.span.map_or(String::new(), |span| format!(" at {}", At(span)));
                this.line(format_args!("import {public}{name}{at}"));
            }
            for id in file.messages.iter().filter(|id| schema.message(**id).parent.is_none()) {
                this.message(schema.message(*id));
            }
            for id in file.enums.iter().filter(|id| schema.enumeration(**id).parent.is_none()) {
                this.enumeration(schema.enumeration(*id));
            }
            this.flat(&file.flat);
            for id in &file.services {
                this.service(schema.service(*id));
            }
        });
    }

    fn message(&mut self, message: &Message) {
        let schema = self.schema;
        let at = Places(message.name_span, message.span);
        self.line(format_args!("message {} at {at}", message.full_name));
        self.nested(|this| {
            this.doc(&message.doc);
            this.options(&message.options);
            for oneof in &message.oneofs {
                let at = Places(oneof.name_span, oneof.span);
                this.line(format_args!("oneof {} at {at}", oneof.schema_name));
                this.nested(|this| {
                    this.doc(&oneof.doc);
                    this.options(&oneof.options);
                });
            }
            for field in &message.fields {
                this.field(message, field);
            }
            for id in &message.messages {
                this.message(schema.message(*id));
            }
            for id in &message.enums {
                this.enumeration(schema.enumeration(*id));
            }
        });
    }

    fn field(&mut self, message: &Message, field: &Field) {
        let mut facts = match field.label {
            FieldLabel::Optional => "optional ",
            FieldLabel::Required => "required ",
            FieldLabel::Implicit => "implicit ",
            FieldLabel::Repeated => "repeated ",
        }
        .to_owned();
        facts.push_str(&self.kind(&field.kind));
        if field.packed {
            facts.push_str(", packed");
        }
        if let Some(oneof) = field.oneof.and_then(|at| message.oneofs.get(at)) {
            facts.push_str(&format!(", in {}", oneof.schema_name));
        }
        if let Some(default) = &field.default {
            facts.push_str(&format!(", default {default:?}"));
        }
        let at = Places(field.name_span, field.span);
        let (number, name) = (field.number, &field.schema_name);
        self.line(format_args!(
            "field {number} {name}: {facts}, json {:?} at {at}",
            field.json_name
        ));
        self.nested(|this| {
            this.doc(&field.doc);
            this.options(&field.options);
        });
    }

    fn kind(&self, kind: &FieldKind) -> String {
        match kind {
            FieldKind::Scalar(scalar) => format!("{scalar:?}").to_lowercase(),
            FieldKind::Enum(id) => format!("enum {}", self.schema.enumeration(*id).full_name),
            FieldKind::Message(id) => format!("message {}", self.schema.message(*id).full_name),
            FieldKind::Group(id) => format!("group {}", self.schema.message(*id).full_name),
            FieldKind::Map(map) => {
                let entry = &self.schema.message(map.entry).full_name;
                let key = format!("{:?}", map.key).to_lowercase();
                format!("map<{key}, {}> by {entry}", self.kind(&map.value))
            }
        }
    }

    fn enumeration(&mut self, enumeration: &Enum) {
        let at = Places(enumeration.name_span, enumeration.span);
        self.line(format_args!("enum {} at {at}", enumeration.full_name));
        self.nested(|this| {
            this.doc(&enumeration.doc);
            this.options(&enumeration.options);
            for value in &enumeration.values {
                let at = Places(value.name_span, value.span);
                this.line(format_args!("value {} = {} at {at}", value.schema_name, value.number));
                this.nested(|this| {
                    this.doc(&value.doc);
                    this.options(&value.options);
                });
            }
        });
    }

    fn service(&mut self, service: &Service) {
        let at = Places(service.name_span, service.span);
        self.line(format_args!("service {} ({:?}) at {at}", service.full_name, service.codec));
        self.nested(|this| {
            this.doc(&service.doc);
            this.options(&service.options);
            service.methods.iter().for_each(|method| this.method(method));
        });
    }

    fn method(&mut self, method: &Method) {
        let (input, output) = (self.payload(method.input), self.payload(method.output));
        let mut facts = match method.streaming {
            Streaming::Unary => String::new(),
            streaming => format!(", streaming {streaming:?}"),
        };
        if method.idempotency != Idempotency::Unknown {
            facts.push_str(&format!(", {:?}", method.idempotency));
        }
        if let Some(id) = method.explicit_id {
            facts.push_str(&format!(", id {id}"));
        }
        let at = Places(method.name_span, method.span);
        self.line(format_args!("rpc {}({input}) -> {output}{facts} at {at}", method.schema_name));
        self.nested(|this| {
            this.doc(&method.doc);
            this.options(&method.options);
        });
    }

    fn payload(&self, payload: PayloadType) -> String {
        match payload {
            PayloadType::Message(id) => self.schema.message(id).full_name.to_string(),
            PayloadType::Table(id) => self.schema.flat.table(id).declaration.full_name.to_string(),
        }
    }

    pub(super) fn doc(&mut self, doc: &Doc) {
        for detached in &doc.detached {
            self.line(format_args!("detached {detached:?}"));
        }
        if let Some(leading) = &doc.leading {
            self.line(format_args!("leading {leading:?}"));
        }
        if let Some(trailing) = &doc.trailing {
            self.line(format_args!("trailing {trailing:?}"));
        }
    }

    pub(super) fn options(&mut self, options: &Options) {
        for option in &options.0 {
            let name =
                if option.custom { format!("({})", option.name) } else { option.name.clone() };
            let at = option.span.map_or(String::new(), |span| format!(" at {}", At(span)));
            self.line(format_args!("option {name} = {}{at}", Value(&option.value)));
        }
    }
}

/// `4:9-4:13`
struct At(Span);

impl Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Span { start, end, .. } = self.0;
        write!(f, "{}:{}-{}:{}", start.line, start.column, end.line, end.column)
    }
}

/// Name, then the whole declaration.
pub(super) struct Places(pub(super) Span, pub(super) Span);

impl Display for Places {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", At(self.0), At(self.1))
    }
}

struct Value<'a>(&'a OptionValue);

impl Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            OptionValue::Bool(value) => write!(f, "{value}"),
            OptionValue::Int(value) => write!(f, "{value}"),
            OptionValue::Uint(value) => write!(f, "{value}u"),
            OptionValue::Float(value) => write!(f, "{value:?}"),
            OptionValue::String(value) => write!(f, "{value:?}"),
            OptionValue::Bytes(value) => write!(f, "b\"{}\"", value.escape_ascii()),
            OptionValue::Enum(value) => f.write_str(value),
            OptionValue::List(values) => {
                f.write_str("[")?;
                for (at, value) in values.iter().enumerate() {
                    write!(f, "{}{}", if at == 0 { "" } else { ", " }, Value(value))?;
                }
                f.write_str("]")
            }
            OptionValue::Message(fields) => {
                f.write_str("{")?;
                for (name, value) in fields {
                    write!(f, " {name}: {}", Value(value))?;
                }
                f.write_str(" }")
            }
        }
    }
}
