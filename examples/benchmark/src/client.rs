//! The client: both stubs as callers, and the shapes as connection policies.

use crate::Protocol;
use crate::bench::{EchoRequest, EchoServiceClient};
use crate::bench_fb::{self, EchoRequestArgs, EchoServiceClient as FlatEchoServiceClient};
use std::time::Duration;
use stubwire::{Channel, ChannelOptions, ConnectionPolicy, flat};
use stubwire_bench_load::{
    Address, Caller, Callers, ClientOptions, Failure, Payload, Request, Shape, Verified,
};

/// One of the two stubs, and what carries the bytes of a call.
#[derive(Clone)]
pub(crate) struct Lane {
    stub: Stub,
    payload: Payload,
}

#[derive(Clone)]
enum Stub {
    Prpc(EchoServiceClient),
    Frpc(FlatEchoServiceClient),
}

impl Caller for Lane {
    async fn echo(&mut self, request: &Request) -> Result<Verified, Failure> {
        match &self.stub {
            Stub::Prpc(client) => prpc(client, self.payload, request).await,
            Stub::Frpc(client) => frpc(client, self.payload, request).await,
        }
    }
}

async fn prpc(
    client: &EchoServiceClient,
    payload: Payload,
    request: &Request,
) -> Result<Verified, Failure> {
    let mut message = EchoRequest { request_id: request.id(), ..Default::default() };
    match payload {
        Payload::String => message.message = request.text().to_owned(),
        Payload::Bytes => message.payload = request.bytes(),
        Payload::Attachment => {
            let reply = client.echo(message).attach(request.attachment()).await;
            let reply = reply.map_err(Failure::of)?;
            return request.check_attached(reply.request_id, b"", reply.attachment());
        }
    }
    let reply = client.echo(message).await.map_err(Failure::of)?;
    match payload {
        Payload::Bytes => request.check(reply.request_id, &reply.payload),
        _ => request.check(reply.request_id, reply.message.as_bytes()),
    }
}

async fn frpc(
    client: &FlatEchoServiceClient,
    payload: Payload,
    request: &Request,
) -> Result<Verified, Failure> {
    let call = client.echo(|b| {
        let mut args = EchoRequestArgs { request_id: request.id(), ..Default::default() };
        match payload {
            Payload::String => args.message = Some(b.create_string(request.text())),
            Payload::Bytes => args.payload = Some(flat::bytes(b, request.text().as_bytes())),
            Payload::Attachment => {}
        }
        bench_fb::EchoRequest::create(b, &args)
    });
    if payload == Payload::Attachment {
        let reply = call.attach(request.attachment()).await.map_err(Failure::of)?;
        let id = reply.root().request_id();
        return request.check_attached(id, b"", reply.attachment());
    }
    let reply = call.await.map_err(Failure::of)?;
    let response = reply.root();
    let echoed = match payload {
        Payload::Bytes => response.payload().map(|payload| payload.bytes()),
        _ => response.message().map(str::as_bytes),
    };
    request.check(response.request_id(), echoed.unwrap_or_default())
}

/// A channel with one connection.
pub(crate) async fn connect(
    protocol: Protocol,
    spin_for: Duration,
    address: &Address,
) -> Result<Lane, Failure> {
    let channel = open(protocol, spin_for, address, ConnectionPolicy::Shared(1), 0).await?;
    Ok(lane(protocol, channel, Payload::String))
}

/// The channels of a shape: as many as connections for `separate`, which is how a user gets a
/// connection a caller; one for all others.
pub(crate) async fn connect_all(
    protocol: Protocol,
    spin_for: Duration,
    options: &ClientOptions,
) -> Result<Callers<Lane>, Failure> {
    let connections = options.connections;
    let (channels, policy) = match options.shape {
        Shape::Separate => (connections, ConnectionPolicy::Shared(1)),
        Shape::Shared => (1, ConnectionPolicy::Shared(connections)),
        Shape::Pooled => {
            let (max_idle, max_connections) = (connections, connections);
            (1, ConnectionPolicy::Pooled { max_idle, max_connections })
        }
        Shape::Short => (1, ConnectionPolicy::Short),
    };
    let mut opened = Vec::with_capacity(channels);
    for number in 0..channels {
        opened.push(open(protocol, spin_for, &options.connect, policy, number).await?);
    }
    let lane = |channel: &Channel| lane(protocol, channel.clone(), options.payload);
    let callers = opened.iter().map(lane).collect();
    let opened = move || {
        let opened = opened.iter().map(|channel| channel.snapshot().opened).sum::<u64>();
        usize::try_from(opened).ok()
    };
    Ok(Callers { callers, opened: Box::new(opened) })
}

fn lane(protocol: Protocol, channel: Channel, payload: Payload) -> Lane {
    let stub = match protocol {
        Protocol::Prpc => Stub::Prpc(EchoServiceClient::new(channel)),
        Protocol::Frpc => Stub::Frpc(FlatEchoServiceClient::new(channel)),
    };
    Lane { stub, payload }
}

async fn open(
    protocol: Protocol,
    spin_for: Duration,
    address: &Address,
    policy: ConnectionPolicy,
    group: usize,
) -> Result<Channel, Failure> {
    let scheme = match protocol {
        Protocol::Prpc => "prpc",
        Protocol::Frpc => "frpc",
    };
    let target = match address {
        Address::Tcp(address) => format!("{scheme}://{address}"),
        Address::Unix(path) => format!("{scheme}+unix:{}", path.display()),
    };
    let mut options = ChannelOptions::default();
    options.policy = policy;
    options.spin_for = (!spin_for.is_zero()).then_some(spin_for);
    options.connection_group = group.to_string();
    Channel::connect_with(target, options).await.map_err(Failure::of)
}
