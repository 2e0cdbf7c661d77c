//! Every probe that was sent to a real brpc, sent to this server.

use std::time::Duration;
use stubwire_tests_e2e::raw::Raw;
use stubwire_tests_e2e::{Serving, guarded, request, until};
use stubwire_tests_support::{Answer, Connection, Exchange, captures, probes, rules, split_frames};

/// How long a connection that is to stay open is watched for what must not come. On a slow machine
/// this proves less, but it fails no sooner.
const SILENCE: Duration = Duration::from_millis(300);

/// How long an answer that is to come may take.
const PATIENCE: Duration = Duration::from_secs(50);

async fn replay(exchange: &Exchange) -> Result<(), String> {
    let serving = Serving::start().await;
    let mut raw = Raw::connect(serving.address).await;
    for chunk in &exchange.chunks {
        raw.send(chunk).await;
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let expected = &exchange.ours;
    let connection = loop {
        let complete = split_frames(&raw.received).0.len() >= expected.answers.len();
        let watching = complete && expected.connection == Connection::Open;
        let patience = if watching { SILENCE } else { PATIENCE };
        match tokio::time::timeout(patience, raw.read()).await {
            Err(_) => break Connection::Open,
            Ok(false) => break Connection::Closed,
            Ok(true) => {}
        }
    };
    let (frames, rest) = split_frames(&raw.received);
    if !rest.is_empty() {
        return Err(format!("{} bytes after the last frame", rest.len()));
    }
    let mut answers: Vec<_> = frames.into_iter().map(Answer::of_frame).collect();
    let mut wanted = expected.answers.clone();
    answers.sort();
    wanted.sort();
    if answers != wanted || connection != expected.connection {
        let what = expected.connection;
        return Err(format!("{connection:?} {answers:?}, expected {what:?} {wanted:?}"));
    }
    Ok(())
}

/// Capture 10 was taken with one call in flight already, so it needs a server of its own.
const OF_A_BUSY_SERVER: &str = "server_concurrency_limit";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn probes_are_answered_as_brpc_answers_them() {
    guarded(async {
        let exchanges = [probes(), rules(), captures()].concat();
        assert!(exchanges.len() > 40, "only {} cases were found", exchanges.len());
        let cases: Vec<_> = exchanges
            .into_iter()
            .filter(|exchange| exchange.name != OF_A_BUSY_SERVER)
            .map(|exchange| {
                let case = format!("probe_{}_{}", exchange.id, exchange.name);
                (case, tokio::spawn(async move { replay(&exchange).await }))
            })
            .collect();
        let mut wrong = Vec::new();
        for (case, replayed) in cases {
            if let Err(why) = replayed.await.expect("a replay does not panic") {
                wrong.push(format!("{case}: {why}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn capture_10_a_call_beyond_the_servers_limit() {
    guarded(async {
        let captured = captures().into_iter().find(|exchange| exchange.name == OF_A_BUSY_SERVER);
        let captured = captured.expect("the capture is there");
        let serving = Serving::start_with(|server| server.max_concurrency(1)).await;
        let client = serving.client().await;
        let held = tokio::spawn(async move { client.echo(request("stubborn")).await });
        until(|| serving.echo.begun() == 1).await;

        let mut raw = Raw::connect(serving.address).await;
        raw.send(&captured.chunks.concat()).await;
        let reply = raw.next().await.expect("the call is answered");
        assert_eq!(i64::from(reply.code), captured.ours.answers[0].error_code);
        assert_eq!(reply.id, captured.ours.answers[0].correlation_id);
        let expected =
            captured.replies[0].fields.iter().find(|(field, _)| field == "response.error_text");
        let (_, words) =
            expected.expect("the capture has a text").1.split_once(']').expect("an address");
        assert_eq!(reply.text, format!("[{}]{words}", serving.address));

        serving.echo.release.notify_one();
        held.await.expect("it does not panic").expect("the held call ends well");
        assert_eq!(raw.ask(&captured.chunks.concat()).await.expect("an answer").code, 0);
    })
    .await;
}
