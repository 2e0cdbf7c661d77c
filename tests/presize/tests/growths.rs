//! How often the builder of a reply grows: never, once a method knows how large its replies are.

use std::fmt::Write as _;
use std::sync::mpsc;
use std::{env, fs, thread};

use stubwire::Server;
use stubwire_tests_presize::presize::{SizedClient, Want, WantArgs};
use stubwire_tests_presize::{Seen, Watched, registry};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    Learn,
    Stair,
    Declared,
}

/// What replies of these sizes, one after the other over one connection, did to their builders.
fn seen(method: Method, sizes: &[u32], rows: bool) -> Vec<Seen> {
    let watched = Watched::default();
    let (address, bound) = mpsc::channel();
    let registry = registry(watched.clone());
    // The server has a thread of its own, which has not served the method before: what is learnt, and
    // the builders that are kept, belong to threads, and the client keeps builders, too.
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let serving = thread::spawn(move || {
        runtime().block_on(async {
            let server = Server::new(registry).bind("127.0.0.1:0").await.expect("bound");
            let there = server.local_addr().expect("an address");
            address.send(there).expect("the test waits for it");
            server.serve_until(async { drop(stopped.await) }).await
        })
    });
    let address = bound.recv().expect("it is bound");
    runtime().block_on(ask(format!("frpc://{address}"), method, sizes, rows));
    drop(stop);
    serving.join().expect("it ends").expect("it served");
    let seen = watched.seen();
    assert_eq!(seen.len(), sizes.len());
    seen
}

fn runtime() -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_all().build().expect("a runtime")
}

async fn ask(target: String, method: Method, sizes: &[u32], rows: bool) {
    let client = SizedClient::connect(&target).await.expect("connected");
    for size in sizes {
        let args = WantArgs { size: *size, rows, rounds: 0 };
        let want =
            |builder: &mut flatbuffers::FlatBufferBuilder<'static>| Want::create(builder, &args);
        let reply = match method {
            Method::Learn => client.learn(want).await,
            Method::Stair => client.stair(want).await,
            Method::Declared => client.declared(want).await,
        };
        let reply = reply.expect("a reply").into_inner();
        let built = if rows {
            reply.root().rows().map(|rows| rows.len() * 56)
        } else {
            reply.root().text().map(str::len)
        };
        assert!(built.is_some_and(|built| built.abs_diff(*size as usize) < 56));
    }
}

#[test]
fn presize_growths_of_reply_builders() {
    let mut text = String::new();
    for rows in [false, true] {
        writeln!(text, "{}", if rows { "rows" } else { "one text" }).expect("a string takes it");
        for (name, size) in [("1 KB", 1 << 10), ("64 KB", 64 << 10), ("1 MB", 1 << 20)] {
            line(&mut text, &format!("  {name}, learnt"), Method::Learn, &[size; 6], rows);
            line(&mut text, &format!("  {name}, declared"), Method::Declared, &[size; 6], rows);
        }
        let stair: Vec<u32> = (10..=20).chain((10..20).rev()).map(|power| 1 << power).collect();
        line(&mut text, "  up a stair of doubles, and down", Method::Stair, &stair, rows);
    }
    let golden = "golden/growths.txt";
    if env::var_os("STUBWIRE_BLESS").is_some() && env::var_os("CI").is_none() {
        fs::write(golden, &text).expect("written");
    }
    let expected = fs::read_to_string(golden).unwrap_or_default();
    assert_eq!(text, expected, "bless with STUBWIRE_BLESS=1");
}

fn line(text: &mut String, name: &str, method: Method, sizes: &[u32], rows: bool) {
    let seen = seen(method, sizes, rows);
    let counts: Vec<u32> = seen.iter().map(|seen| seen.growths()).collect();
    // What holds whatever the golden says.
    let from = match method {
        Method::Learn => 1,
        Method::Declared => 0,
        Method::Stair => counts.len(),
    };
    assert!(counts[from..].iter().all(|count| *count == 0), "{name}: {counts:?}");
    // What comes back is no larger than what went: the root and the head of the frame were put in front
    // of the message, and the builder did not grow for them either.
    for pair in seen.get(from..).unwrap_or_default().windows(2) {
        assert!(pair[1].before <= pair[0].after, "{name}: {seen:?}");
    }
    let counts: Vec<String> = counts.iter().map(u32::to_string).collect();
    writeln!(text, "{name}: {}", counts.join(" ")).expect("a string takes it");
}
