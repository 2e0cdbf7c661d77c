//! One verified file to IR: the state of that, what bounds it, and what all declarations share.

use flatbuffers_reflection::reflection::Schema as Binary;

use super::{
    attribute::{Attributes, Lines},
    files::Files,
    index::Index,
    limit, name,
};
use crate::{
    frontend::session::Session,
    ir::{
        Code, Diagnostic, FullName, Schema, Span, code,
        flat::{Declaration, TypeId},
    },
};

/// The conversion of one file.
pub(super) struct Converter<'s, 'b> {
    pub(super) session: &'s mut Session,
    /// The file as a whole: no element has a place of its own.
    pub(super) place: Span,
    pub(super) binary: Binary<'b>,
    pub(super) index: Index<'b>,
    pub(super) files: Files,
    pub(super) schema: Schema,
    /// True once an attribute was seen that only `--bfbs-builtins` keeps.
    pub(super) builtins_seen: bool,
    elements_left: usize,
    text_left: usize,
}

/// What a declaration of any kind says of itself.
pub(super) struct Head<'b> {
    pub(super) full_name: &'b str,
    pub(super) attributes: Attributes<'b>,
    pub(super) lines: Lines<'b>,
    pub(super) file: Option<&'b str>,
}

/// Converts a file. `None` when there is no model of it; what is wrong is reported either way.
pub(super) fn convert<'b>(
    session: &mut Session,
    place: Span,
    shown: &str,
    binary: Binary<'b>,
    bytes: usize,
) -> Option<Schema> {
    let mut converter = Converter {
        session,
        place,
        binary,
        index: Index::default(),
        files: Files::default(),
        schema: Schema::default(),
        builtins_seen: false,
        elements_left: limit::elements(bytes),
        text_left: limit::text(bytes),
    };
    converter.declare()?;
    converter.declare_files(shown)?;
    converter.convert_enums()?;
    converter.convert_structs()?;
    converter.convert_tables()?;
    converter.convert_services()?;
    converter.finish_files();
    converter.warn_missing_builtins();
    Some(converter.schema)
}

impl<'b> Converter<'_, 'b> {
    /// Counts what is converted; `None`, with a finding, when it is more than the file can hold
    /// unless it lists one thing in several places.
    pub(super) fn spend(&mut self, elements: usize, text: usize) -> Option<()> {
        let left = self.elements_left.checked_sub(elements).zip(self.text_left.checked_sub(text));
        if let Some((elements, text)) = left {
            (self.elements_left, self.text_left) = (elements, text);
            return Some(());
        }
        let message = "the binary schema lists more than it holds: parts of it stand in several \
                       places, which flatc never writes";
        self.report(Diagnostic::error(code::BFBS_MALFORMED, message).label(self.place, ""));
        None
    }

    /// What all declarations have.
    pub(super) fn declaration(&mut self, head: Head<'_>, id: TypeId) -> Option<Declaration> {
        let Head { full_name, attributes, lines, file } = head;
        self.spend(0, 2 * full_name.len())?;
        let options = self.options(attributes)?;
        let doc = self.doc(lines)?;
        let file = self.file_of(file);
        self.files.declare(file, id);
        Some(Declaration {
            schema_name: name::last(full_name).to_owned(),
            full_name: FullName(full_name.to_owned()),
            file,
            private: super::attribute::has(&options, "private"),
            options,
            doc,
            span: self.place,
            name_span: self.place,
        })
    }

    pub(super) fn report(&mut self, found: Diagnostic) {
        self.session.report_at_most(limit::FINDINGS, found);
    }

    pub(super) fn error(&mut self, code: Code, message: impl Into<String>) {
        let found = Diagnostic::error(code, message).label(self.place, "");
        self.report(found);
    }

    /// Something that no compiler wrote.
    pub(super) fn malformed(&mut self, message: String) {
        self.error(code::BFBS_MALFORMED, message);
    }

    /// Reports a member whose name is none, or stands twice among `names`; true when it is fine.
    pub(super) fn check_member(
        &mut self,
        names: &mut std::collections::HashSet<&'b str>,
        holder: &str,
        member: &'b str,
    ) -> bool {
        if !name::is_identifier(member) {
            self.malformed(format!("a member of `{holder}` is called {}", name::shown(member)));
            return false;
        }
        if !names.insert(member) {
            let message = format!("`{holder}` has two members {}", name::shown(member));
            self.error(code::FBS_DUPLICATE, message);
            return false;
        }
        true
    }
}
