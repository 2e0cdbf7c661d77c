//! Two calls in one build script that write to one directory: the second would take away the
//! tree, and perhaps a package, of the first. That is refused instead of being lost in silence.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::Result;
use super::run::Input;
use crate::ir::{Diagnostic, code};

/// The inputs that this process compiled into a directory.
static CALLS: Mutex<BTreeMap<PathBuf, Vec<PathBuf>>> = Mutex::new(BTreeMap::new());

/// Notes the call. The same inputs may be compiled again.
pub(super) fn check(directory: &Path, input: &Input) -> Result {
    let inputs: Vec<PathBuf> = match input {
        Input::Files { files, .. } => files.clone(),
        Input::Texts(texts) => texts.iter().map(|(name, _)| PathBuf::from(name)).collect(),
        Input::Descriptors(set) => set.file.iter().map(|file| PathBuf::from(file.name())).collect(),
    };
    let mut calls = CALLS.lock().unwrap_or_else(PoisonError::into_inner);
    match calls.get(directory) {
        Some(known) if *known != inputs => Err(Diagnostic::error(
            code::SECOND_CALL,
            format!(
                "a second call of `compile` writes to `{}`: it would replace what the first wrote",
                directory.display()
            ),
        )
        .help("give all schemas to one call, or each call an `out_dir` of its own")
        .into()),
        _ => {
            calls.insert(directory.to_owned(), inputs);
            Ok(())
        }
    }
}
