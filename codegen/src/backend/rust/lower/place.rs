//! Names modules and types: which module of the tree every package is, where every message, enum
//! and oneof lives.
//!
//! A package `a.b` is the module `a::b`; types nested in the message `a.B` live in the module
//! `a::b` too. Where both exist they share that module and its one allocator, so that neither
//! moves when the other is added.

use std::collections::BTreeMap;

use crate::ir::{Diagnostic, EnumId, File, MessageId, Span, Syntax, code};

use super::ident;
use super::model::{MessageNames, ModulePath, OneofNames, TypePlace};
use super::scope::{Claim, Scope, collision};
use super::{Lower, remedy};

/// The two namespaces of a Rust module.
#[derive(Debug, Default)]
pub(crate) struct ModuleScope {
    pub(crate) types: Scope,
    pub(crate) values: Scope,
}

/// Stands for a name that was reported to be missing; nothing is generated then.
pub(super) const PLACEHOLDER: &str = "_";

/// The hidden module that holds the shapes.
pub(crate) const HIDDEN_MODULE: &str = "__stubwire";

impl Lower<'_> {
    /// Makes a module of every package that has output.
    pub(super) fn place_packages(&mut self) {
        let schema = self.schema;
        self.names.tree.clear();
        for id in self.files.clone() {
            let file = schema.file(id);
            if file.syntax == Syntax::FlatBuffers || !self.has_output(file, id) {
                continue;
            }
            let mut path = ModulePath::default();
            let mut dotted = String::new();
            for segment in &file.package.0 {
                if !dotted.is_empty() {
                    dotted.push('.');
                }
                dotted.push_str(segment);
                let name =
                    self.ident_of(&dotted, "package", file.package_span, ident::module(segment));
                let parent = path.clone();
                path = path.child(&name);
                if name == PLACEHOLDER {
                    continue;
                }
                match self.spelled.get(&path) {
                    None => {
                        self.spelled.insert(path.clone(), (dotted.clone(), file.package_span));
                        let claim = Claim::user("package", &dotted, file.package_span);
                        // Packages are claimed before types, and unequal ones never reach here.
                        let _ = self.scope(&parent).types.claim(&name, claim);
                    }
                    Some((known, span)) if *known != dotted => {
                        let first = Claim::user("package", known, *span);
                        let second = Claim::user("package", &dotted, file.package_span);
                        let diagnostic = collision(&name, &first, &second, remedy(&dotted, &name));
                        self.diagnostics.push(diagnostic);
                        // What lies below would be reported again.
                        break;
                    }
                    Some(_) => {}
                }
                let module = self.names.tree.entry(path.clone()).or_default();
                module.package.clone_from(&dotted);
            }
            let module = self.names.tree.entry(path.clone()).or_default();
            module.sources.push(file.import_name.clone());
            self.package_modules.insert(file.package.0.join("."), path.clone());
            let hidden = Claim::reserved("the hidden module of generated code");
            let _ = self.scope(&path).types.claim(HIDDEN_MODULE, hidden);
        }
        for module in self.names.tree.values_mut() {
            module.sources.sort();
        }
    }

    /// Names every type, level by level, because what is nested has to wait for its module.
    pub(super) fn place_types(&mut self) {
        let schema = self.schema;
        let mut message_levels: BTreeMap<u32, Vec<MessageId>> = BTreeMap::new();
        let mut enum_levels: BTreeMap<u32, Vec<EnumId>> = BTreeMap::new();
        let mut level_of = vec![0_u32; schema.messages.len()];
        // A nested message comes after its parent.
        for (index, message) in schema.messages.iter().enumerate() {
            level_of[index] = message.parent.map_or(0, |parent| level_of[parent.0 as usize] + 1);
        }
        for file in self.files.iter().map(|id| schema.file(*id)) {
            for &id in &file.messages {
                if !schema.message(id).is_map_entry && self.is_local(id) {
                    message_levels.entry(level_of[id.0 as usize]).or_default().push(id);
                }
            }
            for &id in &file.enums {
                let parent = schema.enumeration(id).parent;
                let level = parent.map_or(0, |parent| level_of[parent.0 as usize] + 1);
                if self.is_local_enum(id) {
                    enum_levels.entry(level).or_default().push(id);
                }
            }
        }
        let mut above: Vec<MessageId> = Vec::new();
        let deepest = message_levels.keys().chain(enum_levels.keys()).max().copied().unwrap_or(0);
        for level in 0..=deepest + 1 {
            let here = message_levels.remove(&level).unwrap_or_default();
            for &id in &here {
                self.place_message(id);
            }
            for id in enum_levels.remove(&level).unwrap_or_default() {
                self.place_enum(id);
            }
            if level == 0 {
                self.claim_flat_types();
                self.claim_given();
                self.claim_traits();
            }
            for id in std::mem::take(&mut above) {
                self.place_oneofs(id);
            }
            for &id in &here {
                self.place_nested_module(id);
            }
            above = here;
        }
    }

    fn home(&self, parent: Option<MessageId>, file: &File) -> ModulePath {
        match parent {
            Some(parent) => self.names.messages[parent.0 as usize].nested.clone(),
            None => self.module_of_package(file),
        }
    }

    fn place_message(&mut self, id: MessageId) {
        let message = self.schema.message(id);
        let module = self.home(message.parent, self.schema.file(message.file));
        let full_name = &message.full_name.0;
        let wanted = ident::camel(&message.schema_name);
        let ident = self.ident_of(full_name, "message", message.name_span, wanted);
        let claim = Claim::user("message", full_name, message.name_span);
        self.claim_type(&module, &ident, claim, full_name);
        self.names.places[id.0 as usize] = TypePlace::Local { module, ident };
    }

    fn place_enum(&mut self, id: EnumId) {
        let enumeration = self.schema.enumeration(id);
        let module = self.home(enumeration.parent, self.schema.file(enumeration.file));
        let full_name = &enumeration.full_name.0;
        let wanted = ident::camel(&enumeration.schema_name);
        let ident = self.ident_of(full_name, "enum", enumeration.name_span, wanted);
        let claim = Claim::user("enum", full_name, enumeration.name_span);
        self.claim_type(&module, &ident, claim, full_name);
        self.names.enum_places[id.0 as usize] = TypePlace::Local { module, ident };
    }

    /// Takes a name for a declaration; a second declaration of the name is an error.
    pub(super) fn claim_type(
        &mut self,
        module: &ModulePath,
        ident: &str,
        claim: Claim,
        path: &str,
    ) {
        if ident == PLACEHOLDER {
            return;
        }
        let help = remedy(path, ident);
        let scope = self.scopes.entry(module.clone()).or_default();
        if let Err(held) = scope.types.claim(ident, claim.clone()) {
            self.diagnostics.push(collision(ident, held, &claim, help));
        }
    }

    fn place_nested_module(&mut self, id: MessageId) {
        let message = self.schema.message(id);
        let TypePlace::Local { module, ident } = &self.names.places[id.0 as usize] else { return };
        let wanted = ident::module(ident);
        // The same module as the package of that name, if there is one.
        let shared = module.child(&wanted);
        let needed =
            !message.messages.is_empty() || !message.enums.is_empty() || !message.oneofs.is_empty();
        let nested = if !needed || self.names.tree.contains_key(&shared) {
            shared
        } else {
            let module = module.clone();
            let name = self.scope(&module).types.companion(&wanted, "a module of nested types");
            module.child(&name)
        };
        self.names.messages[id.0 as usize] = MessageNames { nested, ..MessageNames::default() };
    }

    fn place_oneofs(&mut self, id: MessageId) {
        let message = self.schema.message(id);
        let nested = self.names.messages[id.0 as usize].nested.clone();
        let mut oneofs = Vec::with_capacity(message.oneofs.len());
        for oneof in &message.oneofs {
            let full_name = format!("{}.{}", message.full_name, oneof.schema_name);
            let camel = ident::camel(&oneof.schema_name);
            let wanted = self.ident_of(&full_name, "oneof", oneof.name_span, camel);
            let types = &mut self.scope(&nested).types;
            let wanted = if types.is_free(&wanted) { wanted } else { format!("{wanted}OneOf") };
            let type_ident = types.companion(&wanted, "a oneof");
            oneofs.push(OneofNames { field: String::new(), type_ident });
        }
        self.names.messages[id.0 as usize].oneofs = oneofs;
    }

    /// The identifier for an element: what the user chose, else `wanted`.
    pub(super) fn ident_of(
        &mut self,
        full_name: &str,
        kind: &'static str,
        span: Span,
        wanted: String,
    ) -> String {
        if let Some(chosen) = self.renames.take(full_name) {
            return chosen;
        }
        if wanted.is_empty() {
            let message =
                format!("{kind} `{full_name}` has no letter or digit to name it by in Rust");
            self.diagnostics.push(
                Diagnostic::error(code::NAME_EMPTY, message)
                    .label(span, "nothing is left of this name")
                    .help(format!("set `rename({full_name:?}, \"…\")`")),
            );
            return PLACEHOLDER.to_owned();
        }
        wanted
    }
}
