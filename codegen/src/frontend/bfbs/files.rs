//! The `.fbs` files that a binary schema was made from, as far as it names them.

use std::collections::{HashMap, HashSet};

use flatbuffers_reflection::reflection::SchemaFile;

use super::{convert::Converter, index::ObjectId, limit, name};
use crate::ir::{
    Doc, File, FileId, Import, Options, Package, ServiceId, Syntax, code,
    flat::{FileFacts, TypeId},
};

/// Files by name, and what each declares.
#[derive(Default)]
pub(super) struct Files {
    by_name: HashMap<String, FileId>,
    facts: Vec<FileFacts>,
    services: Vec<Vec<ServiceId>>,
    /// What the file was made of, and where declarations without a file go.
    root: FileId0,
}

/// The first file, unless another is known to be the root.
struct FileId0(FileId);

impl Default for FileId0 {
    fn default() -> Self {
        Self(FileId(0))
    }
}

impl Files {
    pub(super) fn declare(&mut self, file: FileId, id: TypeId) {
        let Some(facts) = self.facts.get_mut(file.0 as usize) else { return };
        match id {
            TypeId::Table(id) => facts.tables.push(id),
            TypeId::Struct(id) => facts.structs.push(id),
            TypeId::Enum(id) => facts.enums.push(id),
            TypeId::Union(id) => facts.unions.push(id),
        }
    }

    pub(super) fn serve(&mut self, file: FileId, id: ServiceId) {
        if let Some(services) = self.services.get_mut(file.0 as usize) {
            services.push(id);
        }
    }
}

impl<'b> Converter<'_, 'b> {
    /// Enters the files; without `--bfbs-filenames` the binary schema itself stands for them.
    pub(super) fn declare_files(&mut self, shown: &str) -> Option<()> {
        let listed: Vec<SchemaFile<'b>> = self.binary.fbs_files().into_iter().flatten().collect();
        self.spend(listed.len(), 0)?;
        let base = shown.rsplit(['/', '\\']).next().unwrap_or(shown);
        let stem = base.rsplit_once('.').map_or(base, |(stem, _)| stem);
        if listed.is_empty() {
            self.push_file(base.to_owned(), true, Vec::new());
            return Some(());
        }
        let order = self.order_files(&listed)?;
        let root = root_of(&listed, stem);
        for position in order {
            let file = &listed[position];
            let own = file.filename();
            self.spend(0, own.len())?;
            let mut imports = Vec::new();
            for include in file.included_filenames().into_iter().flatten() {
                self.spend(1, 0)?;
                // One of a circle may not be entered yet.
                let known = self.files.by_name.get(include);
                imports.extend(known.map(|id| Import { file: *id, public: false, span: None }));
            }
            let id =
                self.push_file(import_name(own), root.is_none_or(|it| it == position), imports);
            self.files.by_name.insert(own.to_owned(), id);
            if root == Some(position) {
                self.files.root = FileId0(id);
            }
        }
        Some(())
    }

    fn push_file(&mut self, import_name: String, is_input: bool, imports: Vec<Import>) -> FileId {
        let id = FileId(self.schema.files.len() as u32);
        self.schema.files.push(File {
            import_name,
            source: self.place.source,
            package: Package::default(),
            package_span: self.place,
            syntax: Syntax::FlatBuffers,
            is_input,
            imports,
            messages: Vec::new(),
            enums: Vec::new(),
            services: Vec::new(),
            flat: FileFacts::default(),
            options: Options::default(),
            doc: Doc::default(),
        });
        self.files.facts.push(FileFacts { defaults_unknown: true, ..FileFacts::default() });
        self.files.services.push(Vec::new());
        id
    }

    /// Positions of files, includes before includers as far as circles allow.
    fn order_files(&mut self, listed: &[SchemaFile<'b>]) -> Option<Vec<usize>> {
        let mut positions: HashMap<&str, usize> = HashMap::new();
        for (at, file) in listed.iter().enumerate() {
            let own = file.filename();
            let fits = own.len() <= limit::FILE_NAME_BYTES && !own.chars().any(char::is_control);
            if !fits || import_name(own).is_empty() {
                self.malformed(format!("a file is called {}", name::shown(own)));
                return None;
            }
            if positions.insert(own, at).is_some() {
                self.malformed(format!("two files are called {}", name::shown(own)));
                return None;
            }
        }
        let mut reached = vec![false; listed.len()];
        let mut order = Vec::new();
        for first in 0..listed.len() {
            let mut stack = vec![(first, None)];
            while let Some((at, pending)) = stack.pop() {
                let mut pending: Vec<usize> = match pending {
                    Some(pending) => pending,
                    None if reached[at] => continue,
                    None => {
                        reached[at] = true;
                        let names = listed[at].included_filenames().into_iter().flatten();
                        let known = names.filter_map(|name| positions.get(name).copied());
                        let mut pending: Vec<usize> = known.collect();
                        self.spend(pending.len(), 0)?;
                        pending.reverse();
                        pending
                    }
                };
                match pending.pop() {
                    None => order.push(at),
                    Some(next) => {
                        stack.push((at, Some(pending)));
                        stack.push((next, None));
                    }
                }
            }
        }
        Some(order)
    }

    /// The file that declares something.
    pub(super) fn file_of(&self, declared: Option<&str>) -> FileId {
        let known = declared.and_then(|file| self.files.by_name.get(file));
        known.copied().unwrap_or(self.files.root.0)
    }

    /// Says what each file declares, and what only the root tells.
    pub(super) fn finish_files(&mut self) {
        let root = self.files.root.0.0 as usize;
        let (facts, services) = (&mut self.files.facts, &mut self.files.services);
        let (facts, services) = (std::mem::take(facts), std::mem::take(services));
        for ((file, facts), services) in self.schema.files.iter_mut().zip(facts).zip(services) {
            (file.flat, file.services) = (facts, services);
        }
        if let Some(text) = self.binary.file_ident().filter(|text| !text.is_empty()) {
            match text.len() {
                4 => self.schema.files[root].flat.file_identifier = Some(text.to_owned()),
                _ => self.error(code::FBS_FILE, "the file identifier has not four bytes"),
            }
        }
        let extension = self.binary.file_ext().filter(|text| !text.is_empty());
        if let Some(text) = extension {
            match name::is_identifier(text) {
                true => self.schema.files[root].flat.file_extension = Some(text.to_owned()),
                false => self.malformed(format!("a file extension is {}", name::shown(text))),
            }
        }
        if let Some(table) = self.binary.root_table() {
            match self.index.named(table.name()) {
                Some(ObjectId::Table(id)) => self.schema.files[root].flat.root_type = Some(id),
                _ => {
                    let message =
                        format!("the root type {} is no table", name::shown(table.name()));
                    self.error(code::FBS_FILE, message);
                }
            }
        }
        self.guess_packages();
    }

    /// Namespaces as such are lost: a file has that of its first service, else of its first type.
    fn guess_packages(&mut self) {
        let schema = &mut self.schema;
        for file in &mut schema.files {
            let flat = &schema.flat;
            let service = file.services.first().map(|id| &schema.services[id.0 as usize].full_name);
            let table = file.flat.tables.first().map(|id| &flat.table(*id).declaration.full_name);
            let any = service.or(table);
            file.package = any.map_or_else(Package::default, |name| name.outer());
        }
    }
}

/// The file that no other includes; in a circle, the one that gave the binary schema its name.
fn root_of(listed: &[SchemaFile<'_>], stem: &str) -> Option<usize> {
    let included: HashSet<&str> = listed
        .iter()
        .flat_map(|file| {
            let own = file.filename();
            let names = file.included_filenames().into_iter().flatten();
            names.filter(move |name| *name != own)
        })
        .collect();
    let mut free = (0..listed.len()).filter(|at| !included.contains(listed[*at].filename()));
    let named = || {
        let of_stem = |at: &usize| {
            let name = listed[*at].filename().rsplit(['/', '\\']).next().unwrap_or_default();
            name.strip_suffix(".fbs").unwrap_or(name) == stem
        };
        (0..listed.len()).find(of_stem)
    };
    match (free.next(), free.next()) {
        (Some(one), None) => Some(one),
        _ => named(),
    }
}

/// `//dir/kv.fbs`, below the root that flatc was given, is `dir/kv.fbs`; of a path that leads
/// elsewhere only the last part is kept, since it depends on the machine.
fn import_name(filename: &str) -> String {
    let below =
        filename.strip_prefix("//").filter(|name| !name.split('/').any(|part| part == ".."));
    let name = below.unwrap_or_else(|| filename.rsplit(['/', '\\']).next().unwrap_or_default());
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_those_below_the_root() {
        assert_eq!(import_name("//a/b.fbs"), "a/b.fbs");
        assert_eq!(import_name("//../a/b.fbs"), "b.fbs");
        assert_eq!(import_name("/opt/a/b.fbs"), "b.fbs");
        assert_eq!(import_name("a.fbs"), "a.fbs");
    }
}
