//! The options about messages, by the names that users of prost-build know.

use super::{Builder, Paths};

impl Builder {
    /// Adds an attribute to the selected messages, oneofs and enums. Derives that a type has
    /// already are left out.
    #[must_use]
    pub fn type_attribute(mut self, path: impl Into<String>, attribute: impl Into<String>) -> Self {
        self.rust.messages.type_attributes.insert(path, attribute.into());
        self
    }

    /// Adds an attribute to the selected messages.
    #[must_use]
    pub fn message_attribute(
        mut self,
        path: impl Into<String>,
        attribute: impl Into<String>,
    ) -> Self {
        self.rust.messages.message_attributes.insert(path, attribute.into());
        self
    }

    /// Adds an attribute to the selected enums and oneofs.
    #[must_use]
    pub fn enum_attribute(mut self, path: impl Into<String>, attribute: impl Into<String>) -> Self {
        self.rust.messages.enum_attributes.insert(path, attribute.into());
        self
    }

    /// Adds an attribute to the selected fields and variants.
    #[must_use]
    pub fn field_attribute(
        mut self,
        path: impl Into<String>,
        attribute: impl Into<String>,
    ) -> Self {
        self.rust.messages.field_attributes.insert(path, attribute.into());
        self
    }

    /// Holds the selected `bytes` fields as `bytes::Bytes` instead of `Vec<u8>`.
    #[must_use]
    pub fn bytes(mut self, paths: impl Into<Paths>) -> Self {
        for path in paths.into().0 {
            self.rust.messages.bytes.insert(path, ());
        }
        self
    }

    /// Holds the selected maps as `BTreeMap` instead of `HashMap`.
    #[must_use]
    pub fn btree_map(mut self, paths: impl Into<Paths>) -> Self {
        for path in paths.into().0 {
            self.rust.messages.btree_map.insert(path, ());
        }
        self
    }

    /// Puts the selected message fields on the heap. Fields on a cycle of messages are there
    /// anyhow: every singular field whose message leads back to the one that holds it.
    #[must_use]
    pub fn boxed(mut self, paths: impl Into<Paths>) -> Self {
        for path in paths.into().0 {
            self.rust.messages.boxed.insert(path, ());
        }
        self
    }

    /// Leaves `Debug` off the selected types.
    #[must_use]
    pub fn skip_debug(mut self, paths: impl Into<Paths>) -> Self {
        for path in paths.into().0 {
            self.rust.messages.skip_debug.insert(path, ());
        }
        self
    }

    /// Generate `google.protobuf` instead of taking it from `prost_types` (default: no).
    #[must_use]
    pub fn compile_well_known_types(mut self, enable: bool) -> Self {
        self.rust.messages.compile_well_known_types = enable;
        self
    }

    /// Keeps the name of an enum in front of its variants.
    #[must_use]
    pub fn retain_enum_prefix(mut self) -> Self {
        self.rust.messages.retain_enum_prefix = true;
        self
    }

    /// Implements `prost::Name` for messages.
    #[must_use]
    pub fn enable_type_names(mut self) -> Self {
        self.rust.messages.enable_type_names = true;
        self
    }

    /// The domain in the type URL of the selected messages.
    #[must_use]
    pub fn type_name_domain(mut self, paths: impl Into<Paths>, domain: impl Into<String>) -> Self {
        let domain = domain.into();
        for path in paths.into().0 {
            self.rust.messages.type_name_domains.insert(path, domain.clone());
        }
        self
    }

    /// Where generated code finds prost (default: `::prost`).
    #[must_use]
    pub fn prost_path(mut self, path: impl Into<String>) -> Self {
        self.rust.messages.prost_path = path.into();
        self
    }

    /// Where generated code finds the well-known types (default: `::prost_types`).
    #[must_use]
    pub fn prost_types_path(mut self, path: impl Into<String>) -> Self {
        self.rust.messages.prost_types_path = path.into();
        self
    }

    /// The base name of the file for schemas without a package (default: `_`).
    #[must_use]
    pub fn default_package_filename(mut self, name: impl Into<String>) -> Self {
        self.rust.messages.default_package_filename = name.into();
        self
    }
}
