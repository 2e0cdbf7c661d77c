//! A server in a process with few descriptors, asked over its standard input.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use stubwire::EventKind;
use stubwire_tests_e2e::Serving;
use tokio::io::{AsyncBufReadExt, BufReader};

/// Prints the address; then for every line that it reads: accept errors, events of them,
/// connections.
pub(crate) async fn serve() {
    let events = Arc::new(AtomicUsize::new(0));
    let sink = events.clone();
    let serving = Serving::start_with(|server| {
        server.on_event(move |event| {
            if event.kind == EventKind::AcceptFailed {
                sink.fetch_add(1, Ordering::SeqCst);
            }
        })
    })
    .await;
    say(&serving.address.to_string());
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    while let Ok(Some(_)) = lines.next_line().await {
        let snapshot = serving.handle.snapshot();
        let events = events.load(Ordering::SeqCst);
        say(&format!("{} {events} {}", snapshot.accept_errors, snapshot.connections));
    }
}

fn say(line: &str) {
    let mut out = std::io::stdout();
    writeln!(out, "{line}").and_then(|()| out.flush()).expect("somebody listens");
}
