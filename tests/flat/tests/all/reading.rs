//! Reading from any address, and what absent fields read as.

use flatbuffers::FlatBufferBuilder;
use stubwire::Limits;
use stubwire::flat::{Table, Verified};
use stubwire_tests_flat::against_ours;
use stubwire_tests_flat::cases::{
    case_default_str_esc, case_o49_defaults_of_every_kind as defaults,
};
use stubwire_tests_flat::golden::zoo::zoo::{self, Flags};

fn animal() -> Vec<u8> {
    let mut builder = FlatBufferBuilder::new();
    against_ours::build(&mut builder);
    builder.finished_data().to_vec()
}

#[test]
fn trust_d05_a_buffer_at_all_eight_addresses() {
    let bytes = animal();
    let expected = against_ours::read(&bytes).expect("valid");
    let mut memory = vec![0_u8; bytes.len() + 16];
    let base = memory.as_ptr().align_offset(8);
    for offset in 0..8 {
        let at = base + offset;
        memory[at..at + bytes.len()].copy_from_slice(&bytes);
        let placed = &memory[at..at + bytes.len()];
        assert_eq!(placed.as_ptr().align_offset(8), (8 - offset) % 8);
        assert_eq!(against_ours::read(placed).expect("valid"), expected, "offset {offset}");
    }
}

#[test]
fn size_prefixed_and_plain_are_not_mixed() {
    let mut builder = FlatBufferBuilder::new();
    let root = zoo::Sy2Id::create(&mut builder, &zoo::Sy2IdArgs { id: 9 });
    builder.finish_size_prefixed(root, None);
    let bytes = builder.finished_data();
    let root = flatbuffers::size_prefixed_root::<zoo::Sy2Id<'_>>(bytes).expect("valid");
    assert_eq!(root.id(), 9);
    assert!(flatbuffers::root::<zoo::Sy2Id<'_>>(&bytes[4..]).is_err());
}

#[test]
fn an_identifier_is_looked_for_in_buffers_of_any_length() {
    let bytes = animal();
    assert!(zoo::animal_buffer_has_identifier(&bytes));
    for length in 0..bytes.len().min(16) {
        assert_eq!(zoo::animal_buffer_has_identifier(&bytes[..length]), length >= 8);
        assert!(!zoo::animal_size_prefixed_buffer_has_identifier(&bytes[..length]));
    }
}

#[test]
fn a_default_of_several_flags_is_their_union() {
    let bytes = animal();
    let root = zoo::root_as_animal(&bytes).expect("valid");
    assert_eq!(root.fg(), Flags::F1 | Flags::F2);
}

#[test]
fn defaults_of_every_kind() {
    let mut builder = FlatBufferBuilder::new();
    let root = defaults::hz::T::create(&mut builder, &defaults::hz::TArgs::default());
    builder.finish(root, None);
    let root = flatbuffers::root::<defaults::hz::T<'_>>(builder.finished_data()).expect("valid");
    assert_eq!((root.e(), root.f()), (defaults::hz::E::Neg, defaults::hz::F::Top));
    assert_eq!(root.g().bits(), 1 | 1 << 63);
    assert_eq!((root.h().0, root.u().0), (i64::MIN, u64::MAX));
    assert_eq!((root.i(), root.j(), root.k(), root.b()), (i64::MIN, u64::MAX, -128, true));
    assert!(root.x().is_nan());
    assert_eq!((root.y(), root.z(), root.w()), (f64::NEG_INFINITY, f32::MAX, 5e-324));
    assert_eq!((root.p(), root.c()), (8.0, 0.1));
    assert!(root.q() == 0.0 && root.q().is_sign_negative());
    assert_eq!(root.s(), "a\"b\\c\n{}\t\u{e9}\u{7f}");
    assert_eq!((root.v().len(), root.t().len()), (0, 0));
    assert_eq!((root.o(), root.of(), root.of2()), (None, None, None));
    assert!(root.bb_nested_flatbuffer().is_none(), "a default is no buffer");
}

#[test]
fn a_default_string_is_escaped() {
    let mut builder = FlatBufferBuilder::new();
    let root =
        case_default_str_esc::T::create(&mut builder, &case_default_str_esc::TArgs::default());
    builder.finish(root, None);
    let root = flatbuffers::root::<case_default_str_esc::T<'_>>(builder.finished_data());
    assert_eq!(root.expect("valid").a(), "a\nb\\c\u{e9}{}");
}

/// A default that is not zero is left out of the buffer, and zero is not.
#[test]
fn a_field_of_its_default_takes_no_room() {
    let size = |id: i32| {
        let mut builder = FlatBufferBuilder::new();
        let root = zoo::M1::create(&mut builder, &zoo::M1Args { x: id });
        builder.finish(root, None);
        builder.finished_data().len()
    };
    assert!(size(0) < size(1));
}

#[test]
fn structs_of_structs_and_arrays() {
    use stubwire_tests_flat::cases::case_structs_in_structs::hz::{A, B, C, E};
    let a = A::new(3, &[4, u64::MAX]);
    let b = B::new(&a, &[a, A::default(), a], true, &[true, false, true, false]);
    let mut c = C::new(&[B::default(), b], &[E(7), E::Z, E(9)], &[1.25]);
    assert_eq!((size_of::<A>(), size_of::<B>()), (32, 144));
    assert_eq!(c.b().get(1).as_().get(2).y().get(1), u64::MAX);
    assert_eq!(c.b().get(1).bs().iter().collect::<Vec<bool>>(), [true, false, true, false]);
    assert_eq!(c.es().iter().map(|e| e.0).collect::<Vec<_>>(), [7, 0, 9]);
    c.set_f(&[2.5]);
    assert_eq!(c.f().get(0), 2.5);
    assert_eq!(c.b().get(0).a().x(), 0);
}

#[test]
fn keys_sort_and_find() {
    use std::cmp::Ordering;
    use stubwire_tests_flat::cases::case_keys_of_every_kind::hz::{F, SB, SE, SF, SL};
    assert_eq!(SF::new(1.0).key_compare_with_value(f32::NAN), Ordering::Less);
    assert!(SF::new(-1.0).key_compare_less_than(&SF::new(0.5)));
    assert!(
        SE::new(stubwire_tests_flat::cases::case_keys_of_every_kind::hz::E::A)
            .key_compare_less_than(&SE::new(
                stubwire_tests_flat::cases::case_keys_of_every_kind::hz::E::B
            ))
    );
    assert_eq!(SL::new(F::B).key_compare_with_value(F::A), Ordering::Greater);
    assert!(SB::new(false).key_compare_less_than(&SB::new(true)));
}

#[test]
fn debug_shows_the_schemas_names() {
    let bytes = animal();
    let text = format!("{:?}", zoo::root_as_animal(&bytes).expect("valid"));
    assert!(text.starts_with("Animal { fooBar: 33, type: -1, b: false"), "{text}");
    assert!(text.contains("u: Some(M2 { name: \"one\" })"), "{text}");
}

fn _a_table_is_a_message<Message: Table>(limits: &Limits) -> bool {
    Verified::<Message>::new(bytes::Bytes::new(), limits).is_err()
}
