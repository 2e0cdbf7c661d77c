//! What flatc takes, and makes Rust of that is not safe. All of it is known from the schema, before
//! flatc runs.

use crate::ir::flat::Value;
use crate::ir::{Diagnostic, Schema, Span, code};

/// Reports every use of what is not safe in the output of the supported versions.
pub(super) fn check(schema: &Schema) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for field in schema.flat.tables.iter().flat_map(|table| &table.fields) {
        if schema.source(field.span.source).text.is_none() {
            continue;
        }
        let name = &field.schema_name;
        if field.nested_flatbuffer.is_some() && !field.deprecated {
            let message = format!("flatc's Rust reads the buffer nested in `{name}` unverified");
            let found_here = report(message, field.name_span);
            found.push(found_here.help(
                "a peer could make it read out of bounds: take the attribute out, or let stubwire \
                 make the messages, which verifies nested buffers",
            ));
        }
        if let Some(Value::String(text)) = &field.default
            && leaves_literal(text)
        {
            found.push(copied(&format!("the default of `{name}`"), field.name_span));
        }
    }
    for file in &schema.files {
        let texts =
            [("identifier", &file.flat.file_identifier), ("extension", &file.flat.file_extension)];
        for (what, text) in texts {
            if text.as_deref().is_some_and(leaves_literal)
                && schema.source(file.source).text.is_some()
            {
                let span = file.package_span;
                found.push(copied(&format!("the file {what} of `{}`", file.import_name), span));
            }
        }
    }
    found
}

/// flatc puts such texts between quotes as they are.
fn leaves_literal(text: &str) -> bool {
    text.contains(['"', '\\'])
}

fn copied(what: &str, span: Span) -> Diagnostic {
    let message = format!("flatc copies {what} into Rust code without escaping it");
    report(message, span).help(
        "take quotes and backslashes out, or let stubwire make the messages, which escapes them",
    )
}

fn report(message: String, span: Span) -> Diagnostic {
    Diagnostic::error(code::FLATC_UNSAFE, message).label(span, "")
}
