//! A stream of `baidu_std` frames, taken apart as a connection takes it apart: in pieces of any size, and to the same
//! frames whatever the size of the pieces.
#![no_main]

use libfuzzer_sys::fuzz_target;
use stubwire::frame::checksum::verify_crc32c;
use stubwire::frame::compress::{Compression, decompress};
use stubwire::frame::prpc::{HEADER_LEN, RpcMeta, decode_header, decode_meta, encode_head};
use stubwire::frame::{Error, Protocol, Sniff, sniff_among};

const MAX_BODY_SIZE: usize = 1 << 16;

fuzz_target!(|data: &[u8]| {
    let Some((&piece, stream)) = data.split_first() else { return };
    let whole = take_frames(stream);
    if let [frames @ .., _] = &whole.1[..] {
        assert!(frames.iter().all(Result::is_ok), "a broken rule ends the stream");
    }

    let mut buffer = Vec::new();
    let mut outcomes = Vec::new();
    for piece in stream.chunks(usize::from(piece).max(1)) {
        buffer.extend_from_slice(piece);
        let (taken, mut more) = take_frames(&buffer);
        buffer.drain(..taken);
        outcomes.append(&mut more);
        if outcomes.last().is_some_and(Result::is_err) {
            break;
        }
    }
    // A magic number that is cut off is told with fewer bytes.
    let rule =
        |outcome: &Result<usize, Error>| outcome.map_err(|error| core::mem::discriminant(&error));
    assert!(outcomes.iter().map(rule).eq(whole.1.iter().map(rule)));
});

/// Takes whole frames off the front, up to a broken rule. Gives the bytes taken and the size of each frame.
fn take_frames(stream: &[u8]) -> (usize, Vec<Result<usize, Error>>) {
    let mut rest = stream;
    let mut outcomes = Vec::new();
    loop {
        match next_frame(rest) {
            Ok(None) => break,
            Ok(Some(len)) => {
                outcomes.push(Ok(len));
                rest = &rest[len..];
            }
            Err(error) => {
                outcomes.push(Err(error));
                break;
            }
        }
    }
    (stream.len() - rest.len(), outcomes)
}

fn next_frame(stream: &[u8]) -> Result<Option<usize>, Error> {
    match sniff_among(&[Protocol::Prpc], stream) {
        Sniff::Incomplete => return Ok(None),
        Sniff::Known(_) if stream.len() < HEADER_LEN => return Ok(None),
        Sniff::Known(_) => {}
        Sniff::Unknown(_) => {
            assert!(stream.len() < HEADER_LEN || decode_header(stream, MAX_BODY_SIZE).is_err());
            return Err(Error::WrongMagic { found: [0; 4] });
        }
    }
    let header = decode_header(stream, MAX_BODY_SIZE)?;
    let Some(body) = stream[HEADER_LEN..].get(..header.body_size as usize) else { return Ok(None) };
    let (meta_bytes, payload) = body.split_at(header.meta_size as usize);
    let meta = decode_meta(meta_bytes)?;
    look_at_payload(&meta, payload);

    let mut again = Vec::new();
    encode_head(&mut again, &meta, payload.len()).expect("it was a frame before");
    let encoded = decode_header(&again, usize::MAX).expect("a header was just written");
    assert_eq!(encoded.meta_size as usize, again.len() - HEADER_LEN);
    assert_eq!(decode_meta(&again[HEADER_LEN..]).as_ref(), Ok(&meta));
    Ok(Some(HEADER_LEN + body.len()))
}

fn look_at_payload(meta: &RpcMeta<'_>, payload: &[u8]) {
    let Some(message_len) = meta.message_len(payload.len()) else { return };
    let (message, attachment) = payload.split_at(message_len);
    if let Some(value) = meta.checksum_value {
        let _ = verify_crc32c(value, &[message, attachment]);
    }
    if let Ok(kind) = Compression::from_wire(meta.compress_type.unwrap_or(0)) {
        let _ = decompress(kind, message, MAX_BODY_SIZE);
    }
}
