//! A nested buffer is verified before anything reaches it (TRUST D4).

use bytes::Bytes;
use flatbuffers::{FlatBufferBuilder, InvalidFlatbuffer, WIPOffset};
use std::path::Path;
use stubwire_tests_flat::hostile::hostile::{
    Either, Empty, EmptyArgs, Holder, HolderArgs, Named, NamedArgs, Pair, PairArgs, Wrapped,
    WrappedArgs,
};

fn named() -> Vec<u8> {
    let mut builder = FlatBufferBuilder::new();
    let name = builder.create_string("inner");
    let root = Named::create(&mut builder, &NamedArgs { name: Some(name) });
    builder.finish(root, None);
    builder.finished_data().to_vec()
}

fn wrapped(must: &[u8], inner: Option<&[u8]>, dag: Option<&[u8]>) -> Bytes {
    let mut builder = FlatBufferBuilder::new();
    let must = Some(builder.create_vector(must));
    let inner = inner.map(|bytes| builder.create_vector(bytes));
    let dag = dag.map(|bytes| builder.create_vector(bytes));
    let root = Wrapped::create(&mut builder, &WrappedArgs { inner, must, dag });
    builder.finish(root, None);
    Bytes::copy_from_slice(builder.finished_data())
}

fn verify(bytes: &[u8]) -> Result<Wrapped<'_>, InvalidFlatbuffer> {
    flatbuffers::root::<Wrapped<'_>>(bytes)
}

#[test]
fn a_nested_buffer_is_read_in_place() {
    let mut builder = FlatBufferBuilder::new();
    let name = builder.create_string("deep");
    let value = Named::create(&mut builder, &NamedArgs { name: Some(name) });
    let either = Some(value.as_union_value());
    let holder = Holder::create(&mut builder, &HolderArgs { either_type: Either::Named, either });
    builder.finish(holder, None);
    let bytes = wrapped(&named(), Some(builder.finished_data()), None);
    let root = verify(&bytes).expect("valid");
    assert_eq!(root.must_nested_flatbuffer().name(), Some("inner"));
    let holder = root.inner_nested_flatbuffer().expect("there");
    assert_eq!(holder.either_as_named().and_then(|named| named.name()), Some("deep"));
    assert!(root.dag_nested_flatbuffer().is_none());
}

/// The four kinds of garbage by which flatc's accessor panics or reads out of bounds, and every
/// cut and every changed byte of an honest one: refused, or safe to walk.
#[test]
fn trust_d04_a_nested_buffer_that_lies_is_refused() {
    for garbage in [&[][..], &[1, 2, 3], &[0xff; 16], &[0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0]] {
        let bytes = wrapped(garbage, None, None);
        assert!(verify(&bytes).is_err(), "{garbage:?}");
        let bytes = wrapped(&named(), Some(garbage), None);
        assert!(verify(&bytes).is_err(), "{garbage:?}");
    }
    let honest = named();
    for length in 0..honest.len() {
        let bytes = wrapped(&honest[..length], None, None);
        if let Ok(root) = verify(&bytes) {
            let _ = format!("{:?}", root.must_nested_flatbuffer());
        }
    }
    let (mut refused, mut walked) = (0, 0);
    for at in 0..honest.len() {
        for value in [0, 1, 4, 0x7f, 0x80, 0xff] {
            let mut lie = honest.clone();
            lie[at] = value;
            match verify(&wrapped(&lie, None, None)) {
                Ok(root) => {
                    walked += 1;
                    let _ = format!("{:?}", root.must_nested_flatbuffer());
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > 0 && walked > 0, "{refused} refused, {walked} walked");
}

/// What the crate's own verification lets through, with flatc's output.
#[test]
fn trust_d04_the_error_names_the_field() {
    let text = verify(&wrapped(&[0xff; 16], None, None)).expect_err("refused").to_string();
    assert!(text.contains("must"), "{text}");
}

#[test]
fn trust_d04_the_default_of_a_nested_field_is_no_buffer() {
    let mut builder = FlatBufferBuilder::new();
    let root = Empty::create(&mut builder, &EmptyArgs::default());
    builder.finish(root, None);
    let root = flatbuffers::root::<Empty<'_>>(builder.finished_data()).expect("valid");
    assert_eq!(root.inner().len(), 0);
    assert!(root.inner_nested_flatbuffer().is_none());
}

/// A bomb inside: the limits follow from the nested length, whatever those outside are.
#[test]
fn trust_d02_a_bomb_in_a_nested_buffer_is_refused() {
    let mut builder = FlatBufferBuilder::new();
    let mut pair: Option<WIPOffset<Pair<'_>>> = None;
    for _ in 0..40 {
        pair = Some(Pair::create(&mut builder, &PairArgs { a: pair, b: pair }));
    }
    builder.finish(pair.expect("a root"), None);
    let bytes = wrapped(&named(), None, Some(builder.finished_data()));
    let found = verify(&bytes).expect_err("refused").to_string();
    assert!(found.contains("Too many tables"), "{found}");
}

/// Buffers that can hold their own kind without end get no accessor: a peer would choose how deep
/// verification recurses.
#[test]
fn trust_d04_a_nested_buffer_of_its_own_kind_has_no_accessor() {
    let path = "../schemas/fbs/hazards/recursion_and_nesting.fbs";
    let output = stubwire_codegen::configure().out_dir("x").generate(&[path], &[] as &[&Path]);
    let output = output.expect("generated");
    let text = output.file("hz.rs").expect("the namespace");
    assert!(!text.contains("fn nested_nested_flatbuffer"));
    assert!(
        text.contains("fn other_nested_flatbuffer") && text.contains("fn must_nested_flatbuffer")
    );
    assert!(text.contains("verify them before reading"));
}
