//! The file that holds the module tree and includes all others.
//!
//! It is text, not tokens: two lines a module, `include!` relative to the file itself, so that the
//! same bytes serve `OUT_DIR` and checked-in code.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::backend::rust::lower::model::{ModulePath, Names};

/// The tree over the files, given by module.
pub(crate) fn tree(names: &Names, files: &BTreeMap<ModulePath, String>) -> String {
    let mut out = super::header(&[], super::Unsafety::Own(0));
    let mut open: Vec<String> = Vec::new();
    // A package may only lead to others; one without output at all has no module.
    let leads = |path: &ModulePath| files.keys().any(|file| file.0.starts_with(&path.0));
    for (path, module) in names.tree.iter().filter(|(path, _)| leads(path)) {
        while !path.0.starts_with(&open) {
            open.pop();
            line(&mut out, open.len(), "}");
        }
        if let Some(name) = path.0.last().filter(|_| path.0.len() > open.len()) {
            line(&mut out, open.len(), &format!("/// Package `{}`.", module.package));
            if open.last() == Some(name) {
                line(&mut out, open.len(), "#[allow(clippy::module_inception)]");
            }
            line(&mut out, open.len(), &format!("pub mod {name} {{"));
            open.clone_from(&path.0);
        }
        if let Some(file) = files.get(path) {
            line(&mut out, open.len(), &format!("::core::include!({file:?});"));
        }
    }
    while !open.is_empty() {
        open.pop();
        line(&mut out, open.len(), "}");
    }
    out
}

fn line(out: &mut String, depth: usize, text: &str) {
    // Writing to a string does not fail.
    let _ = writeln!(out, "{}{text}", "    ".repeat(depth));
}
