//! capnp-rpc as a user sets it up: one vat a connection, on one thread, which is where it lives.

use capnp_rpc::rpc_twoparty_capnp::Side;
use capnp_rpc::{RpcSystem, twoparty};
use clap::Args;
use futures::AsyncReadExt;
use futures::io::{BufReader, BufWriter};
use peer_shapes::{LocalLane, open_local};
use std::io;
use std::process::ExitCode;
use std::rc::Rc;
use stubwire_bench_load::{
    Address, Callers, ClientOptions, Failure, Listener, LocalCaller, LocalContestant, Payload,
    Ready, Request, Stream, Verified, Work,
};
use tokio_util::compat::TokioAsyncReadCompatExt;

#[allow(clippy::all, missing_docs, unreachable_pub, dead_code, rust_2018_idioms, unused)]
#[rustfmt::skip]
#[path = "../generated/echo_capnp.rs"]
mod echo_capnp;

use echo_capnp::echo_service;

struct Echo(Work);

impl echo_service::Server for Echo {
    async fn echo(
        self: Rc<Self>,
        request: echo_service::EchoParams,
        mut reply: echo_service::EchoResults,
    ) -> Result<(), capnp::Error> {
        self.0.run().await;
        let request = request.get()?;
        let mut reply = reply.get();
        reply.set_request_id(request.get_request_id());
        reply.set_message(request.get_message()?);
        reply.set_payload(request.get_payload()?);
        Ok(())
    }
}

/// No options of its own.
#[derive(Debug, Args)]
struct Capnp {}

#[derive(Clone)]
struct Connection {
    client: echo_service::Client,
    payload: Payload,
}

impl LocalCaller for Connection {
    async fn echo(&mut self, request: &Request) -> Result<Verified, Failure> {
        let bytes = self.payload == Payload::Bytes;
        let mut call = self.client.echo_request();
        let mut message = call.get();
        message.set_request_id(request.id());
        match bytes {
            false => message.set_message(request.text()),
            true => message.set_payload(request.text().as_bytes()),
        }
        let reply = call.send().promise.await.map_err(Failure::of)?;
        let reply = reply.get().map_err(Failure::of)?;
        let echoed = match bytes {
            false => reply.get_message().map(|message| message.as_bytes()),
            true => reply.get_payload(),
        };
        request.check(reply.get_request_id(), echoed.map_err(Failure::of)?)
    }
}

fn network(
    stream: Stream,
    side: Side,
) -> Box<twoparty::VatNetwork<impl futures::AsyncRead + Unpin>> {
    let (read, write) = stream.compat().split();
    let (read, write) = (BufReader::new(read), BufWriter::new(write));
    Box::new(twoparty::VatNetwork::new(read, write, side, Default::default()))
}

async fn connect(address: &Address, payload: Payload) -> Result<Connection, Failure> {
    let stream = Stream::connect(address).await.map_err(Failure::of)?;
    let mut system = RpcSystem::new(network(stream, Side::Client), None);
    let client = system.bootstrap(Side::Server);
    tokio::task::spawn_local(system);
    Ok(Connection { client, payload })
}

impl LocalContestant for Capnp {
    type Caller = LocalLane<Connection>;

    async fn serve(&self, address: &Address, work: Work, ready: Ready) -> io::Result<()> {
        let listener = Listener::bind(address).await?;
        ready.listening(&listener.address()?);
        let service: echo_service::Client = capnp_rpc::new_client(Echo(work));
        loop {
            let stream = listener.accept().await?;
            let system =
                RpcSystem::new(network(stream, Side::Server), Some(service.client.clone()));
            tokio::task::spawn_local(system);
        }
    }

    async fn connect(&self, address: &Address) -> Result<Self::Caller, Failure> {
        connect(address, Payload::String).await.map(LocalLane::Direct)
    }

    async fn connect_all(&self, options: &ClientOptions) -> Result<Callers<Self::Caller>, Failure> {
        open_local(options, || connect(&options.connect, options.payload)).await
    }
}

fn main() -> ExitCode {
    stubwire_bench_load::local_main::<Capnp>()
}
