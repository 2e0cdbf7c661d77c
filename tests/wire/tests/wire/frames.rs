//! The frame by its rules: what each field means, and which error each broken rule gives.

use stubwire::frame::checksum::{masked_crc32c, verify_crc32c};
use stubwire::frame::prpc::{
    Header, MAX_USER_FIELDS, RequestMeta, ResponseMeta, RpcMeta, decode_header, decode_meta,
    encode_head,
};
use stubwire::frame::{Error, Guess, Protocol, Sniff, sniff, sniff_among};
use stubwire_tests_wire::bytes_of::{delimited, group, header, nested_groups, number, tag};

use crate::view::MAX_BODY_SIZE;

/// A request part with both required names, followed by `more`.
fn request(more: &[u8]) -> Vec<u8> {
    delimited(1, [&delimited(1, "s.S")[..], &delimited(2, "M"), more].concat())
}

const ECHO: RequestMeta<'_> = RequestMeta {
    service_name: "s.S",
    method_name: "M",
    log_id: None,
    trace_id: None,
    span_id: None,
    parent_span_id: None,
    request_id: None,
    timeout_ms: None,
};

#[test]
fn known_protocol_needs_its_whole_magic_number() {
    for len in 0..4 {
        assert_eq!(sniff(&b"PRPC"[..len]), Sniff::Incomplete, "{len} bytes");
    }
    assert_eq!(sniff(b"PRPC"), Sniff::Known(Protocol::Prpc));
    assert_eq!(sniff(b"PRPC\0\0"), Sniff::Known(Protocol::Prpc));
}

#[test]
fn trust_a07_unknown_magic_is_told_with_a_guess() {
    let cases: &[(&[u8], Guess, &str)] = &[
        (b"PRPX", Guess::Other, "not a known protocol"),
        (b"x", Guess::Other, "not a known protocol"),
        (b"GET / HTTP/1.1\r\n", Guess::Http, "looks like HTTP/1"),
        (b"POST /bench.EchoService/Echo HTTP/1.1\r\n", Guess::Http, "looks like HTTP/1"),
        (b"PO", Guess::Http, "looks like HTTP/1"),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", Guess::Http2, "looks like HTTP/2"),
        (b"\x16\x03\x01\x02\x00\x01", Guess::Tls, "looks like a TLS ClientHello"),
        (b"BRPC\0\0\0\x01", Guess::OldFlatBuffers, "BRPC: an older FlatBuffers trial, not served"),
        (b"STRM\0\0\0\x01", Guess::Stream, "STRM: a streaming frame, not served here"),
    ];
    for &(bytes, guess, words) in cases {
        assert_eq!(sniff(bytes), Sniff::Unknown(guess), "{}", bytes.escape_ascii());
        assert_eq!(guess.to_string(), words);
    }
}

/// Where FRPC is not spoken its frames are strangers; the decoder of `baidu_std` takes none of them either.
#[test]
fn trust_a08_frpc_frame_is_refused_by_its_magic_and_never_parsed() {
    let frame = b"FRPC\0\0\0\x38\0\0\0\x18";
    assert_eq!(sniff_among(&[Protocol::Prpc], frame), Sniff::Unknown(Guess::Frpc));
    assert_eq!(sniff_among(&[Protocol::Prpc], b"F"), Sniff::Unknown(Guess::Other));
    assert_eq!(Guess::Frpc.to_string(), "FRPC: not served here");
    assert_eq!(decode_header(frame, MAX_BODY_SIZE), Err(Error::WrongMagic { found: *b"FRPC" }));
    assert_eq!(sniff_among(&[Protocol::Frpc], b"PRPC"), Sniff::Unknown(Guess::Prpc));
    assert_eq!(Guess::Prpc.to_string(), "PRPC: not served here");
    assert_eq!(sniff_among(&[], b""), Sniff::Unknown(Guess::Other));
    assert_eq!(sniff_among(&[Protocol::Prpc, Protocol::Frpc], frame), Sniff::Known(Protocol::Frpc));
}

#[test]
fn header_shorter_than_twelve_bytes() {
    for len in 0..12 {
        let error = decode_header(&header(1, 1)[..len], MAX_BODY_SIZE);
        assert_eq!(error, Err(Error::HeaderTruncated { len }));
    }
}

#[test]
fn trust_a01_four_gigabyte_body_is_refused_by_its_header() {
    let error = decode_header(&header(u32::MAX, 0), MAX_BODY_SIZE).expect_err("too large");
    assert_eq!(error, Error::FrameTooLarge { size: u32::MAX, limit: MAX_BODY_SIZE });
    assert_eq!(error.to_string(), "frame too large: 4294967295 > 67108864");
}

#[test]
fn trust_a02_body_at_the_limit_and_one_beyond() {
    let limit = MAX_BODY_SIZE as u32;
    let at = Header { body_size: limit, meta_size: 7 };
    assert_eq!(decode_header(&header(limit, 7), MAX_BODY_SIZE), Ok(at));
    let beyond = Error::FrameTooLarge { size: limit + 1, limit: MAX_BODY_SIZE };
    assert_eq!(decode_header(&header(limit + 1, 7), MAX_BODY_SIZE), Err(beyond));
}

#[test]
fn trust_a03_meta_larger_than_body_names_both() {
    let error = decode_header(&header(10, 11), MAX_BODY_SIZE).expect_err("does not fit");
    assert_eq!(error, Error::MetaLargerThanBody { meta_size: 11, body_size: 10 });
    assert_eq!(error.to_string(), "meta_size 11 is larger than body_size 10");
    let all_meta = Header { body_size: 10, meta_size: 10 };
    assert_eq!(decode_header(&header(10, 10), MAX_BODY_SIZE), Ok(all_meta));
}

#[test]
fn probe_38_required_names() {
    let no_method = delimited(1, delimited(1, "s.S"));
    assert_eq!(decode_meta(&no_method), Err(Error::MethodNameMissing));
    let no_service = delimited(1, delimited(2, "M"));
    assert_eq!(decode_meta(&no_service), Err(Error::ServiceNameMissing));
    // Present and empty is something else (probe 07).
    let empty = delimited(1, [delimited(1, ""), delimited(2, "")].concat());
    assert_eq!(decode_meta(&empty).map(|meta| meta.request), Ok(Some(RequestMeta::default())));
}

#[test]
fn probe_36_content_type_is_a_closed_enum() {
    for known in 0..=3 {
        let content_type = decode_meta(&number(10, known)).map(|meta| meta.content_type);
        assert_eq!(content_type, Ok(Some(known as i32)));
    }
    for unknown in [4, 9, -1, i64::MAX] {
        assert_eq!(decode_meta(&number(10, unknown)), Ok(RpcMeta::default()));
        // It is an unknown field, so it does not replace the value before it either.
        let both = [number(10, 1), number(10, unknown)].concat();
        assert_eq!(decode_meta(&both).map(|meta| meta.content_type), Ok(Some(1)));
    }
}

#[test]
fn text_that_is_not_utf8_names_its_field() {
    let in_request = |n| request(&delimited(n, b"a\xff"));
    let in_entry = |n| delimited(9, delimited(n, b"a\xff"));
    let cases = [
        (in_request(1), "RpcRequestMeta.service_name"),
        (in_request(2), "RpcRequestMeta.method_name"),
        (in_request(7), "RpcRequestMeta.request_id"),
        (in_entry(1), "RpcMeta.user_fields"),
        (in_entry(2), "RpcMeta.user_fields"),
    ];
    for (bytes, field) in cases {
        assert_eq!(decode_meta(&bytes), Err(Error::InvalidUtf8 { field }));
    }
}

#[test]
fn error_text_is_cut_where_it_stops_being_utf8() {
    let bytes = delimited(2, [number(1, 1234), delimited(2, b"boom \xb4\xed")].concat());
    let response = decode_meta(&bytes).map(|meta| meta.response);
    let cut = ResponseMeta { error_code: Some(1234), error_text: Some("boom ") };
    assert_eq!(response, Ok(Some(cut)));
}

#[test]
fn repeated_field_counts_by_its_last_value_and_repeated_part_is_merged() {
    let bytes = [
        number(4, 1),
        // The required names may come in different occurrences of the part.
        delimited(1, [delimited(1, "old"), number(3, 7)].concat()),
        delimited(1, [delimited(1, "s.S"), delimited(2, "M")].concat()),
        delimited(2, number(1, 5)),
        delimited(2, delimited(2, "text")),
        number(4, 2),
    ]
    .concat();
    let meta = decode_meta(&bytes).expect("valid");
    assert_eq!(meta.request, Some(RequestMeta { log_id: Some(7), ..ECHO }));
    let merged = ResponseMeta { error_code: Some(5), error_text: Some("text") };
    assert_eq!(meta.response, Some(merged));
    assert_eq!(meta.correlation_id, Some(2));
}

#[test]
fn negative_numbers_are_ten_bytes_long() {
    let meta =
        RpcMeta { correlation_id: Some(-1), attachment_size: Some(i32::MIN), ..RpcMeta::default() };
    let mut out = Vec::new();
    encode_head(&mut out, &meta, 0).expect("small");
    assert_eq!(out[12..], [number(4, -1), number(5, i64::from(i32::MIN))].concat());
    assert_eq!(out.len(), 12 + 11 + 11);
    assert_eq!(decode_meta(&out[12..]), Ok(meta));
}

#[test]
fn unknown_fields_are_passed_over_wherever_they_stand() {
    let unknown = [
        number(100, 5),
        delimited(6, "\x08\x01\x10\x02"),
        [tag(200, 5), vec![1, 2, 3, 4]].concat(),
        [tag(201, 1), vec![0; 8]].concat(),
        group(202, group(203, number(1, 1))),
        // A known number under another wire type is an unknown field too.
        delimited(4, "x"),
        number(1, 3),
    ]
    .concat();
    let plain = [request(&[]), number(4, 9)].concat();
    let mixed = [&unknown[..], &request(&unknown), &unknown, &number(4, 9)].concat();
    assert_eq!(decode_meta(&mixed), decode_meta(&plain));
}

#[test]
fn numbers_of_every_length_in_the_middle_and_at_the_end() {
    let edges = (0..64).flat_map(|bit| [(1_u64 << bit) - 1, 1 << bit]).chain([u64::MAX]);
    for edge in edges {
        let id = edge.cast_signed();
        let last = RpcMeta { correlation_id: Some(id), ..RpcMeta::default() };
        let middle = RpcMeta { checksum_value: Some(b"eight..."), ..last.clone() };
        let alone = number(4, id);
        let followed = [&alone[..], &delimited(12, b"eight...")].concat();
        for (meta, bytes) in [(last, alone), (middle, followed)] {
            let mut out = Vec::new();
            encode_head(&mut out, &meta, 0).expect("small");
            assert_eq!(out[12..], bytes, "{edge:#x}");
            assert_eq!(decode_meta(&bytes), Ok(meta), "{edge:#x}");
        }
    }
}

#[test]
fn names_in_any_order_and_of_any_script() {
    let names = |parts: &[Vec<u8>]| {
        decode_meta(&delimited(1, parts.concat())).map(|meta| {
            meta.request
                .map(|request| (request.service_name.to_owned(), request.method_name.to_owned()))
        })
    };
    let both = |service: &str, method: &str| Ok(Some((service.to_owned(), method.to_owned())));
    let (service, method) = (delimited(1, "包.服务"), delimited(2, "调用"));
    assert_eq!(names(&[service.clone(), method.clone()]), both("包.服务", "调用"));
    assert_eq!(names(&[method.clone(), service.clone()]), both("包.服务", "调用"));
    assert_eq!(names(&[service, number(3, 200), method]), both("包.服务", "调用"));
    let long = "x".repeat(300);
    assert_eq!(names(&[delimited(1, &long), delimited(2, &long)]), both(&long, &long));
    // A character that is cut off does not borrow its end from what follows.
    let field = "RpcRequestMeta.service_name";
    assert_eq!(
        names(&[delimited(1, b"\xe5"), delimited(2, b"\x8c\x85")]),
        Err(Error::InvalidUtf8 { field })
    );
}

#[test]
fn tag_that_is_longer_than_it_has_to_be() {
    // Field 4 as a varint, its tag spread over three bytes.
    assert_eq!(decode_meta(b"\xa0\x80\x00\x05").map(|meta| meta.correlation_id), Ok(Some(5)));
}

#[test]
fn each_rule_of_the_wire_format_has_its_error() {
    let cases: &[(&[u8], Error)] = &[
        (b"\x20", Error::MetaTruncated),
        (b"\x20\x80", Error::MetaTruncated),
        (b"\x0a\x05\x0a", Error::MetaTruncated),
        (b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", Error::MetaTruncated),
        // Inside the request a length reaches beyond it, not beyond the metadata.
        (b"\x0a\x02\x0a\x03\x20\x05\x20\x05", Error::MetaTruncated),
        (b"\x20\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", Error::VarintTooLong),
        (b"\x80\x80\x80\x80\x10\x01", Error::TagTooLarge),
        (b"\x00\x01", Error::FieldNumberZero),
        (b"\x07\x01", Error::FieldNumberZero),
        (b"\x26\x01", Error::WireTypeUnknown { wire_type: 6 }),
        (b"\x27\x01", Error::WireTypeUnknown { wire_type: 7 }),
        (b"\x24", Error::GroupEndUnmatched),
        (b"\xa3\x06\xac\x06", Error::GroupEndUnmatched),
        (b"\xa3\x06\x08\x01", Error::MetaTruncated),
    ];
    for &(bytes, error) in cases {
        assert_eq!(decode_meta(bytes), Err(error), "{bytes:02x?}");
    }
}

#[test]
fn trust_a09_nested_groups_are_refused_by_depth() {
    let too_deep = Err(Error::NestingTooDeep { limit: 100 });
    assert_eq!(decode_meta(&nested_groups(200, 100)), Ok(RpcMeta::default()));
    assert_eq!(decode_meta(&nested_groups(200, 101)), too_deep);
    assert_eq!(decode_meta(&nested_groups(200, 2_000)), too_deep);
    // The part is a level of its own.
    assert!(decode_meta(&request(&nested_groups(200, 99))).is_ok());
    assert_eq!(decode_meta(&request(&nested_groups(200, 100))), too_deep);
}

#[test]
fn trust_a09_hundred_thousand_unknown_fields_are_passed_over() {
    let bytes =
        [number(300, 1).repeat(100_000), nested_groups(300, 50).repeat(1_000), number(4, 3)]
            .concat();
    assert_eq!(decode_meta(&bytes).map(|meta| meta.correlation_id), Ok(Some(3)));
}

#[test]
fn user_fields_keep_their_order_and_have_a_limit() {
    let entry = |key, value| delimited(9, [delimited(1, key), delimited(2, value)].concat());
    let bytes = [entry("b", "1"), entry("a", "2"), entry("b", "3"), delimited(9, "")].concat();
    let fields = decode_meta(&bytes).map(|meta| meta.user_fields);
    assert_eq!(fields, Ok(vec![("b", "1"), ("a", "2"), ("b", "3"), ("", "")]));

    let most = entry("k", "v").repeat(MAX_USER_FIELDS);
    assert_eq!(decode_meta(&most).map(|meta| meta.user_fields.len()), Ok(MAX_USER_FIELDS));
    let one_more = [most, entry("k", "v")].concat();
    assert_eq!(decode_meta(&one_more), Err(Error::TooManyUserFields { limit: MAX_USER_FIELDS }));
}

#[test]
fn trust_a11_attachment_size_splits_the_payload() {
    let message_len = |size, payload| {
        RpcMeta { attachment_size: size, ..RpcMeta::default() }.message_len(payload)
    };
    assert_eq!(message_len(None, 7), Some(7));
    assert_eq!(message_len(Some(0), 7), Some(7));
    assert_eq!(message_len(Some(6), 7), Some(1));
    assert_eq!(message_len(Some(7), 7), Some(0));
    assert_eq!(message_len(Some(8), 7), None);
    assert_eq!(message_len(Some(i32::MAX), 7), None);
    // brpc takes a negative size for none (probe 29).
    assert_eq!(message_len(Some(-1), 7), Some(7));
    assert_eq!(message_len(Some(i32::MIN), 0), Some(0));
}

#[test]
fn frame_that_the_header_cannot_describe_is_not_sent() {
    let mut out = b"kept".to_vec();
    let meta = RpcMeta { correlation_id: Some(1), ..RpcMeta::default() };
    let most = u32::MAX as usize - 2;
    assert_eq!(
        encode_head(&mut out, &meta, most + 1),
        Err(Error::TooLargeToEncode { size: 1 << 32 })
    );
    assert_eq!(out, b"kept");
    assert_eq!(encode_head(&mut out, &meta, most), Ok(()));
    assert_eq!(out[4..], [&header(u32::MAX, 2)[..], &number(4, 1)].concat());
}

#[test]
fn trust_a12_checksum_of_the_published_vector() {
    let message = b"\x0a\x05hello";
    assert_eq!(masked_crc32c(&[message]), [0x61, 0xf6, 0x3a, 0x7e]);
    assert_eq!(masked_crc32c(&[b"\x0a\x05", b"hel", b"", b"lo"]), [0x61, 0xf6, 0x3a, 0x7e]);
    assert!(verify_crc32c(&[0x61, 0xf6, 0x3a, 0x7e], &[message]));
    assert!(!verify_crc32c(&[0x61, 0xf6, 0x3a, 0x7f], &[message]));
    // The attachment is part of it only where the metadata says so.
    assert!(!verify_crc32c(&[0x61, 0xf6, 0x3a, 0x7e], &[message, b"attachment"]));
    // probe 34: brpc reads beyond a value that is too short.
    assert!(!verify_crc32c(&[0x61, 0xf6], &[message]));
    assert!(!verify_crc32c(&[], &[message]));
}
