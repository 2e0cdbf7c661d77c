//! When a call is tried again, and when it must not be.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use stubwire::{Channel, ChannelOptions, ConnectionPolicy};
use stubwire_tests_e2e::bench::{EchoRequest, EchoServiceClient};
use stubwire_tests_e2e::hostile::Scripted;
use stubwire_tests_e2e::raw::{Raw, error_frame, message, reply_frame};
use stubwire_tests_e2e::{Serving, on_both_runtimes, request};

fn client_of(
    target: &str,
    change: impl FnOnce(&mut ChannelOptions),
) -> (EchoServiceClient, Channel) {
    let mut options = ChannelOptions::default();
    options.policy = ConnectionPolicy::Shared(1);
    change(&mut options);
    let channel = Channel::lazy(target, options).unwrap();
    (EchoServiceClient::new(channel.clone()), channel)
}

/// Where a server dies.
#[derive(Clone, Copy, Debug)]
enum Death {
    BeforeReading,
    BeforeHeader,
    MidHeader,
    AfterHeader,
    MidBody,
    AfterReplyToAnother,
}

const DEATHS: [Death; 6] = [
    Death::BeforeReading,
    Death::BeforeHeader,
    Death::MidHeader,
    Death::AfterHeader,
    Death::MidBody,
    Death::AfterReplyToAnother,
];

/// Counts what it reads as executed, and dies; a connection after the first `deaths` is good.
async fn dying(death: Death, deaths: usize) -> (Scripted, Arc<AtomicUsize>) {
    let executed = Arc::new(AtomicUsize::new(0));
    let counter = executed.clone();
    let server = Scripted::start(move |mut raw, number| {
        let counter = counter.clone();
        async move {
            if number < deaths {
                if !matches!(death, Death::BeforeReading) {
                    die(&mut raw, death, &counter).await;
                }
                return;
            }
            while let Some(asked) = raw.next().await {
                counter.fetch_add(1, Ordering::SeqCst);
                raw.send(&reply_frame(asked.id, &message("served"))).await;
            }
        }
    })
    .await;
    (server, executed)
}

async fn die(raw: &mut Raw, death: Death, executed: &AtomicUsize) {
    let Some(asked) = raw.next().await else { return };
    executed.fetch_add(1, Ordering::SeqCst);
    let reply = reply_frame(asked.id, &message("half"));
    let sent = match death {
        Death::BeforeReading | Death::BeforeHeader => &[],
        Death::MidHeader => &reply[..7],
        Death::AfterHeader => &reply[..12],
        Death::MidBody => &reply[..reply.len() - 3],
        Death::AfterReplyToAnother => {
            raw.send(&reply_frame(asked.id + 1, &message("another's"))).await;
            &[]
        }
    };
    raw.send(sent).await;
}

on_both_runtimes!(trust_c07_a_call_that_may_have_run_is_not_run_again, || async {
    for death in DEATHS {
        let (server, executed) = dying(death, usize::MAX).await;
        let (client, channel) = client_of(&server.target(), |_| {});
        let outcome = client.echo(request("x")).await;
        if !matches!(death, Death::BeforeReading) {
            // Sent once, so answered with one error, and not sent a second time.
            assert_eq!(outcome.unwrap_err().code().number(), 1009, "{death:?}");
            assert_eq!(executed.load(Ordering::SeqCst), 1, "{death:?}");
        }
        assert_eq!(channel.snapshot().calls, 0, "{death:?}");
    }
});

on_both_runtimes!(trust_c07_an_idempotent_call_is_run_again, || async {
    for death in DEATHS {
        // Slow is declared idempotent in its schema; Echo is said to be by the caller.
        for declared in [true, false] {
            let (server, _) = dying(death, 2).await;
            let (client, channel) = client_of(&server.target(), |_| {});
            let reply = if declared {
                client.slow(request("x")).await
            } else {
                client.echo(request("x")).idempotent().await
            };
            assert_eq!(reply.unwrap().message(), "served", "{death:?}");
            assert_eq!(channel.snapshot().retries, 2, "{death:?}");
        }
    }
});

on_both_runtimes!(trust_c07_brpcs_longer_list_is_opt_in, || async {
    for death in DEATHS {
        let (server, _) = dying(death, 2).await;
        let (client, _) = client_of(&server.target(), |options| options.retry_as_brpc = true);
        assert_eq!(client.echo(request("x")).await.unwrap().message(), "served", "{death:?}");
    }
});

/// What brpc's default policy repeats when a server reports it, and what it does not.
const REPORTED: &[(i32, bool, bool)] = &[
    // Code, whether it is repeated by itself, whether it is as brpc does.
    (2004, true, true),
    (2003, true, true),
    (1011, true, true),
    (1009, false, true),
    (1014, false, true),
    (112, false, true),
    (110, false, true),
    (2, false, true),
    (32, false, true),
    (111, false, true),
    (104, false, true),
    (61, false, true),
    (1017, false, true),
    (1008, false, false),
    (1001, false, false),
    (1002, false, false),
    (1003, false, false),
    (2001, false, false),
    (2002, false, false),
    (1234, false, false),
];

on_both_runtimes!(trust_c07_reported_errors_are_repeated_by_their_code, || async {
    let serving = Serving::start().await;
    for (as_brpc, column) in [(false, 1), (true, 2)] {
        for &(code, plainly, brpc) in REPORTED {
            let (client, channel) = client_of(&serving.target(), |options| {
                options.retry_as_brpc = as_brpc;
                options.connection_group = format!("{code}");
            });
            let before = serving.echo.begun();
            let asked = EchoRequest { code: Some(code), ..request("no") };
            let status = client.fail(asked).await.unwrap_err();
            assert_eq!(status.code().number(), code);
            let repeated = if column == 1 { plainly } else { brpc };
            let executed = serving.echo.begun() - before;
            assert_eq!(executed, if repeated { 4 } else { 1 }, "{code}, as brpc: {as_brpc}");
            assert_eq!(channel.snapshot().retries, executed as u64 - 1);
        }
    }
});

on_both_runtimes!(max_retries_of_channel_and_call, || async {
    let serving = Serving::start().await;
    let busy = EchoRequest { code: Some(2004), ..request("busy") };
    for (of_channel, of_call, executed) in
        [(0, None, 1), (1, None, 2), (3, Some(0), 1), (0, Some(2), 3), (3, None, 4)]
    {
        let (client, _) = client_of(&serving.target(), |options| {
            options.max_retries = of_channel;
            options.connection_group = format!("{of_channel} {of_call:?}");
        });
        let before = serving.echo.begun();
        let call = client.fail(busy.clone());
        let call = match of_call {
            None => call,
            Some(retries) => call.max_retries(retries),
        };
        assert_eq!(call.await.unwrap_err().code().number(), 2004);
        assert_eq!(serving.echo.begun() - before, executed, "{of_channel} {of_call:?}");
    }
});

on_both_runtimes!(trust_c08_a_total_outage_is_amplified_by_a_tenth_at_most, || async {
    let serving = Serving::start().await;
    let (client, channel) = client_of(&serving.target(), |_| {});
    let calls: Vec<_> = (0..20)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(async move {
                for _ in 0..50 {
                    let busy = EchoRequest { code: Some(2004), ..request("busy") };
                    client.fail(busy).await.unwrap_err();
                }
            })
        })
        .collect();
    for call in calls {
        call.await.unwrap();
    }
    let executed = serving.echo.begun();
    // Ten retries are there from the start.
    assert!((1000..=1000 + 100 + 10).contains(&executed), "{executed}");
    assert_eq!(channel.snapshot().retries as usize, executed - 1000);
});

on_both_runtimes!(trust_c07_many_calls_on_a_dying_connection_get_one_error_each, || async {
    let server = Scripted::start(|mut raw, _| async move {
        for _ in 0..100 {
            raw.next().await;
        }
        raw.send(&error_frame(-1, 2001, "stray")).await;
    })
    .await;
    let (client, channel) = client_of(&server.target(), |_| {});
    let ended = Arc::new(AtomicUsize::new(0));
    let calls: Vec<_> = (0..100)
        .map(|_| {
            let (client, ended) = (client.clone(), ended.clone());
            tokio::spawn(async move {
                let status = client.echo(request("x")).await.unwrap_err();
                ended.fetch_add(1, Ordering::SeqCst);
                status.code().number()
            })
        })
        .collect();
    for call in calls {
        assert_eq!(call.await.unwrap(), 1009);
    }
    assert_eq!(ended.load(Ordering::SeqCst), 100);
    assert_eq!((channel.snapshot().calls, channel.snapshot().retries), (0, 0));
});
