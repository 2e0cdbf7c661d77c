//! Attributes that the configuration adds, and how they join those that prost-build writes.

use proc_macro2::{Ident, Span};
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::{
    AttrStyle, Attribute, Expr, ExprLit, Lit, LitStr, Meta, MetaNameValue, Path, Token,
    parse_quote, token,
};

use crate::ir::{Diagnostic, code};

/// Parses the text of one option, which may hold several attributes.
pub(crate) fn parse(text: &str) -> Result<Vec<Attribute>, Diagnostic> {
    Attribute::parse_outer.parse_str(text).map_err(|error| {
        Diagnostic::error(code::BAD_OPTION, format!("`{text}` is not an attribute: {error}"))
            .help("write it as in source: `#[…]`")
    })
}

/// Puts documentation in front of an item, a line an attribute, as `///` is printed.
pub(crate) fn docs(text: &str) -> Vec<Attribute> {
    text.split('\n').map(doc_line).collect()
}

/// Built by hand: there is one for every element, and parsing each takes longer than all the rest.
fn doc_line(line: &str) -> Attribute {
    let line = if line.is_empty() { String::new() } else { format!(" {line}") };
    let span = Span::call_site();
    let lit = Lit::Str(LitStr::new(&line, span));
    Attribute {
        pound_token: token::Pound(span),
        style: AttrStyle::Outer,
        bracket_token: token::Bracket(span),
        meta: Meta::NameValue(MetaNameValue {
            path: Path::from(Ident::new("doc", span)),
            eq_token: token::Eq(span),
            value: Expr::Lit(ExprLit { attrs: Vec::new(), lit }),
        }),
    }
}

/// Takes those derives off `users` that the type has already: from `generated`, from prost's own
/// derive (`implied`), or from an earlier one of `users`. A second one would not compile.
pub(super) fn merge_derives(users: &mut Vec<Attribute>, generated: &[Attribute], implied: &[&str]) {
    let mut known: Vec<String> = implied.iter().map(|name| (*name).to_owned()).collect();
    known.extend(generated.iter().flat_map(derived).map(|path| normal(&path)));
    users.retain_mut(|attribute| {
        if !attribute.path().is_ident("derive") {
            return true;
        }
        let mut kept: Punctuated<Path, Token![,]> = Punctuated::new();
        for path in derived(attribute) {
            let name = normal(&path);
            if !known.contains(&name) {
                known.push(name);
                kept.push(path);
            }
        }
        *attribute = parse_quote!(#[derive(#kept)]);
        !kept.is_empty()
    });
}

/// The paths of a `derive`; none for other attributes.
pub(super) fn derived(attribute: &Attribute) -> Vec<Path> {
    if !attribute.path().is_ident("derive") {
        return Vec::new();
    }
    let paths = attribute.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated);
    paths.map(|paths| paths.into_iter().collect()).unwrap_or_default()
}

/// One spelling for `Eq`, `std::cmp::Eq` and `::core::cmp::Eq`.
fn normal(path: &Path) -> String {
    const STANDARD: [&str; 9] =
        ["Clone", "Copy", "Debug", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd"];
    let segments: Vec<String> = path.segments.iter().map(|it| it.ident.to_string()).collect();
    let first = segments.first().map_or("", String::as_str);
    let last = segments.last().map_or("", String::as_str);
    let from_standard = segments.len() == 1 || matches!(first, "std" | "core");
    if from_standard && STANDARD.contains(&last) { last.to_owned() } else { segments.join("::") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::ToTokens as _;

    #[test]
    fn names_o15_derives_are_merged_by_path() {
        let mut users = parse("#[derive(Eq, ::core::marker::Copy)] #[derive(std::cmp::Eq, serde::Serialize, Default)] #[serde(x)]")
            .expect("attributes");
        let generated = parse("#[derive(Clone, Copy, PartialEq, ::prost::Message)]").expect("one");
        merge_derives(&mut users, &generated, &["Default"]);
        let text: String = users.iter().map(|it| it.to_token_stream().to_string()).collect();
        assert_eq!(text, "# [derive (Eq)]# [derive (serde :: Serialize)]# [serde (x)]");
    }

    #[test]
    fn what_is_no_attribute_is_refused_by_name() {
        let found = parse("derive(Eq)").map(|_| ()).expect_err("not an attribute");
        assert!(found.message.contains("`derive(Eq)` is not an attribute"), "{}", found.message);
    }
}
