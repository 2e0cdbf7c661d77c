//! What holds for all bytes and all values.

use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use prost::Message;
use stubwire::frame::compress::{Compression, compress, decompress};
use stubwire::frame::prpc::{
    HEADER_LEN, Header, RequestMeta, ResponseMeta, RpcMeta, decode_header, decode_meta, encode_head,
};
use stubwire::frame::sniff;
use stubwire::payload::scan;
use stubwire_tests_wire::message::{BOMB, ECHO_REQUEST, EchoRequest, NODE, Node, TRACK, Track};
use stubwire_tests_wire::reference::compare;

use crate::view::{MAX_BODY_SIZE, fields_of_stream};

/// `RpcMeta` with what it borrows.
#[derive(Clone, Debug)]
struct OwnedMeta {
    request: Option<OwnedRequest>,
    response: Option<(Option<i32>, Option<String>)>,
    int32s: [Option<i32>; 3],
    correlation_id: Option<i64>,
    content_type: Option<i32>,
    byte_strings: [Option<Vec<u8>>; 3],
    user_fields: Vec<(String, String)>,
    checksum_with_attachment: Option<bool>,
}

/// Service, method, the four ids, request id, timeout.
type OwnedRequest = (String, String, [Option<i64>; 4], Option<String>, Option<i32>);

impl OwnedMeta {
    fn as_meta(&self) -> RpcMeta<'_> {
        let request =
            self.request.as_ref().map(|(service, method, ids, request_id, timeout_ms)| {
                RequestMeta {
                    service_name: service,
                    method_name: method,
                    log_id: ids[0],
                    trace_id: ids[1],
                    span_id: ids[2],
                    parent_span_id: ids[3],
                    request_id: request_id.as_deref(),
                    timeout_ms: *timeout_ms,
                }
            });
        let response = self.response.as_ref().map(|(error_code, error_text)| ResponseMeta {
            error_code: *error_code,
            error_text: error_text.as_deref(),
        });
        RpcMeta {
            request,
            response,
            compress_type: self.int32s[0],
            correlation_id: self.correlation_id,
            attachment_size: self.int32s[1],
            authentication_data: self.byte_strings[0].as_deref(),
            stream_settings: self.byte_strings[1].as_deref(),
            user_fields: self.user_fields.iter().map(|(k, v)| (&**k, &**v)).collect(),
            content_type: self.content_type,
            checksum_type: self.int32s[2],
            checksum_value: self.byte_strings[2].as_deref(),
            checksum_with_attachment: self.checksum_with_attachment,
        }
    }
}

fn any_meta() -> impl Strategy<Value = OwnedMeta> {
    let text = || ".{0,40}";
    let bytes = || of(vec(any::<u8>(), 0..40));
    let request = (text(), text(), any::<[Option<i64>; 4]>(), of(text()), any::<Option<i32>>());
    let response = (any::<Option<i32>>(), of(text()));
    (
        of(request),
        of(response),
        any::<[Option<i32>; 3]>(),
        any::<Option<i64>>(),
        of(0..=3),
        [bytes(), bytes(), bytes()],
        vec((text(), text()), 0..4),
        any::<Option<bool>>(),
    )
        .prop_map(
            |(
                request,
                response,
                int32s,
                correlation_id,
                content_type,
                byte_strings,
                user_fields,
                with,
            )| {
                OwnedMeta {
                    request,
                    response,
                    int32s,
                    correlation_id,
                    content_type,
                    byte_strings,
                    user_fields,
                    checksum_with_attachment: with,
                }
            },
        )
}

/// Bytes that look like protobuf more often than chance would have it.
fn likely_bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        vec(any::<u8>(), 0..8),
        any_meta().prop_map(|meta| {
            let mut out = Vec::new();
            encode_head(&mut out, &meta.as_meta(), 0).expect("small");
            out.split_off(HEADER_LEN)
        }),
        Just(vec![0x0b]),
        Just(vec![0x0c]),
        (0_u8..16, 0_u8..6).prop_map(|(number, wire_type)| vec![number << 3 | wire_type]),
    ];
    vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn trust_a16_decode_of_encode_is_the_same(meta in any_meta(), payload_len in 0_usize..100) {
        let meta = meta.as_meta();
        let mut out = b"before".to_vec();
        encode_head(&mut out, &meta, payload_len).expect("small");
        let (before, head) = out.split_at(6);
        prop_assert_eq!(before, b"before");
        let meta_size = (head.len() - HEADER_LEN) as u32;
        let header = Header { body_size: meta_size + payload_len as u32, meta_size };
        prop_assert_eq!(decode_header(head, MAX_BODY_SIZE), Ok(header));
        prop_assert_eq!(decode_meta(&head[HEADER_LEN..]), Ok(meta));
    }

    #[test]
    fn decoded_bytes_survive_encoding(bytes in likely_bytes()) {
        if let Ok(meta) = decode_meta(&bytes) {
            let mut out = Vec::new();
            encode_head(&mut out, &meta, 0).expect("small");
            prop_assert_eq!(decode_meta(&out[HEADER_LEN..]), Ok(meta));
        }
    }

    #[test]
    fn metadata_means_what_prost_says(bytes in likely_bytes()) {
        compare(&bytes);
    }

    #[test]
    fn any_bytes_are_no_panic(bytes in likely_bytes()) {
        let _ = sniff(&bytes);
        let _ = decode_header(&bytes, MAX_BODY_SIZE);
        let _ = fields_of_stream(&bytes);
        for kind in [Compression::Snappy, Compression::Gzip, Compression::Zlib] {
            let _ = decompress(kind, &bytes, 1 << 16);
        }
        for shape in [&NODE, &BOMB, &TRACK, &ECHO_REQUEST] {
            let _ = scan(shape, &bytes, 1 << 16);
        }
    }

    #[test]
    fn what_the_decoder_takes_passes_the_scan(bytes in likely_bytes()) {
        // Nothing is required in these, and the budget is without end: only depth and form are left.
        if Node::decode(&bytes[..]).is_ok() {
            prop_assert_eq!(scan(&NODE, &bytes, usize::MAX), Ok(()));
        }
        if Track::decode(&bytes[..]).is_ok() {
            prop_assert_eq!(scan(&TRACK, &bytes, usize::MAX), Ok(()));
        }
    }

    #[test]
    fn complete_message_passes_the_scan(id in any::<i32>(), roles in vec(".{0,9}", 0..5)) {
        use stubwire_tests_wire::message::{Inner, Member};
        let member = roles.into_iter().map(|role| Member { role }).collect();
        let request = EchoRequest { inner: Some(Inner { id, name: None }), text: None, member };
        prop_assert_eq!(scan(&ECHO_REQUEST, &request.encode_to_vec(), 1 << 16), Ok(()));
    }

    #[test]
    fn compressed_bytes_come_back(bytes in vec(any::<u8>(), 0..2_000), repeat in 1_usize..20) {
        let message = bytes.repeat(repeat);
        for kind in [Compression::None, Compression::Snappy, Compression::Gzip, Compression::Zlib] {
            let data = compress(kind, &message);
            prop_assert_eq!(decompress(kind, &data, message.len()), Ok(message.clone()));
        }
    }
}
