//! Include directories: from an input's path to the name others import it by, and back.

use std::{
    env, fs,
    path::{Component, Path, PathBuf},
};

use super::{read::reason, session::Session};
use crate::ir::{Diagnostic, code};

/// The include directories, in order; the first that has a file wins.
pub(super) struct Roots(Vec<Root>);

struct Root {
    /// As the user wrote it.
    given: PathBuf,
    /// Absolute, with `.` and `..` taken out of the text.
    lexical: PathBuf,
    /// Absolute, with symbolic links followed.
    real: PathBuf,
}

impl Roots {
    /// Checks the directories. Without any, every input's own directory is one, so that a single
    /// file needs no configuration.
    pub(super) fn new(session: &mut Session, includes: &[PathBuf], inputs: &[PathBuf]) -> Self {
        let mut roots = Vec::new();
        if includes.is_empty() {
            for input in inputs {
                let parent = input.parent().unwrap_or(Path::new(""));
                // An input whose directory is missing is missing itself, and reported as that.
                roots.extend(Root::open(parent).ok());
            }
        }
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
        Self(roots)
    }

    /// The import name of an input.
    pub(super) fn name_of(&self, input: &Path) -> Result<String, Diagnostic> {
        let shown = input.display();
        if !input.exists() && !input.is_symlink() {
            // protoc, too, takes an input for an import name when there is no such file.
            if let Some(name) = import_name(input).filter(|name| self.find(name).is_some()) {
                return Ok(name);
            }
            return Err(Diagnostic::error(code::NOT_FOUND, format!("there is no file `{shown}`")));
        }
        let Some((name, root)) = self.lexical_name(input).or_else(|| self.real_name(input)) else {
            let directory = input.parent().unwrap_or(Path::new(".")).display();
            let message = format!("`{shown}` lies in none of the include directories");
            return Err(Diagnostic::error(code::OUTSIDE_INCLUDES, message)
                .help(format!("add its directory `{directory}` (or one above it) to them")));
        };
        match self.0[..root].iter().map(|earlier| earlier.given.join(&name)).find(|p| p.exists()) {
            None => Ok(name),
            Some(shadow) => {
                let shadow = shadow.display();
                let message = format!("`{shown}` is hidden by `{shadow}`: both are named `{name}`");
                Err(Diagnostic::error(code::SHADOWED, message)
                    .help("give the directory above both as the only include directory"))
            }
        }
    }

    /// The file with this import name, in the first directory that has it.
    pub(super) fn find(&self, name: &str) -> Option<PathBuf> {
        // Only names that stay below the directory: no `..`, no absolute path.
        import_name(Path::new(name)).filter(|clean| clean == name)?;
        let mut paths = self.0.iter().map(|root| join(&root.given, name));
        paths.find(|path| path.exists() || path.is_symlink())
    }

    /// Where [`find`](Self::find) looks, for a help line.
    pub(super) fn shown(&self) -> String {
        let all: Vec<_> = self.0.iter().map(|root| format!("`{}`", show(&root.given))).collect();
        all.join(", ")
    }

    /// A file that has this name but for upper and lower case.
    pub(super) fn find_other_case(&self, name: &str) -> Option<String> {
        self.0.iter().find_map(|root| other_case(&root.given, name))
    }

    fn lexical_name(&self, input: &Path) -> Option<(String, usize)> {
        let input = normalize(input)?;
        self.first(|root| input.strip_prefix(&root.lexical).ok().map(Path::to_owned))
    }

    fn real_name(&self, input: &Path) -> Option<(String, usize)> {
        // The file itself may be a link to somewhere else; only the way to it is followed.
        let parent = match input.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let input = fs::canonicalize(parent).ok()?.join(input.file_name()?);
        self.first(|root| input.strip_prefix(&root.real).ok().map(Path::to_owned))
    }

    fn first(&self, relative: impl Fn(&Root) -> Option<PathBuf>) -> Option<(String, usize)> {
        let mut found = self.0.iter().enumerate();
        found.find_map(|(at, root)| Some((import_name(&relative(root)?)?, at)))
    }
}

impl Root {
    fn open(given: &Path) -> Result<Self, String> {
        let path = if given.as_os_str().is_empty() { Path::new(".") } else { given };
        let real = fs::canonicalize(path).map_err(|err| match err.kind() {
            std::io::ErrorKind::NotFound => "does not exist".to_owned(),
            _ => format!("cannot be used: {}", reason(&err)),
        })?;
        if !real.is_dir() {
            return Err("is not a directory".to_owned());
        }
        let lexical = normalize(path).unwrap_or_else(|| real.clone());
        Ok(Self { given: given.to_owned(), lexical, real })
    }
}

/// Joins without a leading `./`, which would stand in every diagnostic.
fn join(root: &Path, name: &str) -> PathBuf {
    if root == Path::new(".") { PathBuf::from(name) } else { root.join(name) }
}

fn show(path: &Path) -> String {
    if path.as_os_str().is_empty() { ".".to_owned() } else { path.display().to_string() }
}

/// Makes a path absolute and takes `.` and `..` out of its text.
fn normalize(path: &Path) -> Option<PathBuf> {
    let mut out = env::current_dir().ok()?;
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    Some(out)
}

/// A relative path with `/` between its parts; `None` when it climbs or is not UTF-8.
fn import_name(path: &Path) -> Option<String> {
    let mut parts = Vec::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::Normal(part) => parts.push(part.to_str()?),
            _ => return None,
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

/// Follows `name` down from `root`, taking the entry that differs in case alone where there is no
/// equal one.
fn other_case(root: &Path, name: &str) -> Option<String> {
    let mut directory =
        if root.as_os_str().is_empty() { PathBuf::from(".") } else { root.to_owned() };
    let mut found = Vec::new();
    for part in name.split('/') {
        let mut names: Vec<String> = fs::read_dir(&directory)
            .ok()?
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|candidate| candidate.to_lowercase() == part.to_lowercase())
            .collect();
        // An equal entry wins; else the choice must not depend on the order of the directory.
        names.sort_by_key(|candidate| (candidate != part, candidate.clone()));
        let name = names.into_iter().next()?;
        directory.push(&name);
        found.push(name);
    }
    Some(found.join("/"))
}
