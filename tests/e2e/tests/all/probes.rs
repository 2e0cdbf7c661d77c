//! Every probe that was sent to a real brpc, sent to this server.

use std::time::Duration;
use stubwire_tests_e2e::raw::Raw;
use stubwire_tests_e2e::{Serving, guarded};
use stubwire_tests_support::{Answer, Connection, Exchange, captures, probes, rules, split_frames};

/// Long enough for a server under load to answer, were it to.
const SILENCE: Duration = Duration::from_millis(300);

async fn replay(exchange: &Exchange) -> Result<(), String> {
    let serving = Serving::start().await;
    let mut raw = Raw::connect(serving.address).await;
    for chunk in &exchange.chunks {
        raw.send(chunk).await;
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let connection = loop {
        match tokio::time::timeout(SILENCE, raw.read()).await {
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
    let mut expected = exchange.ours.answers.clone();
    answers.sort();
    expected.sort();
    if answers != expected || connection != exchange.ours.connection {
        return Err(format!(
            "{connection:?} {answers:?}, expected {:?} {expected:?}",
            exchange.ours.connection
        ));
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn probes_are_answered_as_brpc_answers_them() {
    guarded(async {
        let mut wrong = Vec::new();
        for exchange in probes().iter().chain(&rules()).chain(&captures()) {
            if let Err(why) = replay(exchange).await {
                wrong.push(format!("{} {}: {why}", exchange.id, exchange.name));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    })
    .await;
}
