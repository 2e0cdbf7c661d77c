//! The attributes that flatc leaves out unless it is asked for them, and the warning about it.

use super::convert::Converter;
use crate::{
    frontend::builtin::BUILT_IN,
    ir::{Diagnostic, code},
};

/// The options of flatc that keep what can be kept.
pub(super) const FLAGS: &str =
    "--schema -b --bfbs-comments --bfbs-builtins --bfbs-filenames <root> <file>.fbs";

/// True for an attribute that is only in a file made with `--bfbs-builtins`.
///
/// `id` proves nothing: a schema that declares it as an attribute of its own, which many with ids
/// of methods do, keeps it either way.
pub(super) fn proves_builtins(name: &str) -> bool {
    name != "id" && BUILT_IN.contains(&name)
}

impl Converter<'_, '_> {
    /// Says so when methods may have lost what they are.
    ///
    /// A file without one built-in attribute was either made without them or had none; the two
    /// look the same, so only the reader can tell.
    pub(super) fn warn_missing_builtins(&mut self) {
        let has_methods = self.schema.services.iter().any(|service| !service.methods.is_empty());
        if self.builtins_seen || !has_methods {
            return;
        }
        let message = "no built-in attribute stands in this binary schema: if flatc left them out, \
                       `streaming`, `idempotent`, `deprecated` and `id` of its methods are lost, \
                       and every method looks like a plain one";
        let found = Diagnostic::warning(code::BFBS_BUILTINS, message).label(self.place, "");
        self.report(found.help(format!(
            "make it by `flatc {FLAGS}`; if it was, and the schema has none, \
             `(streaming: \"none\")` at one method says so"
        )));
    }
}
