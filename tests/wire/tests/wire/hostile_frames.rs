//! Streams as a peer may send them: cut, split, crowded, at the edges of every number.

use stubwire::frame::prpc::{
    HEADER_LEN, RequestMeta, ResponseMeta, RpcMeta, decode_header, decode_meta, encode_head,
};
use stubwire_tests_support::{captures, probes};
use stubwire_tests_wire::bytes_of::{frame, header};

use crate::view::{MAX_BODY_SIZE, fields_of_stream, next_frame};

/// All sound frames of the data, as one stream.
fn stream_of_all() -> Vec<u8> {
    let exchanges = captures().into_iter().chain(probes());
    exchanges
        .filter(|exchange| !exchange.requests.is_empty())
        .flat_map(|exchange| {
            let replies = exchange.replies.into_iter().map(|reply| reply.bytes);
            exchange.chunks.into_iter().chain(replies)
        })
        .flatten()
        .collect()
}

#[test]
fn trust_a04_every_number_at_its_edges() {
    let int64s = [0, 1, i64::MAX - 1, i64::MAX, i64::MIN, -1, 1 << 32];
    let int32s = [0, 1, i32::MAX - 1, i32::MAX, i32::MIN, -1, 127];
    for (wide, narrow) in int64s.into_iter().zip(int32s) {
        let meta = RpcMeta {
            request: Some(RequestMeta {
                service_name: "s",
                method_name: "m",
                log_id: Some(wide),
                trace_id: Some(wide),
                span_id: Some(wide),
                parent_span_id: Some(wide),
                request_id: Some(""),
                timeout_ms: Some(narrow),
            }),
            response: Some(ResponseMeta { error_code: Some(narrow), error_text: None }),
            compress_type: Some(narrow),
            correlation_id: Some(wide),
            attachment_size: Some(narrow),
            checksum_type: Some(narrow),
            ..RpcMeta::default()
        };
        let mut out = Vec::new();
        encode_head(&mut out, &meta, 0).expect("small");
        assert_eq!(decode_meta(&out[HEADER_LEN..]), Ok(meta));
    }
}

#[test]
fn trust_a04_header_sizes_at_their_edges() {
    let edges = [0, 1, i32::MAX as u32, i32::MAX as u32 + 1, u32::MAX - 1, u32::MAX];
    for body_size in edges {
        for meta_size in edges {
            for limit in [0, 1, MAX_BODY_SIZE, u32::MAX as usize, usize::MAX] {
                let sound = body_size as usize <= limit && meta_size <= body_size;
                let result = decode_header(&header(body_size, meta_size), limit);
                assert_eq!(result.is_ok(), sound, "{body_size} {meta_size} {limit}: {result:?}");
            }
        }
    }
}

#[test]
fn trust_a05_stream_cut_at_every_byte_gives_the_frames_before_the_cut() {
    let stream = stream_of_all();
    let whole = fields_of_stream(&stream).expect("sound frames");
    assert_eq!(whole.len(), 58);
    for cut in 0..stream.len() {
        let frames = fields_of_stream(&stream[..cut]).expect("a cut frame is an unfinished one");
        assert_eq!(frames, whole[..frames.len()], "cut at {cut}");
    }
}

#[test]
fn trust_a05_metadata_cut_at_every_byte_is_an_error_or_fewer_fields() {
    let stream = stream_of_all();
    let mut rest = &stream[..];
    while !rest.is_empty() {
        let bytes = rest;
        next_frame(&mut rest).expect("sound").expect("whole");
        let meta_size = decode_header(bytes, MAX_BODY_SIZE).expect("sound").meta_size as usize;
        let meta = &bytes[HEADER_LEN..HEADER_LEN + meta_size];
        for cut in 0..meta.len() {
            if let Ok(part) = decode_meta(&meta[..cut]) {
                let mut head = Vec::new();
                encode_head(&mut head, &part, 0).expect("small");
                assert_eq!(head[HEADER_LEN..], meta[..cut], "what was read is what was there");
            }
        }
    }
}

#[test]
fn trust_a06_stream_in_any_pieces_gives_the_same_frames() {
    let stream = stream_of_all();
    let whole = fields_of_stream(&stream).expect("sound frames");
    for piece in [1, 2, 3, 7, 11, 12, 13, 64, 1000, stream.len()] {
        let mut frames = Vec::new();
        let mut buffer: Vec<u8> = Vec::new();
        for piece in stream.chunks(piece) {
            buffer.extend_from_slice(piece);
            let mut rest = &buffer[..];
            while next_frame(&mut rest).expect("sound").is_some() {}
            let taken = buffer.len() - rest.len();
            frames.extend(fields_of_stream(&buffer[..taken]).expect("sound"));
            buffer.drain(..taken);
        }
        assert_eq!(frames, whole, "pieces of {piece}");
        assert!(buffer.is_empty());
    }
}

#[test]
fn trust_a10_million_empty_frames_hold_no_memory() {
    let empty = frame(b"", b"");
    assert_eq!(empty.len(), HEADER_LEN);
    for _ in 0..1_000_000 {
        let mut stream = &empty[..];
        let frame = next_frame(&mut stream).expect("sound").expect("whole");
        // A list without entries has no block on the heap, and the other fields are views.
        assert_eq!(frame.meta.user_fields.capacity(), 0);
        assert!(frame.payload.is_empty() && stream.is_empty());
    }
}
