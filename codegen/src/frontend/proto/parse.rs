//! One text to one unresolved descriptor.

use std::sync::Arc;

use protox::file::File;

use super::{foreign, limit, optional, parsed::Parsed, prescan, session::Session};
use crate::ir::{Diagnostic, SourceId, Span, TextIndex, code};

/// Parses a text. Findings go to the session; `None` means that there were some.
pub(super) fn parse(
    session: &mut Session,
    name: &str,
    shown: &str,
    text: Arc<str>,
) -> Option<Parsed> {
    let source = session.add_source(shown, Some(text.clone()));
    let index = TextIndex::new(text.clone());
    if let Err(found) = prescan::check_text(source, &index, &text) {
        session.report(found);
        return None;
    }
    match File::from_source(name, &text) {
        Ok(file) => {
            let mut proto = file.into();
            optional::rename_made_up_oneofs(&mut proto);
            Some(Parsed::new(proto, source, Some(index)))
        }
        Err(err) => {
            session.report_all(syntax_errors(&err, source, &index, text.len()));
            None
        }
    }
}

fn syntax_errors(
    err: &protox::Error,
    source: SourceId,
    index: &TextIndex,
    end: usize,
) -> Vec<Diagnostic> {
    let span_of = |from: usize, to: usize| Span {
        source,
        start: index.position(from),
        end: index.position(to.max(from)),
    };
    // The one finding without a place is that the file ends too early.
    let mut found = foreign::convert(code::PROTO_SYNTAX, err, span_of(end, end), &span_of);
    found.truncate(limit::FINDINGS_PER_FILE);
    found
}
