//! Both byte orders of FRPC metadata: told apart by the sizes, and written byte for byte as the goldens say.

use proptest::prelude::*;
use std::path::Path;
use stubwire::frame::frpc::{
    Appended, ByteOrder, HEADER_LEN, REQUEST_META_LEN, Recognised, RequestHead, ResponseHead,
    decode_header, decode_request, decode_response, encode_request, encode_response, recognise,
};
use stubwire_tests_support::frpc;

const ORDERS: [ByteOrder; 2] = [ByteOrder::Big, ByteOrder::Little];

fn meta_of(head: &RequestHead, order: ByteOrder) -> Vec<u8> {
    let mut frame = Vec::new();
    encode_request(&mut frame, head, &Appended::default(), order).expect("it fits");
    frame.split_off(HEADER_LEN)
}

fn of_sizes(message_size: i32, attachment_size: i32) -> RequestHead {
    RequestHead {
        service_id: 0x01e1_e2ce,
        method_id: 7,
        message_size,
        attachment_size,
        correlation_id: 0x1122_3344_5566_7788,
    }
}

#[test]
fn recorded_requests_are_recognised() {
    let mut seen = [0, 0];
    for exchange in frpc().iter().filter(|exchange| exchange.refused.is_none()) {
        let meta_size = usize::from(exchange.request[11]);
        let (meta, payload) = exchange.request[HEADER_LEN..].split_at(meta_size);
        let order = ORDERS[usize::from(exchange.little_endian)];
        let expected = match &*exchange.id {
            "F6" | "F8" => Recognised::Neither,
            _ => Recognised::As(order),
        };
        assert_eq!(recognise(meta, payload.len()), expected, "{}", exchange.name);
        seen[usize::from(exchange.little_endian)] += 1;
    }
    assert_eq!(seen, [10, 5]);
}

#[test]
fn the_first_size_that_reads_the_same_both_ways_is_65792() {
    for order in ORDERS {
        let ambiguous: Vec<i32> = (1..=70_000)
            .filter(|size| {
                recognise(&meta_of(&of_sizes(*size, 0), order), *size as usize) == Recognised::Both
            })
            .collect();
        assert_eq!(ambiguous, [65_792], "{order:?}");
    }
    // An attachment of another size tells the order all the same, one of the same kind does not.
    for order in ORDERS {
        let told = meta_of(&of_sizes(65_792, 1), order);
        assert_eq!(recognise(&told, 65_793), Recognised::As(order));
        let untold = meta_of(&of_sizes(65_792, 65_792), order);
        assert_eq!(recognise(&untold, 131_584), Recognised::Both);
    }
}

#[test]
fn neither_order_where_the_sizes_are_wrong() {
    for order in ORDERS {
        for (head, payload) in [
            (of_sizes(32, 0), 33),
            (of_sizes(32, -1), 32),
            (of_sizes(-1, 33), 32),
            (of_sizes(1, 0), 0),
            (of_sizes(i32::MAX, i32::MAX), 1),
        ] {
            // Header sizes do not matter here, so that the metadata can say anything.
            let meta = meta_by_hand(&head, order);
            assert_eq!(recognise(&meta, payload), Recognised::Neither, "{head:?}");
        }
    }
    for len in 0..REQUEST_META_LEN {
        assert_eq!(recognise(&vec![0; len], 0), Recognised::Neither);
    }
}

fn meta_by_hand(head: &RequestHead, order: ByteOrder) -> Vec<u8> {
    let words = [
        head.service_id,
        head.method_id as u32,
        head.message_size as u32,
        head.attachment_size as u32,
    ];
    match order {
        ByteOrder::Big => {
            let words = words.iter().flat_map(|word| word.to_be_bytes());
            words.chain(head.correlation_id.to_be_bytes()).collect()
        }
        ByteOrder::Little => {
            let words = words.iter().flat_map(|word| word.to_le_bytes());
            words.chain(head.correlation_id.to_le_bytes()).collect()
        }
    }
}

const EDGES: [i32; 6] = [0, 1, i32::MAX - 1, i32::MAX, -1, i32::MIN];

#[test]
fn trust_a04_every_integer_at_its_extremes() {
    for order in ORDERS {
        for number in EDGES {
            for id in [0, 1, u64::MAX - 1, u64::MAX, 1 << 63] {
                let head = RequestHead {
                    service_id: number as u32,
                    method_id: number,
                    message_size: number,
                    attachment_size: number,
                    correlation_id: id,
                };
                let meta = meta_by_hand(&head, order);
                assert_eq!(decode_request(&meta, order), Ok((head, &[][..])));
                let reply = ResponseHead {
                    error_code: number,
                    message_size: number,
                    attachment_size: number,
                    correlation_id: id,
                };
                // A request without its service id is laid out as a response.
                assert_eq!(decode_response(&meta[4..], order), Ok((reply, &[][..])));
            }
        }
    }
}

/// Every frame that the goldens hold: its name, and its bytes in an order.
fn our_frames(order: ByteOrder) -> Vec<(&'static str, Vec<u8>)> {
    let none = Appended::default();
    let mut block = Appended::new();
    (block.timeout_ms, block.log_id) = (Some(750), Some(7));
    block.user_fields = vec![("tenant", "a1")];
    let mut told = Appended::new();
    told.error_text = Some("no such key");
    let request = |head, block: &Appended<'_>, payload: &[u8]| {
        let mut frame = Vec::new();
        encode_request(&mut frame, &head, block, order).expect("small");
        [&frame[..], payload].concat()
    };
    let reply = |error_code, sizes: (i32, i32), block: &Appended<'_>, payload: &[u8]| {
        let head = ResponseHead {
            error_code,
            message_size: sizes.0,
            attachment_size: sizes.1,
            correlation_id: 0x1122_3344_5566_7788,
        };
        let mut frame = Vec::new();
        encode_response(&mut frame, &head, block, order).expect("small");
        [&frame[..], payload].concat()
    };
    vec![
        ("request", request(of_sizes(4, 0), &none, b"\x04\0\0\0")),
        ("request_with_attachment", request(of_sizes(4, 3), &none, b"\x04\0\0\0ATT")),
        ("request_with_block", request(of_sizes(4, 0), &block, b"\x04\0\0\0")),
        ("request_of_65792", request(of_sizes(65_792, 0), &none, &[])),
        ("reply", reply(0, (4, 0), &none, b"\x04\0\0\0")),
        ("reply_with_attachment", reply(0, (4, 3), &none, b"\x04\0\0\0ATT")),
        ("error", reply(1002, (0, 0), &none, &[])),
        ("error_with_text", reply(2001, (0, 0), &told, &[])),
        ("error_minus_one", reply(-1, (0, 0), &none, &[])),
        ("reply_of_65792", reply(0, (65_792, 0), &none, &[])),
    ]
}

/// Bless with `STUBWIRE_BLESS=1`; nothing is accepted without.
#[test]
fn our_frames_are_the_golden_ones_in_both_orders() {
    for (order, file) in [(ByteOrder::Big, "frpc_big.hex"), (ByteOrder::Little, "frpc_little.hex")]
    {
        let text: String = our_frames(order)
            .iter()
            .map(|(name, frame)| {
                let bytes: Vec<String> = frame.iter().map(|byte| format!("{byte:02x}")).collect();
                format!("{name} {}\n", bytes.join(" "))
            })
            .collect();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden").join(file);
        if std::env::var_os("STUBWIRE_BLESS").is_some() {
            std::fs::write(&path, &text).expect("written");
        }
        let golden = std::fs::read_to_string(&path).expect("the golden file is there");
        assert_eq!(text, golden, "{file}");
    }
}

fn order() -> impl Strategy<Value = ByteOrder> {
    prop_oneof![Just(ByteOrder::Big), Just(ByteOrder::Little)]
}

/// Timeout, text, user fields and log id of a block.
type OwnedBlock = (Option<u32>, Option<String>, Vec<(String, String)>, Option<i64>);

fn block() -> impl Strategy<Value = Option<OwnedBlock>> {
    proptest::option::of((
        any::<Option<u32>>(),
        proptest::option::of(".{0,40}"),
        proptest::collection::vec((".{0,9}", ".{0,9}"), 0..4),
        any::<Option<i64>>(),
    ))
}

fn as_appended(block: Option<&OwnedBlock>) -> Appended<'_> {
    let Some((timeout_ms, text, fields, log_id)) = block else { return Appended::default() };
    let mut appended = Appended::new();
    appended.timeout_ms = *timeout_ms;
    appended.error_text = text.as_deref();
    appended.user_fields = fields.iter().map(|(key, value)| (&**key, &**value)).collect();
    appended.log_id = *log_id;
    appended
}

proptest! {
    #[test]
    fn any_bytes_are_read_without_panic(
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
        payload in any::<usize>(),
        order in order(),
    ) {
        let _ = decode_header(&bytes, 64 << 20);
        let _ = recognise(&bytes, payload);
        if let Ok((head, appended)) = decode_request(&bytes, order) {
            let _ = head.sizes(payload);
            let _ = Appended::decode(appended);
        }
        if let Ok((head, appended)) = decode_response(&bytes, order) {
            let _ = head.sizes(payload);
            let _ = Appended::decode(appended);
        }
        let _ = Appended::decode(&bytes);
        let len = (bytes.len() as u32).to_be_bytes();
        if let Ok(read) = Appended::decode(&[b"SWX1", &len[..], &bytes].concat()) {
            prop_assert!(read.present);
        }
    }

    #[test]
    fn what_was_encoded_is_decoded(
        words in any::<(u32, i32, u64, i32)>(),
        sizes in (0..=i32::MAX, 0..=i32::MAX - 1000),
        block in block(),
        order in order(),
    ) {
        let appended = as_appended(block.as_ref());
        let (service_id, method_id, correlation_id, error_code) = words;
        let (message_size, attachment_size) = sizes;
        let head = RequestHead { service_id, method_id, message_size, attachment_size, correlation_id };
        let mut frame = Vec::new();
        prop_assert_eq!(encode_request(&mut frame, &head, &appended, order), Ok(()));
        let header = decode_header(&frame, usize::MAX).expect("a header was just written");
        prop_assert_eq!(header.meta_size as usize, frame.len() - HEADER_LEN);
        let payload = message_size as u32 + attachment_size as u32;
        prop_assert_eq!(header.body_size, header.meta_size + payload);
        let (read, rest) = decode_request(&frame[HEADER_LEN..], order).expect("long enough");
        prop_assert_eq!(read, head);
        prop_assert_eq!(Appended::decode(rest), Ok(appended.clone()));
        let recognised = recognise(&frame[HEADER_LEN..], payload as usize);
        prop_assert!(recognised == Recognised::As(order) || recognised == Recognised::Both);

        let head = ResponseHead { error_code, message_size, attachment_size, correlation_id };
        frame.clear();
        prop_assert_eq!(encode_response(&mut frame, &head, &appended, order), Ok(()));
        let (read, rest) = decode_response(&frame[HEADER_LEN..], order).expect("long enough");
        prop_assert_eq!(read, head);
        prop_assert_eq!(Appended::decode(rest), Ok(appended));
    }
}
