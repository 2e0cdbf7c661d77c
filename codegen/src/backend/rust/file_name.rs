//! The name of the file of every module: one component, never a path.

use std::collections::BTreeMap;

use super::lower::ident::unraw;
use super::lower::model::ModulePath;

/// Names longer than this are cut and told apart by a hash; file systems stop at 255.
const LONGEST: usize = 180;

/// Names the file of every module.
pub(crate) fn file_names<'m>(
    modules: impl Iterator<Item = &'m ModulePath>,
    tree_file: &str,
    root: &str,
) -> BTreeMap<ModulePath, String> {
    modules.map(|module| (module.clone(), file_name(module, tree_file, root))).collect()
}

fn file_name(module: &ModulePath, tree_file: &str, root: &str) -> String {
    let segments: Vec<&str> = module.0.iter().map(|segment| unraw(segment)).collect();
    let mut stem = if segments.is_empty() { root.to_owned() } else { segments.join(".") };
    if stem.len() > LONGEST {
        let hash = hash(&stem);
        // Module names are ASCII; a root file's name is the user's.
        let cut = (0..=LONGEST).rev().find(|at| stem.is_char_boundary(*at)).unwrap_or(0);
        stem.truncate(cut);
        stem.push_str(&format!(".{hash:016x}"));
    }
    let name = format!("{stem}.rs");
    // A package may be called `mod` or `stubwire`.
    if name == tree_file { format!("{stem}_.rs") } else { name }
}

/// FNV-1a: short, stable for ever, and needs no crate.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(segments: &[&str]) -> ModulePath {
        ModulePath(segments.iter().map(|segment| (*segment).to_owned()).collect())
    }

    #[test]
    fn trust_e12_names_are_components() {
        assert_eq!(file_name(&module(&["a", "b_c"]), "mod.rs", "_"), "a.b_c.rs");
        assert_eq!(file_name(&module(&["r#type"]), "mod.rs", "_"), "type.rs");
        assert_eq!(file_name(&module(&["r#mod"]), "mod.rs", "_"), "mod_.rs");
        assert_eq!(file_name(&module(&["stubwire"]), "stubwire.rs", "_"), "stubwire_.rs");
        assert_eq!(file_name(&module(&[]), "mod.rs", "_"), "_.rs");
    }

    #[test]
    fn trust_e11_long_packages_get_short_distinct_names() {
        let long: Vec<&str> = vec!["segment"; 300];
        let mut other = long.clone();
        other.push("x");
        let (one, two) = (module(&long), module(&other));
        let (one, two) = (file_name(&one, "mod.rs", "_"), file_name(&two, "mod.rs", "_"));
        assert!(one.len() < 255 && two.len() < 255);
        assert_ne!(one, two);
    }
}
