//! Messages before they are decoded: memory, nesting, required fields, and the errors of the decoder itself.

use bytes::Bytes;
use prost::Message;
use stubwire::payload::{DecodeError, Fault, FieldShape, MessageShape, Wire, proto, scan};
use stubwire_tests_wire::bytes_of::{delimited, group, nested_groups, number, tag, varint};
use stubwire_tests_wire::message::{
    BOMB, Bomb, ECHO_REQUEST, EchoRequest, NODE, Node, POINT, Point, TRACK, Track, WIDE, Wide,
};

/// What the server allows for a message of this length unless told otherwise.
fn budget(len: usize) -> usize {
    8 * len + (1 << 20)
}

fn decode<M: Message + Default>(shape: &MessageShape, bytes: Vec<u8>) -> Result<M, DecodeError> {
    let budget = budget(bytes.len());
    proto::decode(shape, Bytes::from(bytes), budget)
}

fn failure<M: Message + Default + std::fmt::Debug>(
    shape: &MessageShape,
    bytes: Vec<u8>,
) -> (Fault, String) {
    let error = decode::<M>(shape, bytes).expect_err("refused");
    (error.fault().clone(), error.path())
}

/// A chain of `levels` nodes below the root, as length-delimited messages.
fn chain(levels: usize) -> Vec<u8> {
    (0..levels).fold(Vec::new(), |inside, _| delimited(1, inside))
}

const TOO_DEEP: Fault = Fault::NestedTooDeep { limit: 100 };

#[test]
fn trust_d07_hundred_levels_of_messages_and_one_more() {
    let node: Node = decode(&NODE, chain(100)).expect("as deep as protobuf goes");
    let depth = std::iter::successors(Some(&node), |node| node.next.as_deref()).count();
    assert_eq!(depth, 101);
    let (fault, path) = failure::<Node>(&NODE, chain(101));
    assert_eq!(fault, TOO_DEEP);
    assert!(path.starts_with("Node.next.next."), "{path}");
    assert!(path.len() < 100, "a long path is shortened: {path}");
    assert_eq!(failure::<Node>(&NODE, chain(3_000)).0, TOO_DEEP);
}

#[test]
fn trust_d07_hundred_levels_of_unknown_groups_and_one_more() {
    assert!(decode::<Node>(&NODE, nested_groups(9, 100)).is_ok());
    assert_eq!(failure::<Node>(&NODE, nested_groups(9, 101)).0, TOO_DEEP);
    assert_eq!(failure::<Node>(&NODE, nested_groups(9, 100_000)).0, TOO_DEEP);
    // Groups below messages count with them.
    let below = |levels| (0..40).fold(nested_groups(9, levels), |inside, _| delimited(1, inside));
    assert!(decode::<Node>(&NODE, below(60)).is_ok());
    assert_eq!(failure::<Node>(&NODE, below(61)).0, TOO_DEEP);
}

#[test]
fn trust_d07_group_fields_are_followed_by_their_shape() {
    let role = delimited(1, "reader");
    let request: EchoRequest =
        decode(&ECHO_REQUEST, [group(3, &role), group(3, &role)].concat()).expect("valid");
    assert_eq!(request.member.len(), 2);
    let (fault, path) =
        failure::<EchoRequest>(&ECHO_REQUEST, [group(3, &role), group(3, "")].concat());
    assert_eq!((fault, &*path), (Fault::RequiredFieldMissing, "EchoRequest.member.role"));
    // Ends under another number, and not at all.
    let other = [tag(3, 3), role.clone(), tag(2, 4)].concat();
    assert_eq!(failure::<EchoRequest>(&ECHO_REQUEST, other).0, Fault::Malformed);
    assert_eq!(
        failure::<EchoRequest>(&ECHO_REQUEST, [tag(3, 3), role].concat()).0,
        Fault::Truncated
    );
}

#[test]
fn trust_d07_two_hundred_thousand_siblings_are_no_depth() {
    let siblings = delimited(2, "").repeat(2_000);
    assert_eq!(decode::<Node>(&NODE, siblings).map(|node| node.children.len()), Ok(2_000));
}

#[test]
fn trust_d08_bomb_of_empty_elements_is_refused() {
    assert_eq!(size_of::<Wide>(), 240);
    let bomb = delimited(1, "").repeat(1 << 19);
    let len = bomb.len();
    let error = decode::<Bomb>(&BOMB, bomb).expect_err("120 times its size");
    assert_eq!(error.fault(), &Fault::OverBudget { budget: budget(len) });
    assert_eq!(
        error.to_string(),
        "decoding `Bomb.elements` takes the message beyond its 9437184 bytes of memory"
    );
}

#[test]
fn trust_d08_budget_is_met_exactly() {
    let bytes = delimited(1, "").repeat(10);
    assert_eq!(scan(&BOMB, &bytes, 2_400), Ok(()));
    let error = scan(&BOMB, &bytes, 2_399).expect_err("one byte short");
    assert_eq!(error.fault(), &Fault::OverBudget { budget: 2_399 });
    assert_eq!(scan(&BOMB, b"", 0), Ok(()));
}

#[test]
fn trust_d08_bomb_inside_a_bomb_is_one_budget() {
    // Each of 1,000 children holds 1,000 more.
    let inner = delimited(2, "").repeat(1_000);
    let bytes = delimited(2, inner).repeat(1_000);
    let cost = 1_001 * 1_000 * size_of::<Node>();
    assert_eq!(scan(&NODE, &bytes, cost), Ok(()));
    assert!(scan(&NODE, &bytes, cost - 1).is_err());
}

#[test]
fn trust_d08_boxes_count() {
    let bytes = delimited(1, delimited(1, ""));
    assert_eq!(scan(&NODE, &bytes, 2 * size_of::<Node>()), Ok(()));
    assert!(scan(&NODE, &bytes, 2 * size_of::<Node>() - 1).is_err());
}

#[test]
fn trust_d08_honest_points_are_accepted() {
    let point = delimited(1, [number(1, 3), number(2, 4)].concat());
    assert_eq!(point.len(), 6);
    let bytes = point.repeat(699_050);
    assert!(bytes.len() <= 4 << 20);
    let track: Track = decode(&TRACK, bytes).expect("honest");
    assert_eq!(track.points.len(), 699_050);
    assert_eq!(track.points[699_049], Point { x: 3, y: 4 });
}

#[test]
fn trust_d08_honest_lists_of_the_smallest_elements_are_accepted() {
    let track = Track {
        times: vec![1; 1 << 20],
        weights: vec![1.0; 1 << 16],
        names: vec!["n".into(); 1 << 16],
        marks: (0..1 << 12).map(|mark| (mark.to_string(), mark)).collect(),
        codes: vec![1; 1 << 16],
        ..Track::default()
    };
    assert_eq!(decode(&TRACK, track.encode_to_vec()), Ok(track));
}

#[test]
fn trust_d08_packed_and_single_numbers_cost_the_same() {
    let cases = [
        (2, 0, number(2, 300), varint(300), 8),
        (3, 1, [tag(3, 1), vec![0; 8]].concat(), vec![0; 8], 8),
        (6, 5, [tag(6, 5), vec![0; 4]].concat(), vec![0; 4], 4),
    ];
    for (field, wire_type, single, value, size) in cases {
        assert_eq!(single, [tag(field, wire_type), value.clone()].concat());
        let packed = delimited(field, value.repeat(100));
        for bytes in [single.repeat(100), packed] {
            assert_eq!(scan(&TRACK, &bytes, 100 * size), Ok(()), "{field}");
            assert!(scan(&TRACK, &bytes, 100 * size - 1).is_err(), "{field}");
        }
    }
}

#[test]
fn trust_d09_length_prefix_lies() {
    for lie in [1, 127, 1 << 20, u64::from(u32::MAX), u64::MAX] {
        // Where the scan looks, and where only prost does.
        let listed = [tag(1, 2), varint(lie)].concat();
        assert_eq!(failure::<Track>(&TRACK, listed).0, Fault::Truncated, "{lie}");
        let plain = [tag(1, 2), varint(lie)].concat();
        assert!(matches!(failure::<Wide>(&WIDE, plain).0, Fault::Refused(_)), "{lie}");
    }
    let nested = delimited(1, [tag(1, 2), varint(5), vec![0; 4]].concat());
    let (fault, path) = failure::<Node>(&NODE, nested);
    assert_eq!((fault, &*path), (Fault::Truncated, "Node.next.next"));
}

#[test]
fn trust_d10_missing_required_field_is_named_by_its_path() {
    let inner = |bytes: Vec<u8>| delimited(1, bytes);
    let complete: EchoRequest = decode(&ECHO_REQUEST, inner(number(7, 0))).expect("complete");
    assert_eq!(complete.inner.map(|inner| inner.id), Some(0));
    // Without the message there is nothing to be missing in.
    assert!(decode::<EchoRequest>(&ECHO_REQUEST, Vec::new()).is_ok());

    let missing =
        decode::<EchoRequest>(&ECHO_REQUEST, inner(delimited(8, "x"))).expect_err("missing");
    assert_eq!(missing.fault(), &Fault::RequiredFieldMissing);
    assert_eq!(missing.to_string(), "required field `EchoRequest.inner.id` is missing");
    // Under another wire type it is an unknown field, and so still missing.
    let (fault, path) = failure::<EchoRequest>(&ECHO_REQUEST, inner(delimited(7, "x")));
    assert_eq!((fault, &*path), (Fault::RequiredFieldMissing, "EchoRequest.inner.id"));
}

/// 200 listed fields, of which every second one is required.
static MANY_REQUIRED: MessageShape = MessageShape::new("test.Many", &MANY_FIELDS);
static MANY_FIELDS: [FieldShape; 200] = {
    let mut fields = [FieldShape::scalar(1, "even", Wire::Varint).repeated(8); 200];
    let mut index = 0;
    while index < 200 {
        let number = index as u32 + 1;
        fields[index] = if index % 2 == 0 {
            FieldShape::scalar(number, "optional", Wire::Varint).repeated(8)
        } else {
            FieldShape::scalar(number, "needed", Wire::Varint).required()
        };
        index += 1;
    }
    fields
};

#[test]
fn trust_d10_more_than_64_required_fields() {
    let field = |index: u32| number(index, 1);
    let all: Vec<u8> = (1..=200).flat_map(field).collect();
    assert_eq!(scan(&MANY_REQUIRED, &all, 1 << 10), Ok(()));
    // The order on the wire is of no account.
    let backwards: Vec<u8> = (1..=200).rev().flat_map(field).collect();
    assert_eq!(scan(&MANY_REQUIRED, &backwards, 1 << 10), Ok(()));
    for missing in (2..=200).step_by(2) {
        let others: Vec<u8> = (1..=200).filter(|&n| n != missing).flat_map(field).collect();
        let error = scan(&MANY_REQUIRED, &others, 1 << 10).expect_err("one is missing");
        assert_eq!(error.fault(), &Fault::RequiredFieldMissing, "{missing}");
        assert_eq!(error.path(), "Many.needed");
    }
    let only_required: Vec<u8> = (2..=200).step_by(2).flat_map(field).collect();
    assert_eq!(scan(&MANY_REQUIRED, &only_required, 0), Ok(()));
}

#[test]
fn trust_d11_invalid_utf8_names_the_field_at_every_level() {
    let bytes = delimited(1, [number(7, 1), delimited(8, b"\xff")].concat());
    let error = decode::<EchoRequest>(&ECHO_REQUEST, bytes).expect_err("not UTF-8");
    assert!(matches!(error.fault(), Fault::Refused(_)));
    let text = error.to_string();
    assert!(text.contains("Inner.name") && text.contains("EchoRequest.inner"), "{text}");
    assert!(text.contains("UTF-8"), "{text}");
}

#[test]
fn message_without_anything_to_go_wrong_is_not_scanned() {
    assert!(WIDE.is_plain() && POINT.is_plain());
    // No protobuf at all: the scan would have found it.
    assert_eq!(scan(&WIDE, b"\xff\xff\xff", 0), Ok(()));
}

#[test]
fn shape_prints_names_only() {
    assert_eq!(format!("{NODE:?}"), r#"test.Node{"next", "children"}"#);
    assert_eq!(format!("{:?}", FieldShape::message(1, "next", &NODE)), "next = 1");
}
