//! Generates the messages, and from the model of the same schemas a walker that calls every accessor
//! of every type. It knows the rules of names by itself: where it errs, this crate does not compile.

use std::path::{Path, PathBuf};
use std::{env, fs};

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use stubwire_codegen::frontend::fbs;
use stubwire_codegen::ir::flat::{Declaration, Element, StructElement, StructType, Type, Types};
use stubwire_codegen::ir::{Schema, TableId};

const INPUT: &str = "schema/tangle.fbs";
const FOLDERS: [&str; 2] = ["schema", "../flat/schema"];

fn main() -> stubwire_codegen::Result {
    let out_dir = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let messages = out_dir.join("messages");
    stubwire_codegen::configure().out_dir(messages).compile(&[INPUT], &FOLDERS)?;
    let folders = FOLDERS.map(PathBuf::from);
    let loaded = fbs::load(&[PathBuf::from(INPUT)], &folders).expect("it compiled above");
    write(&out_dir.join("walkers.rs"), &walkers(&loaded.schema));
    Ok(())
}

/// A macro a line, which errors of the compiler are readable with.
fn write(path: &Path, items: &[TokenStream]) {
    let lines: Vec<String> = items.iter().map(TokenStream::to_string).collect();
    fs::write(path, lines.join("\n")).expect("the output directory takes it");
}

fn walkers(schema: &Schema) -> Vec<TokenStream> {
    let types = &schema.flat;
    let tables = types.tables.iter().map(|table| {
        let (module, ty) = place(&table.declaration);
        let live = || table.fields.iter().filter(|field| !field.deprecated);
        let names = live().flat_map(|field| {
            let name = member(&field.schema_name);
            let mut names = vec![format_ident!("{name}")];
            if let Type::Union(id) = field.ty {
                names.extend(types.union(id).variants.iter().map(|variant| {
                    let variant = variant.schema_name.to_lowercase();
                    format_ident!("{name}_as_{variant}")
                }));
            }
            if field.nested_flatbuffer.is_some() {
                names.push(format_ident!("{name}_nested_flatbuffer"));
            }
            names
        });
        let key = key(table.key().map(|field| &field.schema_name));
        let searches = live().filter_map(|field| {
            let Type::Vector(element) = field.ty else { return None };
            let key = match element {
                Element::Table(id) => &types.table(id).key()?.schema_name,
                Element::Struct(id) => &types.structure(id).key()?.schema_name,
                _ => return None,
            };
            let (vector, key) = (ident(&field.schema_name), ident(key));
            Some(quote!(search #vector by #key;))
        });
        quote!(walk! { #module #ty<'_>; read #(#names)*; #key #(#searches)* })
    });
    let structs = types.structs.iter().map(|it| {
        let (module, ty) = place(&it.declaration);
        let names = it.fields.iter().map(|field| ident(&field.schema_name));
        let key = key(it.key().map(|field| &field.schema_name));
        quote!(walk! { #module #ty; read #(#names)*; #key })
    });
    let enums = types.enums.iter().map(|it| {
        let (module, ty) = place(&it.declaration);
        if it.bit_flags { quote!(flags! { #module #ty }) } else { quote!(choice! { #module #ty }) }
    });
    let unions = types.unions.iter().map(|it| {
        let (module, ty) = place(&it.declaration);
        quote!(choice! { #module #ty })
    });
    let entries = entries(schema);
    check_reach(types);
    tables.chain(structs).chain(enums).chain(unions).chain([entries]).collect()
}

/// Every table that has `root` helpers: those that an rpc names, and the root types.
fn entries(schema: &Schema) -> TokenStream {
    let methods = schema.services.iter().flat_map(|service| &service.methods);
    let mut messages: Vec<TableId> = methods
        .flat_map(|method| [method.input, method.output])
        .filter_map(|it| it.table())
        .collect();
    messages.sort();
    messages.dedup();
    let roots = messages.iter().map(|id| {
        let table = schema.flat.table(*id);
        let (module, ty) = place(&table.declaration);
        let full_name = &table.declaration.full_name.0;
        let snake = table.declaration.schema_name.to_lowercase();
        let helpers = ["", "size_prefixed_"].map(|prefix| {
            let (root, with_opts) = (
                format_ident!("{prefix}root_as_{snake}"),
                format_ident!("{prefix}root_as_{snake}_with_opts"),
            );
            quote!(#root #with_opts)
        });
        let is_root = schema.files.iter().any(|file| file.flat.root_type == Some(*id));
        let identifier = is_root.then(|| {
            let (plain, prefixed) = (
                format_ident!("{snake}_buffer_has_identifier"),
                format_ident!("{snake}_size_prefixed_buffer_has_identifier"),
            );
            quote!(identified #plain #prefixed;)
        });
        let [plain, prefixed] = helpers;
        quote!(root #module #ty #full_name; plain #plain; prefixed #prefixed; #identifier)
    });
    quote!(entries! { #(#roots)* })
}

/// A key by its accessor.
fn key(name: Option<&String>) -> Option<TokenStream> {
    name.map(|name| {
        let name = ident(name);
        quote!(key #name;)
    })
}

/// Module and name of a type: namespaces here have one lowercase segment.
fn place(it: &Declaration) -> (proc_macro2::Ident, proc_macro2::Ident) {
    (format_ident!("{}", it.full_name.outer().to_string()), format_ident!("{}", it.schema_name))
}

fn ident(schema_name: &str) -> proc_macro2::Ident {
    format_ident!("{}", member(schema_name))
}

/// A field as Rust spells it: words that the generator escapes get an underscore.
fn member(schema_name: &str) -> String {
    let words = "type i8 u8 i16 u16 i32 u32 i64 u64 f32 f64";
    let escaped = words.split(' ').any(|word| word == schema_name);
    if escaped { format!("{schema_name}_") } else { schema_name.to_owned() }
}

/// The schemas together have every kind of field, and every kind of element.
fn check_reach(types: &Types) {
    let fields = || types.tables.iter().flat_map(|table| &table.fields);
    let has = |what: &str, found: bool| assert!(found, "the schemas have no {what}");
    let kind = |ty: Type| match ty {
        Type::Scalar(scalar) => scalar.schema_name().to_owned(),
        Type::Vector(Element::Scalar(scalar)) => format!("[{}]", scalar.schema_name()),
        Type::Enum(_) => "enum".to_owned(),
        Type::Struct(_) => "struct".to_owned(),
        Type::Table(_) => "table".to_owned(),
        Type::String => "string".to_owned(),
        Type::Union(_) => "union".to_owned(),
        Type::UnionType(_) => "union type".to_owned(),
        Type::Vector(Element::Enum(_)) => "[enum]".to_owned(),
        Type::Vector(Element::Struct(_)) => "[struct]".to_owned(),
        Type::Vector(Element::Table(_)) => "[table]".to_owned(),
        Type::Vector(Element::String) => "[string]".to_owned(),
    };
    let scalars = "bool byte ubyte short ushort int uint long ulong float double";
    let others = ["enum", "struct", "table", "string"];
    let wanted = scalars.split(' ').chain(others).flat_map(|it| [it.to_owned(), format!("[{it}]")]);
    for wanted in wanted.chain(["union".to_owned(), "union type".to_owned()]) {
        has(&wanted, fields().any(|field| kind(field.ty) == wanted));
    }
    has("nested buffer", fields().any(|field| field.nested_flatbuffer.is_some()));
    has("flexbuffer", fields().any(|field| field.flexbuffer));
    has("deprecated field", fields().any(|field| field.deprecated));
    has("key", fields().any(|field| field.key));
    let parts = || types.structs.iter().flat_map(|it| &it.fields).map(|field| field.ty);
    let array = |wanted: fn(StructElement) -> bool| {
        parts().any(|ty| matches!(ty, StructType::Array { element, .. } if wanted(element)))
    };
    has("array of scalars", array(|element| matches!(element, StructElement::Scalar(_))));
    has("array of enums", array(|element| matches!(element, StructElement::Enum(_))));
    has("array of structs", array(|element| matches!(element, StructElement::Struct(_))));
}
