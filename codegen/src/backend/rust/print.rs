//! Tokens to text, by our own prettyplease: no cargo feature of another crate has a say in it.

use proc_macro2::TokenStream;

use super::emit::Content;
use crate::ir::{Diagnostic, code};

/// As the first element of a list, makes every element stand on a line of its own, so that a
/// change of one leaves the others alone. Never printed.
pub(crate) const LINE_BREAK: &str = "__stubwire_line_break_line_break_line_break_line_break_line_break_line_break_line_break_line_break";

/// Prints the content of a file below its header.
///
/// # Errors
/// The tokens are no Rust, which is our fault or that of an attribute of the configuration.
pub(crate) fn print(header: &str, content: Content) -> Result<String, Diagnostic> {
    let mut file = parse(content.head)?;
    file.items.extend(content.types);
    file.items.extend(parse(content.services)?.items);
    let mut out = String::from(header);
    let dropped = format!("{LINE_BREAK},");
    for item in std::mem::take(&mut file.items) {
        // A blank line before every item: prettyplease sets none.
        out.push('\n');
        file.items = vec![item];
        for line in prettyplease::unparse(&file).lines().filter(|line| line.trim() != dropped) {
            out.push_str(line);
            out.push('\n');
        }
    }
    Ok(out)
}

fn parse(tokens: TokenStream) -> Result<syn::File, Diagnostic> {
    syn::parse2(tokens).map_err(|error| {
        Diagnostic::error(code::GENERATOR_FAILED, format!("generated code does not parse: {error}"))
            .help("check the attributes of the configuration; else this is a bug in stubwire")
    })
}
