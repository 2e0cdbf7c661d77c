//! Descriptor sets, honest and hostile. They are bytes from anywhere: no panic, no hang.

use prost::Message;
use prost_types::{
    DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, FileDescriptorProto,
    FileDescriptorSet, MessageOptions, MethodDescriptorProto, OneofDescriptorProto,
    ServiceDescriptorProto, UninterpretedOption,
    field_descriptor_proto::{Label, Type},
    uninterpreted_option::NamePart,
};
use stubwire_codegen::{
    frontend::proto::{Failed, Loaded, load_descriptor_set, load_texts},
    ir::code,
};
use stubwire_tests_frontends::show_failed;

fn load(files: Vec<FileDescriptorProto>) -> Result<Loaded, Failed> {
    load_descriptor_set(&FileDescriptorSet { file: files }.encode_to_vec())
}

fn codes(result: Result<Loaded, Failed>) -> Vec<&'static str> {
    match result {
        Ok(_) => panic!("this should have failed"),
        Err(failed) => failed.diagnostics.0.iter().map(|found| found.code).collect(),
    }
}

fn file(name: &str) -> FileDescriptorProto {
    FileDescriptorProto {
        name: Some(name.to_owned()),
        syntax: Some("proto3".to_owned()),
        ..FileDescriptorProto::default()
    }
}

fn with_messages(messages: Vec<DescriptorProto>) -> FileDescriptorProto {
    FileDescriptorProto { message_type: messages, ..file("a.proto") }
}

fn message(name: &str) -> DescriptorProto {
    DescriptorProto { name: Some(name.to_owned()), ..DescriptorProto::default() }
}

fn field(name: &str, number: i32, kind: Type) -> FieldDescriptorProto {
    FieldDescriptorProto {
        name: Some(name.to_owned()),
        number: Some(number),
        label: Some(Label::Optional.into()),
        r#type: Some(kind.into()),
        ..FieldDescriptorProto::default()
    }
}

#[test]
fn a_set_without_source_info_stands_at_line_one() {
    let text = b"syntax = \"proto3\"; package p; message M {} service S { rpc Do(M) returns (M); }";
    let mut set = load_texts(&[("a.proto", text)]).expect("a valid text").descriptors;
    set.file.iter_mut().for_each(|file| file.source_code_info = None);
    let loaded = load_descriptor_set(&set.encode_to_vec()).expect("a valid set");
    let service = &loaded.schema.services[0];
    assert_eq!(service.full_name.0, "p.S");
    assert_eq!((service.name_span.start.line, service.name_span.start.column), (1, 1));
    let source = loaded.schema.source(service.name_span.source);
    assert_eq!((source.path.as_str(), &source.text), ("a.proto", &None));
    assert!(loaded.read_files.is_empty());
}

#[test]
fn a_set_keeps_places_and_comments() {
    let text = b"syntax = \"proto3\";\n// Hello.\nmessage M {}";
    let set = load_texts(&[("a.proto", text)]).expect("a valid text").descriptors;
    let loaded = load_descriptor_set(&set.encode_to_vec()).expect("a valid set");
    let message = &loaded.schema.messages[0];
    assert_eq!((message.name_span.start.line, message.name_span.start.column), (3, 9));
    assert_eq!(message.doc.leading.as_deref(), Some(" Hello.\n"));
}

/// `extend google.protobuf.MethodOptions { string owner = 50001; }`, set by hand: prost-types has
/// no room for it, the bytes have.
#[test]
fn a_set_keeps_custom_options() {
    let text = b"syntax = \"proto3\"; import \"google/protobuf/descriptor.proto\";
        extend google.protobuf.MessageOptions { string owner = 50001; }
        message M { option deprecated = true; }";
    let mut set = load_texts(&[("a.proto", text)]).expect("a valid text").descriptors;
    set.file.retain(|file| file.name() == "a.proto");
    let mut bytes = set.encode_to_vec();
    // MessageOptions { deprecated: true } is 2 bytes long; field 50001 with "me" is appended to it.
    let options = [0x3a, 0x02, 0x18, 0x01];
    let at = bytes.windows(4).position(|it| it == options).expect("the options");
    let owner = [0x8a, 0xb5, 0x18, 0x02, b'm', b'e'];
    bytes.splice(at + 4..at + 4, owner);
    // The three lengths around it grow: options, message, file.
    bytes[at + 1] += owner.len() as u8;
    let message_at =
        bytes[..at].windows(3).rposition(|it| it == [0x0a, 0x01, b'M']).expect("M") - 1;
    bytes[message_at] += owner.len() as u8;
    let file = &bytes[..];
    let (length, prefix) = varint(&file[1..]);
    assert_eq!(1 + prefix + length + owner.len(), bytes.len());
    let grown = length + owner.len();
    bytes.splice(1..1 + prefix, [(grown & 0x7f) as u8 | 0x80, (grown >> 7) as u8]);
    let loaded = load_descriptor_set(&bytes).unwrap_or_else(|it| panic!("{}", show_failed(&it)));
    let message = loaded.schema.messages.last().expect("a message");
    let names: Vec<_> = message.options.0.iter().map(|option| option.name.as_str()).collect();
    assert_eq!(names, ["deprecated", "owner"]);
}

fn varint(bytes: &[u8]) -> (usize, usize) {
    let low = usize::from(bytes[0] & 0x7f);
    if bytes[0] & 0x80 == 0 { (low, 1) } else { (low | usize::from(bytes[1]) << 7, 2) }
}

#[test]
fn a_set_without_its_imports_says_how_to_make_one() {
    let lonely = FileDescriptorProto { dependency: vec!["b.proto".to_owned()], ..file("a.proto") };
    let failed = load(vec![lonely]).expect_err("the import is missing");
    assert_eq!(failed.diagnostics.0[0].code, code::PROTO_IMPORT_MISSING);
    let help = failed.diagnostics.0[0].help.as_deref().expect("a help line");
    assert!(help.contains("--include_imports"), "{help}");
}

#[test]
fn files_of_a_set_may_stand_in_any_order() {
    let importer = FileDescriptorProto {
        dependency: vec!["b.proto".to_owned()],
        message_type: vec![DescriptorProto {
            field: vec![FieldDescriptorProto {
                type_name: Some(".B".to_owned()),
                ..field("b", 1, Type::Message)
            }],
            ..message("A")
        }],
        ..file("a.proto")
    };
    let imported = FileDescriptorProto { message_type: vec![message("B")], ..file("b.proto") };
    let loaded = load(vec![importer, imported]).unwrap_or_else(|it| panic!("{}", show_failed(&it)));
    let names: Vec<_> = loaded.schema.files.iter().map(|file| file.import_name.as_str()).collect();
    assert_eq!(names, ["b.proto", "a.proto"]);
    assert!(loaded.schema.files.iter().all(|file| file.is_input));
}

#[test]
fn trust_e21_bytes_that_are_no_set_are_refused() {
    assert_eq!(codes(load_descriptor_set(b"\xff\xff\xff")), [code::PROTO_SET]);
    assert_eq!(codes(load_descriptor_set(b"")), [code::PROTO_SET]);
    assert_eq!(codes(load_descriptor_set(&[0x0a, 0x02, 0xff, 0xff])), [code::PROTO_SET]);
    assert_eq!(codes(load(vec![file("a.proto"), file("a.proto")])), [code::PROTO_SET]);
}

#[test]
fn trust_e17_editions_in_a_set_are_refused_by_name() {
    let edition = FileDescriptorProto { syntax: Some("editions".to_owned()), ..file("a.proto") };
    assert_eq!(codes(load(vec![edition])), [code::PROTO_EDITION]);
    let unknown = FileDescriptorProto { syntax: Some("proto9".to_owned()), ..file("a.proto") };
    assert_eq!(codes(load(vec![unknown])), [code::PROTO_SYNTAX]);
}

#[test]
fn trust_e21_names_that_no_text_can_have_are_refused() {
    for name in ["", "a.b", "1a", "a b", "a\u{1b}[31m", "é", "a\"b"] {
        let found = codes(load(vec![with_messages(vec![message(name)])]));
        assert!(found.contains(&code::PROTO_SET), "{name:?}: {found:?}");
    }
    let package = FileDescriptorProto { package: Some("a..b".to_owned()), ..file("a.proto") };
    assert_eq!(codes(load(vec![package])), [code::PROTO_SET]);
}

#[test]
fn trust_e04_a_cycle_in_a_set_is_shown() {
    let importing = |name: &str, other: &str| FileDescriptorProto {
        dependency: vec![other.to_owned()],
        ..file(name)
    };
    let set = vec![importing("a.proto", "b.proto"), importing("b.proto", "a.proto")];
    assert_eq!(codes(load(set)), [code::PROTO_IMPORT_CYCLE]);
}

#[test]
fn trust_e02_messages_nested_too_deep_in_a_set() {
    let nested = |depth: usize| {
        let mut inner = message("M0");
        for at in 1..depth {
            inner = DescriptorProto { nested_type: vec![inner], ..message(&format!("M{at}")) };
        }
        load(vec![with_messages(vec![inner])])
    };
    assert!(nested(31).is_ok());
    assert_eq!(codes(nested(32)), [code::PROTO_NESTING]);
}

#[test]
fn trust_e03_option_values_nested_too_deep_in_a_set() {
    let part = NamePart { name_part: "x".to_owned(), is_extension: true };
    let option = UninterpretedOption {
        name: vec![part],
        aggregate_value: Some("a { ".repeat(20_000)),
        ..UninterpretedOption::default()
    };
    let options =
        MessageOptions { uninterpreted_option: vec![option], ..MessageOptions::default() };
    let deep = DescriptorProto { options: Some(options), ..message("M") };
    assert_eq!(codes(load(vec![with_messages(vec![deep])])), [code::PROTO_NESTING]);
}

/// Every file imports both files before it, publicly: two ways at every step. Walking all of them
/// would take longer than the universe has.
#[test]
fn trust_e21_a_ladder_of_public_imports_ends() {
    let name = |at: usize| format!("f{at}.proto");
    let ladder = (0..200)
        .map(|at| FileDescriptorProto {
            dependency: (at.max(2) - 2..at).map(name).collect(),
            public_dependency: (0..at.min(2) as i32).collect(),
            ..file(&name(at))
        })
        .collect();
    let loaded = load(ladder).unwrap_or_else(|it| panic!("{}", show_failed(&it)));
    assert_eq!(loaded.schema.files.len(), 200);
}

/// Facts that contradict each other: any verdict will do, as long as there is one.
#[test]
fn trust_e21_contradictions_do_no_harm() {
    let entry = DescriptorProto {
        options: Some(MessageOptions { map_entry: Some(true), ..MessageOptions::default() }),
        ..message("FooEntry")
    };
    let map = FieldDescriptorProto {
        label: Some(Label::Repeated.into()),
        type_name: Some(".M.FooEntry".to_owned()),
        ..field("foo", 1, Type::Message)
    };
    let mut messages =
        vec![DescriptorProto { field: vec![map], nested_type: vec![entry], ..message("M") }];
    let mut odd = |fields: Vec<FieldDescriptorProto>| {
        messages.push(DescriptorProto {
            field: fields,
            oneof_decl: vec![OneofDescriptorProto::default()],
            ..message("M")
        });
    };
    odd(vec![FieldDescriptorProto { oneof_index: Some(-1), ..field("a", 1, Type::Bool) }]);
    odd(vec![FieldDescriptorProto { oneof_index: Some(7), ..field("a", 1, Type::Bool) }]);
    odd(vec![FieldDescriptorProto { r#type: Some(99), ..field("a", 1, Type::Bool) }]);
    odd(vec![FieldDescriptorProto { label: Some(99), ..field("a", -1, Type::Bool) }]);
    odd(vec![FieldDescriptorProto { proto3_optional: Some(true), ..field("a", 1, Type::Group) }]);
    odd(vec![FieldDescriptorProto {
        extendee: Some(".M".to_owned()),
        ..field("a", 0, Type::Enum)
    }]);
    odd(vec![FieldDescriptorProto {
        type_name: Some(".M".to_owned()),
        ..field("a", 1, Type::Enum)
    }]);
    for odd in messages {
        let _ = load(vec![with_messages(vec![odd])]);
    }
    let empty_enum = EnumDescriptorProto { name: Some("E".to_owned()), ..Default::default() };
    let file = FileDescriptorProto { enum_type: vec![empty_enum], ..file("a.proto") };
    assert_eq!(codes(load(vec![file])), [code::PROTO_INVALID]);
}

#[test]
fn trust_e21_methods_without_types_are_refused() {
    let method = MethodDescriptorProto { name: Some("Do".to_owned()), ..Default::default() };
    let service = ServiceDescriptorProto {
        name: Some("S".to_owned()),
        method: vec![method],
        ..ServiceDescriptorProto::default()
    };
    let file = FileDescriptorProto { service: vec![service], ..file("a.proto") };
    assert_eq!(codes(load(vec![file])), [code::PROTO_UNRESOLVED, code::PROTO_UNRESOLVED]);
}
