//! Include directories: which file an include means, and which it must never reach.
//!
//! Looked for first beside the including file, then in the include directories in order, as flatc
//! does. Unlike there, a file is opened only if it lies below an include directory or below the
//! directory of an input, both by its text and after following links.

use std::{
    env, fs, io,
    path::{Component, Path, PathBuf},
};

use super::library::{Place, Sought};
use crate::{
    frontend::{read::reason, session::Session},
    ir::{Diagnostic, code},
};

/// The directories that a load may read from.
pub(super) struct Roots {
    /// Include directories, then the directories of inputs.
    roots: Vec<Root>,
    /// How many of them are include directories.
    includes: usize,
}

struct Root {
    /// As the user wrote it.
    given: PathBuf,
    /// Absolute, with `.` and `..` taken out of the text.
    lexical: PathBuf,
    /// Absolute, with symbolic links followed.
    real: PathBuf,
}

/// What became of following a path.
enum Followed {
    To(Box<Place>),
    Outside,
    Nowhere,
}

impl Roots {
    pub(super) fn new(session: &mut Session, includes: &[PathBuf], inputs: &[PathBuf]) -> Self {
        let mut roots: Vec<Root> = Vec::new();
        for include in includes {
            match Root::open(include) {
                Ok(root) => roots.push(root),
                Err(why) => {
                    let shown = include.display().to_string();
                    let message = format!("include directory `{shown}` {why}");
                    let place = session.place_of(shown);
                    session.report(Diagnostic::error(code::BAD_INCLUDE, message).label(place, ""));
                }
            }
        }
        let mut seen = std::collections::HashSet::new();
        roots.retain(|root| seen.insert(root.lexical.clone()));
        let includes = roots.len();
        for input in inputs {
            // An input whose directory is missing is missing itself, and reported as that.
            let Ok(root) = Root::open(input.parent().unwrap_or(Path::new(""))) else { continue };
            if seen.insert(root.lexical.clone()) {
                roots.push(root);
            }
        }
        Self { roots, includes }
    }

    /// The place of an input: a path, or a name below an include directory.
    pub(super) fn input(&self, input: &Path) -> Result<Place, Diagnostic> {
        if (input.exists() || input.is_symlink())
            && let Some(lexical) = absolute(input)
        {
            let real = fs::canonicalize(&lexical).unwrap_or_else(|_| lexical.clone());
            return Ok(self.place(&lexical, real, input.display().to_string()));
        }
        if !input.is_absolute()
            && let Sought::Found(place) = self.find(&input.display().to_string(), None)
        {
            return Ok(*place);
        }
        let message = format!("there is no file `{}`", input.display());
        Err(Diagnostic::error(code::NOT_FOUND, message))
    }

    /// The file that `written` in the file `from` means.
    pub(super) fn include(&self, from: &Place, written: &str) -> Sought {
        let beside = from.path.as_deref().and_then(Path::parent).map(Path::to_owned);
        self.find(written, beside)
    }

    fn find(&self, written: &str, beside: Option<PathBuf>) -> Sought {
        let path = Path::new(written);
        let relative = path
            .components()
            .all(|part| !matches!(part, Component::RootDir | Component::Prefix(_)));
        if written.is_empty() {
            return Sought::Missing("name a file".to_owned());
        }
        if !relative {
            return Sought::Outside(
                "an include is a path relative to the including file or to an include directory"
                    .into(),
            );
        }
        let includes = self.roots[..self.includes].iter().map(|root| root.lexical.clone());
        let mut outside = false;
        let mut looked = Vec::new();
        for base in beside.into_iter().chain(includes) {
            // By the text alone: nothing outside is so much as looked at.
            let lexical = join(&base, path);
            if !self.roots.iter().any(|root| lexical.starts_with(&root.lexical)) {
                outside = true;
                continue;
            }
            match self.follow(&lexical) {
                Followed::To(place) => return Sought::Found(place),
                Followed::Outside => {
                    let help = "it is a symbolic link to somewhere else: add the directory it \
                        leads to to the include directories";
                    return Sought::Outside(help.to_owned());
                }
                Followed::Nowhere => looked.push(lexical),
            }
        }
        if looked.is_empty() && outside {
            return Sought::Outside(
                "add a directory above it to the include directories".to_owned(),
            );
        }
        Sought::Missing(self.hint(&looked))
    }

    /// Follows the links of a path that lies inside by its text.
    fn follow(&self, lexical: &Path) -> Followed {
        let real = match fs::canonicalize(lexical) {
            Ok(real) if self.roots.iter().any(|root| real.starts_with(&root.real)) => real,
            Ok(_) => return Followed::Outside,
            Err(err) if err.kind() == io::ErrorKind::NotFound => return Followed::Nowhere,
            // A circle of links, a directory without permission: the reader says which.
            Err(_) => lexical.to_owned(),
        };
        Followed::To(Box::new(self.place(lexical, real, self.shown(lexical))))
    }

    fn hint(&self, looked: &[PathBuf]) -> String {
        if let Some(other) = looked.iter().find_map(|path| other_case(path)) {
            return format!("there is `{}`: upper and lower case differ", self.shown(&other));
        }
        let shown: Vec<_> = looked
            .iter()
            .filter_map(|path| path.parent())
            .map(|path| {
                let shown = self.shown(path);
                if shown.is_empty() { "`.`".to_owned() } else { format!("`{shown}`") }
            })
            .collect();
        format!("looked in {}", shown.join(", "))
    }

    fn place(&self, lexical: &Path, real: PathBuf, shown: String) -> Place {
        let name = self
            .roots
            .iter()
            .find_map(|root| lexical.strip_prefix(&root.lexical).ok())
            .map_or_else(|| lexical.to_owned(), Path::to_owned);
        let name = name.components().filter_map(|part| part.as_os_str().to_str());
        Place {
            name: name.collect::<Vec<_>>().join("/"),
            key: real.clone(),
            shown,
            path: Some(lexical.to_owned()),
            real,
        }
    }

    /// A path as the user would write it.
    fn shown(&self, lexical: &Path) -> String {
        let found = self.roots.iter().find_map(|root| {
            let rest = lexical.strip_prefix(&root.lexical).ok()?;
            Some(if root.given == Path::new(".") { rest.to_owned() } else { root.given.join(rest) })
        });
        let shown = found.unwrap_or_else(|| lexical.to_owned()).display().to_string();
        shown.strip_suffix('/').unwrap_or(&shown).to_owned()
    }
}

impl Root {
    fn open(given: &Path) -> Result<Self, String> {
        let path = if given.as_os_str().is_empty() { Path::new(".") } else { given };
        let real = fs::canonicalize(path).map_err(|err| match err.kind() {
            io::ErrorKind::NotFound => "does not exist".to_owned(),
            _ => format!("cannot be used: {}", reason(&err)),
        })?;
        if !real.is_dir() {
            return Err("is not a directory".to_owned());
        }
        let lexical = absolute(path).unwrap_or_else(|| real.clone());
        Ok(Self { given: given.to_owned(), lexical, real })
    }
}

fn absolute(path: &Path) -> Option<PathBuf> {
    Some(join(&env::current_dir().ok()?, path))
}

/// `path` seen from `base`, with `.` and `..` taken out of the text.
fn join(base: &Path, path: &Path) -> PathBuf {
    let mut out = base.to_owned();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

/// The file beside `path` whose name differs in case alone.
fn other_case(path: &Path) -> Option<PathBuf> {
    let wanted = path.file_name()?.to_str()?.to_lowercase();
    let mut names: Vec<_> = fs::read_dir(path.parent()?)
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.to_lowercase() == wanted)
        .collect();
    // The choice must not depend on the order of the directory.
    names.sort();
    Some(path.with_file_name(names.first()?))
}
