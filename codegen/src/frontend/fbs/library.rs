//! Where files come from: directories, or texts in memory.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::include::Roots;
use crate::frontend::read::{self, Refused};

/// A place to look up inputs and includes in.
pub(super) enum Library {
    Directories(Roots),
    Texts(BTreeMap<String, Vec<u8>>),
}

/// A file that may be opened.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// What tells it from other files, however it is spelled.
    pub(super) key: PathBuf,
    /// Its name below its include directory, with `/`.
    pub(super) name: String,
    /// How diagnostics show it.
    pub(super) shown: String,
    /// Where it lies by its text, when it lies on a disk.
    pub(super) path: Option<PathBuf>,
    /// Where it lies after following links: what is opened.
    pub(super) real: PathBuf,
}

/// What became of looking for an include.
pub(super) enum Sought {
    Found(Box<Place>),
    /// With a help line.
    Missing(String),
    /// Not looked at, with a help line.
    Outside(String),
}

impl Library {
    /// The file that `written` in the file `from` means.
    pub(super) fn include(&self, from: &Place, written: &str) -> Sought {
        let texts = match self {
            Self::Directories(roots) => return roots.include(from, written),
            Self::Texts(texts) => texts,
        };
        if Path::new(written).is_absolute() {
            return Sought::Outside("an include is a relative path".to_owned());
        }
        let folder = from.name.rsplit_once('/').map_or("", |(folder, _)| folder);
        let beside = normalize(folder, written);
        let plain = normalize("", written);
        let mut names = beside.iter().chain(&plain);
        if let Some(name) = names.find(|name| texts.contains_key(*name)) {
            return Sought::Found(Box::new(text_place(name)));
        }
        if beside.is_none() && plain.is_none() {
            return Sought::Outside("there is nothing above the texts that were given".to_owned());
        }
        let lower = plain.or(beside).unwrap_or_default().to_lowercase();
        Sought::Missing(match texts.keys().find(|known| known.to_lowercase() == lower) {
            Some(other) => format!("there is `{other}`: upper and lower case differ"),
            None => "no text of that name was given".to_owned(),
        })
    }

    pub(super) fn open(&self, place: &Place) -> Result<Arc<str>, Refused> {
        match self {
            Self::Directories(_) => read::read(&place.real, &place.shown),
            Self::Texts(texts) => {
                let bytes = texts.get(&place.name).map(Vec::as_slice).unwrap_or_default();
                read::decode(bytes, &place.name)
            }
        }
    }
}

/// The place of a text in memory.
pub(super) fn text_place(name: &str) -> Place {
    Place {
        key: name.into(),
        name: name.to_owned(),
        shown: name.to_owned(),
        path: None,
        real: name.into(),
    }
}

/// `written` seen from `folder`; `None` when it climbs out.
fn normalize(folder: &str, written: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(written.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
