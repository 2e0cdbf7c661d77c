//! Hostile FRPC servers: what their replies cost the client.

use stubwire::frame::frpc::ByteOrder;
use stubwire::{Channel, ConnectionPolicy, Status};
use stubwire_tests_e2e::benchmark_fb::{BenchmarkServiceClient, Request, RequestArgs};
use stubwire_tests_e2e::frpc::{
    ORDERS, client, head, header, next_request, reply_frame, reply_of, response,
};
use stubwire_tests_e2e::hostile::Scripted;
use stubwire_tests_e2e::raw::reply_frame as prpc_reply;
use stubwire_tests_e2e::{guarded, on_both_runtimes, until};

type Answer = fn(u64, ByteOrder) -> Vec<u8>;

fn client_of(server: &Scripted, order: ByteOrder) -> (BenchmarkServiceClient, Channel) {
    client(format!("frpc://{}", server.address), |options| {
        options.policy = ConnectionPolicy::Shared(1);
        options.frpc_byte_order = order;
    })
}

async fn echo(client: &BenchmarkServiceClient) -> Result<String, Status> {
    let call = client.echo(|builder| {
        let message = Some(builder.create_string("x"));
        Request::create(builder, &RequestArgs { request_id: 1, message })
    });
    let reply = call.await?;
    Ok(reply.root().message().unwrap_or_default().to_owned())
}

on_both_runtimes!(replies_that_cannot_be_right_cost_their_call_alone, || async {
    let cases: &[(&str, Answer)] = &[
        ("too short", |id, order| reply_of(head(id, 0, 50, 0), &response(1, "x"), order)),
        ("too long", |id, order| reply_of(head(id, 0, 4, 0), &response(1, "x"), order)),
        ("negative", |id, order| reply_of(head(id, 0, -1, 0), &[], order)),
        ("negative attachment", |id, order| reply_of(head(id, 0, 1, -1), &[], order)),
        ("extreme", |id, order| reply_of(head(id, 0, i32::MAX, i32::MAX), b"xx", order)),
        ("extreme", |id, order| reply_of(head(id, 0, i32::MIN, i32::MIN), b"", order)),
        ("error with a message", |id, order| reply_frame(id, 1003, &response(1, "x"), order)),
        ("error with an attachment", |id, order| reply_of(head(id, 7, 0, 3), b"ATT", order)),
        ("error with hidden bytes", |id, order| reply_of(head(id, 7, 0, 0), b"ATT", order)),
        ("empty success", |id, order| reply_frame(id, 0, &[], order)),
        ("attachment alone", |id, order| reply_of(head(id, 0, 0, 3), b"ATT", order)),
        ("no FlatBuffer", |id, order| reply_frame(id, 0, &[0xff; 64], order)),
        ("three bytes", |id, order| reply_frame(id, 0, &[1, 2, 3], order)),
        ("cut off", |id, order| {
            let whole = response(1, "some text");
            reply_frame(id, 0, &whole[..whole.len() - 8], order)
        }),
        ("bad text", |id, order| {
            let mut bytes = response(1, "hello");
            let at = bytes.windows(5).position(|bytes| bytes == b"hello").expect("it is there");
            bytes[at] = 0xff;
            reply_frame(id, 0, &bytes, order)
        }),
    ];
    for (case, answer) in cases {
        for order in ORDERS {
            // Behind the bad reply comes a good one, to the second call on the same connection.
            let answer = *answer;
            let server = Scripted::start(move |mut raw, number| async move {
                assert_eq!(number, 0, "the connection was given up");
                let (asked, _) = next_request(&mut raw, order).await.expect("a request");
                raw.send(&answer(asked.correlation_id, order)).await;
                while let Some((asked, _)) = next_request(&mut raw, order).await {
                    let id = asked.correlation_id;
                    raw.send(&reply_frame(id, 0, &response(1, "good"), order)).await;
                }
            })
            .await;
            let (client, channel) = client_of(&server, order);
            let status = echo(&client).await.expect_err(case);
            assert_eq!(status.code().number(), 2002, "{case}: {status}");
            assert_eq!(echo(&client).await.expect(case), "good", "{case}");
            let snapshot = channel.snapshot();
            assert_eq!((snapshot.calls, snapshot.stray_replies), (0, 0), "{case}");
        }
    }
});

/// What one call gets when it is answered with these bytes.
async fn outcome(
    order: ByteOrder,
    answer: impl Fn(u64, ByteOrder) -> Vec<u8> + Send + Sync + Clone + 'static,
) -> Result<String, Status> {
    let server = Scripted::start(move |mut raw, _| {
        let answer = answer.clone();
        async move {
            let (asked, _) = next_request(&mut raw, order).await.expect("a request");
            raw.send(&answer(asked.correlation_id, order)).await;
            raw.end().await;
            raw.read_to_end().await;
        }
    })
    .await;
    let (client, channel) = client_of(&server, order);
    let outcome = echo(&client).await;
    assert_eq!(channel.snapshot().calls, 0, "a slot leaks");
    outcome
}

on_both_runtimes!(frames_that_break_a_rule_cost_the_connection, || async {
    let cases: &[(&str, Answer, &str)] = &[
        ("a01", |_, _| header(u32::MAX, 20), "frame too large: 4294967295 > 67108864"),
        ("a03", |_, _| header(0, 20), "meta_size 20 is larger than body_size 0"),
        ("meta", |_, _| [header(19, 19), vec![0; 19]].concat(), "which needs 20 at least"),
        (
            "block",
            |_, _| [header(29, 29), vec![0; 20], b"SWX1\0\0\0\x01\xff".to_vec()].concat(),
            "metadata",
        ),
        ("a07", |_, _| b"FRPX".to_vec(), "not a known protocol"),
        ("a08", |_, _| prpc_reply(1, b"x"), "PRPC: not served here"),
        ("eof", |_, _| Vec::new(), "the peer closed it"),
    ];
    for (case, answer, words) in cases {
        let status = outcome(ByteOrder::Big, *answer).await.expect_err(case);
        assert_eq!(status.code().number(), 1009, "{case}: {status}");
        assert!(status.message().contains(words), "{case}: {status}");
    }
});

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn trust_a05_a_reply_cut_at_every_offset_is_one_error() {
    guarded(async {
        for order in ORDERS {
            let whole = |id, order| reply_frame(id, 0, &response(1, "whole"), order);
            for cut in 0..whole(1, order).len() {
                let status = outcome(order, move |id, order| whole(id, order)[..cut].to_vec());
                assert_eq!(status.await.unwrap_err().code().number(), 1009, "cut at {cut}");
            }
            assert_eq!(outcome(order, whole).await.unwrap(), "whole");
        }
    })
    .await;
}

on_both_runtimes!(trust_c01_replies_for_nobody_are_counted_and_ignored, || async {
    for order in ORDERS {
        let server = Scripted::start(move |mut raw, _| async move {
            while let Some((asked, _)) = next_request(&mut raw, order).await {
                let id = asked.correlation_id;
                let wrong = |id| reply_frame(id, 0, &response(1, "wrong"), order);
                let ids = [id + 1, 0, u64::MAX, 1 << 63, id.swap_bytes()];
                let right = reply_frame(id, 0, &response(1, "right"), order);
                let again = [right, wrong(id), reply_frame(id, 2001, &[], order)].concat();
                raw.send(&[ids.map(wrong).concat(), again].concat()).await;
            }
        })
        .await;
        let (client, channel) = client_of(&server, order);
        for _ in 0..20 {
            assert_eq!(echo(&client).await.unwrap(), "right");
        }
        until(|| channel.snapshot().stray_replies == 20 * 7).await;
        assert_eq!((server.accepted(), channel.snapshot().calls), (1, 0));
    }
});

// Several calls wait on one connection; the one whose reply is no FlatBuffer fails, the others live.
on_both_runtimes!(a_reply_that_cannot_be_verified_fails_one_of_many, || async {
    let order = ByteOrder::Big;
    let server = Scripted::start(move |mut raw, _| async move {
        let mut ids = Vec::new();
        for _ in 0..10 {
            let (asked, _) = next_request(&mut raw, order).await.expect("a request");
            ids.push(asked.correlation_id);
        }
        for (index, id) in ids.into_iter().enumerate() {
            let bytes = if index == 4 { vec![0xee; 40] } else { response(1, "good") };
            raw.send(&reply_frame(id, 0, &bytes, order)).await;
        }
        raw.read_to_end().await;
    })
    .await;
    let (client, _) = client_of(&server, order);
    let calls: Vec<_> = (0..10)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(async move { echo(&client).await })
        })
        .collect();
    let mut failed = 0;
    for call in calls {
        match call.await.unwrap() {
            Ok(text) => assert_eq!(text, "good"),
            Err(status) => {
                assert_eq!(status.code().number(), 2002);
                assert!(status.message().contains("benchmark_fb.BenchmarkService/Echo"));
                failed += 1;
            }
        }
    }
    assert_eq!((failed, server.accepted()), (1, 1));
});

// A stopping server has only its number to say so: the next call goes over another connection.
on_both_runtimes!(elogoff_retires_the_connection, || async {
    let server = Scripted::start(|mut raw, number| async move {
        while let Some((asked, _)) = next_request(&mut raw, ByteOrder::Big).await {
            let id = asked.correlation_id;
            raw.send(&match number {
                0 => reply_frame(id, 2003, &[], ByteOrder::Big),
                _ => reply_frame(id, 0, &response(1, "elsewhere"), ByteOrder::Big),
            })
            .await;
        }
    })
    .await;
    let (client, _) = client_of(&server, ByteOrder::Big);
    assert_eq!(echo(&client).await.unwrap_err().code().number(), 2003);
    assert_eq!(echo(&client).await.unwrap(), "elsewhere");
    assert_eq!(server.accepted(), 2);
});
