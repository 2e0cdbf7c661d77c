//! What happens to a message between the frame and the handler: decompression, the scan, prost.
#![no_main]

use bytes::Bytes;
use libfuzzer_sys::fuzz_target;
use prost::Message;
use stubwire::frame::compress::{Compression, compress, decompress};
use stubwire::payload::{Fault, MessageShape, proto, scan};
use stubwire_tests_wire::message::{
    BOMB, Bomb, ECHO_REQUEST, EchoRequest, NODE, Node, TRACK, Track,
};

fuzz_target!(|data: &[u8]| {
    let [kind, limit, data @ ..] = data else { return };
    let kind = Compression::from_wire(i32::from(kind % 4)).expect("one of the four");
    let limit = 1 << (limit % 20);
    let Ok(message) = decompress(kind, data, limit) else { return };
    assert!(message.len() <= limit);
    assert_eq!(decompress(kind, &compress(kind, &message), limit).as_ref(), Ok(&message));

    decode::<Node>(&NODE, &message);
    decode::<Bomb>(&BOMB, &message);
    decode::<Track>(&TRACK, &message);
    decode::<EchoRequest>(&ECHO_REQUEST, &message);
});

fn decode<M: Message + Default>(shape: &MessageShape, message: &[u8]) {
    let budget = 8 * message.len() + (1 << 20);
    let decoded = proto::decode::<M>(shape, Bytes::copy_from_slice(message), budget);
    if let Err(error) = &decoded {
        assert!(!error.to_string().is_empty());
    }
    // What prost accepts, the scan refuses for memory or a missing field alone.
    if M::decode(message).is_ok() {
        match scan(shape, message, usize::MAX).map_err(|error| error.fault().clone()) {
            Ok(()) | Err(Fault::RequiredFieldMissing) => {}
            Err(fault) => panic!("prost accepts what the scan refuses: {fault:?}"),
        }
    }
}
