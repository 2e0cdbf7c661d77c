//! Tables that are not generated, and whether it is known where they are.

use std::collections::{BTreeMap, BTreeSet};

use super::super::Lower;
use super::super::model::TypePlace;
use super::Declared;
use crate::ir::{Diagnostic, File, FileId, TableId, code};

/// Tables that one finding names.
const NAMED: usize = 8;

impl Lower<'_> {
    /// Takes the place off every type of which not enough is known to generate it.
    pub(in super::super) fn forget_half_known(&mut self) {
        for id in self.files.clone() {
            if !self.schema.file(id).flat.defaults_unknown {
                continue;
            }
            for declared in self.declared(id) {
                if self.is_local_flat(declared) {
                    *self.flat_place_mut(declared) =
                        TypePlace::External { rust_type: String::new() };
                }
            }
        }
    }

    fn flat_place_mut(&mut self, declared: Declared) -> &mut TypePlace {
        let names = &mut self.names.flat;
        match declared {
            Declared::Table(id) => &mut names.tables[id.0 as usize],
            Declared::Struct(id) => &mut names.structs[id.0 as usize],
            Declared::Enum(id) => &mut names.enums[id.0 as usize],
            Declared::Union(id) => &mut names.unions[id.0 as usize],
        }
    }

    /// Reports an input of which nothing but services would be generated, and which has none.
    pub(in super::super) fn report_no_services(&mut self, file: &File) {
        let message = format!("`{}` has no service to generate", file.import_name);
        self.diagnostics.push(
            Diagnostic::error(code::NOTHING_LEFT, message)
                .label(file.package_span, "a binary schema gives services alone")
                .help("compile its `.fbs` for the types"),
        );
    }

    /// Reports tables that methods use and of which nobody said where they are.
    pub(in super::super) fn check_mapped_tables(&mut self) {
        let schema = self.schema;
        let mut used: BTreeSet<TableId> = BTreeSet::new();
        for service in schema.services.iter().filter(|it| self.is_generated_service(it)) {
            for method in &service.methods {
                used.extend(method.input.table());
                used.extend(method.output.table());
            }
        }
        let mut half_known: BTreeMap<FileId, Vec<TableId>> = BTreeMap::new();
        for id in used {
            let TypePlace::External { rust_type } = &self.names.flat.tables[id.0 as usize] else {
                continue;
            };
            if !rust_type.is_empty() {
                continue;
            }
            let declaration = &schema.flat.table(id).declaration;
            if schema.file(declaration.file).flat.defaults_unknown {
                half_known.entry(declaration.file).or_default().push(id);
                continue;
            }
            let name = &declaration.full_name;
            let message =
                format!("table `{name}` has no Rust type: `services_only` generates none");
            let package = name.outer();
            self.diagnostics.push(
                Diagnostic::error(code::UNMAPPED, message)
                    .label(declaration.name_span, "declared here")
                    .help(format!(
                        "set `extern_path(\".{package}\", \"crate::…\")` to the module of its type"
                    )),
            );
        }
        for tables in half_known.into_values() {
            self.report_half_known(&tables);
        }
    }

    /// A binary schema lacks defaults: what was made of it would read and write other values than
    /// every peer, without a word.
    fn report_half_known(&mut self, tables: &[TableId]) {
        let Some(first) = tables.first() else { return };
        let types = &self.schema.flat;
        let mut names: Vec<String> = tables
            .iter()
            .take(NAMED)
            .map(|id| format!("`{}`", types.table(*id).declaration.full_name))
            .collect();
        if tables.len() > NAMED {
            names.push(format!("{} more", tables.len() - NAMED));
        }
        let names = names.join(", ");
        let first = &types.table(*first).declaration;
        let message = format!(
            "no Rust type is known for {names}, and a binary schema is not enough to generate it: it \
             lacks the defaults of strings, of vectors and of large `ulong`s"
        );
        let namespace = first.full_name.outer();
        self.diagnostics
            .push(Diagnostic::error(code::BFBS_MESSAGES, message).label(first.name_span, "").help(
            format!(
                "compile the `.fbs` instead of its `.bfbs`, or take the types from Rust code that \
                 flatc made of it: `extern_path(\".{namespace}\", \"crate::…\")`"
            ),
        ));
    }
}
