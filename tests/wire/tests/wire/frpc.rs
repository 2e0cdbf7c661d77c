//! FRPC frames by their rules: recorded ones, and each rule by itself. The byte orders have a file of their own.

use stubwire::frame::frpc::{
    Appended, ByteOrder, HEADER_LEN, MAGIC, REQUEST_META_LEN, RESPONSE_META_LEN, RequestHead,
    ResponseHead, decode_header, decode_request, decode_response, encode_request, encode_response,
};
use stubwire::frame::{Error, Protocol, Sniff, prpc, sniff};
use stubwire_tests_support::{Fields, FrpcExchange, frpc};

use crate::view::MAX_BODY_SIZE;

fn order_of(exchange: &FrpcExchange) -> ByteOrder {
    if exchange.little_endian { ByteOrder::Little } else { ByteOrder::Big }
}

/// Metadata and payload of one whole frame.
fn parts(frame: &[u8]) -> Result<(&[u8], &[u8]), Error> {
    let header = decode_header(frame, MAX_BODY_SIZE)?;
    let body = &frame[HEADER_LEN..];
    assert_eq!(body.len(), header.body_size as usize, "one whole frame");
    Ok(body.split_at(header.meta_size as usize))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}

/// What stands behind the fixed metadata, as the data files write it.
fn add_rest(
    fields: &mut Fields,
    appended: &[u8],
    payload: &[u8],
    split: Option<(usize, usize)>,
    sizes: (i32, i32),
) {
    let mut add = |name: &str, bytes: &[u8]| {
        if !bytes.is_empty() {
            fields.push((name.into(), hex(bytes)));
        }
    };
    add("appended", appended);
    let error = sizes == (0, 0) && payload.is_empty();
    match split {
        Some((message, _)) => {
            add("message", &payload[..message]);
            add("attachment", &payload[message..]);
        }
        None if error => {}
        None => add("payload", payload),
    }
}

fn request_fields(frame: &[u8], order: ByteOrder) -> Result<Fields, Error> {
    let (meta, payload) = parts(frame)?;
    let (head, appended) = decode_request(meta, order)?;
    let mut fields: Fields = vec![
        ("service_id".into(), format!("{:#010x}", head.service_id)),
        ("method_id".into(), head.method_id.to_string()),
        ("message_size".into(), head.message_size.to_string()),
        ("attachment_size".into(), head.attachment_size.to_string()),
        ("correlation_id".into(), head.correlation_id.to_string()),
    ];
    let sizes = (head.message_size, head.attachment_size);
    add_rest(&mut fields, appended, payload, head.sizes(payload.len()), sizes);
    Ok(fields)
}

fn response_fields(frame: &[u8], order: ByteOrder) -> Result<Fields, Error> {
    let (meta, payload) = parts(frame)?;
    let (head, appended) = decode_response(meta, order)?;
    let mut fields: Fields = vec![
        ("error_code".into(), head.error_code.to_string()),
        ("message_size".into(), head.message_size.to_string()),
        ("attachment_size".into(), head.attachment_size.to_string()),
        ("correlation_id".into(), head.correlation_id.to_string()),
    ];
    let sizes = (head.message_size, head.attachment_size);
    add_rest(&mut fields, appended, payload, head.sizes(payload.len()), sizes);
    Ok(fields)
}

#[test]
fn trust_a16_recorded_frames_decode_to_their_fields() {
    let exchanges = frpc();
    assert_eq!(exchanges.len(), 17);
    for exchange in &exchanges {
        let (name, order) = (&exchange.name, order_of(exchange));
        let decoded = request_fields(&exchange.request, order);
        match &exchange.refused {
            Some(rule) => {
                let debug = format!("{:?}", decoded.expect_err(name));
                assert_eq!(debug.split(' ').next(), Some(rule.as_str()), "{name}");
            }
            None => assert_eq!(decoded.as_ref(), Ok(&exchange.fields), "{name}"),
        }
        if let Some((reply, fields)) = &exchange.reply {
            assert_eq!(response_fields(reply, order).as_ref(), Ok(fields), "{name}");
        }
    }
}

/// Those with sizes that add up: the encoder writes no others. Bytes that nobody knows are not written either.
#[test]
fn trust_a16_recorded_frames_encode_to_the_same_bytes_in_their_order() {
    let mut encoded = 0;
    for exchange in &frpc() {
        let (name, order) = (&exchange.name, order_of(exchange));
        if let Ok((meta, payload)) = parts(&exchange.request) {
            let (head, appended) = decode_request(meta, order).expect(name);
            if head.sizes(payload.len()).is_some() && appended.is_empty() {
                let mut again = Vec::new();
                encode_request(&mut again, &head, &Appended::default(), order).expect(name);
                assert_eq!([&again[..], payload].concat(), exchange.request, "{name}");
                encoded += 1;
            }
        }
        if let Some((reply, _)) = &exchange.reply {
            let (meta, payload) = parts(reply).expect(name);
            let (head, _) = decode_response(meta, order).expect(name);
            let mut again = Vec::new();
            encode_response(&mut again, &head, &Appended::default(), order).expect(name);
            assert_eq!([&again[..], payload].concat(), *reply, "{name}");
            encoded += 1;
        }
    }
    assert_eq!(encoded, 12 + 15, "requests and replies");
}

#[test]
fn the_magic_number_and_every_beginning_of_it() {
    for len in 0..4 {
        assert_eq!(sniff(&MAGIC[..len]), Sniff::Incomplete, "{len} bytes");
    }
    assert_eq!(sniff(b"FRPC\0"), Sniff::Known(Protocol::Frpc));
    let header = b"FRPC\0\0\0\x38\0\0\0\x18";
    let read = prpc::Header { body_size: 56, meta_size: 24 };
    assert_eq!(decode_header(header, MAX_BODY_SIZE), Ok(read));
    let wrong = Err(Error::WrongMagic { found: *b"PRPC" });
    assert_eq!(decode_header(b"PRPC\0\0\0\x38\0\0\0\x18", MAX_BODY_SIZE), wrong);
    for len in 0..HEADER_LEN {
        let error = Err(Error::HeaderTruncated { len });
        assert_eq!(decode_header(&header[..len], MAX_BODY_SIZE), error);
    }
}

#[test]
fn metadata_shorter_than_its_fixed_part_is_refused() {
    for order in [ByteOrder::Big, ByteOrder::Little] {
        for meta_size in 0..REQUEST_META_LEN {
            let error = Error::FixedMetaTruncated { meta_size, needed: REQUEST_META_LEN };
            assert_eq!(decode_request(&vec![0; meta_size], order), Err(error));
        }
        for meta_size in 0..RESPONSE_META_LEN {
            let error = Error::FixedMetaTruncated { meta_size, needed: RESPONSE_META_LEN };
            assert_eq!(decode_response(&vec![0; meta_size], order), Err(error));
        }
    }
}

#[test]
fn sizes_of_a_request_add_up_or_are_none() {
    let sizes = |message_size, attachment_size, payload| {
        RequestHead { message_size, attachment_size, ..RequestHead::default() }.sizes(payload)
    };
    assert_eq!(sizes(32, 0, 32), Some((32, 0)));
    assert_eq!(sizes(32, 3, 35), Some((32, 3)));
    assert_eq!(sizes(i32::MAX, i32::MAX, u32::MAX as usize - 1).map(|sizes| sizes.0), Some(MAX));
    for (message, attachment, payload) in [
        (32, 0, 31),
        (32, 0, 33),
        (32, 3, 32),
        (0, 32, 32),
        (0, 0, 0),
        (-1, 0, 0),
        (-1, 33, 32),
        (33, -1, 32),
        (32, i32::MIN, 32),
        (i32::MIN, i32::MIN, 0),
        (i32::MAX, i32::MAX, 0),
    ] {
        assert_eq!(sizes(message, attachment, payload), None, "{message} {attachment} {payload}");
    }
}

const MAX: usize = i32::MAX as usize;

#[test]
fn a_success_has_a_message_and_an_error_has_nothing() {
    let sizes = |error_code, message_size, attachment_size, payload| {
        ResponseHead { error_code, message_size, attachment_size, ..ResponseHead::default() }
            .sizes(payload)
    };
    assert_eq!(sizes(0, 32, 3, 35), Some((32, 3)));
    assert_eq!(sizes(0, 0, 0, 0), None, "an empty success");
    assert_eq!(sizes(0, 0, 5, 5), None, "a success of nothing but an attachment");
    assert_eq!(sizes(0, 32, 0, 31), None);
    assert_eq!(sizes(0, -1, 33, 32), None);
    for code in [1, -1, 1003, i32::MAX, i32::MIN] {
        assert_eq!(sizes(code, 0, 0, 0), Some((0, 0)));
        assert_eq!(sizes(code, 5, 0, 5), None, "an error with a message");
        assert_eq!(sizes(code, 0, 5, 5), None, "an error with an attachment");
        assert_eq!(sizes(code, 0, 0, 5), None, "an error with a payload that it denies");
    }
}

#[test]
fn appended_bytes_are_read_when_they_are_ours_and_else_passed_over() {
    let head = RequestHead { message_size: 1, ..RequestHead::default() };
    let mut block = Appended::new();
    (block.timeout_ms, block.log_id) = (Some(750), Some(-7));
    let mut frame = Vec::new();
    encode_request(&mut frame, &head, &block, ByteOrder::Big).expect("small");
    frame.push(9);
    let (meta, payload) = parts(&frame).expect("a frame");
    let (read, appended) = decode_request(meta, ByteOrder::Big).expect("long enough");
    assert_eq!((read, payload), (head, &[9][..]));
    assert_eq!(Appended::decode(appended), Ok(block));

    let foreign = [&meta[..REQUEST_META_LEN], b"something else"].concat();
    let (read, appended) = decode_request(&foreign, ByteOrder::Big).expect("long enough");
    assert_eq!((read, appended), (head, &b"something else"[..]));
    assert_eq!(Appended::decode(appended), Ok(Appended::default()));
}

#[test]
fn a_frame_that_the_header_cannot_describe_is_not_written() {
    let mut out = b"kept".to_vec();
    let head = ResponseHead {
        message_size: i32::MAX,
        attachment_size: i32::MAX,
        ..ResponseHead::default()
    };
    let size = 2 * (u64::from(u32::MAX) / 2) + 20;
    let none = Appended::default();
    let refused = encode_response(&mut out, &head, &none, ByteOrder::Big);
    assert_eq!(refused, Err(Error::TooLargeToEncode { size }));
    assert_eq!(out, b"kept");
    let head = ResponseHead { attachment_size: i32::MAX - 18, ..head };
    assert_eq!(encode_response(&mut out, &head, &none, ByteOrder::Big), Err(size_of(head)));
    let head = ResponseHead { attachment_size: i32::MAX - 19, ..head };
    assert_eq!(encode_response(&mut out, &head, &none, ByteOrder::Big), Ok(()));
    assert_eq!(out[8..12], u32::MAX.to_be_bytes());
}

fn size_of(head: ResponseHead) -> Error {
    let size = u64::from(head.message_size.unsigned_abs())
        + u64::from(head.attachment_size.unsigned_abs())
        + RESPONSE_META_LEN as u64;
    Error::TooLargeToEncode { size }
}
