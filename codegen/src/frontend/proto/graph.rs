//! Follows imports: reads and parses every file once, imports before importers.
//!
//! Iterative, because the depth of the import chain is up to the input.

use std::collections::HashMap;

use super::{
    library::{Found, Library},
    parse,
    parsed::{Parsed, tag},
    session::Session,
};
use crate::ir::{Diagnostic, Span, code};

/// Files shown by name and place in the finding for an import cycle; the rest is counted.
const CYCLE_SHOWN: usize = 8;

#[derive(Clone, Copy, PartialEq)]
enum State {
    /// On the stack, at this depth.
    Open(usize),
    /// In `done`, at this index.
    Done(usize),
    Failed,
}

struct Frame {
    file: Parsed,
    next_import: usize,
}

/// Reads inputs and what they import.
pub(super) struct Graph<'a> {
    session: &'a mut Session,
    library: &'a mut Library,
    states: HashMap<String, State>,
    stack: Vec<Frame>,
    done: Vec<Parsed>,
}

impl<'a> Graph<'a> {
    pub(super) fn new(session: &'a mut Session, library: &'a mut Library) -> Self {
        Self { session, library, states: HashMap::new(), stack: Vec::new(), done: Vec::new() }
    }

    /// Reads an input by its import name. `shown` is its path as the user wrote it.
    pub(super) fn add_input(&mut self, name: &str, shown: &str) {
        if !self.states.contains_key(name) {
            self.enter(name, None, shown);
            self.run();
        }
        if let Some(State::Done(at)) = self.states.get(name) {
            self.done[*at].is_input = true;
        }
    }

    /// The files that parsed, imports before importers.
    pub(super) fn finish(self) -> Vec<Parsed> {
        self.done
    }

    fn run(&mut self) {
        while let Some(frame) = self.stack.last_mut() {
            let at = frame.next_import;
            let Some(import) = frame.file.proto.dependency.get(at).cloned() else {
                self.leave();
                continue;
            };
            frame.next_import += 1;
            let place = frame.file.places.span_or_outer(&[tag::FILE_DEPENDENCY, at as i32]);
            match self.states.get(&import) {
                None => self.enter(&import, Some(place), &import),
                Some(State::Open(depth)) => self.report_cycle(*depth),
                Some(State::Done(_) | State::Failed) => {}
            }
        }
    }

    /// Opens a file and puts it on the stack.
    fn enter(&mut self, name: &str, importer: Option<Span>, shown: &str) {
        let file = match self.library.open(name) {
            Found::Parsed(file) => Some(*file),
            Found::Builtin(proto) => {
                let source = self.session.add_source(name, None);
                Some(Parsed::new(*proto, source, None))
            }
            Found::Text { shown, path, text } => match text {
                Ok(text) => {
                    self.session.read_files.extend(path);
                    parse::parse(self.session, name, &shown, text)
                }
                Err(refused) => {
                    let mut place = self.session.place_of(shown);
                    if let Some((line, column)) = refused.at {
                        place.start = crate::ir::Position { line, column };
                        place.end = place.start;
                    }
                    let found = Diagnostic::error(refused.code, refused.message).label(place, "");
                    self.session.report(imported_at(found, importer));
                    None
                }
            },
            Found::Missing { help } => {
                let found = match importer {
                    Some(place) => {
                        let message = format!("imported file `{name}` does not exist");
                        Diagnostic::error(code::PROTO_IMPORT_MISSING, message).label(place, "")
                    }
                    None => {
                        let place = self.session.place_of(shown);
                        let message = format!("there is no file `{shown}`");
                        Diagnostic::error(code::NOT_FOUND, message).label(place, "")
                    }
                };
                self.session.report(found.help(help));
                None
            }
        };
        let state = match file {
            Some(file) => {
                self.check_imports(&file);
                self.stack.push(Frame { file, next_import: 0 });
                State::Open(self.stack.len() - 1)
            }
            None => State::Failed,
        };
        self.states.insert(name.to_owned(), state);
    }

    fn leave(&mut self) {
        if let Some(frame) = self.stack.pop() {
            self.states.insert(frame.file.name.clone(), State::Done(self.done.len()));
            self.done.push(frame.file);
        }
    }

    fn check_imports(&mut self, file: &Parsed) {
        let mut seen = HashMap::new();
        for (at, import) in file.proto.dependency.iter().enumerate() {
            let place = file.places.span_or_outer(&[tag::FILE_DEPENDENCY, at as i32]);
            if let Some(first) = seen.insert(import, place) {
                let message = format!("`{import}` is imported twice");
                self.session.report(
                    Diagnostic::error(code::PROTO_IMPORT_TWICE, message)
                        .label(place, "and again here")
                        .label(first, "first here"),
                );
            }
        }
    }

    /// The files from `depth` up to the top of the stack import each other in a circle.
    fn report_cycle(&mut self, depth: usize) {
        let circle = &self.stack[depth..];
        let name = |frame: &Frame| format!("`{}`", frame.file.name);
        let mut chain: Vec<String> = circle.iter().take(CYCLE_SHOWN).map(name).collect();
        if circle.len() > CYCLE_SHOWN {
            chain.push(format!("({} more)", circle.len() - CYCLE_SHOWN));
        }
        chain.push(name(&circle[0]));
        let message = format!("import cycle: {}", chain.join(" -> "));
        let mut found = Diagnostic::error(code::PROTO_IMPORT_CYCLE, message);
        for (at, frame) in circle.iter().enumerate().take(CYCLE_SHOWN) {
            let import = frame.next_import - 1;
            let target = circle.get(at + 1).unwrap_or(&circle[0]);
            let path = [tag::FILE_DEPENDENCY, import as i32];
            let place = frame.file.places.span_or_outer(&path);
            found = found.label(place, format!("imports {}", name(target)));
        }
        self.session.report(found);
    }
}

/// Adds the place of the import to a finding about the imported file.
fn imported_at(found: Diagnostic, importer: Option<Span>) -> Diagnostic {
    match importer {
        Some(place) => found.label(place, "imported here"),
        None => found,
    }
}
