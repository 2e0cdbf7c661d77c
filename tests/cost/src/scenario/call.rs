//! Whole calls: client and server in one process and on one thread, over a Unix socket or none.

use crate::{cost, cost_flat};
use bytes::Bytes;
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;
use stubwire::{
    Call, Channel, ChannelOptions, ConnectionPolicy, Flat, PhaseObserver, Registry, Server, Status,
};

struct Echo;

impl cost::EchoService for Echo {
    async fn echo(
        &self,
        _: &mut Call,
        request: cost::EchoRequest,
    ) -> Result<cost::EchoReply, Status> {
        Ok(cost::EchoReply { message: request.message, payload: request.payload })
    }
}

impl cost_flat::EchoService for Echo {
    async fn echo(
        &self,
        call: &mut Call,
        request: cost_flat::EchoRequest<'_>,
    ) -> Result<Flat<cost_flat::EchoReply<'static>>, Status> {
        Ok(call.build(|builder| {
            let message = request.message().map(|message| builder.create_string(message));
            let payload = request.payload();
            let payload = payload.map(|payload| stubwire::flat::bytes(builder, payload.bytes()));
            cost_flat::EchoReply::create(builder, &cost_flat::EchoReplyArgs { message, payload })
        }))
    }
}

/// Text of a small message, in bytes.
const SMALL: usize = 64;
/// Bytes of a large payload.
const LARGE: usize = 64 << 10;

pub(crate) fn in_process_protobuf(rounds: u64) {
    run(rounds, 1, Way::InProcess, protobuf_small);
}

pub(crate) fn in_process_flat(rounds: u64) {
    run(rounds, 1, Way::InProcess, flat_small);
}

pub(crate) fn prpc_64_in_flight(rounds: u64) {
    run(rounds, 64, Way::Prpc, protobuf_small);
}

pub(crate) fn frpc_64_in_flight(rounds: u64) {
    run(rounds, 64, Way::Frpc, flat_small);
}

pub(crate) fn prpc_64_with_timeout(rounds: u64) {
    run(rounds, 64, Way::Prpc, protobuf_with_timeout);
}

/// Both sides note the phases of every call, and an observer looks at each interval.
pub(crate) fn prpc_64_with_phases(rounds: u64) {
    run(rounds, 64, Way::PrpcWithPhases, protobuf_small);
}

pub(crate) fn prpc_alone(rounds: u64) {
    run(rounds, 1, Way::Prpc, protobuf_small);
}

pub(crate) fn prpc_64_kib(rounds: u64) {
    run(rounds, 16, Way::Prpc, protobuf_large);
}

pub(crate) fn frpc_64_kib(rounds: u64) {
    run(rounds, 16, Way::Frpc, flat_large);
}

async fn protobuf_small(channel: Channel, rounds: u64) {
    let echo = cost::EchoServiceClient::new(channel);
    for _ in 0..rounds {
        let request = cost::EchoRequest { message: "x".repeat(SMALL), ..Default::default() };
        let reply = echo.echo(request).await.expect("an echo");
        assert_eq!(reply.message.len(), SMALL);
    }
}

async fn protobuf_with_timeout(channel: Channel, rounds: u64) {
    let echo = cost::EchoServiceClient::new(channel);
    for _ in 0..rounds {
        let request = cost::EchoRequest { message: "x".repeat(SMALL), ..Default::default() };
        let reply = echo.echo(request).timeout(Duration::from_secs(60)).await.expect("an echo");
        assert_eq!(reply.message.len(), SMALL);
    }
}

async fn protobuf_large(channel: Channel, rounds: u64) {
    let echo = cost::EchoServiceClient::new(channel);
    let payload = Bytes::from(vec![7; LARGE]);
    for _ in 0..rounds {
        let request = cost::EchoRequest { payload: payload.clone(), ..Default::default() };
        let reply = echo.echo(request).await.expect("an echo");
        assert_eq!(reply.payload.len(), LARGE);
    }
}

async fn flat_small(channel: Channel, rounds: u64) {
    let echo = cost_flat::EchoServiceClient::new(channel);
    let text = "x".repeat(SMALL);
    for _ in 0..rounds {
        let reply = echo.echo(|builder| {
            let message = Some(builder.create_string(&text));
            let arguments = cost_flat::EchoRequestArgs { message, payload: None };
            cost_flat::EchoRequest::create(builder, &arguments)
        });
        let reply = reply.await.expect("an echo");
        assert_eq!(reply.root().message().map(str::len), Some(SMALL));
    }
}

async fn flat_large(channel: Channel, rounds: u64) {
    let echo = cost_flat::EchoServiceClient::new(channel);
    let bytes = vec![7; LARGE];
    for _ in 0..rounds {
        let reply = echo.echo(|builder| {
            let payload = Some(stubwire::flat::bytes(builder, &bytes));
            let arguments = cost_flat::EchoRequestArgs { message: None, payload };
            cost_flat::EchoRequest::create(builder, &arguments)
        });
        let reply = reply.await.expect("an echo");
        assert_eq!(reply.root().payload().map(|payload| payload.len()), Some(LARGE));
    }
}

enum Way {
    InProcess,
    Prpc,
    PrpcWithPhases,
    Frpc,
}

/// Lets `callers` callers make `rounds` calls each, on one connection.
fn run<Calling>(rounds: u64, callers: usize, way: Way, caller: impl Fn(Channel, u64) -> Calling)
where
    Calling: Future<Output = ()> + Send + 'static,
{
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime can be started").block_on(async {
        let registry = Registry::new();
        registry.register(cost::EchoServiceServer::new(Echo)).expect("an empty registry");
        registry.register(cost_flat::EchoServiceServer::new(Echo)).expect("another name");
        let path = std::env::temp_dir().join(format!("stubwire-cost-{}", std::process::id()));
        let plain = ChannelOptions::default();
        let channel = match way {
            Way::InProcess => Channel::in_process(registry),
            Way::Prpc => serve(Server::new(registry), plain, &path, "prpc").await,
            Way::Frpc => serve(Server::new(registry), plain, &path, "frpc").await,
            Way::PrpcWithPhases => serve_with_phases(registry, plain, &path).await,
        };
        let callers: Vec<_> =
            (0..callers).map(|_| tokio::spawn(caller(channel.clone(), rounds))).collect();
        for caller in callers {
            caller.await.expect("the caller ends well");
        }
        let _ = std::fs::remove_file(&path);
    });
}

async fn serve_with_phases(
    registry: Registry,
    mut options: ChannelOptions,
    path: &Path,
) -> Channel {
    let server = Server::new(registry).on_phases(|phases| {
        black_box((phases.arriving(), phases.starting(), phases.handling()));
        black_box((phases.encoding(), phases.writing(), phases.residual()));
    });
    options.on_phases = Some(PhaseObserver::new(|phases| {
        black_box((phases.writing(), phases.waking(), phases.residual()));
    }));
    serve(server, options, path, "prpc").await
}

async fn serve(server: Server, mut options: ChannelOptions, path: &Path, scheme: &str) -> Channel {
    let address = format!("unix:{}", path.display());
    let bound = server.bind(&address).await.expect("the path is free");
    tokio::spawn(bound.serve());
    options.policy = ConnectionPolicy::Shared(1);
    let target = format!("{scheme}+{address}");
    Channel::connect_with(target, options).await.expect("the server listens")
}
