//! Callers that change their minds at random.

use std::sync::Arc;
use std::time::Duration;
use stubwire::{Channel, ChannelOptions, ConnectionPolicy};
use stubwire_tests_e2e::bench::{EchoRequest, EchoServiceClient};
use stubwire_tests_e2e::{Serving, on_both_runtimes, request, until};

async fn drop_at_random(policy: ConnectionPolicy) {
    let serving = Serving::start().await;
    let mut options = ChannelOptions::default();
    options.policy = policy;
    let channel = Channel::connect_with(serving.target(), options).await.unwrap();
    let client = Arc::new(EchoServiceClient::new(channel.clone()));
    let callers: Vec<_> = (0..1000_u64)
        .map(|caller| {
            let client = client.clone();
            tokio::spawn(async move {
                let mut random = caller.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
                for call in 0..5 {
                    random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    let patience = Duration::from_micros((random >> 33) % 3000);
                    let text = format!("{caller}/{call}");
                    let sleep_us = Some(((random >> 40) % 1000) as i64);
                    let asked = EchoRequest { sleep_us, ..request(&text) };
                    let (echo, slow) = (client.echo(asked.clone()), client.slow(asked));
                    // Half of them sleep on the server; none may get what another asked for.
                    if random >> 60 & 1 == 0 {
                        if let Ok(reply) = tokio::time::timeout(patience, echo.into_future()).await
                        {
                            assert_eq!(reply.unwrap().message(), text);
                        }
                    } else {
                        let _ = tokio::time::timeout(patience, slow.into_future()).await;
                    }
                }
            })
        })
        .collect();
    for caller in callers {
        caller.await.unwrap();
    }
    assert_eq!(channel.snapshot().calls, 0, "slots leak");
    until(|| serving.handle.snapshot().calls == 0).await;
    for method in serving.registry.methods() {
        assert_eq!(method.stats().in_flight, 0, "{}", method.full_name());
    }
    assert_eq!(client.echo(request("x")).await.unwrap().message(), "x");
}

on_both_runtimes!(trust_c11_a_thousand_callers_drop_at_random_on_shared_connections, || async {
    drop_at_random(ConnectionPolicy::Shared(2)).await;
});

on_both_runtimes!(trust_c11_a_thousand_callers_drop_at_random_on_pooled_connections, || async {
    drop_at_random(ConnectionPolicy::Pooled { max_idle: 8, max_connections: 32 }).await;
});

on_both_runtimes!(trust_b19_calls_that_are_given_up_at_once_leave_nothing, || async {
    let serving = Serving::start().await;
    let mut options = ChannelOptions::default();
    options.policy = ConnectionPolicy::Shared(1);
    let channel = Channel::connect_with(serving.target(), options).await.unwrap();
    let client = EchoServiceClient::new(channel.clone());
    for round in 0..20_000 {
        let mut call = Box::pin(client.echo(request("x")).into_future());
        std::future::poll_fn(|context| {
            let _ = call.as_mut().poll(context);
            std::task::Poll::Ready(())
        })
        .await;
        drop(call);
        if round % 500 == 0 {
            assert_eq!(client.echo(request("other")).await.unwrap().message(), "other");
        }
    }
    assert_eq!(channel.snapshot().calls, 0);
    until(|| serving.handle.snapshot().calls == 0).await;
});
