//! Follows includes: reads and parses every file once, includes before includers.
//!
//! Iterative, because the depth of the chain is up to the input. Files may include each other in a
//! circle: then the one that was reached first comes last.

use std::{collections::HashMap, path::PathBuf, sync::Arc};

use super::{
    library::{Library, Place, Sought},
    limit,
    parsed::{self, Parsed},
    syntax::{self, ItemKind, Text},
};
use crate::{
    frontend::session::Session,
    ir::{Diagnostic, Position, Span, TextIndex, code},
};

/// Reads inputs and what they include.
pub(super) struct Graph<'a> {
    session: &'a mut Session,
    library: &'a Library,
    /// In the order in which they were reached; `None` could not be read.
    files: Vec<Option<Parsed>>,
    by_key: HashMap<PathBuf, usize>,
    /// Files in the order in which they were finished.
    order: Vec<usize>,
    stack: Vec<Frame>,
}

struct Frame {
    file: usize,
    place: Place,
    /// Includes still to be followed, the next one last.
    includes: Vec<Text>,
}

impl<'a> Graph<'a> {
    pub(super) fn new(session: &'a mut Session, library: &'a Library) -> Self {
        Self {
            session,
            library,
            files: Vec::new(),
            by_key: HashMap::new(),
            order: Vec::new(),
            stack: Vec::new(),
        }
    }

    pub(super) fn add_input(&mut self, place: Place) {
        let file = self.enter(place, None);
        if let Some(Some(file)) = file.map(|at| &mut self.files[at]) {
            file.is_input = true;
        }
        while let Some(frame) = self.stack.last_mut() {
            let Some(include) = frame.includes.pop() else {
                self.order.push(frame.file);
                self.stack.pop();
                continue;
            };
            let (file, from) = (frame.file, frame.place.clone());
            self.include(file, &from, &include);
        }
    }

    /// The files that could be read, includes before includers, and numbered in that order.
    pub(super) fn finish(self) -> Vec<Parsed> {
        let mut numbers = vec![None; self.files.len()];
        let mut files = self.files;
        let readable: Vec<_> = self.order.into_iter().filter(|at| files[*at].is_some()).collect();
        for (number, at) in readable.iter().enumerate() {
            numbers[*at] = Some(number);
        }
        let mut ordered: Vec<Parsed> =
            readable.into_iter().filter_map(|at| files[at].take()).collect();
        for file in &mut ordered {
            let renumbered = file.includes.iter();
            file.includes =
                renumbered.filter_map(|(at, extent)| Some((numbers[*at]?, *extent))).collect();
        }
        ordered
    }

    fn include(&mut self, file: usize, from: &Place, include: &Text) {
        let Some(includer) = &self.files[file] else { return };
        let place = includer.span(include.extent);
        let value = &include.value;
        match self.library.include(from, value) {
            Sought::Found(found) => {
                let target = self.enter(*found, Some(place));
                if let (Some(target), Some(Some(file))) = (target, self.files.get_mut(file)) {
                    file.includes.push((target, include.extent));
                }
            }
            Sought::Missing(help) => {
                let message = format!("included file `{value}` does not exist");
                let found = Diagnostic::error(code::FBS_INCLUDE_MISSING, message);
                self.report(found.label(place, "").help(help));
            }
            Sought::Outside(help) => {
                let message = format!("`{value}` leads out of the include directories");
                let found = Diagnostic::error(code::FBS_INCLUDE_OUTSIDE, message);
                self.report(found.label(place, "").help(help));
            }
        }
    }

    /// Reads a file, unless it was reached before. `None` when there are too many.
    fn enter(&mut self, place: Place, includer: Option<Span>) -> Option<usize> {
        if let Some(known) = self.by_key.get(&place.key) {
            return Some(*known);
        }
        let at = self.files.len();
        if at >= limit::FILES {
            let message = format!("more than {} files", limit::FILES);
            let span = includer.unwrap_or_else(|| self.session.place_of(&place.shown));
            let last = self.session.diagnostics.0.last();
            // Said once: every further include would say it again.
            if last.is_none_or(|found| found.message != message) {
                self.session.report(Diagnostic::error(code::FBS_LIMIT, message).label(span, ""));
            }
            return None;
        }
        self.by_key.insert(place.key.clone(), at);
        let parsed = self.read(&place, includer);
        let includes = parsed.iter().flat_map(|file| &file.tree.items).filter_map(|item| {
            let ItemKind::Include(path) = &item.kind else { return None };
            Some(path.clone())
        });
        let mut includes: Vec<_> = includes.collect();
        includes.reverse();
        self.files.push(parsed);
        self.stack.push(Frame { file: at, place, includes });
        Some(at)
    }

    /// Opens and parses; what cannot be read is reported.
    fn read(&mut self, place: &Place, includer: Option<Span>) -> Option<Parsed> {
        match self.library.open(place) {
            Ok(text) => {
                self.session
                    .read_files
                    .extend(place.path.is_some().then(|| PathBuf::from(&place.shown)));
                Some(self.parse(place, text))
            }
            Err(refused) => {
                let mut span = self.session.place_of(&place.shown);
                if let Some((line, column)) = refused.at {
                    span.start = Position { line, column };
                    span.end = span.start;
                }
                let found = Diagnostic::error(refused.code, refused.message).label(span, "");
                self.session.report(match includer {
                    Some(includer) => found.label(includer, "included here"),
                    None => found,
                });
                None
            }
        }
    }

    fn report(&mut self, found: Diagnostic) {
        self.session.report_at_most(limit::FINDINGS_PER_FILE, found);
    }

    fn parse(&mut self, place: &Place, text: Arc<str>) -> Parsed {
        let source = self.session.add_source(&place.shown, Some(text.clone()));
        let index = TextIndex::new(text.clone());
        let (tree, found) = syntax::parse(text);
        let total = found.len();
        for found in found {
            let found = parsed::diagnostic(source, &index, found);
            self.session.report_at_most(limit::FINDINGS_PER_FILE, found);
        }
        if tree.items.is_empty() && total == 0 {
            let message = format!("`{}` declares nothing", place.shown);
            let span = parsed::span(source, &index, Default::default());
            self.session.report(Diagnostic::error(code::FBS_EMPTY, message).label(span, ""));
        }
        let name = place.name.clone();
        Parsed { name, tree, source, index, is_input: false, includes: Vec::new() }
    }
}
