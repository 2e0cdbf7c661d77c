//! FRPC frames in both byte orders: what is decoded is encoded to the same bytes, and the orders are told apart as the
//! sizes say.
#![no_main]

use libfuzzer_sys::fuzz_target;
use stubwire::frame::frpc::{
    Appended, ByteOrder, HEADER_LEN, REQUEST_META_LEN, RESPONSE_META_LEN, Recognised,
    decode_header, decode_request, decode_response, encode_request, encode_response, recognise,
};

const MAX_BODY_SIZE: usize = 1 << 16;

fuzz_target!(|data: &[u8]| {
    let _ = Appended::decode(data);
    if data.len() < HEADER_LEN {
        assert!(decode_header(data, MAX_BODY_SIZE).is_err());
        return;
    }
    let Ok(header) = decode_header(data, MAX_BODY_SIZE) else { return };
    assert!(header.meta_size <= header.body_size && header.body_size as usize <= MAX_BODY_SIZE);
    let Some(body) = data[HEADER_LEN..].get(..header.body_size as usize) else { return };
    let (meta, payload) = body.split_at(header.meta_size as usize);
    let recognised = recognise(meta, payload.len());
    for order in [ByteOrder::Big, ByteOrder::Little] {
        look_at_request(meta, payload, order, recognised);
        look_at_response(meta, payload, order);
    }
});

fn look_at_request(meta: &[u8], payload: &[u8], order: ByteOrder, recognised: Recognised) {
    let Ok((head, appended)) = decode_request(meta, order) else {
        assert!(meta.len() < REQUEST_META_LEN && recognised == Recognised::Neither);
        return;
    };
    let Some((message, attachment)) = head.sizes(payload.len()) else { return };
    assert!(message > 0 && message + attachment == payload.len());
    assert!(recognised == Recognised::As(order) || recognised == Recognised::Both);
    let mut again = Vec::new();
    encode_request(&mut again, &head, &Appended::default(), order).expect("it was a frame before");
    assert_eq!(again[HEADER_LEN..], meta[..REQUEST_META_LEN]);
    look_at_block(appended, |block| {
        encode_request(&mut again, &head, block, order).expect("it was a frame before");
        let fixed = HEADER_LEN + REQUEST_META_LEN;
        again[fixed + fixed..].to_vec()
    });
}

fn look_at_response(meta: &[u8], payload: &[u8], order: ByteOrder) {
    let Ok((head, appended)) = decode_response(meta, order) else {
        assert!(meta.len() < RESPONSE_META_LEN);
        return;
    };
    let Some((message, attachment)) = head.sizes(payload.len()) else { return };
    assert!(message + attachment == payload.len() && (message > 0) == (head.error_code == 0));
    let mut again = Vec::new();
    encode_response(&mut again, &head, &Appended::default(), order).expect("it was a frame before");
    assert_eq!(again[HEADER_LEN..], meta[..RESPONSE_META_LEN]);
    look_at_block(appended, |block| {
        encode_response(&mut again, &head, block, order).expect("it was a frame before");
        let fixed = HEADER_LEN + RESPONSE_META_LEN;
        again[fixed + fixed..].to_vec()
    });
}

/// A block of ours reads the same after it was written again; `encode` gives its bytes.
fn look_at_block(appended: &[u8], encode: impl FnOnce(&Appended<'_>) -> Vec<u8>) {
    let Ok(block) = Appended::decode(appended) else { return };
    let bytes = encode(&block);
    assert_eq!(bytes.is_empty(), !block.present);
    assert_eq!(Appended::decode(&bytes).as_ref(), Ok(&block));
}
