//! The phases of calls, as servers and channels tell them to an observer.

use std::sync::{Arc, Mutex};
use std::time::Duration;
use stubwire::{
    Call, Channel, ChannelOptions, ClientPhases, ConnectionPolicy, MethodDescriptor, PhaseObserver,
    Server, ServerPhases, Status,
};
use stubwire_tests_e2e::bench::{EchoRequest, EchoServiceClient};
use stubwire_tests_e2e::clock::Clock;
use stubwire_tests_e2e::hostile::Scripted;
use stubwire_tests_e2e::raw::{Raw, echo_frame, echo_text};
use stubwire_tests_e2e::{Serving, on_both_runtimes, request, until};

/// What observers were told.
#[derive(Clone, Debug, Default)]
struct Told {
    server: Arc<Mutex<Vec<ServerPhases>>>,
    client: Arc<Mutex<Vec<ClientPhases>>>,
}

impl Told {
    /// Has a server tell its phases.
    fn observe(&self, server: Server) -> Server {
        let told = self.server.clone();
        server.on_phases(move |phases| told.lock().unwrap().push(phases.clone()))
    }

    /// Options of a channel that tells its phases, on one connection.
    fn options(&self) -> ChannelOptions {
        let told = self.client.clone();
        let mut options = ChannelOptions::default();
        options.policy = ConnectionPolicy::Shared(1);
        options.on_phases =
            Some(PhaseObserver::new(move |phases| told.lock().unwrap().push(phases.clone())));
        options
    }

    /// The phases of so many calls on the server, and of no more.
    async fn by_server(&self, calls: usize) -> Vec<ServerPhases> {
        until(|| self.server.lock().unwrap().len() >= calls).await;
        let told = self.server.lock().unwrap().clone();
        assert_eq!(told.len(), calls);
        told
    }

    /// The same for the client.
    async fn by_client(&self, calls: usize) -> Vec<ClientPhases> {
        until(|| self.client.lock().unwrap().len() >= calls).await;
        let told = self.client.lock().unwrap().clone();
        assert_eq!(told.len(), calls);
        told
    }
}

fn assert_server_is_whole(phases: &ServerPhases) {
    let points =
        [phases.decoded, phases.handler_start, phases.handler_end, phases.encoded, phases.written];
    assert!(points.iter().all(Option::is_some), "{phases:?}");
    assert!(points.is_sorted(), "{phases:?}");
    assert_eq!(Some(phases.total()), phases.written);
    assert_eq!(phases.residual(), Duration::ZERO);
    assert_eq!(sum_of_server(phases), phases.total());
}

fn sum_of_server(phases: &ServerPhases) -> Duration {
    let named = [
        phases.arriving(),
        phases.starting(),
        phases.handling(),
        phases.encoding(),
        phases.writing(),
    ];
    named.into_iter().flatten().sum::<Duration>() + phases.residual()
}

fn assert_client_is_whole(phases: &ClientPhases) {
    let points = [phases.written, phases.reply_read, phases.woken];
    assert!(points.iter().all(Option::is_some), "{phases:?}");
    assert!(points.is_sorted(), "{phases:?}");
    assert_eq!(Some(phases.total()), phases.woken);
    let away = phases.reply_read.unwrap() - phases.written.unwrap();
    assert_eq!(phases.residual(), away);
    let named = phases.writing().unwrap() + phases.waking().unwrap();
    assert_eq!(named + phases.residual(), phases.total());
}

async fn many(client: &EchoServiceClient, calls: usize) {
    let calls: Vec<_> = (0..calls)
        .map(|index| {
            let client = client.clone();
            // Handlers that wait end as tasks of their own, and their replies are written by the writer task.
            let sleep_us = if index % 2 == 0 { None } else { Some(10) };
            tokio::spawn(async move {
                match sleep_us {
                    None => client.echo(request("x")).await.map(drop),
                    sleep_us => {
                        let request = EchoRequest { sleep_us, ..EchoRequest::default() };
                        client.slow(request).await.map(drop)
                    }
                }
            })
        })
        .collect();
    for call in calls {
        call.await.unwrap().unwrap();
    }
}

on_both_runtimes!(every_call_is_told_once_with_all_its_points_in_order, || async {
    let told = Told::default();
    let serving = Serving::start_with(|server| told.observe(server)).await;
    let client = serving.client_with(told.options()).await;
    many(&client, 200).await;
    client.echo(request("alone")).await.unwrap();
    told.by_server(201).await.iter().for_each(assert_server_is_whole);
    told.by_client(201).await.iter().for_each(assert_client_is_whole);
    // Nothing comes after: not with the next call, not with the end of the connection.
    drop(client);
    until(|| serving.handle.snapshot().connections == 0).await;
    told.by_server(201).await;
    told.by_client(201).await;
});

on_both_runtimes!(large_replies_are_told_when_their_last_byte_is_written, || async {
    let told = Told::default();
    let serving = Serving::start_with(|server| told.observe(server)).await;
    let client = serving.client_with(told.options()).await;
    // More than a socket takes at once.
    let reply = client.echo(request("x")).attach(vec![7; 8 << 20]).await.unwrap();
    assert_eq!(reply.attachment().len(), 8 << 20);
    assert_server_is_whole(&told.by_server(1).await[0]);
    assert_client_is_whole(&told.by_client(1).await[0]);
});

on_both_runtimes!(offloaded_handlers_are_told_like_others, || async {
    let told = Told::default();
    let serving = Serving::start_with(|server| told.observe(server)).await;
    serving.registry.method("bench.EchoService/Echo").unwrap().offload();
    serving.client().await.echo(request("x")).await.unwrap();
    let phases = &told.by_server(1).await[0];
    assert_eq!(phases.method.full_name(), "bench.EchoService/Echo");
    assert_server_is_whole(phases);
});

on_both_runtimes!(a_call_that_is_refused_shows_which_points_it_did_not_reach, || async {
    let told = Told::default();
    let serving = Serving::start_with(|server| {
        told.observe(server).interceptor(|_: &mut Call, method: &MethodDescriptor| {
            if method.name() == "Slow" { Err(Status::new(4242, "no")) } else { Ok(()) }
        })
    })
    .await;
    let mut raw = Raw::connect(serving.address).await;
    // By an interceptor, and for a message that is none.
    for (frame, code) in
        [(echo_frame("Slow", 1, &[]), 4242), (echo_frame("Echo", 2, &[0xff; 9]), 1003)]
    {
        told.server.lock().unwrap().clear();
        assert_eq!(raw.ask(&frame).await.unwrap().code, code);
        let phases = &told.by_server(1).await[0];
        assert_eq!((phases.decoded, phases.handler_start, phases.handler_end), (None, None, None));
        assert!(phases.encoded.is_some() && phases.encoded <= phases.written, "{phases:?}");
        assert_eq!((phases.arriving(), phases.handling(), phases.encoding()), (None, None, None));
        // Nobody measured what came before the error was queued.
        assert_eq!(Some(phases.residual()), phases.encoded);
        assert_eq!(sum_of_server(phases), phases.total());
    }
    // A method that is not there is no call.
    assert_eq!(raw.ask(&echo_frame("Nothing", 3, &[])).await.unwrap().code, 1002);
    assert_eq!(raw.ask(&echo_text(4, "x")).await.unwrap().code, 0);
    assert_server_is_whole(&told.by_server(2).await[1]);
});

on_both_runtimes!(a_handler_that_panics_or_fails_is_told_with_its_end, || async {
    let told = Told::default();
    let serving = Serving::start_with(|server| told.observe(server)).await;
    let client = serving.client_with(told.options()).await;
    for text in ["panic", "panic later"] {
        client.echo(request(text)).await.unwrap_err();
    }
    let failing = EchoRequest { code: Some(4242), ..request("no") };
    client.fail(failing).await.unwrap_err();
    told.by_server(3).await.iter().for_each(assert_server_is_whole);
    told.by_client(3).await.iter().for_each(assert_client_is_whole);
});

on_both_runtimes!(a_reply_that_nobody_reads_is_told_without_its_writing, || async {
    let told = Told::default();
    let serving = Serving::start_with(|server| told.observe(server)).await;
    let mut raw = Raw::connect(serving.address).await;
    raw.send(&echo_text(1, "stubborn")).await;
    until(|| serving.echo.begun() == 1).await;
    // The connection is killed under the handler.
    serving.handle.stop_now();
    let phases = &told.by_server(1).await[0];
    assert!(phases.decoded.is_some() && phases.decoded <= phases.handler_start, "{phases:?}");
    assert!(phases.handler_end.is_some(), "{phases:?}");
    assert_eq!((phases.encoded, phases.written, phases.writing()), (None, None, None));
    assert_eq!(sum_of_server(phases), phases.total());
});

on_both_runtimes!(a_request_without_a_reply_is_told_by_what_became_of_it, || async {
    let told = Told::default();
    let server = Scripted::start(|mut raw, _| async move {
        raw.read_to_end().await;
    })
    .await;
    let channel = Channel::connect_with(server.target(), told.options()).await.unwrap();
    let client = EchoServiceClient::new(channel);
    // Its time is over.
    client.echo(request("x")).timeout(Duration::from_millis(20)).await.unwrap_err();
    let phases = &told.by_client(1).await[0];
    assert!(phases.written.is_some() && phases.written <= phases.woken, "{phases:?}");
    assert_eq!((phases.reply_read, phases.waking()), (None, None));
    assert_eq!(phases.writing().unwrap() + phases.residual(), phases.total());
    // Its caller gives it up.
    let given_up = tokio::time::timeout(Duration::from_millis(20), client.echo(request("x")));
    given_up.await.unwrap_err();
    let phases = &told.by_client(2).await[1];
    assert!(phases.written.is_some(), "{phases:?}");
    assert_eq!((phases.reply_read, phases.woken), (None, None));
    assert_eq!((phases.residual(), phases.total()), (Duration::ZERO, phases.written.unwrap()));
});

on_both_runtimes!(off_by_default_and_each_side_by_itself, || async {
    let told = Told::default();
    let serving = Serving::start().await;
    let (stamped, plain) = (serving.client_with(told.options()).await, serving.client().await);
    many(&plain, 20).await;
    assert!(told.client.lock().unwrap().is_empty());
    many(&stamped, 20).await;
    told.by_client(20).await;
    assert!(told.server.lock().unwrap().is_empty());
    let serving = Serving::start_with(|server| told.observe(server)).await;
    let client = serving.client().await;
    many(&client, 20).await;
    told.by_server(20).await;
    told.by_client(20).await;
});

on_both_runtimes!(observers_that_panic_cost_nothing, || async {
    let serving = Serving::start_with(|server| server.on_phases(|_| panic!("of a server"))).await;
    let mut options = ChannelOptions::default();
    options.on_phases = Some(PhaseObserver::new(|_| panic!("of a channel")));
    let client = serving.client_with(options).await;
    many(&client, 20).await;
    // Also where a panic is under way already.
    client.echo(request("panic")).await.unwrap_err();
    many(&client, 20).await;
    drop(client);
    until(|| serving.handle.snapshot().connections == 0).await;
    assert_eq!(serving.handle.snapshot().calls, 0);
});

/// Time is where it went, and nowhere else.
#[tokio::test]
async fn a_handler_that_sleeps_shows_in_the_handler_and_in_the_residual_of_the_client() {
    let clock = Clock::stopped();
    let told = Told::default();
    let serving = Serving::start_with(|server| told.observe(server)).await;
    let client = serving.client_with(told.options()).await;
    let sleep = Duration::from_millis(250);
    let calling = tokio::spawn(async move {
        let request = EchoRequest { sleep_us: Some(250_000), ..EchoRequest::default() };
        client.slow(request).await.map(drop)
    });
    clock.until(|| serving.echo.begun() == 1).await;
    clock.settle().await;
    // Timers of tokio are up to a millisecond late.
    clock.advance(sleep + Duration::from_millis(1)).await;
    calling.await.unwrap().unwrap();
    clock.until(|| !told.server.lock().unwrap().is_empty()).await;
    clock.until(|| !told.client.lock().unwrap().is_empty()).await;
    let server = told.server.lock().unwrap()[0].clone();
    // The clock stood still but while the handler slept.
    assert_eq!(server.handling(), Some(server.total()));
    assert!(server.total() >= sleep, "{server:?}");
    assert_server_is_whole(&server);
    let client = told.client.lock().unwrap()[0].clone();
    assert_eq!((client.residual(), client.total()), (server.total(), server.total()));
    assert_client_is_whole(&client);
}
