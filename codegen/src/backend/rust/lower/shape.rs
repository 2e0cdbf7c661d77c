//! Lowers the facts that bound what decoding may allocate: for every message that a package's
//! methods can receive, the fields that repeat, nest or must be there.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{Field, FieldKind, FieldLabel, MapField, MessageId, PayloadType, Scalar, TableId};

use super::Lower;
use super::graph::{Graph, held_message};
use super::model::{ModulePath, RustModel, RustService, RustShape, ShapeField, ShapeKind};
use super::path::field_path;
use super::place::HIDDEN_MODULE;
use super::scope::Scope;
use super::{ident, model};

impl Lower<'_> {
    /// The shapes of every package module, ordered by full name.
    pub(super) fn lower_shapes(&self, graph: &Graph, model: &mut RustModel) {
        let mut services: BTreeMap<&ModulePath, Vec<&RustService>> = BTreeMap::new();
        for service in &model.services {
            services.entry(&service.module).or_default().push(service);
        }
        let mut shape_idents = BTreeMap::new();
        let mut shapes = BTreeMap::new();
        let mut table_idents = BTreeMap::new();
        for (module, services) in services {
            let idents = self.shape_idents(&services);
            let hidden = module.child(HIDDEN_MODULE);
            let mut list: Vec<RustShape> = idents
                .iter()
                .map(|((_, id), ident)| {
                    self.shape(graph, &model.names, &hidden, &idents, *id, ident)
                })
                .collect();
            for ((_, id), ident) in &idents {
                shape_idents.insert((module.clone(), *id), ident.clone());
            }
            let tables = self.table_shapes(&services, &idents);
            for (id, shape) in tables {
                table_idents.insert((module.clone(), id), shape.ident.clone());
                list.push(shape);
            }
            shapes.insert(module.clone(), list);
        }
        model.shapes = shapes;
        model.shape_idents = shape_idents;
        model.table_shape_idents = table_idents;
    }

    /// The tables that the services name. The verifier knows their fields; here they are a name.
    fn table_shapes(
        &self,
        services: &[&RustService],
        messages: &BTreeMap<(String, MessageId), String>,
    ) -> Vec<(TableId, RustShape)> {
        let methods = services.iter().flat_map(|service| &service.methods);
        let payloads = methods.flat_map(|method| [method.input, method.output]);
        let tables: BTreeMap<&str, TableId> = payloads
            .filter_map(PayloadType::table)
            .map(|id| (self.schema.flat.table(id).declaration.full_name.0.as_str(), id))
            .collect();
        let mut scope = Scope::default();
        for ident in messages.values() {
            let _ = scope.companion(ident, "a shape");
        }
        let shape = |(full_name, id): (&str, TableId)| {
            let wanted = ident::shouty(&full_name.replace('.', "_"));
            let ident = scope.companion(&wanted, "a shape");
            (id, RustShape { ident, full_name: full_name.to_owned(), fields: Vec::new() })
        };
        tables.into_iter().map(shape).collect()
    }

    /// Every message that the services reach, by full name, with the identifier of its shape.
    fn shape_idents(&self, services: &[&RustService]) -> BTreeMap<(String, MessageId), String> {
        let methods = services.iter().flat_map(|service| &service.methods);
        let payloads = methods.flat_map(|method| [method.input, method.output]);
        let mut todo: Vec<MessageId> = payloads.filter_map(PayloadType::message).collect();
        let mut reached = BTreeSet::new();
        while let Some(id) = todo.pop() {
            if reached.insert((self.schema.message(id).full_name.0.clone(), id)) {
                let fields = &self.schema.message(id).fields;
                todo.extend(fields.iter().filter_map(|field| held_entry(&field.kind)));
            }
        }
        let mut scope = Scope::default();
        reached
            .into_iter()
            .map(|key| {
                let ident = scope.companion(&ident::shouty(&key.0.replace('.', "_")), "a shape");
                (key, ident)
            })
            .collect()
    }

    fn shape(
        &self,
        graph: &Graph,
        names: &model::Names,
        hidden: &ModulePath,
        idents: &BTreeMap<(String, MessageId), String>,
        id: MessageId,
        ident: &str,
    ) -> RustShape {
        let message = self.schema.message(id);
        let context = Context { graph, names, hidden, idents };
        let mut fields: Vec<ShapeField> = message
            .fields
            .iter()
            .filter_map(|field| self.shape_field(&context, id, field))
            .collect();
        fields.sort_by_key(|field| field.number);
        RustShape { ident: ident.to_owned(), full_name: message.full_name.0.clone(), fields }
    }

    fn shape_field(
        &self,
        context: &Context<'_>,
        holder: MessageId,
        field: &Field,
    ) -> Option<ShapeField> {
        let repeated = field.label == FieldLabel::Repeated;
        let required = field.label == FieldLabel::Required;
        let element = || self.element_type(context, &field.kind);
        let (kind, boxed) = match &field.kind {
            FieldKind::Scalar(_) | FieldKind::Enum(_) if !repeated && !required => return None,
            FieldKind::Scalar(scalar) => (ShapeKind::Scalar(wire(*scalar)), None),
            FieldKind::Enum(_) => (ShapeKind::Scalar("Varint"), None),
            FieldKind::Message(id) => (
                ShapeKind::Message(self.shape_ident(context, *id)),
                self.heap(context, holder, field),
            ),
            FieldKind::Group(id) => (
                ShapeKind::Group(self.shape_ident(context, *id)),
                self.heap(context, holder, field),
            ),
            FieldKind::Map(map) => (ShapeKind::Message(self.shape_ident(context, map.entry)), None),
        };
        Some(ShapeField {
            number: field.number,
            schema_name: field.schema_name.clone(),
            kind,
            repeated: repeated.then(element),
            boxed,
            required,
        })
    }

    fn shape_ident(&self, context: &Context<'_>, id: MessageId) -> String {
        let key = (self.schema.message(id).full_name.0.clone(), id);
        context.idents.get(&key).cloned().unwrap_or_default()
    }

    /// The type behind the box of a singular field, if there is one.
    fn heap(&self, context: &Context<'_>, holder: MessageId, field: &Field) -> Option<String> {
        let boxed = context.graph.is_recursive(holder, field)
            || self.options.messages.boxed.selects(&field_path(self.schema, holder, field));
        (boxed && field.label != FieldLabel::Repeated)
            .then(|| self.element_type(context, &field.kind))
    }

    /// The Rust type of one element of the field.
    fn element_type(&self, context: &Context<'_>, kind: &FieldKind) -> String {
        match kind {
            FieldKind::Scalar(scalar) => self.scalar_type(*scalar),
            FieldKind::Enum(_) => "i32".to_owned(),
            FieldKind::Message(id) | FieldKind::Group(id) => {
                let text = context.names.message_type(context.hidden, *id);
                // A path that the user wrote for the package's module; this one is a step deeper.
                let external =
                    !matches!(context.names.places[id.0 as usize], model::TypePlace::Local { .. });
                let relative = text.starts_with("super::") || text.starts_with("self::");
                if external && relative {
                    format!("super::{text}").replace("::self::", "::")
                } else {
                    text
                }
            }
            FieldKind::Map(map) => self.entry_type(context, map),
        }
    }

    fn entry_type(&self, context: &Context<'_>, map: &MapField) -> String {
        let key = self.scalar_type(map.key);
        format!("({key}, {})", self.element_type(context, &map.value))
    }

    /// Sizes alone matter here, so `Vec<u8>` stands for bytes of either kind unless configured.
    fn scalar_type(&self, scalar: Scalar) -> String {
        let prost = &self.options.messages.prost_path;
        match scalar {
            Scalar::Double => "f64".to_owned(),
            Scalar::Float => "f32".to_owned(),
            Scalar::Int64 | Scalar::Sfixed64 | Scalar::Sint64 => "i64".to_owned(),
            Scalar::Uint64 | Scalar::Fixed64 => "u64".to_owned(),
            Scalar::Int32 | Scalar::Sfixed32 | Scalar::Sint32 => "i32".to_owned(),
            Scalar::Uint32 | Scalar::Fixed32 => "u32".to_owned(),
            Scalar::Bool => "bool".to_owned(),
            Scalar::String => format!("{prost}::alloc::string::String"),
            // `Bytes` is a word larger than `Vec<u8>`: count it always, the smaller one is safe too.
            Scalar::Bytes => format!("{prost}::bytes::Bytes"),
        }
    }
}

struct Context<'a> {
    graph: &'a Graph,
    names: &'a model::Names,
    hidden: &'a ModulePath,
    idents: &'a BTreeMap<(String, MessageId), String>,
}

/// The message that stands in the field on the wire: for a map, its entry.
fn held_entry(kind: &FieldKind) -> Option<MessageId> {
    match kind {
        FieldKind::Map(map) => Some(map.entry),
        other => held_message(other),
    }
}

/// The wire type of a scalar, by the runtime's name.
fn wire(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Double | Scalar::Fixed64 | Scalar::Sfixed64 => "Fixed64",
        Scalar::Float | Scalar::Fixed32 | Scalar::Sfixed32 => "Fixed32",
        Scalar::String | Scalar::Bytes => "Bytes",
        Scalar::Int64
        | Scalar::Uint64
        | Scalar::Int32
        | Scalar::Bool
        | Scalar::Uint32
        | Scalar::Sint32
        | Scalar::Sint64 => "Varint",
    }
}
