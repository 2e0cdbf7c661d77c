//! The options of a build script, one method each. Decides nothing: it fills plain data.

use std::path::{Path, PathBuf};

use prost_types::FileDescriptorSet;

use super::run::{self, Input};
use super::{Output, Paths, Result};
use crate::backend::rust::RustOptions;

/// Starts a configuration.
///
/// Large schemas: build scripts are compiled without optimisation unless the workspace says
/// `[profile.dev.build-override] opt-level = 1`, which makes generation several times as fast.
///
/// ```no_run
/// fn main() -> stubwire_codegen::Result {
///     stubwire_codegen::configure().compile(&["schema/echo.proto"], &["schema"])
/// }
/// ```
#[must_use]
pub fn configure() -> Builder {
    Builder::default()
}

/// What to generate, and where to. Made by [`configure`].
#[derive(Clone, Debug, Default)]
pub struct Builder {
    pub(super) rust: RustOptions,
    pub(super) out_dir: Option<PathBuf>,
    pub(super) include_file: Option<String>,
    pub(super) emit_rerun_if_changed: Option<bool>,
    pub(super) file_descriptor_set_path: Option<PathBuf>,
    #[cfg(feature = "flatc")]
    pub(super) flatbuffers_messages: super::FlatBuffersMessages,
}

impl Builder {
    /// Emit clients (default: yes).
    #[must_use]
    pub fn build_client(mut self, enable: bool) -> Self {
        self.rust.build_client = enable;
        self
    }

    /// Emit server traits and what registers them (default: yes).
    #[must_use]
    pub fn build_server(mut self, enable: bool) -> Self {
        self.rust.build_server = enable;
        self
    }

    /// Give the methods of server traits a body that answers "not implemented" (default: no).
    #[must_use]
    pub fn generate_default_stubs(mut self, enable: bool) -> Self {
        self.rust.generate_default_stubs = enable;
        self
    }

    /// Leave streaming methods out, with a warning, instead of refusing them (default: no).
    #[must_use]
    pub fn skip_streaming(mut self, enable: bool) -> Self {
        self.rust.skip_streaming = enable;
        self
    }

    /// Emit services alone: every message that they use comes from elsewhere, by
    /// [`extern_path`](Self::extern_path).
    #[must_use]
    pub fn services_only(mut self) -> Self {
        self.rust.services_only = true;
        self
    }

    /// Where generated code finds the runtime (default: `::stubwire`).
    #[must_use]
    pub fn runtime_path(mut self, path: impl Into<String>) -> Self {
        self.rust.runtime_path = path.into();
        self
    }

    /// Where generated code finds the crate `flatbuffers` (default: `::flatbuffers`).
    #[must_use]
    pub fn flatbuffers_path(mut self, path: impl Into<String>) -> Self {
        self.rust.flatbuffers_path = path.into();
        self
    }

    /// Who makes the messages of `.fbs` inputs (default: stubwire itself, which needs nothing
    /// installed). Services are the same either way, and so is code that uses the messages.
    ///
    /// ```no_run
    /// # fn main() -> stubwire_codegen::Result {
    /// use stubwire_codegen::FlatBuffersMessages;
    ///
    /// stubwire_codegen::configure()
    ///     .flatbuffers_messages(FlatBuffersMessages::Flatc { path: None })
    ///     .compile(&["schema/kv.fbs"], &["schema"])
    /// # }
    /// ```
    ///
    /// flatc is run as `flatc --rust --gen-all` and has to be of a supported version, 25.12.19; what
    /// is not found, or another one, is an error. Its Rust does not compile for every schema, and is
    /// unsafe for some: nested buffers, and quotes in defaults, which are refused. A union of a
    /// variant that the schema does not know is not verified by it: only the accessors of known
    /// variants (`u_as_x`) are to be used. It names every type itself, so `rename` and `extern_path` do not reach them, nor does `flatbuffers_path`.
    #[cfg(feature = "flatc")]
    #[must_use]
    pub fn flatbuffers_messages(mut self, who: super::FlatBuffersMessages) -> Self {
        self.flatbuffers_messages = who;
        self
    }

    /// Names an element in Rust: a message, enum, oneof, field, service or method by its full
    /// name, such as `pkg.Service.Method`. The wire keeps the name of the schema.
    #[must_use]
    pub fn rename(mut self, full_name: impl Into<String>, ident: impl Into<String>) -> Self {
        self.rust.renames.push((full_name.into(), ident.into()));
        self
    }

    /// Adds an attribute to the servers of the selected services.
    #[must_use]
    pub fn server_attribute(
        mut self,
        path: impl Into<String>,
        attribute: impl Into<String>,
    ) -> Self {
        self.rust.server_attributes.insert(path, attribute.into());
        self
    }

    /// Adds an attribute to the clients of the selected services.
    #[must_use]
    pub fn client_attribute(
        mut self,
        path: impl Into<String>,
        attribute: impl Into<String>,
    ) -> Self {
        self.rust.client_attributes.insert(path, attribute.into());
        self
    }

    /// Adds an attribute to the server traits of the selected services.
    #[must_use]
    pub fn trait_attribute(
        mut self,
        path: impl Into<String>,
        attribute: impl Into<String>,
    ) -> Self {
        self.rust.trait_attributes.insert(path, attribute.into());
        self
    }

    /// Keeps the comments of the selected elements out of the generated code.
    #[must_use]
    pub fn disable_comments(mut self, paths: impl Into<Paths>) -> Self {
        for path in paths.into().0 {
            self.rust.disable_comments.insert(path, ());
        }
        self
    }

    /// Takes a package or a type from a Rust path instead of generating it.
    ///
    /// Tables of FlatBuffers are looked for by the names of flatc. A method that sends or returns
    /// such a table names a type that stands for it, `GetReplyMessage` for `GetReply`; what was
    /// built becomes one by `GetReplyMessage::of`.
    ///
    /// The mapping of a type wins over that of its package, whatever their order. It also holds
    /// for types of the inputs: they are not generated then. A mapping that matches no type is an
    /// error. Messages that hold a mapped type are neither `Copy` nor `Eq`, since nothing is known
    /// about it; `type_attribute` adds what is wanted.
    #[must_use]
    pub fn extern_path(
        mut self,
        schema_path: impl Into<String>,
        rust_path: impl Into<String>,
    ) -> Self {
        self.rust.extern_paths.push((schema_path.into(), rust_path.into()));
        self
    }

    /// Where to write (default: `OUT_DIR`, with the tree in `stubwire.rs`). For checked-in code:
    /// `out_dir("src/gen")`, with the tree in `mod.rs`.
    #[must_use]
    pub fn out_dir(mut self, path: impl AsRef<Path>) -> Self {
        self.out_dir = Some(path.as_ref().to_owned());
        self
    }

    /// The name of the file that holds the module tree.
    #[must_use]
    pub fn include_file(mut self, name: impl Into<String>) -> Self {
        self.include_file = Some(name.into());
        self
    }

    /// Tell cargo which files were read (default: when cargo runs the build script).
    #[must_use]
    pub fn emit_rerun_if_changed(mut self, enable: bool) -> Self {
        self.emit_rerun_if_changed = Some(enable);
        self
    }

    /// Also writes the descriptors of inputs and imports to this file.
    #[must_use]
    pub fn file_descriptor_set_path(mut self, path: impl AsRef<Path>) -> Self {
        self.file_descriptor_set_path = Some(path.as_ref().to_owned());
        self
    }

    /// Compiles schema files, `.proto` and `.fbs` in one call. Without include directories, the
    /// directory of each input is one. A package and a namespace of one name share a module.
    ///
    /// With the feature `bfbs`, binary schemas are inputs, too: `.bfbs` files as flatc makes them by
    /// `flatc --schema -b --bfbs-comments --bfbs-builtins --bfbs-filenames <root> <file>.fbs`. They give
    /// services alone, since the defaults of strings and vectors are lost in them; where the tables
    /// are says [`extern_path`](Self::extern_path).
    ///
    /// Types of `.fbs` files hold `unsafe`, because the traits of the crate `flatbuffers` ask for
    /// it; the head of each generated file says how often. A team that forbids it puts the
    /// generated code into a crate of its own, which holds nothing else:
    ///
    /// ```text
    /// wire/build.rs     stubwire_codegen::configure().compile(&["schema/kv.fbs"], &["schema"])
    /// wire/src/lib.rs   stubwire::include_tree!();
    /// app/src/lib.rs    #![forbid(unsafe_code)] and `use wire::kv;`
    /// ```
    ///
    /// # Errors
    /// Everything found wrong, with its places. Nothing is written then.
    pub fn compile(self, inputs: &[impl AsRef<Path>], includes: &[impl AsRef<Path>]) -> Result {
        run::compile(&self, &files(inputs, includes))
    }

    /// Compiles descriptors that somebody else made, with imports.
    ///
    /// # Errors
    /// As [`compile`](Self::compile).
    pub fn compile_fds(self, descriptors: FileDescriptorSet) -> Result {
        run::compile(&self, &Input::Descriptors(descriptors))
    }

    /// What [`compile`](Self::compile) would write, without writing or printing anything.
    ///
    /// # Errors
    /// As [`compile`](Self::compile).
    pub fn generate(
        &self,
        inputs: &[impl AsRef<Path>],
        includes: &[impl AsRef<Path>],
    ) -> Result<Output> {
        run::generate(self, &files(inputs, includes))
    }

    /// [`generate`](Self::generate) for texts in memory: pairs of import name and content.
    ///
    /// # Errors
    /// As [`compile`](Self::compile).
    pub fn generate_texts(&self, texts: &[(&str, &str)]) -> Result<Output> {
        let owned = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
        run::generate(self, &Input::Texts(texts.iter().map(owned).collect()))
    }
}

fn files(inputs: &[impl AsRef<Path>], includes: &[impl AsRef<Path>]) -> Input {
    let mut files: Vec<PathBuf> = inputs.iter().map(|path| path.as_ref().to_owned()).collect();
    files.sort();
    files.dedup();
    let includes = includes.iter().map(|path| path.as_ref().to_owned()).collect();
    Input::Files { files, includes }
}
