//! Checks the text of options before anything is generated from it.

use syn::parse::Parser as _;

use super::options::RustOptions;
use super::path_map::PathMap;
use crate::ir::{Diagnostic, Diagnostics, code};

/// Reports options that are not what they have to be.
pub(crate) fn check(options: &RustOptions, diagnostics: &mut Diagnostics) {
    let messages = &options.messages;
    for (name, path) in [
        ("runtime_path", &options.runtime_path),
        ("flatbuffers_path", &options.flatbuffers_path),
        ("prost_path", &messages.prost_path),
        ("prost_types_path", &messages.prost_types_path),
    ] {
        if syn::Path::parse_mod_style.parse_str(path).is_err() {
            let message = format!("`{name}({path:?})` is not a path of a module");
            diagnostics.push(Diagnostic::error(code::BAD_OPTION, message));
        }
    }
    for map in [&options.server_attributes, &options.client_attributes, &options.trait_attributes] {
        attributes(map, diagnostics);
    }
    let file = &messages.default_package_filename;
    if file.is_empty() || file.starts_with('.') || file.contains(['/', '\\', ':', '\0']) {
        let message = format!("`default_package_filename({file:?})` is not the name of a file");
        diagnostics.push(Diagnostic::error(code::BAD_OPTION, message));
    }
}

fn attributes(map: &PathMap<String>, diagnostics: &mut Diagnostics) {
    for (_, text) in map.entries() {
        if let Err(diagnostic) = super::messages::attribute::parse(text) {
            diagnostics.push(diagnostic);
        }
    }
}
