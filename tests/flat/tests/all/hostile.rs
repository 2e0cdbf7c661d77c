//! Buffers that a peer lies about: refused, each by its own error; honest ones are not (TRUST D2,
//! D3, D6). Work is counted in visits of the verifier, never in time.

use std::cell::Cell;

use bytes::Bytes;
use flatbuffers::{
    FlatBufferBuilder, ForwardsUOffset, InvalidFlatbuffer, Vector, Verifiable, Verifier,
    VerifierOptions, WIPOffset,
};
use stubwire::Limits;
use stubwire::payload::flat::verifier_options;
use stubwire_tests_flat::hostile::hostile::{
    Either, Holder, HolderBuilder, Many, ManyArgs, Named, NamedArgs, Needs, Pair, PairArgs, Rows,
    RowsArgs, Strings, StringsArgs,
};

fn finished<T>(mut builder: FlatBufferBuilder<'_>, root: WIPOffset<T>) -> Vec<u8> {
    builder.finish(root, None);
    builder.finished_data().to_vec()
}

fn ours(bytes: &[u8]) -> VerifierOptions {
    verifier_options(bytes.len(), &Limits::default())
}

thread_local!(static VISITS: Cell<usize> = const { Cell::new(0) });

/// What it wraps, counting.
struct Counted<T>(std::marker::PhantomData<T>);

impl<T: Verifiable> Verifiable for Counted<T> {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        VISITS.set(VISITS.get() + 1);
        T::run_verifier(v, pos)
    }
}

struct CountedPair;

impl Verifiable for CountedPair {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        VISITS.set(VISITS.get() + 1);
        let table = v.visit_table(pos)?;
        let table = table.visit_field::<ForwardsUOffset<Self>>("a", Pair::VT_A, false)?;
        table.visit_field::<ForwardsUOffset<Self>>("b", Pair::VT_B, false)?.finish();
        Ok(())
    }
}

struct CountedStrings;

impl Verifiable for CountedStrings {
    fn run_verifier(v: &mut Verifier<'_, '_>, pos: usize) -> Result<(), InvalidFlatbuffer> {
        type All<'a> = ForwardsUOffset<Vector<'a, ForwardsUOffset<Counted<&'a str>>>>;
        v.visit_table(pos)?.visit_field::<All<'_>>("all", Strings::VT_ALL, false)?.finish();
        Ok(())
    }
}

fn visits<T: Verifiable>(bytes: &[u8], options: &VerifierOptions) -> (bool, usize) {
    VISITS.set(0);
    let outcome = <ForwardsUOffset<T>>::run_verifier(&mut Verifier::new(options, bytes), 0);
    (outcome.is_ok(), VISITS.get())
}

fn doubling(depth: usize) -> Vec<u8> {
    let mut builder = FlatBufferBuilder::new();
    let mut pair: Option<WIPOffset<Pair<'_>>> = None;
    for _ in 0..depth {
        pair = Some(Pair::create(&mut builder, &PairArgs { a: pair, b: pair }));
    }
    let root = pair.expect("a root");
    finished(builder, root)
}

#[test]
fn trust_d02_a_graph_that_doubles_is_refused_after_few_visits() {
    let bytes = doubling(63);
    assert!(bytes.len() < 1_100, "{}", bytes.len());
    let (accepted, few) = visits::<CountedPair>(&bytes, &ours(&bytes));
    let (_, many) = visits::<CountedPair>(&bytes, &VerifierOptions::default());
    assert!(!accepted && few * 100 < many, "{few} of {many}");
    assert!(flatbuffers::root_with_opts::<Pair<'_>>(&ours(&bytes), &bytes).is_err());
}

#[test]
fn trust_d02_a_vector_of_one_string_is_refused_after_few_visits() {
    let mut builder = FlatBufferBuilder::new();
    let text = builder.create_string(&"x".repeat(64 << 10));
    let all = builder.create_vector(&vec![text; 16_000]);
    let root = Strings::create(&mut builder, &StringsArgs { all: Some(all) });
    let bytes = finished(builder, root);
    let (accepted, few) = visits::<CountedStrings>(&bytes, &ours(&bytes));
    let (_, many) = visits::<CountedStrings>(&bytes, &VerifierOptions::default());
    assert!(!accepted && few * 100 < many, "{few} of {many}");
    let found = flatbuffers::root_with_opts::<Strings<'_>>(&ours(&bytes), &bytes);
    assert!(matches!(found, Err(InvalidFlatbuffer::ApparentSizeTooLarge)));
}

/// A vector that names one table `count` times: four bytes each, and the limit grants a table for each
/// four bytes, so that no such vector is ever refused.
#[test]
fn trust_d06_tables_that_builders_share_are_accepted() {
    for count in [10, 1_000, 10_000, 100_000] {
        let mut builder = FlatBufferBuilder::new();
        let name = builder.create_shared_string("a name of usual length");
        let named = Named::create(&mut builder, &NamedArgs { name: Some(name) });
        let all = builder.create_vector(&vec![named; count]);
        let many = Many::create(&mut builder, &ManyArgs { all: Some(all) });
        let bytes = finished(builder, many);
        let root = flatbuffers::root_with_opts::<Many<'_>>(&ours(&bytes), &bytes).expect("honest");
        assert_eq!(root.all().map(|all| all.len()), Some(count));
    }
}

/// Tables that share one which holds many: `rows` times `each` of them are shown.
fn shared_rows(rows: usize, each: usize) -> Vec<u8> {
    let mut builder = FlatBufferBuilder::new();
    let named = Named::create(&mut builder, &NamedArgs { name: None });
    let all = builder.create_vector(&vec![named; each]);
    let many = Many::create(&mut builder, &ManyArgs { all: Some(all) });
    let all = builder.create_vector(&vec![many; rows]);
    let root = Rows::create(&mut builder, &RowsArgs { all: Some(all) });
    finished(builder, root)
}

/// Sharing inside of what is shared multiplies: the allowance is what is granted beyond the length,
/// the next table is refused, and an allowance that was raised grants it.
#[test]
fn trust_d06_the_allowance_is_granted_to_its_last_table_and_can_be_raised() {
    fn verdict<'a>(bytes: &'a [u8], limits: &Limits) -> Result<Rows<'a>, InvalidFlatbuffer> {
        flatbuffers::root_with_opts::<Rows<'a>>(&verifier_options(bytes.len(), limits), bytes)
    }
    // The root, `rows` tables, and in each `each` of them.
    let shown = |rows: usize, each: usize| 1 + rows + rows * each;
    let granted = |bytes: &[u8]| bytes.len() / 4 + Limits::default().table_allowance;
    let each = 30;
    let fits = |rows: &usize| shown(*rows, each) <= granted(&shared_rows(*rows, each));
    let most = (1..200).take_while(fits).last().expect("one fits");
    assert!(most > 30, "{most} rows");
    assert!(verdict(&shared_rows(most, each), &Limits::default()).is_ok());
    let bytes = shared_rows(most + 1, each);
    let found = verdict(&bytes, &Limits::default());
    assert!(matches!(found, Err(InvalidFlatbuffer::TooManyTables)), "{found:?}");
    let mut limits = Limits::default();
    limits.table_allowance += shown(most + 1, each) - granted(&bytes);
    assert!(verdict(&bytes, &limits).is_ok());
}

/// Strings that builders share, up to the last byte that a message may show of them.
#[test]
fn trust_d06_strings_that_builders_share_are_accepted() {
    let strings = |count: usize, len: usize| {
        let mut builder = FlatBufferBuilder::new();
        let text = builder.create_shared_string(&"x".repeat(len));
        let all = builder.create_vector(&vec![text; count]);
        let root = Strings::create(&mut builder, &StringsArgs { all: Some(all) });
        finished(builder, root)
    };
    // Sixty-four bytes a place: sixteen times its four; any number of places, then.
    for count in [10, 1_000, 100_000] {
        let bytes = strings(count, 56);
        assert!(flatbuffers::root_with_opts::<Strings<'_>>(&ours(&bytes), &bytes).is_ok());
    }
    // Beyond that the allowance of 1 MiB is what is shared: a string of 1 KiB a thousand times.
    let bytes = strings(1_000, 1 << 10);
    assert!(flatbuffers::root_with_opts::<Strings<'_>>(&ours(&bytes), &bytes).is_ok());
}

fn chain(depth: usize) -> Vec<u8> {
    let mut builder = FlatBufferBuilder::new();
    let mut pair: Option<WIPOffset<Pair<'_>>> = None;
    for _ in 0..depth {
        pair = Some(Pair::create(&mut builder, &PairArgs { a: pair, b: None }));
    }
    let root = pair.expect("a root");
    finished(builder, root)
}

#[test]
fn trust_d03_depth_64_is_accepted_and_65_is_not() {
    let found = |bytes: &[u8]| flatbuffers::root_with_opts::<Pair<'_>>(&ours(bytes), bytes).err();
    assert!(found(&chain(64)).is_none());
    assert!(matches!(found(&chain(65)), Some(InvalidFlatbuffer::DepthLimitReached)));
}

/// A `Named` by hand: root at 12, vtable at 4, string at 20.
fn by_hand() -> Vec<u8> {
    let mut bytes = vec![12, 0, 0, 0, 6, 0, 8, 0, 4, 0, 0, 0, 8, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0];
    bytes.extend(*b"hi\0\0");
    bytes
}

fn lie(change: impl FnOnce(&mut Vec<u8>)) -> Option<InvalidFlatbuffer> {
    let mut bytes = by_hand();
    change(&mut bytes);
    match flatbuffers::root::<Named<'_>>(&bytes) {
        Ok(named) => {
            // Accepted: then the walk is safe.
            let _ = format!("{named:?}");
            None
        }
        Err(error) => Some(error),
    }
}

#[test]
fn trust_d03_every_lie_has_its_error() {
    use InvalidFlatbuffer as E;
    assert!(lie(|_| {}).is_none());
    assert!(matches!(lie(|bytes| bytes[24] = 0xff), Some(E::Utf8Error { .. })));
    assert!(matches!(lie(|bytes| bytes.truncate(26)), Some(E::MissingNullTerminator { .. })));
    assert!(matches!(lie(|bytes| bytes[20] = 200), Some(E::RangeOutOfBounds { .. })));
    assert!(matches!(lie(|bytes| bytes[0] = 13), Some(E::Unaligned { .. })));
    assert!(matches!(lie(|bytes| bytes[16] = 5), Some(E::Unaligned { .. })));
    assert!(matches!(lie(|bytes| bytes[15] = 0x7f), Some(E::SignedOffsetOutOfBounds { .. })));
    // A field that points at itself is a string of no bytes, without its zero.
    assert!(matches!(lie(|bytes| bytes[16] = 0), Some(E::MissingNullTerminator { .. })));
    // A vtable that is the table itself, and a root at 0: tables without fields.
    assert!(lie(|bytes| bytes[12] = 0).is_none());
    assert!(lie(|bytes| bytes[0] = 0).is_none());
    for length in 0..8 {
        assert!(lie(|bytes| bytes.truncate(length)).is_some());
    }
}

#[test]
fn trust_d03_the_error_names_the_field() {
    let text = lie(|bytes| bytes[24] = 0xff).expect("refused").to_string();
    assert!(text.contains("name"), "{text}");
}

#[test]
fn trust_d03_a_required_field_is_missed() {
    let mut builder = FlatBufferBuilder::new();
    let start = builder.start_table();
    let root = builder.end_table(start);
    let bytes = finished(builder, root);
    let found = flatbuffers::root::<Needs<'_>>(&bytes).expect_err("refused");
    assert!(matches!(found, InvalidFlatbuffer::MissingRequiredField { .. }));
}

#[test]
fn trust_d03_a_union_has_both_of_its_fields() {
    let mut builder = FlatBufferBuilder::new();
    let mut holder = HolderBuilder::new(&mut builder);
    holder.add_either_type(Either::Pair);
    let root = holder.finish();
    let bytes = finished(builder, root);
    let found = flatbuffers::root::<Holder<'_>>(&bytes).expect_err("refused");
    assert!(matches!(found, InvalidFlatbuffer::InconsistentUnion { .. }));
}

/// The accessor of a union hands a table out whatever its type says, so that there must be one: here
/// the offset leads nowhere, and then the field itself stands outside.
#[test]
fn trust_d03_an_unknown_variant_is_a_table_all_the_same() {
    let mut builder = FlatBufferBuilder::new();
    let named = Named::create(&mut builder, &NamedArgs { name: None });
    let mut holder = HolderBuilder::new(&mut builder);
    holder.add_either_type(Either(77));
    holder.add_either(named.as_union_value());
    let root = holder.finish();
    let honest = finished(builder, root);
    assert!(flatbuffers::root::<Holder<'_>>(&honest).is_ok());
    let at = |bytes: &[u8], at: usize| usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
    let table = at(&honest, 0);
    let entry = table - at(&honest, table) + usize::from(Holder::VT_EITHER);
    let value = table + at(&honest, entry);
    for (place, lie) in [(value, 0x7ffc_u16), (entry, 0xfff0)] {
        let mut bytes = honest.clone();
        bytes[place..place + 2].copy_from_slice(&lie.to_le_bytes());
        let found = flatbuffers::root::<Holder<'_>>(&bytes).expect_err("refused");
        assert!(matches!(found, InvalidFlatbuffer::RangeOutOfBounds { .. }), "{found}");
    }
}

/// A variant of a newer schema is kept, and read as nothing.
#[test]
fn a_variant_that_nobody_knows_is_read_as_nothing() {
    let mut builder = FlatBufferBuilder::new();
    let named = Named::create(&mut builder, &NamedArgs { name: None });
    let mut holder = HolderBuilder::new(&mut builder);
    holder.add_either_type(Either(77));
    holder.add_either(named.as_union_value());
    let root = holder.finish();
    let bytes = Bytes::from(finished(builder, root));
    let holder = flatbuffers::root::<Holder<'_>>(&bytes).expect("valid");
    assert!(holder.either().is_some());
    assert!(holder.either_as_named().is_none() && holder.either_as_pair().is_none());
    assert_eq!(format!("{:?}", holder.either_type()), "<UNKNOWN 77>");
}
