//! Frame metadata: decoded, encoded, decoded to the same, and compared with what prost reads in the same bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use stubwire::frame::prpc::{HEADER_LEN, decode_meta, encode_head};
use stubwire_tests_wire::reference::compare;

fuzz_target!(|bytes: &[u8]| {
    compare(bytes);
    let Ok(meta) = decode_meta(bytes) else { return };
    let mut first = Vec::new();
    encode_head(&mut first, &meta, 0).expect("it was metadata before");
    let again = decode_meta(&first[HEADER_LEN..]).expect("encoded metadata is sound");
    assert_eq!(again, meta);
    let mut second = Vec::new();
    encode_head(&mut second, &again, 0).expect("it was metadata before");
    assert_eq!(first, second);
});
