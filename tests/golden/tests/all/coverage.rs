//! Every byte is told exactly once, whatever the bytes; and nothing makes the telling panic or run away.

use flatbuffers::FlatBufferBuilder;
use proptest::prelude::*;
use prost::Message as _;
use stubwire::frame::frpc::ByteOrder;
use stubwire::golden::{Frame, Message, Region, Side};
use stubwire_tests_golden::values::{animal, everything};
use stubwire_tests_golden::{bench, benchmark_fb, every, zoo};

fn assert_covered(regions: &[Region], len: usize) {
    let mut at = 0;
    for region in regions {
        assert_eq!(region.range.start, at, "a gap or an overlap before {region:?}");
        assert!(region.range.end > at && !region.meaning.is_empty(), "{region:?}");
        at = region.range.end;
    }
    assert_eq!(at, len);
}

fn check_message(message: &Message) {
    assert_covered(&message.regions(), message.bytes().len());
    assert!(message.to_string().lines().count() > 1);
}

fn flat_bytes() -> Vec<u8> {
    let mut builder = FlatBufferBuilder::new();
    let root = animal(&mut builder);
    builder.finish(root, None);
    builder.finished_data().to_vec()
}

prop_compose! {
    fn random_everything()(
        double in any::<f64>(), int in any::<i32>(), sint in any::<i64>(), flag in any::<bool>(),
        text in ".{0,80}", bytes in proptest::collection::vec(any::<u8>(), 0..400),
        packed in proptest::collection::vec(any::<i32>(), 0..60),
        floats in proptest::collection::vec(any::<f32>(), 0..60),
        colors in proptest::collection::vec(-2..3, 0..5),
        texts in proptest::collection::vec(".{0,20}", 0..5),
        depth in 0_usize..12,
    ) -> every::Everything {
        let inner = |name: &String| every::everything::Inner { name: Some(name.clone()), back: None };
        let mut value = every::Everything {
            a_double: Some(double), an_int32: Some(int), a_sint64: Some(sint), a_bool: Some(flag),
            a_string: Some(text), some_bytes: Some(bytes), unpacked: packed.clone(), packed, floats,
            colors, inners: texts.iter().map(inner).collect(), texts,
            ..Default::default()
        };
        for _ in 0..depth {
            let back = Some(Box::new(value));
            let an_inner = Some(Box::new(every::everything::Inner { name: None, back }));
            value = every::Everything { an_inner, ..Default::default() };
        }
        value
    }
}

proptest! {
    #[test]
    fn every_byte_of_a_protobuf_message_is_told_once(value in random_everything()) {
        let message = Message::new(&every::EVERY_THING, Side::Request, value.encode_to_vec());
        check_message(&message);
        let whole = message.regions().iter().all(|region| {
            region.meaning != "unreferenced" && !region.meaning.starts_with("no Protobuf")
        });
        prop_assert!(whole, "{message}");
    }

    #[test]
    fn every_byte_of_a_flatbuffers_message_is_told_once(
        number in any::<i32>(), text in ".{0,80}",
        bytes in proptest::collection::vec(any::<u8>(), 0..600),
        numbers in proptest::collection::vec(any::<i32>(), 0..200),
        texts in proptest::collection::vec(".{0,20}", 0..8),
    ) {
        let mut builder = FlatBufferBuilder::new();
        let name = builder.create_string(&text);
        let vb = stubwire::flat::bytes(&mut builder, &bytes);
        let vi = builder.create_vector(&numbers);
        let texts: Vec<_> = texts.iter().map(|text| builder.create_shared_string(text)).collect();
        let vs = builder.create_vector(&texts);
        let rm = zoo::M1::create(&mut builder, &zoo::M1Args { x: number });
        let args = zoo::AnimalArgs {
            fooBar: number, name: Some(name), rname: Some(name), vb: Some(vb), vi: Some(vi),
            rvi: Some(vi), vs: Some(vs), rm: Some(rm), ru_type: zoo::U::M1,
            ru: Some(rm.as_union_value()), rv: Some(&zoo::V3::default()), ..Default::default()
        };
        let root = zoo::Animal::create(&mut builder, &args);
        builder.finish(root, None);
        let message = Message::new(&zoo::ZOO_SHOW, Side::Request, builder.finished_data());
        check_message(&message);
        // The zero behind a byte string is nobody's, and looks like padding.
        let whole = message.regions().iter().all(|region| region.meaning != "unreferenced");
        prop_assert!(whole, "{message}");
    }

    #[test]
    fn changed_bytes_of_messages_are_told_once(
        changes in proptest::collection::vec((any::<usize>(), any::<u8>()), 1..20),
        cut in any::<usize>(),
    ) {
        for (method, mut bytes) in [
            (&every::EVERY_THING, everything().encode_to_vec()),
            (&zoo::ZOO_SHOW, flat_bytes()),
        ] {
            for (at, byte) in &changes {
                let at = at % bytes.len();
                bytes[at] = *byte;
            }
            check_message(&Message::new(method, Side::Reply, &bytes));
            bytes.truncate(cut % bytes.len());
            check_message(&Message::new(method, Side::Request, &bytes));
        }
    }

    #[test]
    fn any_bytes_behind_a_magic_are_told_once(
        is_prpc in any::<bool>(), is_reply in any::<bool>(), is_little in any::<bool>(),
        meta_size in 0_u32..80,
        bytes in proptest::collection::vec(any::<u8>(), 0..300),
    ) {
        let mut frame = if is_prpc { b"PRPC".to_vec() } else { b"FRPC".to_vec() };
        frame.extend_from_slice(&(bytes.len() as u32).to_be_bytes());
        frame.extend_from_slice(&meta_size.to_be_bytes());
        frame.extend_from_slice(&bytes);
        let side = if is_reply { Side::Reply } else { Side::Request };
        for method in [&bench::ECHO_SERVICE_ECHO, &benchmark_fb::BENCHMARK_SERVICE_ECHO] {
            let told = Frame::captured(method, side, frame.clone()).expect("a magic");
            assert_covered(&told.regions(), frame.len());
            let order = if is_little { ByteOrder::Little } else { ByteOrder::Big };
            let told = told.byte_order(order);
            assert_covered(&told.regions(), frame.len());
            assert!(!told.to_string().is_empty());
        }
    }
}

#[test]
fn every_beginning_of_a_frame_is_told_once() {
    for bytes in [&b"PRPC\0\0\0\x08\0\0\0\x04\x20\x01\x28\x01ABCD"[..], b"FRPC\0\0\0\x30\0\0\0\x18"]
    {
        for len in 4..bytes.len() {
            let beginning = bytes[..len].to_vec();
            let told = Frame::captured(&bench::ECHO_SERVICE_ECHO, Side::Request, beginning);
            assert_covered(&told.expect("a magic").regions(), len);
        }
    }
}

/// Overlapping vectors, tables that share a vtable of thousands of slots: bytes that would be looked at as often as
/// they can be named are looked at once. Work that grew with the square of a megabyte would not end here.
#[test]
fn bytes_that_name_each_other_are_no_more_work_than_others() {
    let len = 1 << 20;
    // Every word is an offset of four, a length of four, and the distance to a vtable of four bytes.
    let fours: Vec<u8> = 4_u32.to_le_bytes().repeat(len / 4);
    // Every word leads far ahead, into the next.
    let ahead: Vec<u8> =
        (0..len as u32 / 4).flat_map(|at| (len as u32 / 8 + at % 7).to_le_bytes()).collect();
    let zeros = vec![0; len];
    let ones = vec![0xff; len];
    // Groups in groups in groups.
    let groups = [0xe3, 0x01].repeat(len / 2);
    for bytes in [fours, ahead, zeros, ones, groups] {
        for method in [&every::EVERY_THING, &zoo::ZOO_SHOW] {
            check_message(&Message::new(method, Side::Request, &bytes));
        }
    }
}
