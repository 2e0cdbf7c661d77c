//! Attachments, checksums and compression that do not fit what the metadata says.

use stubwire::frame::checksum::masked_crc32c;
use stubwire::frame::compress::{Compression, compress};
use stubwire::frame::prpc::RpcMeta;
use stubwire_tests_e2e::raw::{Raw, Seen, echo_frame, echo_meta, echo_text, frame_of, message};
use stubwire_tests_e2e::{Serving, on_both_runtimes};

/// Sends one request with these metadata and payload; then the connection still works.
async fn ask(serving: &Serving, meta: RpcMeta<'_>, payload: &[u8]) -> Seen {
    let mut raw = Raw::connect(serving.address).await;
    let reply = raw.ask(&frame_of(&meta, payload)).await.expect("an answer");
    let after = raw.ask(&echo_text(99, "after")).await.expect("the connection lives");
    assert_eq!((after.id, after.code, after.payload), (99, 0, message("after")));
    reply
}

on_both_runtimes!(trust_a11_attachment_sizes_that_do_not_fit, || async {
    let serving = Serving::start().await;
    let payload = message("x");
    let size = payload.len() as i32;
    for (attachment_size, code) in
        [(size + 1, 1003), (i32::MAX, 1003), (-1, 0), (i32::MIN, 0), (0, 0), (size, 0)]
    {
        let meta = RpcMeta { attachment_size: Some(attachment_size), ..echo_meta("Echo", 1) };
        let reply = ask(&serving, meta, &payload).await;
        assert_eq!(reply.code, code, "attachment_size {attachment_size}: {reply:?}");
        // Whatever was message or attachment comes back as that.
        let expected = if code == 0 { &payload[..] } else { &[] };
        assert_eq!(reply.payload, expected, "attachment_size {attachment_size}");
    }
});

on_both_runtimes!(trust_a12_a_wrong_checksum_is_not_executed, || async {
    let serving = Serving::start().await;
    let payload = [&message("x")[..], b"attached"].concat();
    let (right, all) = (masked_crc32c(&[&payload[..3]]), masked_crc32c(&[&payload]));
    let wrong: &[(&[u8], Option<bool>)] = &[
        (&[0, 0, 0, 0], None),
        (&right[..3], None),
        (&[], None),
        (&[right[0], right[1], right[2], right[3], 0], None),
        (&right, Some(true)),
        (&all, None),
    ];
    for (value, with_attachment) in wrong {
        let meta = RpcMeta {
            attachment_size: Some(8),
            checksum_type: Some(1),
            checksum_value: Some(value),
            checksum_with_attachment: *with_attachment,
            ..echo_meta("Fail", 1)
        };
        assert_eq!(ask(&serving, meta, &payload).await.code, 1003, "{value:02x?}");
    }
    // Only the requests that prove the connection alive were executed.
    assert_eq!(serving.echo.begun(), wrong.len());
    for (value, with_attachment) in [(&right, None), (&right, Some(false)), (&all, Some(true))] {
        let meta = RpcMeta {
            attachment_size: Some(8),
            checksum_type: Some(1),
            checksum_value: Some(value),
            checksum_with_attachment: with_attachment,
            ..echo_meta("Echo", 1)
        };
        assert_eq!(ask(&serving, meta, &payload).await.code, 0, "{with_attachment:?}");
    }
});

on_both_runtimes!(trust_a13_an_unknown_compression_is_refused, || async {
    let serving = Serving::start().await;
    for number in [4, 5, 99, -1, i32::MIN, i32::MAX] {
        let meta = RpcMeta { compress_type: Some(number), ..echo_meta("Echo", 1) };
        let reply = ask(&serving, meta, &message("x")).await;
        assert_eq!(reply.code, 1003, "compress_type {number}");
        assert!(reply.text.contains("bench.EchoRequest"), "{}", reply.text);
    }
});

/// Every cut and every flipped byte of a compressed message: an error, or the message itself, but
/// never bytes of an earlier request.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn trust_a15_damaged_compression_never_shows_old_bytes() {
    stubwire_tests_e2e::guarded(async {
        let serving = Serving::start().await;
        let mut raw = Raw::connect(serving.address).await;
        let secret = message(&"secret ".repeat(64));
        let honest = message(&"honest ".repeat(64));
        for kind in [Compression::Gzip, Compression::Zlib, Compression::Snappy] {
            let meta = RpcMeta { compress_type: Some(kind.to_wire()), ..echo_meta("Echo", 1) };
            let whole = compress(kind, &honest);
            let cuts = (1..whole.len()).map(|cut| whole[..cut].to_vec());
            let flips = (0..whole.len()).map(|at| {
                let mut flipped = whole.clone();
                flipped[at] ^= 0x55;
                flipped
            });
            for damaged in cuts.chain(flips) {
                raw.ask(&frame_of(&meta, &compress(kind, &secret))).await.unwrap();
                let reply = raw.ask(&frame_of(&meta, &damaged)).await.unwrap();
                assert!(reply.code == 1003 || reply.code == 0, "{reply:?}");
                let leaked = reply.payload.windows(6).any(|bytes| bytes == b"secret");
                assert!(!leaked, "{kind}: {damaged:02x?}");
            }
            for cut in 1..whole.len() {
                let reply = raw.ask(&frame_of(&meta, &whole[..cut])).await.unwrap();
                assert_eq!(reply.code, 1003, "{kind} cut at {cut} was taken");
            }
        }
    })
    .await;
}

on_both_runtimes!(trust_d09_messages_that_lie_are_refused, || async {
    let serving = Serving::start().await;
    let mut raw = Raw::connect(serving.address).await;
    let lies: &[(&str, &[u8])] = &[
        ("a length of 4 GiB", &[0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f]),
        (
            "a length of 2^64 - 1",
            &[0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
        ),
        ("text that is no UTF-8", &[0x0a, 0x02, 0xc3, 0x28]),
        (
            "an endless varint",
            &[0x10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
        ),
        ("field number 0", &[0x00, 0x00]),
        ("another wire type", &[0x0d, 0, 0, 0, 0]),
        ("a group without end", &[0x1b]),
        ("an end without group", &[0x1c]),
    ];
    for (what, bytes) in lies {
        let reply = raw.ask(&echo_frame("Echo", 1, bytes)).await.expect("the connection lives");
        assert_eq!(reply.code, 1003, "{what}");
    }
    let deep = [[0x1b].repeat(5000), [0x1c].repeat(5000)].concat();
    assert_eq!(raw.ask(&echo_frame("Echo", 1, &deep)).await.unwrap().code, 1003);
    assert_eq!(serving.echo.begun(), 0);
});
