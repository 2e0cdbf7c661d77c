//! A schema without hazards gives the types that plain prost-build gives, to the last token, so
//! that a team can come and go. Only documentation may differ.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use quote::ToTokens as _;
use stubwire_codegen::configure;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Item};

/// Takes documentation off.
struct Undocument;

impl VisitMut for Undocument {
    fn visit_attributes_mut(&mut self, attributes: &mut Vec<Attribute>) {
        attributes.retain(|attribute| !attribute.path().is_ident("doc"));
    }
    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        // prost-build leans on the prelude here.
        let last = path.segments.last().map(|segment| segment.ident.to_string());
        if let Some(name @ ("Some" | "None")) = last.as_deref() {
            let ident = syn::Ident::new(name, proc_macro2::Span::call_site());
            *path = syn::Path::from(ident);
        }
        visit_mut::visit_path_mut(self, path);
    }
}

/// The types of a file by module and name.
fn types(items: Vec<Item>, module: &str, found: &mut BTreeMap<String, String>) {
    for mut item in items {
        Undocument.visit_item_mut(&mut item);
        match item {
            Item::Mod(item) if item.ident != "__stubwire" => {
                let items = item.content.map(|(_, items)| items).unwrap_or_default();
                types(items, &format!("{module}::{}", item.ident), found);
            }
            Item::Struct(ref it) if is_prost(&it.attrs) => {
                found.insert(format!("{module}::{}", it.ident), item.to_token_stream().to_string());
            }
            Item::Enum(ref it) => {
                found.insert(format!("{module}::{}", it.ident), item.to_token_stream().to_string());
            }
            Item::Impl(ref it) if it.trait_.is_none() && is_of_enum(it) => {
                let name = format!("{module}::impl {}", it.self_ty.to_token_stream());
                found.insert(name, item.to_token_stream().to_string());
            }
            _ => {}
        }
    }
}

fn is_prost(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| attribute.to_token_stream().to_string().contains(":: prost"))
}

fn is_of_enum(item: &syn::ItemImpl) -> bool {
    item.to_token_stream().to_string().contains("as_str_name")
}

fn compare(inputs: &[PathBuf], include: &Path) {
    let output = configure().skip_streaming(true).generate(inputs, &[include]).expect("generated");
    let mut ours = BTreeMap::new();
    for file in output.files.iter().filter(|file| file.name != "stubwire.rs") {
        let parsed = syn::parse_file(&file.content).expect("Rust");
        types(parsed.items, file.name.trim_end_matches(".rs"), &mut ours);
    }
    let descriptors = protox::compile(inputs, [include]).expect("a schema");
    let requests = descriptors
        .file
        .into_iter()
        .map(|file| (prost_build::Module::from_protobuf_package_name(file.package()), file));
    let modules = prost_build::Config::new().generate(requests.collect()).expect("prost-build");
    let mut theirs = BTreeMap::new();
    for (module, text) in modules {
        let parsed = syn::parse_file(&text).expect("Rust");
        let name = module.to_file_name_or("_");
        types(parsed.items, name.trim_end_matches(".rs"), &mut theirs);
    }
    assert_eq!(ours.keys().collect::<Vec<_>>(), theirs.keys().collect::<Vec<_>>());
    // A printer sets a comma behind the last argument where it breaks the line.
    let plain = |text: &str| text.replace(" , >", " >");
    for (name, text) in ours {
        assert_eq!(plain(&text), plain(&theirs[&name]), "{name}");
    }
}

#[test]
fn types_are_those_of_prost_build() {
    let golden = Path::new("golden/schema");
    compare(&[golden.join("echo.proto")], golden);
    compare(&[golden.join("shapes.proto")], golden);
    let packages = golden.join("packages");
    compare(&[packages.join("none.proto"), packages.join("inner.proto")], &packages);
    let cases = Path::new("../schemas/hazards/compiles");
    for case in [
        "e09_enums_named_like_the_prelude",
        "o04_oneof_against_nested_enum_and_keyword",
        "o05_enum_variant_self",
        "o08_recursion_through_oneofs",
        "o09_recursion_over_three_messages",
        "o11_import_of_a_well_known_type",
        "o17_proto3_optional",
        "o18_wrappers_in_signatures",
        "o23_methods_named_by_keywords",
    ] {
        compare(&[cases.join(format!("{case}.proto"))], cases);
    }
    for case in ["o06_reference_to_a_sibling_package", "o22_equal_names_in_two_packages"] {
        let folder = cases.join(case);
        let inputs =
            std::fs::read_dir(&folder).expect("a case").map(|it| it.expect("an entry").path());
        compare(&inputs.collect::<Vec<_>>(), &folder);
    }
}
