//! Hostile servers: frames, cuts, pieces and lies, sent to the client. The same limits as on the
//! server hold, and a call that cannot be answered gets one error.

use stubwire::frame::compress::{Compression, compress};
use stubwire::frame::prpc::RpcMeta;
use stubwire::{Channel, ChannelOptions, ConnectionPolicy, Status};
use stubwire_tests_e2e::bench::{EchoResponse, EchoServiceClient};
use stubwire_tests_e2e::hostile::Scripted;
use stubwire_tests_e2e::raw::{
    Raw, error_frame, frame, frame_of, header, message, reply_frame, reply_meta,
};
use stubwire_tests_e2e::{guarded, on_both_runtimes, request};

fn client_of(
    server: &Scripted,
    change: impl FnOnce(&mut ChannelOptions),
) -> (EchoServiceClient, Channel) {
    let mut options = ChannelOptions::default();
    options.policy = ConnectionPolicy::Shared(1);
    options.max_retries = 0;
    change(&mut options);
    let channel = Channel::lazy(server.target(), options).unwrap();
    (EchoServiceClient::new(channel.clone()), channel)
}

/// What one call gets when it is answered with what `answer` makes of its id.
async fn outcome(
    answer: impl Fn(i64) -> Vec<u8> + Send + Sync + Clone + 'static,
) -> Result<EchoResponse, Status> {
    let server = Scripted::start(move |mut raw, _| {
        let answer = answer.clone();
        async move {
            let asked = raw.next().await.expect("a request");
            raw.send(&answer(asked.id)).await;
            raw.end().await;
            raw.read_to_end().await;
        }
    })
    .await;
    let (client, channel) = client_of(&server, |_| {});
    let outcome = client.echo(request("x")).await;
    assert_eq!(channel.snapshot().calls, 0, "a slot leaks");
    outcome.map(|reply| reply.into_inner())
}

async fn error(answer: impl Fn(i64) -> Vec<u8> + Send + Sync + Clone + 'static) -> (i32, String) {
    let status = outcome(answer).await.unwrap_err();
    (status.code().number(), status.message().to_owned())
}

on_both_runtimes!(trust_c10_frames_that_break_a_rule_cost_the_connection, || async {
    type Answer = fn(i64) -> Vec<u8>;
    let cases: &[(&str, Answer, &str)] = &[
        ("a01", |_| header(u32::MAX, 0), "frame too large: 4294967295 > 67108864"),
        ("a03", |_| header(10, 11), "meta_size 11 is larger than body_size 10"),
        ("a07", |_| b"HTTP/1.1 400 Bad Request\r\n".to_vec(), "not a known protocol"),
        ("a07", |_| b"PRPX".to_vec(), "not a known protocol"),
        ("a08", |_| b"FRPC\0\0\0\0".to_vec(), "FRPC"),
        (
            "a09",
            |_| frame(&[[0xa3, 0x06].repeat(5000), [0xa4, 0x06].repeat(5000)].concat(), &[]),
            "nested",
        ),
        ("meta", |_| frame(&[0xff; 30], &[]), "metadata"),
        ("a05", |id| reply_frame(id, b"x")[..15].to_vec(), "the stream ended inside a frame"),
        ("eof", |_| Vec::new(), "the peer closed it"),
        (
            "garbage",
            |_| (0..255_u8).cycle().skip(1).take(1 << 20).collect(),
            "not a known protocol",
        ),
    ];
    for (case, answer, words) in cases {
        let (code, text) = error(*answer).await;
        assert_eq!(code, 1009, "{case}: {text}");
        assert!(text.contains(words), "{case}: {text}");
    }
});

on_both_runtimes!(trust_c02_replies_that_cannot_be_read_cost_their_call_alone, || async {
    fn with(id: i64, change: impl FnOnce(&mut RpcMeta<'_>), payload: &[u8]) -> Vec<u8> {
        let mut meta = reply_meta(id);
        change(&mut meta);
        frame_of(&meta, payload)
    }
    type Answer = fn(i64) -> Vec<u8>;
    let cases: &[(&str, Answer)] = &[
        ("no message", |id| reply_frame(id, &[0xff; 10])),
        ("bad text", |id| reply_frame(id, &[0x0a, 0x02, 0xc3, 0x28])),
        ("nesting", |id| reply_frame(id, &[[0x1b].repeat(5000), [0x1c].repeat(5000)].concat())),
        ("no response", |id| with(id, |meta| meta.response = None, &[])),
        ("a11", |id| with(id, |meta| meta.attachment_size = Some(5), b"1234")),
        ("a11", |id| with(id, |meta| meta.attachment_size = Some(i32::MAX), b"1234")),
        ("a12", |id| {
            with(
                id,
                |meta| (meta.checksum_type, meta.checksum_value) = (Some(1), Some(&[0; 4][..])),
                b"",
            )
        }),
        ("a13", |id| with(id, |meta| meta.compress_type = Some(99), b"")),
        ("a14", |id| {
            with(
                id,
                |meta| meta.compress_type = Some(2),
                &compress(Compression::Gzip, &vec![0; 2 << 20]),
            )
        }),
        ("a14", |id| {
            with(id, |meta| meta.compress_type = Some(1), &[0xff, 0xff, 0xff, 0xff, 0x0f, 0])
        }),
        ("a15", |id| {
            let whole = compress(Compression::Zlib, &message(&"x".repeat(1000)));
            with(id, |meta| meta.compress_type = Some(3), &whole[..whole.len() - 2])
        }),
    ];
    for (case, answer) in cases {
        // Behind the bad reply comes a good one, to the second call on the same connection.
        let answer = *answer;
        let server = Scripted::start(move |mut raw, number| async move {
            assert_eq!(number, 0, "the connection was given up");
            let asked = raw.next().await.expect("a request");
            raw.send(&answer(asked.id)).await;
            while let Some(asked) = raw.next().await {
                raw.send(&reply_frame(asked.id, &message("good"))).await;
            }
        })
        .await;
        let (client, channel) = client_of(&server, |options| {
            options.limits.max_decompressed_size = 1 << 20;
        });
        let status = client.echo(request("x")).await.unwrap_err();
        assert_eq!(status.code().number(), 2002, "{case}: {status}");
        assert_eq!(client.echo(request("x")).await.unwrap().message(), "good", "{case}");
        assert_eq!((channel.snapshot().calls, channel.snapshot().stray_replies), (0, 0), "{case}");
    }
});

on_both_runtimes!(trust_a02_a_reply_at_the_limit_is_taken_and_one_above_not, || async {
    for above in [0, 1] {
        let server = Scripted::start(move |mut raw, _| async move {
            let asked = raw.next().await.expect("a request");
            let bare = reply_frame(asked.id, &[]).len() - 12;
            let mut meta = reply_meta(asked.id);
            meta.attachment_size = Some(1 << 14);
            let with_size = frame_of(&meta, &[]).len() - 12;
            assert!(bare < with_size);
            let attachment = 20_000 - with_size + above;
            meta.attachment_size = Some(attachment as i32);
            raw.send(&frame_of(&meta, &vec![1; attachment])).await;
            raw.read_to_end().await;
        })
        .await;
        let (client, _) = client_of(&server, |options| options.limits.max_body_size = 20_000);
        match client.echo(request("x")).await {
            Ok(reply) => assert!(above == 0 && reply.attachment().len() > 19_000),
            Err(status) => assert_eq!((above, status.code().number()), (1, 1009), "{status}"),
        }
    }
});

/// The extremes of every number in a reply: the caller gets something, and one thing only.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn trust_a04_every_integer_of_a_reply_at_its_extremes() {
    guarded(async {
        for number in [i64::MIN, -1, 0, 1, i64::MAX] {
            let small = number.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
            let end = outcome(move |id| {
                let meta = RpcMeta {
                    attachment_size: Some(small),
                    content_type: Some(small),
                    checksum_type: Some(small),
                    compress_type: Some(small),
                    ..reply_meta(id)
                };
                [
                    frame_of(&RpcMeta { correlation_id: Some(number), ..meta.clone() }, b"x"),
                    frame_of(&meta, &message("x")),
                ]
                .concat()
            })
            .await;
            if let Err(status) = end {
                assert_eq!(status.code().number(), 2002, "{number}: {status}");
            }
            let status = outcome(move |id| error_frame(id, small, "text")).await;
            if small == 0 {
                assert!(status.is_ok());
            } else {
                assert_eq!(status.unwrap_err().code().number(), small);
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn trust_a05_a_reply_cut_at_every_offset_is_one_error() {
    guarded(async {
        let len = reply_frame(1 << 32, &message("whole")).len();
        for cut in 0..len {
            let (code, _) =
                error(move |id| reply_frame(id, &message("whole"))[..cut].to_vec()).await;
            assert_eq!(code, 1009, "cut at {cut}");
        }
        let whole = outcome(|id| reply_frame(id, &message("whole"))).await;
        assert_eq!(whole.unwrap().message(), "whole");
    })
    .await;
}

on_both_runtimes!(trust_a06_replies_in_pieces_and_in_heaps, || async {
    async fn drip(raw: &mut Raw, bytes: &[u8], size: usize) {
        for piece in bytes.chunks(size) {
            raw.send(piece).await;
            tokio::task::yield_now().await;
        }
    }
    for size in [1, 2, 3, 7, 64, 1000, usize::MAX] {
        let server = Scripted::start(move |mut raw, _| async move {
            let mut replies = Vec::new();
            for _ in 0..100 {
                let asked = raw.next().await.expect("a request");
                replies.extend(reply_frame(asked.id, &asked.payload));
            }
            drip(&mut raw, &replies, size).await;
            raw.read_to_end().await;
        })
        .await;
        let (client, _) = client_of(&server, |_| {});
        let calls: Vec<_> = (0..100)
            .map(|number| {
                let client = client.clone();
                tokio::spawn(async move {
                    let text = format!("call {number}");
                    assert_eq!(client.echo(request(&text)).await.unwrap().message(), text);
                })
            })
            .collect();
        for call in calls {
            call.await.unwrap();
        }
    }
});

on_both_runtimes!(trust_c01_stray_and_second_replies_are_counted_and_ignored, || async {
    let server = Scripted::start(|mut raw, _| async move {
        while let Some(asked) = raw.next().await {
            let reply = reply_frame(asked.id, &message("right"));
            let wrong = |id| reply_frame(id, &message("wrong"));
            let strays =
                [wrong(asked.id + 1), wrong(-1), wrong(0), wrong(i64::MIN), wrong(i64::MAX)];
            let again = [reply.clone(), wrong(asked.id), error_frame(asked.id, 2001, "wrong")];
            raw.send(&[strays.concat(), again.concat()].concat()).await;
        }
    })
    .await;
    let (client, channel) = client_of(&server, |_| {});
    for _ in 0..20 {
        assert_eq!(client.echo(request("x")).await.unwrap().message(), "right");
    }
    let all = 20 * 7;
    stubwire_tests_e2e::until(|| channel.snapshot().stray_replies == all).await;
    assert_eq!((server.accepted(), channel.snapshot().calls), (1, 0));
});

on_both_runtimes!(hostile_texts_of_a_server_are_shown_escaped, || async {
    let hostile = "\x1b[2J\r\nforged line\u{202e}\0";
    let status =
        outcome(move |id| error_frame(id, 1234, &format!("[\x1b[31m][E1234]{hostile}"))).await;
    let status = status.unwrap_err();
    assert_eq!(status.message(), hostile);
    let shown = status.to_string();
    assert!(shown.chars().all(|c| !c.is_control() && c != '\u{202e}'), "{shown:?}");
});
