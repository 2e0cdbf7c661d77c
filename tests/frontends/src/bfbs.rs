//! The same schema from `.fbs` and from the `.bfbs` that flatc makes of it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use stubwire_codegen::{
    frontend::bfbs::Loaded,
    ir::{
        self, OptionEntry, OptionValue, Options, Position, Schema, Source, SourceId, Span,
        flat::{Presence, Scalar, Type, Value},
    },
    render::rich,
};

/// The options of flatc that keep what can be kept.
const FLAGS: &[&str] = &["--schema", "-b", "--bfbs-comments", "--bfbs-builtins"];

/// The binary schema that flatc makes of a file; `None` when it refuses it.
///
/// # Panics
/// When flatc does not run.
pub fn compile(flatc: &Path, schema: &Path) -> Option<Vec<u8>> {
    compile_with(flatc, schema, FLAGS)
}

/// The same with other options.
///
/// # Panics
/// When flatc does not run.
pub fn compile_with(flatc: &Path, schema: &Path, flags: &[&str]) -> Option<Vec<u8>> {
    let out = tempfile::tempdir().expect("a temporary folder");
    let folder = schema.parent().expect("a schema lies in a folder");
    let mut command = Command::new(flatc);
    command.args(flags);
    if flags == FLAGS {
        command.arg("--bfbs-filenames").arg(folder);
    }
    let run = command.arg("-o").arg(out.path()).arg("-I").arg(folder).arg(schema).output();
    let output = run.expect("flatc runs");
    let stem = schema.file_stem().expect("a schema has a name").to_string_lossy().into_owned();
    let binary = out.path().join(format!("{stem}.bfbs"));
    output.status.success().then(|| fs::read(binary).expect("a binary schema"))
}

/// The `.fbs` files of the repository that are whole schemas.
pub fn corpus() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut schemas = Vec::new();
    for kind in ["valid", "cases/accepted", "hazards"] {
        schemas.extend(crate::fbs::cases(kind).into_iter().map(|(_, path)| path));
    }
    let mut folders: Vec<PathBuf> = ["flat", "e2e", "generated"]
        .iter()
        .map(|name| root.join("tests").join(name).join("schema"))
        .collect();
    let examples = fs::read_dir(root.join("examples")).expect("the examples");
    folders.extend(examples.map(|entry| entry.expect("an entry").path().join("schema")));
    for folder in folders.into_iter().filter(|folder| folder.is_dir()) {
        let entries = fs::read_dir(folder).expect("a folder of schemas");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        schemas.extend(paths.filter(|path| path.extension().is_some_and(|it| it == "fbs")));
    }
    schemas.push(recorded().join("streams.fbs"));
    schemas.sort();
    schemas
}

/// Takes from a schema everything that a `.bfbs` does not tell, so that those of both sources can
/// be compared:
///
/// - positions, and namespaces as such;
/// - the order of declarations: types, services, files, attributes are sorted by name;
/// - the root type, identifier and extension of files that are only included;
/// - imports of files that include each other, for which there is no order;
/// - the defaults of strings, and of `ulong` above the largest `long` (read as 0);
/// - the last digits of floats: results of functions come in twelve digits, a `float` is rounded to
///   64 bits on its way, and minus zero is zero;
/// - that the type field of a union has no attributes: there it has an id of its own;
/// - whether an attribute has no value or is 0, and whether a number stands in quotes.
pub fn forget_what_bfbs_loses(schema: &mut Schema) {
    schema.sources = vec![Source { path: "schema".to_owned(), text: Some("".into()) }];
    for file in &mut schema.files {
        file.source = SourceId(0);
        file.package = ir::Package::default();
        file.package_span = NOWHERE;
        file.imports.clear();
        file.flat.defaults_unknown = false;
        if !file.is_input {
            file.flat.root_type = None;
            file.flat.file_identifier = None;
            file.flat.file_extension = None;
        }
    }
    forget_in_types(schema);
    for service in &mut schema.services {
        forget(&mut service.options, [&mut service.span, &mut service.name_span]);
        for method in &mut service.methods {
            forget(&mut method.options, [&mut method.span, &mut method.name_span]);
        }
    }
    sort(schema);
}

const NOWHERE: Span = Span {
    source: SourceId(0),
    start: Position { line: 1, column: 1 },
    end: Position { line: 1, column: 1 },
};

fn forget(options: &mut Options, spans: [&mut Span; 2]) {
    for span in spans {
        *span = NOWHERE;
    }
    options.0.sort_by(|one, other| one.name.cmp(&other.name));
    for OptionEntry { value, span, .. } in &mut options.0 {
        *span = None;
        match value {
            OptionValue::Bool(_) => *value = OptionValue::Int(0),
            OptionValue::String(text) => {
                if let Ok(number) = text.parse() {
                    *value = OptionValue::Int(number);
                }
            }
            _ => {}
        }
    }
}

fn forget_in_types(schema: &mut Schema) {
    let types = &mut schema.flat;
    let declarations = types.tables.iter_mut().map(|it| &mut it.declaration);
    let declarations = declarations.chain(types.structs.iter_mut().map(|it| &mut it.declaration));
    let declarations = declarations.chain(types.enums.iter_mut().map(|it| &mut it.declaration));
    let declarations = declarations.chain(types.unions.iter_mut().map(|it| &mut it.declaration));
    for it in declarations {
        forget(&mut it.options, [&mut it.span, &mut it.name_span]);
    }
    for it in types.structs.iter_mut().flat_map(|it| &mut it.fields) {
        forget(&mut it.options, [&mut it.span, &mut it.name_span]);
    }
    for it in types.enums.iter_mut().flat_map(|it| &mut it.values) {
        forget(&mut it.options, [&mut it.span, &mut it.name_span]);
    }
    for it in types.unions.iter_mut().flat_map(|it| &mut it.variants) {
        forget(&mut it.options, [&mut it.span, &mut it.name_span]);
    }
    for it in types.tables.iter_mut().flat_map(|it| &mut it.fields) {
        forget(&mut it.options, [&mut it.span, &mut it.name_span]);
        let lost = match (&it.default, it.ty) {
            (Some(Value::String(_)), _) => Some(Value::String(String::new())),
            (Some(Value::Int(number)), Type::Scalar(Scalar::Uint64) | Type::Enum(_))
                if *number > i128::from(i64::MAX) =>
            {
                Some(Value::Int(0))
            }
            (Some(Value::Float(number)), Type::Scalar(scalar)) => {
                let digits = if scalar == Scalar::Float32 { 5 } else { 10 };
                let rounded = format!("{:.digits$e}", number + 0.0);
                rounded.parse().ok().map(Value::Float)
            }
            _ => None,
        };
        if matches!(it.ty, Type::UnionType(_)) {
            it.options.0.clear();
        }
        if lost.is_some() && it.presence == Presence::Defaulted {
            it.default = lost;
        }
    }
}

fn sort(schema: &mut Schema) {
    let Schema { files, services, flat, .. } = schema;
    for file in files.iter_mut() {
        file.services.sort_by_key(|id| services[id.0 as usize].full_name.clone());
        let facts = &mut file.flat;
        facts.tables.sort_by_key(|id| flat.table(*id).declaration.full_name.clone());
        facts.structs.sort_by_key(|id| flat.structure(*id).declaration.full_name.clone());
        facts.enums.sort_by_key(|id| flat.enumeration(*id).declaration.full_name.clone());
        facts.unions.sort_by_key(|id| flat.union(*id).declaration.full_name.clone());
    }
    files.sort_by(|one, other| one.import_name.cmp(&other.import_name));
}

/// What loaded, as text.
pub fn show_loaded(loaded: &Loaded) -> String {
    let mut text = ir::dump(&loaded.schema);
    if !loaded.diagnostics.0.is_empty() {
        text.push_str(&rich(&loaded.diagnostics, &loaded.schema.sources, false));
    }
    text
}

/// The folder of recorded binary schemas.
pub fn recorded() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../schemas/bfbs")
}

/// The recorded binary schemas: name, what it was made from, and with which options of flatc.
pub const RECORDED: &[(&str, &str, &[&str])] = &[
    ("kv", "tests/flat/schema/kv.fbs", FLAGS),
    ("streams", "tests/schemas/bfbs/streams.fbs", FLAGS),
    ("streams_without_builtins", "tests/schemas/bfbs/streams.fbs", &["--schema", "-b"]),
    ("every_construct", "tests/schemas/fbs/valid/every_construct/main.fbs", FLAGS),
    ("circle", "tests/schemas/fbs/valid/trust_e04_circle/main.fbs", FLAGS),
];

/// A recorded binary schema.
///
/// # Panics
/// When it is not there.
pub fn read_recorded(name: &str) -> Vec<u8> {
    let path = recorded().join(format!("{name}.bfbs"));
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
