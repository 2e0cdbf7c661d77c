//! Which front end reads which input: `.fbs` and `.bfbs` those of FlatBuffers, everything else that
//! of Protobuf. What they give becomes one schema, errors of all are reported together.

use std::path::{Path, PathBuf};

use prost::Message as _;
use prost_types::FileDescriptorSet;

use super::run::Input;
#[cfg(feature = "bfbs")]
use crate::frontend::bfbs;
use crate::frontend::{Failed, fbs, merge, proto};
use crate::ir::{Diagnostics, Schema, Source};

/// What the inputs gave together.
#[derive(Default)]
pub(super) struct Loaded {
    pub(super) schema: Schema,
    /// Of the Protobuf inputs.
    pub(super) descriptors: FileDescriptorSet,
    pub(super) read_files: Vec<PathBuf>,
    pub(super) diagnostics: Diagnostics,
}

/// The inputs of one load by the front end that reads them.
struct Sorted<T> {
    proto: Vec<T>,
    flat: Vec<T>,
    binary: Vec<T>,
}

impl<T> Sorted<T> {
    fn new(inputs: impl Iterator<Item = T>, path: impl Fn(&T) -> &Path) -> Self {
        let mut sorted = Self { proto: Vec::new(), flat: Vec::new(), binary: Vec::new() };
        for input in inputs {
            let extension = path(&input).extension();
            let is = |known: &str| extension.is_some_and(|it| it.eq_ignore_ascii_case(known));
            let list = match (is("fbs"), is("bfbs")) {
                (true, _) => &mut sorted.flat,
                (_, true) => &mut sorted.binary,
                _ => &mut sorted.proto,
            };
            list.push(input);
        }
        sorted
    }

    /// Without any input at all, the front end of Protobuf says so.
    fn wants_proto(&self) -> bool {
        !self.proto.is_empty() || self.flat.is_empty() && self.binary.is_empty()
    }
}

/// Loads every input.
pub(super) fn load(input: &Input) -> Result<Loaded, Failed> {
    let mut total = Total::default();
    match input {
        Input::Descriptors(set) => total.proto(proto::load_descriptor_set(&set.encode_to_vec())),
        Input::Files { files, includes } => {
            let sorted = Sorted::new(files.iter().cloned(), |path| path);
            if sorted.wants_proto() {
                total.proto(proto::load(&sorted.proto, includes));
            }
            if !sorted.flat.is_empty() {
                total.flat(fbs::load_behind(total.sources(), &sorted.flat, includes));
            }
            if !sorted.binary.is_empty() {
                total.binary(&sorted.binary, includes);
            }
        }
        Input::Texts(texts) => {
            let all = texts.iter().map(|(name, text)| (name.as_str(), text.as_bytes()));
            let mut sorted = Sorted::new(all, |(name, _)| Path::new(name));
            // A binary schema is no text; as one it gets the finding that it deserves.
            sorted.flat.append(&mut sorted.binary);
            if sorted.wants_proto() {
                total.proto(proto::load_texts(&sorted.proto));
            }
            if !sorted.flat.is_empty() {
                total.flat(fbs::load_texts_behind(total.sources(), &sorted.flat));
            }
        }
    }
    total.finish()
}

/// What the front ends gave so far.
#[derive(Default)]
struct Total {
    loaded: Loaded,
    failed: bool,
}

impl Total {
    /// The texts so far: the next front end counts its own behind them.
    fn sources(&self) -> Vec<Source> {
        self.loaded.schema.sources.clone()
    }

    fn proto(&mut self, result: Result<proto::Loaded, Failed>) {
        match result {
            Ok(proto::Loaded { schema, descriptors, read_files, diagnostics }) => {
                self.loaded = Loaded { schema, descriptors, read_files, diagnostics };
            }
            Err(failed) => self.fail(failed),
        }
    }

    fn flat(&mut self, result: Result<fbs::Loaded, Failed>) {
        match result {
            Ok(fbs::Loaded { schema, read_files, diagnostics }) => {
                self.add(schema, read_files, diagnostics);
            }
            Err(failed) => self.fail(failed),
        }
    }

    #[cfg(feature = "bfbs")]
    fn binary(&mut self, inputs: &[PathBuf], includes: &[PathBuf]) {
        match bfbs::load_behind(self.sources(), inputs, includes) {
            Ok(bfbs::Loaded { schema, read_files, diagnostics }) => {
                self.add(schema, read_files, diagnostics);
            }
            Err(failed) => self.fail(failed),
        }
    }

    #[cfg(not(feature = "bfbs"))]
    fn binary(&mut self, inputs: &[PathBuf], _: &[PathBuf]) {
        use crate::ir::{Diagnostic, code};
        for input in inputs {
            let message = format!(
                "`{}` is a binary schema, and stubwire-codegen is built without its feature `bfbs`",
                input.display()
            );
            let help =
                "ask for it: `stubwire-codegen = { version = \"…\", features = [\"bfbs\"] }`";
            let found = Diagnostic::error(code::UNREADABLE, message).help(help);
            self.loaded.diagnostics.push(found);
        }
        self.failed = true;
    }

    fn add(&mut self, mut added: Schema, read_files: Vec<PathBuf>, diagnostics: Diagnostics) {
        let loaded = &mut self.loaded;
        loaded.schema.sources = std::mem::take(&mut added.sources);
        merge::append(&mut loaded.schema, added, &mut loaded.diagnostics);
        loaded.read_files.extend(read_files);
        loaded.diagnostics.0.extend(diagnostics.0);
    }

    fn fail(&mut self, failed: Failed) {
        self.failed = true;
        self.loaded.diagnostics.0.extend(failed.diagnostics.0);
        let sources = &mut self.loaded.schema.sources;
        // It has the earlier ones in front of its own, unless it lost everything.
        if failed.sources.len() >= sources.len() {
            *sources = failed.sources;
        }
    }

    fn finish(self) -> Result<Loaded, Failed> {
        let Self { mut loaded, failed } = self;
        if failed || loaded.diagnostics.has_errors() {
            return Err(Failed { sources: loaded.schema.sources, diagnostics: loaded.diagnostics });
        }
        loaded.read_files.sort();
        loaded.read_files.dedup();
        Ok(loaded)
    }
}
