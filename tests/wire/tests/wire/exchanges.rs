//! The frames of a real brpc: decoded to the fields that were seen in them, and encoded to the same bytes.

use stubwire::frame::Error;
use stubwire::frame::prpc::encode_head;
use stubwire_tests_support::{Answer, Exchange, captures, probes, rules};

use crate::view::{fields_of_stream, next_frame};

#[test]
fn trust_a16_captures_of_brpc_decode_and_encode_to_the_same_bytes() {
    let captures = captures();
    assert_eq!(captures.len(), 9);
    captures.iter().for_each(check);
}

#[test]
fn trust_a16_probes_decode_and_encode_to_the_same_bytes() {
    let probes = probes();
    assert_eq!(probes.len(), 23);
    probes.iter().for_each(check);
}

#[test]
fn trust_a16_single_rules_decode_and_encode_to_the_same_bytes() {
    let rules = rules();
    assert_eq!(rules.len(), 15);
    rules.iter().for_each(check);
}

fn check(exchange: &Exchange) {
    let name = &exchange.name;
    let stream = exchange.chunks.concat();
    match &exchange.refused {
        Some(rule) => {
            let error = fields_of_stream(&stream).expect_err(name);
            let debug = format!("{error:?}");
            assert_eq!(debug.split(' ').next(), Some(rule.as_str()), "{name}");
        }
        None => {
            assert_eq!(fields_of_stream(&stream), Ok(exchange.requests.clone()), "{name}");
            if exchange.recoded_otherwise.is_none() {
                assert_eq!(encoded_again(&stream).as_deref(), Ok(&stream[..]), "{name}");
            }
        }
    }
    for reply in &exchange.replies {
        assert_eq!(fields_of_stream(&reply.bytes), Ok(vec![reply.fields.clone()]), "{name}");
        assert_eq!(encoded_again(&reply.bytes).as_deref(), Ok(&reply.bytes[..]), "{name}");
    }
}

/// Decodes every frame of a stream and encodes what was decoded; an unfinished frame is kept as it is.
fn encoded_again(mut stream: &[u8]) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    while let Some(frame) = next_frame(&mut stream)? {
        encode_head(&mut out, &frame.meta, frame.payload.len())?;
        out.extend_from_slice(frame.payload);
    }
    out.extend_from_slice(stream);
    Ok(out)
}

#[test]
fn replies_of_brpc_come_down_to_the_answers_in_the_data() {
    let sum = |exchange: &Exchange| {
        exchange.replies.iter().map(|reply| Answer::of_frame(&reply.bytes)).collect::<Vec<_>>()
    };
    let mut seen = 0;
    for exchange in captures().iter().chain(&probes()) {
        assert_eq!(sum(exchange), exchange.brpc.answers, "{}", exchange.name);
        seen += exchange.replies.len();
    }
    assert_eq!(seen, 29, "19 probes are answered, one of them twice, and every capture is");
}
