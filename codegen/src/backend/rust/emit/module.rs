//! Sorts everything into files: one for every module of the tree that has items, nested modules
//! inside.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use syn::{Item, ItemMod, Visibility, token};

use super::{API, Emit, ident};
use crate::backend::rust::lower::model::{ModulePath, RustModel, RustService};
use crate::backend::rust::messages::attribute::docs as doc_attributes;
use crate::ir::PayloadCodec;

/// The content of every file, by its module.
pub(crate) type Files = BTreeMap<ModulePath, Content>;

/// What stands in a file, top to bottom.
#[derive(Default)]
pub(crate) struct Content {
    /// The version guard.
    pub(crate) head: TokenStream,
    /// Messages: parsed already, so they stay as they are.
    pub(crate) types: Vec<Item>,
    /// Messages that are text already.
    pub(crate) printed: String,
    /// Services and what belongs to them.
    pub(crate) services: TokenStream,
}

/// The FlatBuffers messages of one module.
#[derive(Default)]
pub(crate) struct FlatText {
    /// As text: the syntax trees of thousands of tables would take gigabytes.
    pub(crate) text: String,
    /// True when it names the runtime.
    pub(crate) needs_runtime: bool,
}

/// The tokens of every file. `full_names` are those of the messages, by id.
pub(crate) fn files(
    emit: &Emit<'_>,
    model: &RustModel,
    full_names: &[String],
    mut items: BTreeMap<ModulePath, Vec<Item>>,
    mut flat: BTreeMap<ModulePath, FlatText>,
) -> Files {
    let mut services: BTreeMap<&ModulePath, Vec<&RustService>> = BTreeMap::new();
    for service in &model.services {
        services.entry(&service.module).or_default().push(service);
    }
    // Modules that hold something, and those on the way to them that are not in the tree.
    let mut inner: BTreeMap<ModulePath, BTreeSet<ModulePath>> = BTreeMap::new();
    let mut roots: BTreeSet<ModulePath> = services.keys().map(|path| (*path).clone()).collect();
    roots.extend(flat.keys().cloned());
    for path in items.keys() {
        let mut path = path.clone();
        while !model.names.tree.contains_key(&path) && !path.0.is_empty() {
            let parent = path.parent();
            inner.entry(parent.clone()).or_default().insert(path);
            path = parent;
        }
        roots.insert(path);
    }
    // Which message a nested module belongs to, for its documentation.
    let owners: BTreeMap<&ModulePath, &str> = model
        .names
        .messages
        .iter()
        .zip(full_names)
        .map(|(names, full_name)| (&names.nested, full_name.as_str()))
        .collect();
    let mut files = Files::new();
    for root in roots {
        let mut content = Content::default();
        let served = services.remove(&root).unwrap_or_default();
        let flat = flat.remove(&root).unwrap_or_default();
        let of_codec = |codec| served.iter().any(|service| service.codec == codec);
        let needs = [
            (of_codec(PayloadCodec::Protobuf), "protobuf"),
            (of_codec(PayloadCodec::FlatBuffers) || flat.needs_runtime, "flatbuffers"),
        ];
        content.head = guard(emit, needs);
        content.types = module_items(&root, &mut items, &inner, &owners);
        content.printed = flat.text;
        content.services.extend(emit.markers(&model.names, &root));
        for service in served {
            content.services.extend(emit_service(emit, model, service));
        }
        if let Some(shapes) = model.shapes.get(&root) {
            content.services.extend(emit.shapes(shapes, model.layouts.get(&root)));
        }
        files.insert(root, content);
    }
    files
}

/// Stops the build, with one sentence, when the runtime does not fit.
fn guard(emit: &Emit<'_>, needs: [(bool, &str); 2]) -> TokenStream {
    let features: Vec<_> =
        needs.into_iter().filter(|(needed, _)| *needed).map(|(_, name)| ident(name)).collect();
    if features.is_empty() {
        return TokenStream::new();
    }
    let runtime = &emit.runtime;
    let api = Literal::u32_unsuffixed(API);
    quote!(#runtime::__private::generated! { api #api #(, needs #features)* })
}

fn module_items(
    path: &ModulePath,
    items: &mut BTreeMap<ModulePath, Vec<Item>>,
    inner: &BTreeMap<ModulePath, BTreeSet<ModulePath>>,
    owners: &BTreeMap<&ModulePath, &str>,
) -> Vec<Item> {
    let mut content = items.remove(path).unwrap_or_default();
    for child in inner.get(path).into_iter().flatten() {
        let Some(name) = child.0.last() else { continue };
        let owner = owners.get(child).copied().unwrap_or_default();
        let nested = module_items(child, items, inner, owners);
        let mut attrs = doc_attributes(&format!("Types nested in the message `{owner}`."));
        if path.0.last() == Some(name) {
            attrs.push(syn::parse_quote!(#[allow(clippy::module_inception)]));
        }
        content.push(Item::Mod(ItemMod {
            attrs,
            vis: Visibility::Public(token::Pub::default()),
            unsafety: None,
            mod_token: token::Mod::default(),
            ident: ident(name),
            content: Some((token::Brace::default(), nested)),
            semi: None,
        }));
    }
    content
}

fn emit_service(emit: &Emit<'_>, model: &RustModel, service: &RustService) -> TokenStream {
    let server = emit.options.build_server.then(|| {
        let (contract, server) = (emit.service_trait(service), emit.server(service));
        quote!(#contract #server)
    });
    let client = emit.options.build_client.then(|| emit.client(service));
    let descriptors = emit.descriptors(model, service);
    quote!(#server #client #descriptors)
}
