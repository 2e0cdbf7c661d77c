//! The `rename` option: Rust names that the user chose.

use std::collections::BTreeMap;

use crate::ir::{Diagnostic, Diagnostics, code};

use super::ident;

/// Chosen names by full schema name, and whether an element took them.
#[derive(Debug, Default)]
pub(crate) struct Renames {
    chosen: BTreeMap<String, (String, bool)>,
}

impl Renames {
    /// Checks that the names are identifiers.
    pub(crate) fn new(renames: &[(String, String)], diagnostics: &mut Diagnostics) -> Self {
        let mut chosen = BTreeMap::new();
        for (path, name) in renames {
            if !ident::is_valid(name) {
                let message = format!("`rename({path:?}, {name:?})` does not give an identifier");
                diagnostics.push(Diagnostic::error(code::BAD_OPTION, message));
                continue;
            }
            if name.starts_with("__") {
                let message = format!("`rename({path:?}, {name:?})` takes a name that is reserved");
                let help = "names that begin with two underscores belong to generated code";
                diagnostics.push(Diagnostic::error(code::BAD_OPTION, message).help(help));
                continue;
            }
            chosen.insert(path.trim_start_matches('.').to_owned(), (name.clone(), false));
        }
        Self { chosen }
    }

    /// The chosen name of an element.
    pub(crate) fn take(&mut self, full_name: &str) -> Option<String> {
        let (name, used) = self.chosen.get_mut(full_name)?;
        *used = true;
        Some(name.clone())
    }

    /// Reports names that no element took.
    pub(crate) fn check_all_used(&self, diagnostics: &mut Diagnostics) {
        for (path, (name, used)) in &self.chosen {
            if !used {
                let message =
                    format!("`rename({path:?}, {name:?})` matches nothing that is generated");
                let help = "give the full name, such as `pkg.Service.Method`";
                diagnostics.push(Diagnostic::error(code::UNUSED_MAPPING, message).help(help));
            }
        }
    }
}
