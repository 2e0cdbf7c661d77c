//! Finds and reads the project's own files for the house-keeping tests.

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the workspace.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).map_or_else(|| here.to_owned(), Path::to_owned)
}

/// A file of the project.
#[derive(Debug)]
pub struct ProjectFile {
    /// From the root, with `/`.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// All text files of the project below `folder` whose name ends with `ending`, by path.
///
/// Build output, fuzz corpora and hidden folders but `.ci` and `.cargo` are left out.
pub fn files(folder: &str, ending: &str) -> Vec<ProjectFile> {
    let mut found = Vec::new();
    collect(&root().join(folder), ending, &mut found);
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn collect(folder: &Path, ending: &str, found: &mut Vec<ProjectFile>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        let hidden = name.starts_with('.') && name != ".ci" && name != ".cargo";
        if hidden || ["target", "corpus", "artifacts"].contains(&&*name) {
            continue;
        }
        if path.is_dir() {
            collect(&path, ending, found);
        } else if name.ends_with(ending)
            && let Ok(text) = fs::read_to_string(&path)
        {
            let path = path.strip_prefix(root()).unwrap_or(&path).to_string_lossy();
            found.push(ProjectFile { path: path.replace('\\', "/"), text });
        }
    }
}
