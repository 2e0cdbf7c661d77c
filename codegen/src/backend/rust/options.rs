//! What can be chosen about the Rust back end. Plain data: the build-script face has a method for
//! each, and decides nothing.

use super::path_map::PathMap;

/// Options of the Rust back end.
#[derive(Clone, Debug)]
pub struct RustOptions {
    /// Emit clients.
    pub build_client: bool,
    /// Emit server traits and their registration.
    pub build_server: bool,
    /// Give trait methods a body that answers "not implemented".
    pub generate_default_stubs: bool,
    /// Leave streaming methods out with a warning, instead of refusing them.
    pub skip_streaming: bool,
    /// Emit no message: all come from elsewhere by `extern_path`.
    pub services_only: bool,
    /// Where the runtime lives.
    pub runtime_path: String,
    /// Attributes for `XServer`.
    pub server_attributes: PathMap<String>,
    /// Attributes for `XClient`.
    pub client_attributes: PathMap<String>,
    /// Attributes for the server trait.
    pub trait_attributes: PathMap<String>,
    /// Rust names by full schema name.
    pub renames: Vec<(String, String)>,
    /// Elements whose comments stay in the schema.
    pub disable_comments: PathMap<()>,
    /// Rust paths of types that are not generated, by schema path.
    pub extern_paths: Vec<(String, String)>,
    /// Where the crate `flatbuffers` lives.
    pub flatbuffers_path: String,
    /// Options about messages.
    pub messages: MessageOptions,
}

/// Options of the messages, by the names of prost-build.
#[derive(Clone, Debug)]
pub struct MessageOptions {
    /// Attributes for messages, oneofs and enums.
    pub type_attributes: PathMap<String>,
    /// Attributes for messages.
    pub message_attributes: PathMap<String>,
    /// Attributes for enums and oneofs.
    pub enum_attributes: PathMap<String>,
    /// Attributes for fields and variants.
    pub field_attributes: PathMap<String>,
    /// `bytes` fields held as `bytes::Bytes`.
    pub bytes: PathMap<()>,
    /// Maps held as `BTreeMap`.
    pub btree_map: PathMap<()>,
    /// Fields put on the heap.
    pub boxed: PathMap<()>,
    /// Types without `Debug`.
    pub skip_debug: PathMap<()>,
    /// Generate `google.protobuf` instead of taking it from `prost_types`.
    pub compile_well_known_types: bool,
    /// Keep the enum's name in front of its variants.
    pub retain_enum_prefix: bool,
    /// Implement `prost::Name`.
    pub enable_type_names: bool,
    /// Domain of type URLs.
    pub type_name_domains: PathMap<String>,
    /// Where prost lives.
    pub prost_path: String,
    /// Where prost-types lives.
    pub prost_types_path: String,
    /// Base name of the file of types without a package.
    pub default_package_filename: String,
}

impl Default for RustOptions {
    fn default() -> Self {
        Self {
            build_client: true,
            build_server: true,
            generate_default_stubs: false,
            skip_streaming: false,
            services_only: false,
            runtime_path: "::stubwire".to_owned(),
            server_attributes: PathMap::default(),
            client_attributes: PathMap::default(),
            trait_attributes: PathMap::default(),
            renames: Vec::new(),
            disable_comments: PathMap::default(),
            extern_paths: Vec::new(),
            flatbuffers_path: "::flatbuffers".to_owned(),
            messages: MessageOptions::default(),
        }
    }
}

impl Default for MessageOptions {
    fn default() -> Self {
        Self {
            type_attributes: PathMap::default(),
            message_attributes: PathMap::default(),
            enum_attributes: PathMap::default(),
            field_attributes: PathMap::default(),
            bytes: PathMap::default(),
            btree_map: PathMap::default(),
            boxed: PathMap::default(),
            skip_debug: PathMap::default(),
            compile_well_known_types: false,
            retain_enum_prefix: false,
            enable_type_names: false,
            type_name_domains: PathMap::default(),
            prost_path: "::prost".to_owned(),
            prost_types_path: "::prost_types".to_owned(),
            default_package_filename: "_".to_owned(),
        }
    }
}
