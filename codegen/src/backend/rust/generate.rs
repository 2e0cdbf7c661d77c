//! The whole back end: a schema and options in, files out. Pure: the bytes are a function of both
//! and of the version alone.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::backend::GeneratedFile;
use crate::ir::{Diagnostics, Schema};

use super::emit::{self, Emit, Unsafety};
use super::file_name::file_names;
use super::flat::{
    self,
    given::{Given, GivenMessages},
};
use super::lower::{Lowered, lower};
use super::messages::{self, Context};
use super::options::RustOptions;
use super::{check_options, print};

/// What a generation gave.
#[derive(Debug)]
pub struct Generated {
    /// The files, by name; the tree is the last.
    pub files: Vec<GeneratedFile>,
    /// Warnings.
    pub diagnostics: Diagnostics,
    /// Where the time went.
    pub times: Times,
}

/// Time by pass. prost-build's is apart from ours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Deciding names.
    pub lower: Duration,
    /// prost-build.
    pub prost_build: Duration,
    /// Parsing, naming and sorting what prost-build made.
    pub messages: Duration,
    /// FlatBuffers messages as text, tokens of services and modules.
    pub emit: Duration,
    /// Tokens to text.
    pub print: Duration,
}

/// Generates Rust. `tree_file` is the name of the file that holds the module tree. With `given`,
/// FlatBuffers messages are not generated but taken from there.
///
/// # Errors
/// All diagnostics, warnings included, when one of them is an error.
pub fn generate(
    schema: &Schema,
    options: &RustOptions,
    tree_file: &str,
    given: Option<&[GivenMessages]>,
) -> Result<Generated, Diagnostics> {
    // Parser and printer of Rust recurse over nested modules, in a build script without
    // optimisation, and the stack of a thread is not ours to choose otherwise.
    std::thread::scope(|scope| {
        let run = || generate_here(schema, options, tree_file, given);
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        match thread.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            // No thread to be had: it may still fit.
            Err(_) => generate_here(schema, options, tree_file, given),
        }
    })
}

/// Address space, of which only what is used is ever backed.
const STACK: usize = 256 << 20;

fn generate_here(
    schema: &Schema,
    options: &RustOptions,
    tree_file: &str,
    given: Option<&[GivenMessages]>,
) -> Result<Generated, Diagnostics> {
    let mut times = Times::default();
    let mut diagnostics = Diagnostics::default();
    check_options::check(options, &mut diagnostics);
    let given = given.map(|given| Given::parse(schema, given)).transpose();
    let given = stop_at_error(given, &mut diagnostics)?;
    let start = Instant::now();
    let Lowered { model, graph, diagnostics: found } = lower(schema, options, given.as_ref());
    diagnostics.0.extend(found.0);
    times.lower = start.elapsed();
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    let context = Context { schema, options, names: &model.names, graph: &graph };
    let mut items = messages::Items::new();
    if context.has_types() {
        let start = Instant::now();
        let raw = stop_at_error(
            messages::run_prost_build(&context).map_err(|it| vec![it]),
            &mut diagnostics,
        )?;
        times.prost_build = start.elapsed();
        let start = Instant::now();
        items = stop_at_error(messages::sort(&context, &raw), &mut diagnostics)?;
        times.messages = start.elapsed();
    }
    let start = Instant::now();
    let emit = Emit::new(options, &model.names);
    let full_names: Vec<String> =
        schema.messages.iter().map(|message| message.full_name.0.clone()).collect();
    let by_flatc = given.is_some();
    let flat = match given {
        Some(given) => flat::emit_given(options, &model, given),
        None => flat::emit(options, &model),
    };
    let flat = stop_at_error(flat.map_err(|it| vec![it]), &mut diagnostics)?;
    let unsafe_counts: BTreeMap<_, _> =
        flat.iter().map(|(module, emitted)| (module.clone(), emitted.unsafe_count)).collect();
    let flat = flat.into_iter().map(|(module, emitted)| (module, emitted.text)).collect();
    let contents = emit::files(&emit, &model, &full_names, items, flat);
    times.emit = start.elapsed();
    let start = Instant::now();
    let names = file_names(contents.keys(), tree_file, &options.messages.default_package_filename);
    let mut files = BTreeMap::new();
    for (module, content) in contents {
        let sources = model.names.tree.get(&module).map_or(&[][..], |module| &module.sources);
        let unsafe_count = unsafe_counts.get(&module).copied().unwrap_or_default();
        let unsafety =
            if by_flatc { Unsafety::Flatc(unsafe_count) } else { Unsafety::Own(unsafe_count) };
        let text = print::print(&emit::header(sources, unsafety), content).map_err(|it| vec![it]);
        files.insert(names[&module].clone(), stop_at_error(text, &mut diagnostics)?);
    }
    let mut files: Vec<GeneratedFile> =
        files.into_iter().map(|(name, content)| GeneratedFile { name, content }).collect();
    let tree = emit::tree(&model.names, &names);
    files.push(GeneratedFile { name: tree_file.to_owned(), content: tree });
    times.print = start.elapsed();
    Ok(Generated { files, diagnostics, times })
}

fn stop_at_error<T>(
    result: Result<T, Vec<crate::ir::Diagnostic>>,
    diagnostics: &mut Diagnostics,
) -> Result<T, Diagnostics> {
    result.map_err(|found| {
        diagnostics.0.extend(found);
        std::mem::take(diagnostics)
    })
}
