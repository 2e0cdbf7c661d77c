//! Where FlatBuffers types live: the modules of namespaces, the names of types.

use std::collections::BTreeMap;

use super::super::model::{ModulePath, TypePlace};
use super::super::place::{HIDDEN_MODULE, PLACEHOLDER};
use super::super::scope::{Claim, collision};
use super::super::{Lower, remedy};
use super::Declared;
use crate::backend::rust::flat::ident;
use crate::ir::{FileId, Service, Span, TableId};

/// Why a table has root helpers.
#[derive(Clone, Debug, Default)]
pub(super) struct RootFacts {
    pub(super) is_message: bool,
    pub(super) identifier: Option<String>,
    pub(super) extension: Option<String>,
}

impl Lower<'_> {
    /// Makes a module of every namespace that has output. One that has the name of a Protobuf
    /// package is the module of that package.
    pub(in super::super) fn place_namespaces(&mut self) {
        let schema = self.schema;
        for file in self.files.clone() {
            let mut namespaces: BTreeMap<Vec<String>, Span> = BTreeMap::new();
            for declared in self.declared(file) {
                if self.is_local_flat(declared) {
                    let declaration = self.declaration(declared);
                    let namespace = declaration.full_name.outer().0;
                    namespaces.entry(namespace).or_insert(declaration.name_span);
                }
            }
            for id in &schema.file(file).services {
                let service = schema.service(*id);
                if self.is_flat(service) && self.is_generated_service(service) {
                    let namespace = service.full_name.outer().0;
                    namespaces.entry(namespace).or_insert(service.name_span);
                }
            }
            for (namespace, span) in namespaces {
                self.place_namespace(file, &namespace, span);
            }
        }
        for module in self.names.tree.values_mut() {
            module.sources.sort();
            module.sources.dedup();
        }
    }

    fn place_namespace(&mut self, file: FileId, namespace: &[String], span: Span) {
        let mut path = ModulePath::default();
        let mut dotted = String::new();
        for segment in namespace {
            if !dotted.is_empty() {
                dotted.push('.');
            }
            dotted.push_str(segment);
            let known = self.spelled.iter().find(|(_, (name, _))| *name == dotted);
            if let Some((known, _)) = known {
                path = known.clone();
                continue;
            }
            let name = if self.given.is_some() {
                self.refuse_rename(&dotted, span);
                ident::module_of_flatc(segment)
            } else {
                self.ident_of(&dotted, "namespace", span, ident::module(segment))
            };
            let parent = path.clone();
            path = path.child(&name);
            if name == PLACEHOLDER {
                continue;
            }
            let second = Claim::user("namespace", &dotted, span);
            if let Some((known, first)) = self.spelled.get(&path) {
                let first = Claim::user("namespace", known, *first);
                let diagnostic = collision(&name, &first, &second, remedy(&dotted, &name));
                self.diagnostics.push(diagnostic);
                return;
            }
            self.spelled.insert(path.clone(), (dotted.clone(), span));
            // Namespaces are claimed before types, and unequal ones never reach here.
            let _ = self.scope(&parent).types.claim(&name, second);
            self.names.tree.entry(path.clone()).or_default().package.clone_from(&dotted);
        }
        let source = self.schema.file(file).import_name.clone();
        self.names.tree.entry(path.clone()).or_default().sources.push(source);
        self.package_modules.insert(dotted, path.clone());
        let hidden = Claim::reserved("the hidden module of generated code");
        let _ = self.scope(&path).types.claim(HIDDEN_MODULE, hidden);
    }

    /// Claims the names of types: they are names of the schema.
    pub(in super::super) fn claim_flat_types(&mut self) {
        for file in self.files.clone() {
            for declared in self.declared(file) {
                if self.is_local_flat(declared) {
                    self.claim_flat_type(declared);
                }
            }
        }
    }

    fn claim_flat_type(&mut self, declared: Declared) {
        let declaration = self.declaration(declared).clone();
        // Structs and enums are functions of their own name, too.
        let (kind, is_value) = match declared {
            Declared::Table(_) => ("table", false),
            Declared::Struct(_) => ("struct", true),
            Declared::Enum(_) => ("enum", true),
            Declared::Union(_) => ("union", true),
        };
        let full_name = &declaration.full_name.0;
        let ident = if self.given.is_some() {
            self.refuse_rename(full_name, declaration.name_span);
            ident::type_of_flatc(&declaration.schema_name)
        } else {
            let wanted = ident::type_name(&declaration.schema_name);
            self.ident_of(full_name, kind, declaration.name_span, wanted)
        };
        let module = self.module_of_namespace(&declaration);
        let claim = Claim::user(kind, full_name, declaration.name_span);
        self.claim_type(&module, &ident, claim.clone(), full_name);
        if is_value && ident != PLACEHOLDER {
            let _ = self.scope(&module).values.claim(&ident, claim);
        }
        let place = TypePlace::Local { module, ident };
        let names = &mut self.names.flat;
        match declared {
            Declared::Table(id) => names.tables[id.0 as usize] = place,
            Declared::Struct(id) => names.structs[id.0 as usize] = place,
            Declared::Enum(id) => names.enums[id.0 as usize] = place,
            Declared::Union(id) => names.unions[id.0 as usize] = place,
        }
    }

    /// Tables that get root helpers: root types, and what methods send and return.
    pub(super) fn flat_roots(&self) -> BTreeMap<TableId, RootFacts> {
        let schema = self.schema;
        let mut roots: BTreeMap<TableId, RootFacts> = BTreeMap::new();
        for id in &self.files {
            let file = schema.file(*id);
            if let Some(root) = file.flat.root_type {
                let declares = schema.flat.table(root).declaration.file == *id;
                let facts = roots.entry(root).or_default();
                // The file that declares a table knows best what its buffers are called.
                if declares || facts.identifier.is_none() {
                    facts.identifier.clone_from(&file.flat.file_identifier);
                    facts.extension.clone_from(&file.flat.file_extension);
                }
            }
            for service in file.services.iter().map(|id| schema.service(*id)) {
                if !self.is_generated_service(service) {
                    continue;
                }
                for method in &service.methods {
                    for table in [method.input.table(), method.output.table()].into_iter().flatten()
                    {
                        roots.entry(table).or_default().is_message = true;
                    }
                }
            }
        }
        roots
    }

    pub(in super::super) fn is_flat(&self, service: &Service) -> bool {
        service.codec == crate::ir::PayloadCodec::FlatBuffers
    }

    /// Names what stands for the tables of other crates where methods of `module` name them.
    pub(in super::super) fn place_marker(&mut self, module: &ModulePath, table: TableId) {
        let key = (module.clone(), table);
        if !matches!(self.names.flat.tables[table.0 as usize], TypePlace::External { .. })
            || self.names.flat.markers.contains_key(&key)
        {
            return;
        }
        let name = &self.schema.flat.table(table).declaration.schema_name;
        let wanted = format!("{}Message", ident::type_name(name));
        let ident = self.scope(module).types.companion(&wanted, "a message of another crate");
        self.names.flat.markers.insert(key, ident);
    }
}
