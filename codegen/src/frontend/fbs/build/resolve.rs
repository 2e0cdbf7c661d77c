//! Names of types to ids: innermost namespace first, then outwards.

use super::{
    super::{
        symbols::{Kind, NamespaceId, Symbol},
        syntax::{Extent, Text},
    },
    Builder, Here,
};
use crate::ir::{
    Diagnostic, TableId, code,
    flat::{EnumId, Scalar, UnionId},
};

/// What is expected where a name must be that of a table.
pub(super) struct Expected {
    pub(super) code: crate::ir::Code,
    /// Completes "`X` is …, …".
    pub(super) because: &'static str,
}

/// The scalar of a built-in type name.
pub(super) fn scalar(name: &str) -> Option<Scalar> {
    Some(match name {
        "bool" => Scalar::Bool,
        "byte" | "int8" => Scalar::Int8,
        "ubyte" | "uint8" => Scalar::Uint8,
        "short" | "int16" => Scalar::Int16,
        "ushort" | "uint16" => Scalar::Uint16,
        "int" | "int32" => Scalar::Int32,
        "uint" | "uint32" => Scalar::Uint32,
        "long" | "int64" => Scalar::Int64,
        "ulong" | "uint64" => Scalar::Uint64,
        "float" | "float32" => Scalar::Float32,
        "double" | "float64" => Scalar::Float64,
        _ => return None,
    })
}

impl Builder<'_> {
    /// The type that `name` stands for.
    pub(super) fn resolve(&mut self, here: Here<'_>, name: &Text) -> Option<Symbol> {
        let candidates = self.candidates(here, &name.value);
        let Some(innermost) = candidates.first().copied() else {
            return self.resolve_elsewhere(here, name);
        };
        let before = |it: &&Symbol| it.is_before(here.file, name.extent);
        let is_enum = |it: &&Symbol| matches!(it.kind, Kind::Enum(_) | Kind::Union(_));
        // flatc binds a name when it reads it: enums before tables, and what it knows already
        // before what comes later.
        let theirs = candidates
            .iter()
            .find(|it| is_enum(it) && before(it))
            .or_else(|| candidates.iter().find(|it| !is_enum(it) && before(it)))
            .unwrap_or(&innermost);
        if (theirs.file, theirs.name) != (innermost.file, innermost.name) {
            let message = format!("`{}` stands for two types", name.value);
            let (ours, theirs) = (self.place(&innermost), self.place(theirs));
            self.report(
                Diagnostic::error(code::FBS_AMBIGUOUS, message)
                    .label(here.parsed.span(name.extent), "")
                    .label(ours, "the innermost one is this")
                    .label(theirs, "flatc takes this one, which it reads first")
                    .help("write more of its name, rename one, or declare the inner one first"),
            );
        }
        Some(innermost)
    }

    /// A table for a place that takes nothing else.
    pub(super) fn resolve_table(
        &mut self,
        here: Here<'_>,
        name: &Text,
        expected: &Expected,
    ) -> Option<TableId> {
        if is_builtin(&name.value) && self.candidates(here, &name.value).is_empty() {
            let message = format!("`{}` is no table, {}", name.value, expected.because);
            self.error(here, expected.code, name.extent, message);
            return None;
        }
        let symbol = self.resolve(here, name)?;
        let what = match symbol.kind {
            Kind::Table(id) => return Some(id),
            Kind::Struct(_) => "a struct",
            Kind::Enum(_) => "an enum",
            Kind::Union(_) => "a union",
        };
        let message = format!("`{}` is {what}, {}", name.value, expected.because);
        let declared = self.place(&symbol);
        self.report(
            Diagnostic::error(expected.code, message)
                .label(here.parsed.span(name.extent), "")
                .label(declared, "declared here"),
        );
        None
    }

    pub(super) fn root_type(&mut self, here: Here<'_>, path: &Text) -> Option<TableId> {
        let expected =
            Expected { code: code::FBS_FILE, because: "and the root of a buffer is a table" };
        let id = self.resolve_table(here, path, &expected)?;
        let symbol = self.candidates(here, &path.value).first().copied();
        if let Some(symbol) = symbol.filter(|it| !it.is_before(here.file, path.extent)) {
            self.too_early(here, path, &symbol);
        }
        Some(id)
    }

    /// An enum that is declared before this place.
    pub(super) fn usable_enum(
        &mut self,
        here: Here<'_>,
        name: &Text,
        symbol: &Symbol,
    ) -> Option<EnumId> {
        let Kind::Enum(id) = symbol.kind else { return None };
        self.usable(here, name, symbol).then_some(id)
    }

    /// A union that is declared before this place.
    pub(super) fn usable_union(
        &mut self,
        here: Here<'_>,
        name: &Text,
        symbol: &Symbol,
    ) -> Option<UnionId> {
        let Kind::Union(id) = symbol.kind else { return None };
        self.usable(here, name, symbol).then_some(id)
    }

    fn usable(&mut self, here: Here<'_>, name: &Text, symbol: &Symbol) -> bool {
        let before = symbol.is_before(here.file, name.extent);
        if !before {
            self.too_early(here, name, symbol);
        }
        before
    }

    pub(super) fn too_early(&mut self, here: Here<'_>, name: &Text, symbol: &Symbol) {
        let message = format!("`{}` is used before its declaration", name.value);
        let declared = self.place(symbol);
        self.report(
            Diagnostic::error(code::FBS_TOO_EARLY, message)
                .label(here.parsed.span(name.extent), "")
                .label(declared, "declared here")
                .help(
                    "move the declaration up: only tables, and structs in tables, may come later",
                ),
        );
    }

    /// True when a table or struct of this name is known at this place.
    pub(super) fn is_record(&mut self, here: Here<'_>, name: &str, at: Extent) -> Option<Symbol> {
        let candidates = self.candidates(here, name);
        candidates.into_iter().find(|it| {
            matches!(it.kind, Kind::Table(_) | Kind::Struct(_)) && it.is_before(here.file, at)
        })
    }

    /// Every type that `path` could mean in a file that this one sees, innermost first.
    pub(super) fn candidates(&mut self, here: Here<'_>, path: &str) -> Vec<Symbol> {
        let symbols = self.symbols;
        self.outwards(here.namespace, path, |it| symbols.reach.sees(here.file, it.file))
    }

    fn outwards(
        &mut self,
        from: NamespaceId,
        path: &str,
        wanted: impl Fn(&Symbol) -> bool,
    ) -> Vec<Symbol> {
        let mut found = Vec::new();
        let mut namespace = Some(from);
        while let Some(at) = namespace {
            self.work += 1;
            found.extend(self.symbols.find_in(at, path).filter(|it| wanted(it)));
            namespace = self.symbols.namespaces.get(at.0 as usize).and_then(|it| it.parent);
        }
        found
    }

    /// Not in sight: flatc finds what any file before declared, so that is worth a warning only.
    fn resolve_elsewhere(&mut self, here: Here<'_>, name: &Text) -> Option<Symbol> {
        let place = here.parsed.span(name.extent);
        if let Some(symbol) = self.outwards(here.namespace, &name.value, |_| true).first().copied()
        {
            let declaring = self.files.get(symbol.file).map_or("", |file| file.name.as_str());
            let message = format!(
                "`{}` is declared in `{declaring}`, which `{}` does not include",
                name.value, here.parsed.name
            );
            let declared = self.place(&symbol);
            self.report(
                Diagnostic::warning(code::FBS_NOT_INCLUDED, message)
                    .label(place, "")
                    .label(declared, "declared here")
                    .help("add the include: without it the file means something only among these"),
            );
            return Some(symbol);
        }
        let message = format!("there is no type `{}`", name.value);
        let found = Diagnostic::error(code::FBS_UNRESOLVED, message).label(place, "");
        let elsewhere = self.symbols.find_elsewhere(&name.value).copied();
        self.report(match elsewhere {
            Some(other) => {
                let outer = self.symbols.dotted(other.namespace);
                let last = name.value.rsplit('.').next().unwrap_or_default();
                let dot = if outer.is_empty() { "" } else { "." };
                found.help(format!("there is `{outer}{dot}{last}`"))
            }
            None => found,
        });
        None
    }

    pub(super) fn place(&self, symbol: &Symbol) -> crate::ir::Span {
        self.files[symbol.file].span(symbol.name)
    }
}

fn is_builtin(name: &str) -> bool {
    name == "string" || scalar(name).is_some()
}
