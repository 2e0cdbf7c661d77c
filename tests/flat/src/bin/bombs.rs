//! Verifies one bomb under one set of limits, once: `bombs BOMB LIMITS`. A process of its own, because
//! what is counted is the instructions of a process. With the limits `none` it verifies nothing, which
//! is what the others are compared with.

use flatbuffers::{
    FlatBufferBuilder, Follow, Verifiable, VerifierOptions, WIPOffset, root_with_opts,
};
use stubwire::Limits;
use stubwire::payload::flat::verifier_options;
use stubwire_tests_flat::hostile::hostile::{
    Many, ManyArgs, Named, NamedArgs, Pair, PairArgs, Rows, RowsArgs, Strings, StringsArgs,
};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [bomb, limits] = &arguments[..] else { panic!("bombs BOMB LIMITS") };
    let outcome = match bomb.as_str() {
        "doubling_63" => verify::<Pair<'_>>(&doubling(63), limits),
        "doubling_19" => verify::<Pair<'_>>(&doubling(19), limits),
        "strings" => verify::<Strings<'_>>(&strings(), limits),
        "tables" => verify::<Rows<'_>>(&tables(), limits),
        other => panic!("no such bomb: `{other}`"),
    };
    println!("{outcome}");
}

fn verify<'a, T: Verifiable + Follow<'a> + 'a>(bytes: &'a [u8], limits: &str) -> String {
    let options = match limits {
        "ours" => verifier_options(bytes.len(), &Limits::default()),
        "default" => VerifierOptions::default(),
        "none" => return format!("{} bytes", bytes.len()),
        other => panic!("no such limits: `{other}`"),
    };
    match root_with_opts::<T>(&options, bytes) {
        Ok(_) => "accepted".to_owned(),
        Err(error) => format!("refused: {error}"),
    }
}

fn finished<T>(mut builder: FlatBufferBuilder<'_>, root: WIPOffset<T>) -> Vec<u8> {
    builder.finish(root, None);
    builder.finished_data().to_vec()
}

/// Tables that hold the same one twice.
fn doubling(depth: usize) -> Vec<u8> {
    let mut builder = FlatBufferBuilder::new();
    let mut pair = Pair::create(&mut builder, &PairArgs::default());
    for _ in 1..depth {
        pair = Pair::create(&mut builder, &PairArgs { a: Some(pair), b: Some(pair) });
    }
    finished(builder, pair)
}

/// 16,000 offsets to one string of 64 KB.
fn strings() -> Vec<u8> {
    let mut builder = FlatBufferBuilder::new();
    let text = builder.create_string(&"x".repeat(64 << 10));
    let all = builder.create_vector(&vec![text; 16_000]);
    let root = Strings::create(&mut builder, &StringsArgs { all: Some(all) });
    finished(builder, root)
}

/// 1,000 offsets to one table that has 1,000 offsets to one table.
fn tables() -> Vec<u8> {
    let mut builder = FlatBufferBuilder::new();
    let named = Named::create(&mut builder, &NamedArgs { name: None });
    let all = builder.create_vector(&vec![named; 1_000]);
    let many = Many::create(&mut builder, &ManyArgs { all: Some(all) });
    let all = builder.create_vector(&vec![many; 1_000]);
    let root = Rows::create(&mut builder, &RowsArgs { all: Some(all) });
    finished(builder, root)
}
