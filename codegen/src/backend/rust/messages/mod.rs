//! The messages: prost-build makes the types, from descriptors with neutral names, and what it
//! says is parsed, named, documented and sorted into modules.
//!
//! Nothing of prost-build's output reaches a file unread, so neither its cargo features nor the
//! schema's comments can change or escape what is written.

pub(crate) mod attribute;
mod descriptor;
mod marker;
mod path;
mod rewrite;
mod type_name;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::ir::{Diagnostic, EnumId, MessageId, Schema, code};

use super::lower::Graph;
use super::lower::model::{ModulePath, Names, TypePlace};
use super::options::RustOptions;
use descriptor::Input;
use marker::FieldClass;

/// The items of the messages, by module.
pub(crate) type Items = BTreeMap<ModulePath, Vec<syn::Item>>;

/// What every step needs.
pub(crate) struct Context<'a> {
    pub(crate) schema: &'a Schema,
    pub(crate) options: &'a RustOptions,
    pub(crate) names: &'a Names,
    pub(crate) graph: &'a Graph,
}

impl Context<'_> {
    fn is_local(&self, id: MessageId) -> bool {
        matches!(self.names.places[id.0 as usize], TypePlace::Local { .. })
    }

    fn is_local_enum(&self, id: EnumId) -> bool {
        matches!(self.names.enum_places[id.0 as usize], TypePlace::Local { .. })
    }

    /// True when there is any type to generate.
    pub(crate) fn has_types(&self) -> bool {
        let mut places = self.names.places.iter().chain(&self.names.enum_places);
        places.any(|place| matches!(place, TypePlace::Local { .. }))
    }
}

/// What prost-build made of the schema: neutral names, not to be read by anyone but [`sort`].
pub(crate) struct Raw {
    text: String,
}

/// prost-build's share.
///
/// # Errors
/// prost-build failed; that is not the schema's fault, and the diagnostic says so.
pub(crate) fn run_prost_build(context: &Context<'_>) -> Result<Raw, Diagnostic> {
    let input = descriptor::describe(context);
    // Its walks over message types are recursive, but the stubs keep them flat.
    let outcome = catch_unwind(AssertUnwindSafe(|| generate(context, input)));
    match outcome {
        Ok(Ok(text)) => Ok(Raw { text }),
        Ok(Err(error)) => Err(failed(&error.to_string())),
        Err(_) => Err(failed("it panicked")),
    }
}

fn failed(reason: &str) -> Diagnostic {
    Diagnostic::error(
        code::GENERATOR_FAILED,
        format!("prost-build could not make the messages: {reason}"),
    )
    .help("this is a bug in stubwire: please report it with the schema")
}

fn generate(context: &Context<'_>, input: Input) -> std::io::Result<String> {
    let options = &context.options.messages;
    let mut config = prost_build::Config::new();
    // Variants have neutral names: there is no prefix to strip.
    config.retain_enum_prefix().compile_well_known_types();
    if options.prost_path != "::prost" {
        config.prost_path(options.prost_path.clone());
    }
    for id in &input.stubs {
        config.extern_path(format!(".{}", marker::stub(*id)), marker::message(*id));
    }
    for id in input.enums.iter().filter(|id| !context.is_local_enum(**id)) {
        config.extern_path(format!(".{}", marker::enumeration(*id)), marker::enumeration(*id));
    }
    let names = |class: FieldClass| {
        let indices = input.classes.iter().filter(move |(of, _)| *of == class);
        indices.map(move |(_, index)| marker::field(*index, class)).collect::<Vec<_>>()
    };
    let mut bytes = names(FieldClass::Bytes);
    bytes.extend(input.bytes_maps.iter().map(|id| format!(".{}.value", marker::message(*id))));
    config.bytes(bytes);
    config.btree_map(names(FieldClass::BTreeMap));
    for name in names(FieldClass::Boxed) {
        config.boxed(name);
    }
    let module = prost_build::Module::from_protobuf_package_name("");
    let requests = input.files.into_iter().map(|file| (module.clone(), file)).collect();
    let mut modules = config.generate(requests)?;
    Ok(modules.remove(&module).unwrap_or_default())
}

/// Gives prost-build's items their names, docs and attributes, and sorts them into modules.
///
/// # Errors
/// prost-build's output or an attribute of the configuration does not parse.
pub(crate) fn sort(context: &Context<'_>, raw: &Raw) -> Result<Items, Vec<Diagnostic>> {
    let file = syn::parse_file(&raw.text).map_err(|error| vec![failed(&error.to_string())])?;
    rewrite::rewrite(context, file.items)
}
