//! Turns every type name of a file into an absolute one.

use std::collections::{HashMap, HashSet};

use prost_types::{DescriptorProto, FieldDescriptorProto, FileDescriptorProto};

use super::{
    limit,
    parsed::{Parsed, tag},
    scope::{Lookup, Scope, Wanted},
    symbols::{Kind, Symbol, Symbols, qualify},
};
use crate::ir::{Diagnostic, code};

/// Resolves the names in one file, giving a copy of its descriptor, or findings.
pub(super) fn resolve(
    files: &[Parsed],
    at: usize,
    symbols: &Symbols,
    scope: &Scope<'_>,
) -> Result<FileDescriptorProto, Vec<Diagnostic>> {
    let mut resolver = Resolver { files, at, symbols, scope, found: Vec::new(), map_field: None };
    let mut proto = files[at].proto.clone();
    resolver.file(&mut proto);
    if resolver.found.is_empty() { Ok(proto) } else { Err(resolver.found) }
}

/// What a place asks for.
#[derive(Clone, Copy)]
enum Expected {
    Type,
    Message,
}

struct Resolver<'a> {
    files: &'a [Parsed],
    at: usize,
    symbols: &'a Symbols,
    scope: &'a Scope<'a>,
    found: Vec<Diagnostic>,
    /// Inside of the entry type of a map: the type in the map field, which is what is written.
    map_field: Option<Vec<i32>>,
}

impl Resolver<'_> {
    fn file(&mut self, proto: &mut FileDescriptorProto) {
        let package = proto.package().to_owned();
        for (at, message) in proto.message_type.iter_mut().enumerate() {
            self.message(message, &package, &mut vec![tag::FILE_MESSAGE, at as i32]);
        }
        for (at, extension) in proto.extension.iter_mut().enumerate() {
            self.field(extension, &package, &[tag::FILE_EXTENSION, at as i32]);
        }
        for (at, service) in proto.service.iter_mut().enumerate() {
            let scope = qualify(&package, service.name());
            for (method_at, method) in service.method.iter_mut().enumerate() {
                let path = &mut vec![tag::FILE_SERVICE, at as i32];
                path.extend([tag::SERVICE_METHOD, method_at as i32]);
                self.name(
                    &mut method.input_type,
                    &scope,
                    Expected::Message,
                    path,
                    tag::METHOD_INPUT,
                );
                self.name(
                    &mut method.output_type,
                    &scope,
                    Expected::Message,
                    path,
                    tag::METHOD_OUTPUT,
                );
            }
        }
    }

    fn message(&mut self, proto: &mut DescriptorProto, scope: &str, path: &mut Vec<i32>) {
        let scope = qualify(scope, proto.name());
        let deeper = path.len();
        for (at, field) in proto.field.iter_mut().enumerate() {
            path.extend([tag::MESSAGE_FIELD, at as i32]);
            self.field(field, &scope, path);
            path.truncate(deeper);
        }
        for (at, extension) in proto.extension.iter_mut().enumerate() {
            path.extend([tag::MESSAGE_EXTENSION, at as i32]);
            self.field(extension, &scope, path);
            path.truncate(deeper);
        }
        let maps = map_fields(proto, path);
        for (at, nested) in proto.nested_type.iter_mut().enumerate() {
            path.extend([tag::MESSAGE_NESTED, at as i32]);
            self.map_field = maps.get(nested.name()).cloned();
            self.message(nested, &scope, path);
            self.map_field = None;
            path.truncate(deeper);
        }
    }

    fn field(&mut self, field: &mut FieldDescriptorProto, scope: &str, path: &[i32]) {
        if field.type_name.is_some() {
            self.name(&mut field.type_name, scope, Expected::Type, path, tag::FIELD_TYPE_NAME);
        }
        if field.extendee.is_some() {
            self.name(&mut field.extendee, scope, Expected::Message, path, tag::FIELD_EXTENDEE);
        }
    }

    fn name(
        &mut self,
        name: &mut Option<String>,
        scope: &str,
        expected: Expected,
        path: &[i32],
        field: i32,
    ) {
        let written = name.as_deref().unwrap_or_default();
        let wanted = match expected {
            Expected::Type => Wanted::Types,
            Expected::Message => Wanted::Anything,
        };
        let lookup = self.scope.find(scope, written, wanted);
        let problem = match lookup {
            Lookup::Found(full, symbol) if fits(expected, symbol.kind) => {
                *name = Some(format!(".{full}"));
                return;
            }
            // The finding itself is cheap, looking for a better name is not.
            _ if self.found.len() >= limit::FINDINGS_PER_FILE => return,
            Lookup::Found(full, symbol) => wrong_kind(&full, symbol, expected),
            Lookup::Shadowed(full) => self.shadowed(written, &full),
            Lookup::NotImported(full, symbol) => self.not_imported(written, &full, symbol),
            Lookup::Missing => self.missing(written),
        };
        let place = match &self.map_field {
            Some(path) => path.clone(),
            None => [path, &[field]].concat(),
        };
        let span = self.files[self.at].places.span_or_outer(&place);
        let mut found = problem.label(span, "");
        // The place to blame comes first.
        found.labels.rotate_right(1);
        self.found.push(found);
    }

    fn shadowed(&self, written: &str, full: &str) -> Diagnostic {
        let message = format!("`{written}` resolves to `{full}`, which is not defined");
        let found = Diagnostic::error(code::PROTO_UNRESOLVED, message);
        match self.symbols.get(written) {
            Some(symbol) if symbol.kind.is_type() => found
                .label(symbol.span, "this one is hidden by an inner scope")
                .help(format!("write `.{written}`: the innermost scope is searched first")),
            _ => found.help("the innermost scope is searched first"),
        }
    }

    fn not_imported(&self, written: &str, full: &str, symbol: Symbol) -> Diagnostic {
        let file = &self.files[symbol.file].name;
        let message = format!("`{written}` is not defined in this file or its imports");
        Diagnostic::error(code::PROTO_UNRESOLVED, message)
            .label(symbol.span, format!("`{full}` is defined here"))
            .help(format!("add `import \"{file}\";`"))
    }

    fn missing(&self, written: &str) -> Diagnostic {
        let message = format!("`{written}` is not defined");
        let found = Diagnostic::error(code::PROTO_UNRESOLVED, message);
        let last = |name: &str| name.rsplit('.').next().unwrap_or(name).to_lowercase();
        let wanted = last(written);
        let alike = self.symbols.iter().filter(|(_, symbol)| symbol.kind.is_type());
        // Visible ones first, then by name: a hash map has no order.
        let nearest = alike
            .filter(|(name, _)| last(name) == wanted)
            .min_by_key(|(name, symbol)| (!self.scope.sees(symbol.file), *name));
        match nearest {
            Some((name, symbol)) if self.scope.sees(symbol.file) => found
                .label(symbol.span, format!("there is `{name}`"))
                .help(format!("did you mean `.{name}`?")),
            Some((name, symbol)) => self.not_imported(written, name, symbol),
            None => found,
        }
    }
}

/// The place of the type of every map field, by the name of its entry type.
fn map_fields(proto: &DescriptorProto, path: &[i32]) -> HashMap<String, Vec<i32>> {
    let is_entry = |nested: &&DescriptorProto| {
        nested.options.as_ref().is_some_and(|options| options.map_entry())
    };
    let entries: HashSet<&str> =
        proto.nested_type.iter().filter(is_entry).map(DescriptorProto::name).collect();
    let fields = proto.field.iter().enumerate();
    let of_entry = fields.filter_map(|(at, field)| {
        let last = field.type_name().rsplit('.').next()?;
        let place = [path, &[tag::MESSAGE_FIELD, at as i32, tag::FIELD_TYPE_NAME]].concat();
        entries.contains(last).then(|| (last.to_owned(), place))
    });
    of_entry.collect()
}

fn fits(expected: Expected, kind: Kind) -> bool {
    match expected {
        Expected::Type => kind.is_type(),
        Expected::Message => kind == Kind::Message,
    }
}

fn wrong_kind(full: &str, symbol: Symbol, expected: Expected) -> Diagnostic {
    let expected = match expected {
        Expected::Type => "a message or an enum",
        Expected::Message => "a message",
    };
    let message = format!("`{full}` is {}, not {expected}", symbol.kind.word());
    Diagnostic::error(code::PROTO_UNRESOLVED, message).label(symbol.span, "defined here")
}
