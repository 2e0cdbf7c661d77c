//! Puts the names that `lower` decided in the place of the neutral ones, adds documentation and
//! attributes, and sorts the items into modules.

use std::collections::BTreeMap;

use syn::{Attribute, Field, Fields, Ident, Item, ItemEnum, ItemImpl, ItemStruct, Variant};

use super::attribute::{docs, merge_derives, parse};
use super::marker::{self, Marker};
use super::path::PathFixer;
use super::type_name;
use super::{Context, Items};
use crate::backend::rust::lower::ident::{camel, snake};
use crate::backend::rust::lower::model::{ModulePath, TypePlace};
use crate::backend::rust::lower::{files_by_name, sanitize};
use crate::backend::rust::path_map::PathMap;
use crate::ir::{self, Diagnostic, EnumId, FileId, MessageId};

/// Rewrites prost-build's items.
pub(super) fn rewrite(context: &Context<'_>, items: Vec<Item>) -> Result<Items, Vec<Diagnostic>> {
    let mut rank = vec![0; context.schema.files.len()];
    for (at, id) in files_by_name(context.schema).into_iter().enumerate() {
        rank[id.0 as usize] = at;
    }
    let sorted = BTreeMap::new();
    let mut rewriter = Rewriter { context, rank, sorted, diagnostics: Vec::new() };
    for item in items {
        rewriter.item(item);
    }
    if !rewriter.diagnostics.is_empty() {
        return Err(rewriter.diagnostics);
    }
    let flat = |items: BTreeMap<Place, Vec<Item>>| items.into_values().flatten().collect();
    Ok(rewriter.sorted.into_iter().map(|(module, items)| (module, flat(items))).collect())
}

/// Where an item stands in its module: messages, enums, oneofs of one file after the other, each
/// in the order of the schema.
type Place = (usize, u8, u32, usize);

struct Rewriter<'a> {
    context: &'a Context<'a>,
    /// By file id: its place among all files, by name.
    rank: Vec<usize>,
    sorted: BTreeMap<ModulePath, BTreeMap<Place, Vec<Item>>>,
    diagnostics: Vec<Diagnostic>,
}

impl Rewriter<'_> {
    fn item(&mut self, item: Item) {
        match item {
            Item::Struct(item) => {
                if let Some(Marker::Message(id)) = marker::read(&item.ident.to_string()) {
                    self.message(id, item);
                }
            }
            Item::Enum(item) => match marker::read(&item.ident.to_string()) {
                Some(Marker::Enum(id)) => self.enumeration(id, item),
                Some(Marker::Oneof(id, index)) => self.oneof(id, index, item),
                _ => {}
            },
            Item::Impl(item) => self.implementation(item),
            // The module of a message's oneofs.
            Item::Mod(item) => {
                for item in item.content.into_iter().flat_map(|(_, items)| items) {
                    self.item(item);
                }
            }
            _ => {}
        }
    }

    fn rank_of(&self, file: FileId) -> usize {
        self.rank[file.0 as usize]
    }

    fn put(&mut self, module: &ModulePath, place: Place, items: impl IntoIterator<Item = Item>) {
        let module = self.sorted.entry(module.clone()).or_default();
        module.entry(place).or_default().extend(items);
    }

    fn message(&mut self, id: MessageId, mut item: ItemStruct) {
        let context = self.context;
        let message = context.schema.message(id);
        let TypePlace::Local { module, ident } = &context.names.places[id.0 as usize] else {
            return;
        };
        let path = format!(".{}", message.full_name);
        let options = &context.options.messages;
        let mut users = self.attributes(&options.type_attributes, &path);
        users.extend(self.attributes(&options.message_attributes, &path));
        let skip_debug = options.skip_debug.selects(&path);
        let implied: &[&str] = if skip_debug { &["Default"] } else { &["Default", "Debug"] };
        merge_derives(&mut users, &item.attrs, implied);
        if skip_debug {
            item.attrs.push(syn::parse_quote!(#[prost(skip_debug)]));
        }
        let fallback = format!("Message `{}`.", message.full_name);
        let doc = self.docs(&path, &message.doc, fallback, ident != &camel(&message.schema_name));
        item.attrs = doc.into_iter().chain(users).chain(item.attrs).collect();
        item.ident = raw_ident(ident);
        if let Fields::Named(fields) = &mut item.fields {
            for field in &mut fields.named {
                match field.ident.as_ref().and_then(|ident| marker::read(&ident.to_string())) {
                    Some(Marker::Field(index)) => self.field(id, index, module, field),
                    Some(Marker::Oneof(_, index)) => self.oneof_field(id, index, module, field),
                    _ => {}
                }
            }
        }
        let mut items = vec![Item::Struct(item)];
        if options.enable_type_names {
            items.push(type_name::implement(context, id, ident));
        }
        let place = (self.rank_of(message.file), 0, id.0, 0);
        self.put(module, place, items);
    }

    fn field(&mut self, holder: MessageId, index: usize, module: &ModulePath, item: &mut Field) {
        let context = self.context;
        let message = context.schema.message(holder);
        let field = &message.fields[index];
        let ident = &context.names.messages[holder.0 as usize].members[index];
        let path = format!(".{}.{}", message.full_name, field.schema_name);
        let fallback = format!("Field `{}`, number {}.", field.schema_name, field.number);
        let doc = self.docs(&path, &field.doc, fallback, ident != &snake(&field.schema_name));
        item.ident = Some(raw_ident(ident));
        let default = self.enum_default(field);
        self.fixer(module, default).field(item);
        self.finish_member(&mut item.attrs, doc, field, &path);
    }

    fn oneof_field(
        &mut self,
        holder: MessageId,
        index: usize,
        module: &ModulePath,
        item: &mut Field,
    ) {
        let context = self.context;
        let message = context.schema.message(holder);
        let oneof = &message.oneofs[index];
        let ident = &context.names.messages[holder.0 as usize].oneofs[index].field;
        let path = format!(".{}.{}", message.full_name, oneof.schema_name);
        let fallback = format!("Oneof `{}`.", oneof.schema_name);
        let doc = self.docs(&path, &oneof.doc, fallback, ident != &snake(&oneof.schema_name));
        item.ident = Some(raw_ident(ident));
        self.fixer(module, None).field(item);
        let users = self.attributes(&context.options.messages.field_attributes, &path);
        let attrs = std::mem::take(&mut item.attrs);
        item.attrs = doc.into_iter().chain(attrs).chain(users).collect();
    }

    fn oneof(&mut self, holder: MessageId, index: usize, mut item: ItemEnum) {
        let context = self.context;
        let message = context.schema.message(holder);
        let oneof = &message.oneofs[index];
        let names = &context.names.messages[holder.0 as usize];
        let path = format!(".{}.{}", message.full_name, oneof.schema_name);
        let options = &context.options.messages;
        let mut users = self.attributes(&options.type_attributes, &path);
        users.extend(self.attributes(&options.enum_attributes, &path));
        let skip_debug = options.skip_debug.selects(&format!(".{}", message.full_name));
        let implied: &[&str] = if skip_debug { &[] } else { &["Debug"] };
        merge_derives(&mut users, &item.attrs, implied);
        if skip_debug {
            item.attrs.push(syn::parse_quote!(#[prost(skip_debug)]));
        }
        let fallback = format!("Oneof `{}` of `{}`.", oneof.schema_name, message.full_name);
        let doc = self.docs(&path, &oneof.doc, fallback, false);
        item.attrs = doc.into_iter().chain(users).chain(item.attrs).collect();
        item.ident = raw_ident(&names.oneofs[index].type_ident);
        for variant in &mut item.variants {
            self.oneof_variant(holder, &path, variant);
        }
        let place = (self.rank_of(message.file), 2, holder.0, index);
        self.put(&names.nested, place, [Item::Enum(item)]);
    }

    fn oneof_variant(&mut self, holder: MessageId, oneof_path: &str, item: &mut Variant) {
        let context = self.context;
        let Some(Marker::Field(index)) = marker::read(&item.ident.to_string()) else { return };
        let field = &context.schema.message(holder).fields[index];
        let names = &context.names.messages[holder.0 as usize];
        let ident = &names.members[index];
        let path = format!("{oneof_path}.{}", field.schema_name);
        let fallback = format!("Field `{}`, number {}.", field.schema_name, field.number);
        let doc = self.docs(&path, &field.doc, fallback, ident != &camel(&field.schema_name));
        item.ident = raw_ident(ident);
        self.fixer(&names.nested, None).variant(item);
        self.finish_member(&mut item.attrs, doc, field, &path);
    }

    fn enumeration(&mut self, id: EnumId, mut item: ItemEnum) {
        let context = self.context;
        let enumeration = context.schema.enumeration(id);
        let TypePlace::Local { module, ident } = &context.names.enum_places[id.0 as usize] else {
            return;
        };
        let path = format!(".{}", enumeration.full_name);
        let options = &context.options.messages;
        let mut users = self.attributes(&options.type_attributes, &path);
        users.extend(self.attributes(&options.enum_attributes, &path));
        let skip_debug = options.skip_debug.selects(&path);
        if skip_debug {
            remove_debug(&mut item.attrs);
        }
        merge_derives(&mut users, &item.attrs, &["Default"]);
        let fallback = format!("Enum `{}`.", enumeration.full_name);
        let doc =
            self.docs(&path, &enumeration.doc, fallback, ident != &camel(&enumeration.schema_name));
        item.attrs = doc.into_iter().chain(users).chain(item.attrs).collect();
        item.ident = raw_ident(ident);
        for variant in &mut item.variants {
            let Some(Marker::Value(index)) = marker::read(&variant.ident.to_string()) else {
                continue;
            };
            let value = &enumeration.values[index];
            let path = format!("{path}.{}", value.schema_name);
            let fallback = format!("Value `{}`.", value.schema_name);
            let doc = self.docs(&path, &value.doc, fallback, false);
            let users = self.attributes(&options.field_attributes, &path);
            let attrs = std::mem::take(&mut variant.attrs);
            variant.attrs = doc.into_iter().chain(users).chain(attrs).collect();
            variant.ident = raw_ident(&context.names.variants[id.0 as usize][index]);
        }
        let place = (self.rank_of(enumeration.file), 1, id.0, 0);
        self.put(module, place, [Item::Enum(item)]);
    }

    fn implementation(&mut self, mut item: ItemImpl) {
        let syn::Type::Path(of) = &*item.self_ty else { return };
        let Some(last) = of.path.segments.last() else { return };
        let Some(Marker::Enum(id)) = marker::read(&last.ident.to_string()) else { return };
        let TypePlace::Local { module, .. } = &self.context.names.enum_places[id.0 as usize] else {
            return;
        };
        self.fixer(module, None).implementation(id, &mut item);
        let file = self.context.schema.enumeration(id).file;
        self.put(module, (self.rank_of(file), 1, id.0, 0), [Item::Impl(item)]);
    }

    /// Docs before, what the user wants behind, and `deprecated`, which prost-build forgets on maps.
    fn finish_member(
        &mut self,
        attrs: &mut Vec<Attribute>,
        mut doc: Vec<Attribute>,
        field: &ir::Field,
        path: &str,
    ) {
        if field.options.flag("deprecated")
            && !attrs.iter().any(|it| it.path().is_ident("deprecated"))
        {
            doc.push(syn::parse_quote!(#[deprecated]));
        }
        let users = self.attributes(&self.context.options.messages.field_attributes, path);
        let generated = std::mem::take(attrs);
        *attrs = doc.into_iter().chain(generated).chain(users).collect();
    }

    /// The variant that stands for the default of an enum field.
    fn enum_default(&self, field: &ir::Field) -> Option<String> {
        let ir::FieldKind::Enum(id) = field.kind else { return None };
        let wanted = field.default.as_deref()?;
        let enumeration = self.context.schema.enumeration(id);
        let index = enumeration.values.iter().position(|value| value.schema_name == wanted)?;
        let local = self.context.names.variants[id.0 as usize].get(index).cloned();
        // Somebody else's enum: the name that prost-build would give it.
        let foreign = || {
            let prefix = camel(&enumeration.schema_name);
            crate::backend::rust::lower::ident::strip_enum_prefix(&prefix, &camel(wanted))
        };
        Some(local.unwrap_or_else(foreign))
    }

    fn fixer(&self, module: &ModulePath, default: Option<String>) -> PathFixer<'_> {
        PathFixer { context: self.context, module: module.clone(), default }
    }

    fn docs(&self, path: &str, doc: &ir::Doc, fallback: String, renamed: bool) -> Vec<Attribute> {
        let wanted = !self.context.options.disable_comments.selects(path);
        let text = doc.text().filter(|_| wanted).map(sanitize).filter(|text| !text.is_empty());
        let mut text = text.unwrap_or(fallback);
        if renamed {
            let name = path.rsplit('.').next().unwrap_or(path);
            text.push_str(&format!("\n\nCalled `{name}` in the schema."));
        }
        docs(&text)
    }

    fn attributes(&mut self, map: &PathMap<String>, path: &str) -> Vec<Attribute> {
        let mut attributes = Vec::new();
        for text in map.all(path) {
            match parse(text) {
                Ok(parsed) => attributes.extend(parsed),
                Err(diagnostic) if !self.diagnostics.contains(&diagnostic) => {
                    self.diagnostics.push(diagnostic);
                }
                Err(_) => {}
            }
        }
        attributes
    }
}

fn remove_debug(attrs: &mut [Attribute]) {
    for attribute in attrs.iter_mut().filter(|it| it.path().is_ident("derive")) {
        let kept = super::attribute::derived(attribute);
        let kept = kept.into_iter().filter(|path| !path.is_ident("Debug"));
        *attribute = syn::parse_quote!(#[derive(#(#kept),*)]);
    }
}

/// An identifier that may be raw.
pub(super) fn raw_ident(ident: &str) -> Ident {
    let span = proc_macro2::Span::call_site();
    match ident.strip_prefix("r#") {
        Some(word) => Ident::new_raw(word, span),
        None => Ident::new(ident, span),
    }
}
