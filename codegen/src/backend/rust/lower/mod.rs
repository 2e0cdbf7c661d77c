//! From the schema model to a Rust-shaped one. Every name is decided here, every collision found
//! here, and nothing is emitted.

mod doc;
mod extern_path;
mod flat;
mod graph;
pub(crate) mod ident;
mod layout;
mod limit;
mod member;
pub(crate) mod model;
pub(crate) mod path;
mod place;
mod rename;
mod scope;
mod service;
mod shape;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::ir::{
    Diagnostic, Diagnostics, EnumId, File, FileId, MessageId, PayloadType, Schema, Service,
    ServiceId, Span, code,
};

use super::flat::given::Given;
use super::flat::model::FlatNames;
use super::options::RustOptions;
use extern_path::ExternPaths;
use graph::Outside;
use model::{MessageNames, ModulePath, Names, RustModel, TypePlace};
use place::ModuleScope;
use rename::Renames;

pub(crate) use doc::sanitize;
pub(crate) use graph::{Graph, held_message};
pub(crate) use place::HIDDEN_MODULE;

/// The state of one lowering.
struct Lower<'a> {
    schema: &'a Schema,
    options: &'a RustOptions,
    diagnostics: Diagnostics,
    renames: Renames,
    names: Names,
    scopes: HashMap<ModulePath, ModuleScope>,
    package_modules: HashMap<String, ModulePath>,
    /// By file id: whether its services are generated.
    serves: Vec<bool>,
    /// Files by import name: everything is done in this order, whatever order the inputs came in.
    files: Vec<FileId>,
    trait_idents: Vec<(ServiceId, String)>,
    /// Which package segment a module came from: two spellings of one module are a mistake.
    spelled: BTreeMap<ModulePath, (String, Span)>,
    /// FlatBuffers types that come from flatc.
    given: Option<&'a Given>,
}

/// What lowering gives.
pub(crate) struct Lowered {
    pub(crate) model: RustModel,
    pub(crate) graph: Graph,
    pub(crate) diagnostics: Diagnostics,
}

/// Lowers a schema. The model is of use only when there are no errors among the diagnostics.
///
/// With messages that are given, FlatBuffers types are named as they are there, and none is lowered.
pub(crate) fn lower<'a>(
    schema: &'a Schema,
    options: &'a RustOptions,
    given: Option<&'a Given>,
) -> Lowered {
    let mut diagnostics = Diagnostics::default();
    let mut extern_paths = ExternPaths::new(schema, options, &mut diagnostics);
    let (places, enum_places) = find_external(schema, &mut extern_paths);
    let flat = find_external_flat(schema, &mut extern_paths);
    extern_paths.check_all_used(schema, &mut diagnostics);
    let serves =
        schema.files.iter().map(|file| file.is_input || !covered(&extern_paths, file)).collect();
    let renames = Renames::new(&options.renames, &mut diagnostics);
    let mut lower = Lower {
        schema,
        options,
        diagnostics,
        renames,
        names: Names {
            messages: vec![MessageNames::default(); schema.messages.len()],
            variants: vec![Vec::new(); schema.enums.len()],
            places,
            enum_places,
            tree: BTreeMap::new(),
            flat,
        },
        scopes: HashMap::new(),
        package_modules: HashMap::new(),
        serves,
        files: files_by_name(schema),
        trait_idents: Vec::new(),
        spelled: BTreeMap::new(),
        given,
    };
    if options.services_only {
        lower.forget_unmapped();
    }
    lower.forget_half_known();
    lower.check_options_for_given();
    lower.check_files();
    lower.place_packages();
    lower.place_namespaces();
    lower.place_types();
    lower.place_members();
    let opaque = lower.opaque_messages();
    let is_opaque = |id: MessageId| opaque[id.0 as usize];
    let graph = Graph::new(schema, options, &Outside { is_opaque: &is_opaque });
    lower.warn_deep_chain(&graph);
    lower.warn_required_cycles(&graph);
    let services = lower.lower_services();
    lower.check_mapped(&services);
    lower.check_mapped_tables();
    lower.check_given();
    let flat = lower.lower_flat();
    let given_messages = lower.given_messages();
    lower.warn_attributes_of_flat();
    lower.renames.check_all_used(schema, &mut lower.diagnostics);
    let mut model = RustModel { services, flat, given_messages, ..RustModel::default() };
    model.names = std::mem::take(&mut lower.names);
    lower.lower_shapes(&graph, &mut model);
    lower.lower_layouts(&mut model);
    Lowered { model, graph, diagnostics: lower.diagnostics }
}

/// The places of types that are not generated; the others get an empty one for now.
fn find_external(
    schema: &Schema,
    extern_paths: &mut ExternPaths<'_>,
) -> (Vec<TypePlace>, Vec<TypePlace>) {
    let mut find = |full_name: &str| {
        let pending = || TypePlace::Local { module: ModulePath::default(), ident: String::new() };
        extern_paths.find(full_name).unwrap_or_else(pending)
    };
    let places = schema.messages.iter().map(|message| find(&message.full_name.0)).collect();
    let enum_places = schema.enums.iter().map(|it| find(&it.full_name.0)).collect();
    (places, enum_places)
}

/// The same for FlatBuffers.
fn find_external_flat(schema: &Schema, extern_paths: &mut ExternPaths<'_>) -> FlatNames {
    let mut find = |declaration: &crate::ir::flat::Declaration| {
        let pending = || TypePlace::Local { module: ModulePath::default(), ident: String::new() };
        extern_paths.find_flat(&declaration.full_name.0).unwrap_or_else(pending)
    };
    let types = &schema.flat;
    FlatNames {
        tables: types.tables.iter().map(|it| find(&it.declaration)).collect(),
        structs: types.structs.iter().map(|it| find(&it.declaration)).collect(),
        enums: types.enums.iter().map(|it| find(&it.declaration)).collect(),
        unions: types.unions.iter().map(|it| find(&it.declaration)).collect(),
        markers: BTreeMap::new(),
    }
}

/// The files in the one order that does not depend on how they were given.
pub(crate) fn files_by_name(schema: &Schema) -> Vec<FileId> {
    let mut files: Vec<FileId> = (0..schema.files.len() as u32).map(FileId).collect();
    files.sort_by(|one, other| schema.file(*one).import_name.cmp(&schema.file(*other).import_name));
    files
}

/// True when the user said where the file's package comes from.
fn covered(extern_paths: &ExternPaths<'_>, file: &File) -> bool {
    let package = file.package.to_string();
    extern_paths.covers(&package) || package == "google.protobuf"
}

/// The help line about a name that is taken.
fn remedy(full_name: &str, ident: &str) -> String {
    let ident = ident::unraw(ident).trim_end_matches('_');
    format!("rename one in the schema, or set `rename({full_name:?}, \"{ident}_2\")`")
}

impl Lower<'_> {
    fn scope(&mut self, module: &ModulePath) -> &mut ModuleScope {
        self.scopes.entry(module.clone()).or_default()
    }

    fn is_local(&self, id: MessageId) -> bool {
        matches!(self.names.places[id.0 as usize], TypePlace::Local { .. })
    }

    fn is_local_enum(&self, id: EnumId) -> bool {
        matches!(self.names.enum_places[id.0 as usize], TypePlace::Local { .. })
    }

    fn is_generated_service(&self, service: &Service) -> bool {
        self.serves[service.file.0 as usize]
            && (self.options.build_client || self.options.build_server)
    }

    fn module_of_package(&self, file: &File) -> ModulePath {
        self.package_modules.get(&file.package.0.join(".")).cloned().unwrap_or_default()
    }

    fn has_output(&self, file: &File, id: FileId) -> bool {
        let types = file.messages.iter().any(|id| self.is_local(*id))
            || file.enums.iter().any(|id| self.is_local_enum(*id));
        let services =
            file.services.iter().any(|id| self.is_generated_service(self.schema.service(*id)));
        types || services || self.has_flat_types(id)
    }

    /// Messages behind a mapping of the user's: nothing is known about their traits.
    fn opaque_messages(&self) -> Vec<bool> {
        let well_known = |full_name: &str| full_name.starts_with("google.protobuf.");
        let messages = self.schema.messages.iter().zip(&self.names.places);
        messages
            .map(|(message, place)| {
                matches!(place, TypePlace::External { .. }) && !well_known(&message.full_name.0)
            })
            .collect()
    }

    /// Reports inputs from which a mapping takes everything.
    fn check_files(&mut self) {
        for id in self.files.clone() {
            let file = self.schema.file(id);
            let empty =
                file.messages.is_empty() && file.enums.is_empty() && file.services.is_empty();
            let empty = empty && self.declares_no_flat_type(id);
            if file.is_input && !empty && !self.has_output(file, id) {
                if self.options.services_only {
                    continue;
                }
                if file.flat.defaults_unknown {
                    self.report_no_services(file);
                    continue;
                }
                let message = format!("nothing is left to generate from `{}`", file.import_name);
                self.diagnostics.push(
                    Diagnostic::error(code::NOTHING_LEFT, message)
                        .label(file.package_span, "`extern_path` maps every type of this package")
                        .help("take the file off the inputs, or map only the types that exist already"),
                );
            }
        }
    }

    /// Takes the place off every type that nobody mapped: services-only mode generates none.
    fn forget_unmapped(&mut self) {
        let nowhere = || TypePlace::External { rust_type: String::new() };
        let flat = &mut self.names.flat;
        let (tables, structs) = (flat.tables.iter_mut(), flat.structs.iter_mut());
        let flat = tables.chain(structs).chain(&mut flat.enums).chain(&mut flat.unions);
        for place in self.names.places.iter_mut().chain(&mut self.names.enum_places).chain(flat) {
            if matches!(place, TypePlace::Local { .. }) {
                *place = nowhere();
            }
        }
    }

    /// Reports messages that methods use and that services-only mode cannot find.
    fn check_mapped(&mut self, services: &[model::RustService]) {
        let methods = services.iter().flat_map(|service| &service.methods);
        let payloads = methods.flat_map(|method| [method.input, method.output]);
        let mut todo: Vec<MessageId> = payloads.filter_map(PayloadType::message).collect();
        let mut reached = BTreeSet::new();
        while let Some(id) = todo.pop() {
            if reached.insert(id) {
                let fields = &self.schema.message(id).fields;
                todo.extend(fields.iter().filter_map(|field| held_message(&field.kind)));
            }
        }
        for id in reached {
            let message = self.schema.message(id);
            let TypePlace::External { rust_type } = &self.names.places[id.0 as usize] else {
                continue;
            };
            if !rust_type.is_empty() {
                continue;
            }
            let package = self.schema.file(message.file).package.to_string();
            let name = &message.full_name;
            self.diagnostics.push(
                Diagnostic::error(
                    code::UNMAPPED,
                    format!("message `{name}` has no Rust type: `services_only` generates none"),
                )
                .label(message.name_span, "declared here")
                .help(format!(
                    "set `extern_path(\".{package}\", \"crate::…\")` to the module of its type"
                )),
            );
        }
    }
}
