//! Tables: fields in declaration order, then checked against each other, then ordered by id.

use std::collections::HashMap;

use super::{
    super::{
        limit,
        syntax::{Extent, FieldDecl, Item, Record, Text, TypeRef},
    },
    Builder, Here, attribute,
};
use crate::ir::{
    code,
    flat::{Field, Table, Type},
};

/// A suffix that flatc appends to the name of a field, and to what kind of field.
struct Derived {
    suffix: &'static str,
    derives: fn(Type) -> bool,
    what: &'static str,
}

/// What flatc's code derives from fields.
const DERIVED: &[Derived] = &[
    Derived { suffix: "_type", derives: is_union, what: "a union" },
    Derived { suffix: "Type", derives: is_union, what: "a union" },
    Derived { suffix: "_length", derives: is_vector, what: "a vector" },
    Derived { suffix: "Length", derives: is_vector, what: "a vector" },
    Derived { suffix: "_byte_vector", derives: is_string, what: "a string" },
    Derived { suffix: "ByteVector", derives: is_string, what: "a string" },
];

fn is_union(ty: Type) -> bool {
    matches!(ty, Type::Union(_))
}

fn is_vector(ty: Type) -> bool {
    matches!(ty, Type::Vector(_))
}

fn is_string(ty: Type) -> bool {
    matches!(ty, Type::String)
}

/// A field that has no id yet.
pub(super) struct Pending<'t> {
    pub(super) field: Field,
    /// The declaration; the type field of a union shares it with the union.
    pub(super) decl: &'t FieldDecl,
}

impl Builder<'_> {
    pub(super) fn table(&mut self, here: Here<'_>, item: &Item, record: &Record) {
        let declaration = self.declaration(here, item, &record.name, &record.attributes);
        let mut names = HashMap::new();
        let mut pending = Vec::with_capacity(record.fields.len());
        for decl in &record.fields {
            self.work += 1;
            if self.check_field_name(here, &decl.name, &mut names) {
                self.field(here, decl, &mut names, &mut pending);
            }
        }
        self.check_derived(here, &pending);
        self.check_one_key(here, &record.fields);
        if pending.len() > limit::TABLE_FIELDS {
            let message = format!("a table has at most {} fields", limit::TABLE_FIELDS);
            self.error(here, code::FBS_LIMIT, record.name.extent, message);
            pending.truncate(limit::TABLE_FIELDS);
        }
        let complete = names.len() == pending.len();
        let fields = self.number_fields(here, pending, complete);
        self.schema.flat.tables.push(Table { declaration, fields });
    }

    /// Reports a name that another field of the same record has.
    pub(super) fn check_field_name(
        &mut self,
        here: Here<'_>,
        name: &Text,
        names: &mut HashMap<String, Extent>,
    ) -> bool {
        if let Some(first) = names.get(&name.value).copied() {
            let message = format!("two fields are named `{}`", name.value);
            let second = (name.extent, "and again here");
            self.clash(here, code::FBS_FIELD, message, second, (first, "first here"));
            return false;
        }
        names.insert(name.value.clone(), name.extent);
        if let Some(symbol) = self.is_record(here, &name.value, name.extent) {
            let message = format!("field `{}` has the name of a table or struct", name.value);
            let declared = self.place(&symbol);
            self.report(
                crate::ir::Diagnostic::error(code::FBS_FIELD, message)
                    .label(here.parsed.span(name.extent), "")
                    .label(declared, "declared here"),
            );
        }
        true
    }

    /// Names that flatc's code for other languages would give to something else.
    fn check_derived(&mut self, here: Here<'_>, pending: &[Pending<'_>]) {
        let by_name: HashMap<&str, &Pending<'_>> =
            pending.iter().map(|it| (it.field.schema_name.as_str(), it)).collect();
        for it in pending {
            let name = &it.field.schema_name;
            for Derived { suffix, derives, what } in DERIVED {
                let base = name.strip_suffix(*suffix).and_then(|base| by_name.get(base));
                let Some(base) = base.filter(|base| derives(base.field.ty)) else { continue };
                if matches!(it.field.ty, Type::UnionType(_)) {
                    continue;
                }
                let message = format!(
                    "field `{name}` has the name of what is generated for {what}, `{}`",
                    base.field.schema_name
                );
                let first = (base.decl.name.extent, "for this one");
                self.clash(here, code::FBS_FIELD, message, (it.decl.name.extent, ""), first);
            }
        }
    }

    pub(super) fn check_one_key(&mut self, here: Here<'_>, fields: &[FieldDecl]) {
        let keys = fields.iter().filter_map(|it| attribute::find(&it.attributes, "key"));
        let mut keys = keys.into_iter();
        let Some(first) = keys.next() else { return };
        for second in keys {
            let message = "only one field can be the key".to_owned();
            let second = (second.extent, "and again here");
            self.clash(here, code::FBS_FIELD, message, second, (first.extent, "first here"));
        }
    }

    pub(super) fn nested_brackets(&mut self, here: Here<'_>, ty: &TypeRef) {
        let message =
            "vectors and arrays cannot be nested: wrap the inner one in a table or struct";
        self.error(here, code::FBS_FIELD, ty.extent, message);
    }
}
