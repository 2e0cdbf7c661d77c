//! Writes files: each at once or not at all, and not when it has these bytes already, so that
//! nothing is compiled again for nothing.
//!
//! A manifest beside the files lists what was written. What it lists and the next run does not
//! write is removed, if it still says that it is ours.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::Result;
use crate::backend::GeneratedFile;
use crate::backend::rust::emit::MARK;
use crate::ir::{Diagnostic, code};

/// Where the files go.
pub(super) struct Target {
    pub(super) directory: PathBuf,
    pub(super) tree_file: String,
}

/// Lists the files of the last run, one a line.
const MANIFEST: &str = ".stubwire-manifest";

/// How temporary files begin and end.
const TEMPORARY: (&str, &str) = (".stubwire-", ".tmp");

/// A temporary file of this age belongs to nobody any more.
const ABANDONED: Duration = Duration::from_secs(3600);

/// True for a plain file name: nothing that leads out of the directory.
pub(super) fn is_component(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 255
        && !matches!(name, "." | "..")
        && !name.contains(['/', '\\', ':', '\0', '\n', '\r'])
}

/// Writes the files and removes those of the last run that are not among them.
pub(super) fn write(target: &Target, files: &[GeneratedFile]) -> Result {
    let directory = &target.directory;
    fs::create_dir_all(directory).map_err(|error| cannot("create", directory, &error))?;
    let known = read_manifest(directory);
    remove_abandoned(directory);
    // Packages first: the tree names them.
    for file in files {
        if !is_component(&file.name) {
            let error = io::Error::new(io::ErrorKind::InvalidInput, "not the name of a file");
            return Err(cannot("write", Path::new(&file.name), &error));
        }
        write_one(&directory.join(&file.name), file.content.as_bytes())?;
    }
    let names: BTreeSet<&str> = files.iter().map(|file| file.name.as_str()).collect();
    for stale in known.iter().filter(|name| !names.contains(name.as_str())) {
        remove_stale(&directory.join(stale))?;
    }
    let mut manifest = String::from("# Written by stubwire, to know what it may remove.\n");
    for name in names {
        manifest.push_str(name);
        manifest.push('\n');
    }
    write_one(&directory.join(MANIFEST), manifest.as_bytes())
}

/// Writes one file through a temporary one beside it, unless it has these bytes.
pub(super) fn write_one(path: &Path, content: &[u8]) -> Result {
    // A link is replaced, never followed: it may lead anywhere.
    let is_file = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file());
    if is_file && fs::read(path).is_ok_and(|known| known == content) {
        return Ok(());
    }
    replace(path, content).map_err(|error| cannot("write", path, &error))
}

fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY.0).suffix(TEMPORARY.1);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // As any new file; the process's mask applies.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(directory.unwrap_or(Path::new(".")))?;
    file.write_all(content)?;
    file.flush()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

fn read_manifest(directory: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(directory.join(MANIFEST)).unwrap_or_default();
    let names = text.lines().filter(|line| !line.starts_with('#') && is_component(line));
    names.map(str::to_owned).collect()
}

/// Removes a file that we wrote and nobody has replaced since.
fn remove_stale(path: &Path) -> Result {
    let is_file = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file());
    let ours = is_file && fs::read(path).is_ok_and(|text| text.starts_with(MARK.as_bytes()));
    if !ours {
        return Ok(());
    }
    fs::remove_file(path).map_err(|error| cannot("remove", path, &error))
}

/// Removes what a run that was killed left behind. Best effort: it harms nobody.
fn remove_abandoned(directory: &Path) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.filter_map(io::Result::ok) {
        let name = entry.file_name();
        let ours = name
            .to_str()
            .is_some_and(|name| name.starts_with(TEMPORARY.0) && name.ends_with(TEMPORARY.1));
        let modified = entry.metadata().and_then(|metadata| metadata.modified());
        let age = modified.ok().and_then(|time| time.elapsed().ok());
        if ours && age.is_some_and(|age| age > ABANDONED) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn cannot(what: &str, path: &Path, error: &io::Error) -> super::Error {
    let message = format!("cannot {what} `{}`: {error}", path.display());
    Diagnostic::error(code::CANNOT_WRITE, message).into()
}

#[cfg(test)]
#[path = "write_tests.rs"]
mod tests;
