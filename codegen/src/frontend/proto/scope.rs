//! Looks names up as protoc does: innermost scope first, and only in files that are imported.
//!
//! prost-reflect sees every package of every loaded file, protoc only those of imported files, so
//! that with it an unrelated file in the same run can hide a name. Hence our own lookup; the pool
//! is handed absolute names.

use std::collections::{HashMap, HashSet};

use super::{
    parsed::Parsed,
    symbols::{Symbol, Symbols},
};

/// What one file can see.
pub(super) struct Scope<'a> {
    symbols: &'a Symbols,
    files: HashSet<usize>,
    /// Packages of visible files, with all their outer packages.
    packages: HashSet<&'a str>,
}

/// The outcome of a lookup.
pub(super) enum Lookup {
    Found(String, Symbol),
    /// The first part of the name was found in an inner scope, the rest not inside of it.
    Shadowed(String),
    /// It exists, in a file that is not imported.
    NotImported(String, Symbol),
    Missing,
}

/// Which symbols a lookup of a simple name stops at.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Wanted {
    /// Types alone: for fields, where a field may have the name of its type.
    Types,
    /// The first thing of that name.
    Anything,
}

impl<'a> Scope<'a> {
    /// The view of the file at index `at`: itself, its imports, and what these import publicly.
    pub(super) fn of(
        symbols: &'a Symbols,
        files: &'a [Parsed],
        index: &HashMap<&str, usize>,
        at: usize,
    ) -> Self {
        let visible = visible(files, index, at);
        let mut packages = HashSet::new();
        for file in &visible {
            let package = files[*file].proto.package();
            // Outer packages of one that is known are known too.
            let mut rest = Some(package).filter(|package| !package.is_empty());
            while let Some(package) = rest.filter(|package| packages.insert(*package)) {
                rest = package.rsplit_once('.').map(|(outer, _)| outer);
            }
        }
        Self { symbols, files: visible, packages }
    }

    /// True when the file at index `at` is this one or imported by it.
    pub(super) fn sees(&self, at: usize) -> bool {
        self.files.contains(&at)
    }

    /// Looks `name` up from inside `scope` (a full name).
    pub(super) fn find(&self, scope: &str, name: &str, wanted: Wanted) -> Lookup {
        let mut hidden = None;
        if let Some(absolute) = name.strip_prefix('.') {
            return self
                .exactly(absolute.to_owned(), &mut hidden)
                .unwrap_or_else(|| missing(hidden));
        }
        let (first, rest) = match name.split_once('.') {
            Some((first, _)) => (first, &name[first.len()..]),
            None => (name, ""),
        };
        let mut outer = Some(scope);
        while let Some(scope) = outer {
            let candidate = super::symbols::qualify(scope, first);
            outer = match scope.rsplit_once('.') {
                Some((outer, _)) => Some(outer),
                None if scope.is_empty() => None,
                None => Some(""),
            };
            let Some(Lookup::Found(candidate, symbol)) = self.exactly(candidate, &mut hidden)
            else {
                continue;
            };
            if rest.is_empty() {
                if wanted == Wanted::Anything || symbol.kind.is_type() {
                    return Lookup::Found(candidate, symbol);
                }
            } else if symbol.kind.is_scope() {
                // Committed: protoc looks no further out once the first part is found.
                let full = candidate + rest;
                let found = self.exactly(full.clone(), &mut hidden);
                return found.unwrap_or_else(|| match hidden {
                    Some((name, symbol)) if name == full => Lookup::NotImported(name, symbol),
                    _ => Lookup::Shadowed(full),
                });
            }
        }
        missing(hidden)
    }

    /// The symbol of exactly this full name, if it is visible; else it is noted in `hidden`.
    fn exactly(&self, name: String, hidden: &mut Option<(String, Symbol)>) -> Option<Lookup> {
        let symbol = self.symbols.get(&name)?;
        if self.files.contains(&symbol.file) || self.packages.contains(name.as_str()) {
            return Some(Lookup::Found(name, symbol));
        }
        if symbol.kind.is_type() {
            hidden.get_or_insert((name, symbol));
        }
        None
    }
}

fn missing(hidden: Option<(String, Symbol)>) -> Lookup {
    hidden.map_or(Lookup::Missing, |(name, symbol)| Lookup::NotImported(name, symbol))
}

/// The file, its imports, and the files these import publicly, however far.
fn visible(files: &[Parsed], index: &HashMap<&str, usize>, at: usize) -> HashSet<usize> {
    let proto = &files[at].proto;
    let known = |name: &String| index.get(name.as_str()).copied();
    let mut visible = HashSet::from([at]);
    let mut waiting: Vec<usize> = proto.dependency.iter().filter_map(known).collect();
    while let Some(next) = waiting.pop() {
        if visible.insert(next) {
            waiting.extend(public_imports(&files[next]).filter_map(known));
        }
    }
    visible
}

/// The names that a file imports publicly.
pub(super) fn public_imports(file: &Parsed) -> impl Iterator<Item = &String> {
    let proto = &file.proto;
    let named = |at: &i32| proto.dependency.get(usize::try_from(*at).ok()?);
    proto.public_dependency.iter().filter_map(named)
}

/// The import names that a file sees beyond its own, in order.
pub(super) fn extra_imports(
    files: &[Parsed],
    index: &HashMap<&str, usize>,
    at: usize,
) -> Vec<String> {
    let own: HashSet<&String> = files[at].proto.dependency.iter().collect();
    let mut seen: Vec<usize> = visible(files, index, at).into_iter().collect();
    seen.sort_unstable();
    let others = seen.into_iter().filter(|other| *other != at).map(|other| &files[other].name);
    others.filter(|name| !own.contains(name)).cloned().collect()
}
