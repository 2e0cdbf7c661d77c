//! The one name allocator. A [`Scope`] is one namespace of one Rust scope: it knows every name
//! that was given out there, and what for.
//!
//! Names from the schema are claimed first and never changed silently; names that we make up
//! (companions) come after them and give way with a trailing underscore. Both happen in the order
//! of the schema, so that an element that is appended changes no name that was there before.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;

use crate::ir::{Diagnostic, Span, code};

/// What a name stands for.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    /// "message", "method", …
    kind: &'static str,
    /// As the schema spells it.
    schema_name: String,
    /// The declaration; `None` for names that we made up.
    span: Option<Span>,
}

impl Claim {
    /// A name that the schema declares.
    pub(crate) fn user(kind: &'static str, schema_name: &str, span: Span) -> Self {
        Self { kind, schema_name: schema_name.to_owned(), span: Some(span) }
    }

    /// A name that generated code needs for itself.
    pub(crate) fn reserved(what: &'static str) -> Self {
        Self { kind: what, schema_name: String::new(), span: None }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.span {
            Some(_) => write!(f, "{} `{}`", self.kind, self.schema_name),
            None => f.write_str(self.kind),
        }
    }
}

/// One namespace of one Rust scope.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    taken: HashMap<String, Claim>,
}

impl Scope {
    /// Takes `ident` for an element of the schema.
    ///
    /// # Errors
    /// The claim that holds the name already.
    pub(crate) fn claim(&mut self, ident: &str, claim: Claim) -> Result<(), &Claim> {
        match self.taken.entry(ident.to_owned()) {
            Entry::Occupied(held) => Err(held.into_mut()),
            Entry::Vacant(free) => {
                free.insert(claim);
                Ok(())
            }
        }
    }

    /// Takes `ident`, or the first of `ident_`, `ident__`, … that is free, for a companion.
    pub(crate) fn companion(&mut self, ident: &str, what: &'static str) -> String {
        let mut ident = ident.to_owned();
        while self.claim(&ident, Claim::reserved(what)).is_err() {
            // `r#type_` is a legal but silly spelling.
            ident = format!("{}_", super::ident::unraw(&ident));
        }
        ident
    }

    /// True when nobody holds `ident`.
    pub(crate) fn is_free(&self, ident: &str) -> bool {
        !self.taken.contains_key(ident)
    }
}

/// The error about two declarations with one Rust name.
pub(crate) fn collision(ident: &str, first: &Claim, second: &Claim, help: String) -> Diagnostic {
    let both = if first.kind == second.kind && first.span.is_some() {
        format!("{}s `{}` and `{}`", first.kind, first.schema_name, second.schema_name)
    } else {
        format!("{first} and {second}")
    };
    let message = format!("{both} both become `{ident}` in Rust");
    let mut diagnostic = Diagnostic::error(code::NAME_COLLISION, message);
    if let Some(span) = first.span {
        diagnostic = diagnostic.label(span, "first here");
    }
    if let Some(span) = second.span {
        diagnostic = diagnostic.label(span, "and again here");
    }
    diagnostic.help(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_o43_companions_give_way_to_the_schema() {
        let mut scope = Scope::default();
        scope.claim("CartClient", Claim::reserved("a message")).expect("free");
        assert_eq!(scope.companion("CartClient", "the client"), "CartClient_");
        assert_eq!(scope.companion("CartClient", "another"), "CartClient__");
    }

    #[test]
    fn a_claim_tells_who_holds_the_name() {
        let mut scope = Scope::default();
        scope.claim("foo", Claim::reserved("one")).expect("free");
        let held = scope.claim("foo", Claim::reserved("two")).expect_err("taken");
        assert_eq!(held.to_string(), "one");
    }
}
