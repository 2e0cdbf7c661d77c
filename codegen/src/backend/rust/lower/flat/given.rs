//! Messages that flatc made: their names are its own, so everything else gives way to them.

use std::collections::BTreeSet;

use super::super::model::{ModulePath, TypePlace};
use super::super::scope::{Claim, collision};
use super::super::{Lower, remedy};
use super::Declared;
use crate::ir::flat::Declaration;
use crate::ir::{Diagnostic, code};

/// What holds a name that is no type of the schema.
const OF_FLATC: &str = "an item that flatc makes";

impl Lower<'_> {
    /// Every type that is to come from flatc.
    fn given_types(&self) -> Vec<Declared> {
        let all = self.files.iter().flat_map(|id| self.declared(*id));
        all.filter(|declared| self.is_local_flat(*declared)).collect()
    }

    /// Reports options that flatc knows nothing of: it makes all types, and names them itself.
    pub(in super::super) fn check_options_for_given(&mut self) {
        if self.given.is_none() {
            return;
        }
        for id in self.files.clone() {
            let half_known = self.schema.file(id).flat.defaults_unknown;
            for declared in self.declared(id) {
                if !half_known && !self.is_local_flat(declared) {
                    let declaration = self.declaration(declared).clone();
                    let name = &declaration.full_name;
                    let message = format!(
                        "`extern_path` takes `{name}` from elsewhere, and flatc makes it all the same"
                    );
                    let help = "let stubwire make the messages, or take all of them from elsewhere by \
                                `services_only`";
                    self.report_option(&declaration, message, help);
                }
            }
        }
        if self.options.flatbuffers_path != "::flatbuffers" {
            let path = &self.options.flatbuffers_path;
            let message = format!("flatc's Rust finds no crate at `flatbuffers_path({path:?})`");
            let help = "it names `::flatbuffers`; let stubwire make the messages";
            self.diagnostics.push(Diagnostic::error(code::BAD_OPTION, message).help(help));
        }
    }

    fn report_option(&mut self, declaration: &Declaration, message: String, help: &str) {
        self.diagnostics.push(
            Diagnostic::error(code::BAD_OPTION, message)
                .label(declaration.name_span, "")
                .help(help),
        );
    }

    /// Reports a name that the user chose for something that flatc names.
    pub(super) fn refuse_rename(&mut self, full_name: &str, span: crate::ir::Span) {
        if let Some(chosen) = self.renames.take(full_name) {
            let message =
                format!("`rename({full_name:?}, {chosen:?})` does not reach what flatc makes");
            self.diagnostics.push(
                Diagnostic::error(code::BAD_OPTION, message)
                    .label(span, "flatc names it")
                    .help("let stubwire make the messages, or take the option out"),
            );
        }
    }

    /// Claims every name that flatc takes, behind the types themselves. What the schema declares
    /// besides, and flatc does not know, clashes with it.
    pub(in super::super) fn claim_given(&mut self) {
        let Some(given) = self.given else { return };
        let mut types: BTreeSet<(ModulePath, String)> = BTreeSet::new();
        for declared in self.given_types() {
            if let TypePlace::Local { module, ident } = self.flat_place(declared) {
                types.insert((module.clone(), ident.clone()));
            }
        }
        for (module, content) in &given.modules {
            for name in &content.types {
                if types.contains(&(module.clone(), name.clone())) {
                    continue;
                }
                let claim = Claim::reserved(OF_FLATC);
                if let Err(held) =
                    self.scopes.entry(module.clone()).or_default().types.claim(name, claim)
                {
                    let of_flatc = Claim::reserved(OF_FLATC);
                    let found = collision(name, held, &of_flatc, remedy(name, name));
                    self.diagnostics.push(found);
                }
            }
            for name in &content.values {
                let claim = Claim::reserved(OF_FLATC);
                let _ = self.scopes.entry(module.clone()).or_default().values.claim(name, claim);
            }
        }
    }

    /// Reports types that flatc did not make, or made where they are not looked for.
    pub(in super::super) fn check_given(&mut self) {
        let Some(given) = self.given else { return };
        for declared in self.given_types() {
            let TypePlace::Local { module, ident } = self.flat_place(declared).clone() else {
                continue;
            };
            let made = given.modules.get(&module).is_some_and(|it| it.types.contains(&ident));
            if made {
                continue;
            }
            let declaration = self.declaration(declared).clone();
            let path = module.0.iter().chain([&ident]).cloned().collect::<Vec<_>>().join("::");
            let name = &declaration.full_name;
            let message = format!("flatc made no `{path}` of `{name}`");
            self.diagnostics.push(
                Diagnostic::error(code::FLATC_FAILED, message)
                    .label(declaration.name_span, "")
                    .help("let stubwire make the messages"),
            );
        }
    }

    /// The tables of flatc's that methods send and return.
    pub(in super::super) fn given_messages(&self) -> Vec<(ModulePath, String)> {
        if self.given.is_none() {
            return Vec::new();
        }
        let roots = self.flat_roots();
        let messages = roots.iter().filter(|(_, facts)| facts.is_message);
        let places = messages.map(|(id, _)| &self.names.flat.tables[id.0 as usize]);
        let mut local: Vec<(ModulePath, String)> = places
            .filter_map(|place| match place {
                TypePlace::Local { module, ident } => Some((module.clone(), ident.clone())),
                TypePlace::External { .. } => None,
            })
            .collect();
        local.sort();
        local
    }
}
