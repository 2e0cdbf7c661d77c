//! FlatBuffers types: where they live, what they are called, and everything that emitting needs.

mod attribute;
mod given;
mod mapped;
mod place;
mod table;
mod types;

use std::collections::BTreeMap;

use super::Lower;
use super::model::{ModulePath, TypePlace};
use crate::backend::rust::flat::model::{FlatModule, Head};
use crate::ir::flat::{Declaration, Scalar};
use crate::ir::{FileId, Service, TableId};

/// The order of the files, and of what they declare, is the order of everything.
#[derive(Clone, Copy)]
enum Declared {
    Table(TableId),
    Struct(crate::ir::flat::StructId),
    Enum(crate::ir::flat::EnumId),
    Union(crate::ir::flat::UnionId),
}

impl Lower<'_> {
    /// Every FlatBuffers type of a file.
    fn declared(&self, file: FileId) -> Vec<Declared> {
        let facts = &self.schema.file(file).flat;
        let enums = facts.enums.iter().map(|id| Declared::Enum(*id));
        let unions = facts.unions.iter().map(|id| Declared::Union(*id));
        let structs = facts.structs.iter().map(|id| Declared::Struct(*id));
        let tables = facts.tables.iter().map(|id| Declared::Table(*id));
        enums.chain(unions).chain(structs).chain(tables).collect()
    }

    fn declaration(&self, declared: Declared) -> &Declaration {
        let types = &self.schema.flat;
        match declared {
            Declared::Table(id) => &types.table(id).declaration,
            Declared::Struct(id) => &types.structure(id).declaration,
            Declared::Enum(id) => &types.enumeration(id).declaration,
            Declared::Union(id) => &types.union(id).declaration,
        }
    }

    fn flat_place(&self, declared: Declared) -> &TypePlace {
        let names = &self.names.flat;
        match declared {
            Declared::Table(id) => &names.tables[id.0 as usize],
            Declared::Struct(id) => &names.structs[id.0 as usize],
            Declared::Enum(id) => &names.enums[id.0 as usize],
            Declared::Union(id) => &names.unions[id.0 as usize],
        }
    }

    fn is_local_flat(&self, declared: Declared) -> bool {
        matches!(self.flat_place(declared), TypePlace::Local { .. })
    }

    /// True when the file declares a FlatBuffers type that is generated.
    pub(super) fn has_flat_types(&self, file: FileId) -> bool {
        self.declared(file).into_iter().any(|declared| self.is_local_flat(declared))
    }

    pub(super) fn declares_no_flat_type(&self, file: FileId) -> bool {
        self.declared(file).is_empty()
    }

    /// The module of a namespace.
    fn module_of_namespace(&self, declaration: &Declaration) -> ModulePath {
        let namespace = declaration.full_name.outer().0.join(".");
        self.package_modules.get(&namespace).cloned().unwrap_or_default()
    }

    /// The module of a service: of its package, or of its namespace.
    pub(super) fn module_of_service(&self, service: &Service) -> ModulePath {
        let package = service.full_name.outer().0.join(".");
        self.package_modules.get(&package).cloned().unwrap_or_default()
    }

    /// Lowers every type that is generated, by module.
    pub(super) fn lower_flat(&mut self) -> BTreeMap<ModulePath, FlatModule> {
        let mut modules: BTreeMap<ModulePath, FlatModule> = BTreeMap::new();
        if self.given.is_some() {
            return modules;
        }
        let roots = self.flat_roots();
        for file in self.files.clone() {
            for declared in self.declared(file) {
                let TypePlace::Local { module, ident } = self.flat_place(declared).clone() else {
                    continue;
                };
                let content = modules.entry(module.clone()).or_default();
                match declared {
                    Declared::Enum(id) => content.enums.push(self.flat_enum(id, &module, ident)),
                    Declared::Union(id) => content.enums.push(self.flat_union(id, &module, ident)),
                    Declared::Struct(id) => {
                        content.structs.push(self.flat_struct(id, &module, ident));
                    }
                    Declared::Table(id) => {
                        let table = self.flat_table(id, &module, ident, roots.get(&id));
                        content.tables.push(table);
                    }
                }
            }
        }
        modules
    }

    fn head(&self, declaration: &Declaration, ident: String, kind: &str) -> Head {
        let full_name = &declaration.full_name.0;
        let doc = self.doc_of(full_name, declaration.doc.text());
        Head {
            ident,
            full_name: full_name.clone(),
            schema_name: declaration.schema_name.clone(),
            doc: doc.unwrap_or_else(|| format!("{kind} `{full_name}`.")),
            private: declaration.private,
        }
    }
}

/// The primitive type of a scalar.
fn primitive(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "bool",
        Scalar::Int8 => "i8",
        Scalar::Uint8 => "u8",
        Scalar::Int16 => "i16",
        Scalar::Uint16 => "u16",
        Scalar::Int32 => "i32",
        Scalar::Uint32 => "u32",
        Scalar::Int64 => "i64",
        Scalar::Uint64 => "u64",
        Scalar::Float32 => "f32",
        Scalar::Float64 => "f64",
    }
}
