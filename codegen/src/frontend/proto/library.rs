//! Where files come from: directories, a map in memory, and what is built in.

use std::{
    collections::{BTreeMap, HashMap},
    path::PathBuf,
    sync::Arc,
};

use prost_types::FileDescriptorProto;
use protox::file::{FileResolver, GoogleFileResolver};

use super::{
    include::Roots,
    parsed::Parsed,
    read::{self, Refused},
};

/// A place to look up import names in.
pub(super) enum Library {
    Directories(Roots),
    Texts(BTreeMap<String, Vec<u8>>),
    /// Files of a descriptor set; each is taken out once.
    Descriptors(HashMap<String, Parsed>),
}

/// A file that was found.
pub(super) enum Found {
    Text {
        /// How diagnostics show its path.
        shown: String,
        /// Where it lies, when it lies on a disk.
        path: Option<PathBuf>,
        text: Result<Arc<str>, Refused>,
    },
    /// A file of a descriptor set.
    Parsed(Box<Parsed>),
    /// A well-known file that comes with protox; it has no text.
    Builtin(Box<FileDescriptorProto>),
    Missing {
        help: String,
    },
}

impl Library {
    /// Looks up an import name. The user's own copy of a well-known file wins over the built-in
    /// one, as with protoc.
    pub(super) fn open(&mut self, name: &str) -> Found {
        match self {
            Self::Directories(roots) => {
                if let Some(path) = roots.find(name) {
                    let shown = path.display().to_string();
                    let text = read::read(&path, &shown);
                    return Found::Text { shown, path: Some(path), text };
                }
            }
            Self::Texts(texts) => {
                if let Some(bytes) = texts.get(name) {
                    let text = read::decode(bytes, name);
                    return Found::Text { shown: name.to_owned(), path: None, text };
                }
            }
            Self::Descriptors(files) => {
                if let Some(file) = files.remove(name) {
                    return Found::Parsed(Box::new(file));
                }
            }
        }
        match GoogleFileResolver::new().open_file(name) {
            Ok(file) => Found::Builtin(Box::new(file.into())),
            Err(_) => Found::Missing { help: self.hint(name) },
        }
    }

    fn hint(&self, name: &str) -> String {
        match self {
            Self::Directories(roots) => match roots.find_other_case(name) {
                Some(other) => format!("there is `{other}`: upper and lower case differ"),
                None => format!("looked in {}", roots.shown()),
            },
            Self::Texts(texts) => {
                let lower = name.to_lowercase();
                match texts.keys().find(|known| known.to_lowercase() == lower) {
                    Some(other) => format!("there is `{other}`: upper and lower case differ"),
                    None => "no text of that name was given".to_owned(),
                }
            }
            Self::Descriptors(_) => "make the set with `--include_imports`".to_owned(),
        }
    }
}
