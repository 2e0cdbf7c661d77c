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
    let mut out = String::from(header);
    print_tokens(content.head, &mut out)?;
    print_items(content.types, &mut out)?;
    out.push_str(&content.printed);
    print_tokens(content.services, &mut out)?;
    Ok(out)
}

/// Prints the items that `tokens` are, below what is in `out`.
///
/// # Errors
/// As [`print`].
pub(crate) fn print_tokens(tokens: TokenStream, out: &mut String) -> Result<(), Diagnostic> {
    print_file(parse(tokens)?, out);
    Ok(())
}

/// The same of items that are parsed already.
///
/// # Errors
/// None: an empty file parses.
pub(crate) fn print_items(items: Vec<syn::Item>, out: &mut String) -> Result<(), Diagnostic> {
    let mut file = parse(TokenStream::new())?;
    file.items = items;
    print_file(file, out);
    Ok(())
}

fn print_file(mut file: syn::File, out: &mut String) {
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
}

fn parse(tokens: TokenStream) -> Result<syn::File, Diagnostic> {
    syn::parse2(tokens).map_err(|error| {
        Diagnostic::error(code::GENERATOR_FAILED, format!("generated code does not parse: {error}"))
            .help("check the attributes of the configuration; else this is a bug in stubwire")
    })
}
