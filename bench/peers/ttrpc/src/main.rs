//! ttrpc as a user sets it up: messages of rust-protobuf, stubs of ttrpc-codegen, one client a
//! connection. Its own TCP sockets have Nagle's delay on; those of the load library have it off.

use clap::Args;
use futures::stream;
use peer_shapes::Lane;
use std::io;
use std::process::ExitCode;
use std::sync::Arc;
use stubwire_bench_load::{
    Address, Caller, Callers, ClientOptions, Contestant, Failure, Listener, Payload, Ready,
    Request, Stream, Verified, Work,
};
use ttrpc::r#async::transport::{Listener as TtrpcListener, Socket};
use ttrpc::r#async::{Client, Server, TtrpcContext};
use ttrpc::context;

#[allow(
    clippy::all,
    missing_docs,
    unreachable_pub,
    dead_code,
    rust_2018_idioms,
    unused,
    nonstandard_style
)]
mod echo {
    include!(concat!(env!("OUT_DIR"), "/echo.rs"));
}
#[allow(
    clippy::all,
    missing_docs,
    unreachable_pub,
    dead_code,
    rust_2018_idioms,
    unused,
    nonstandard_style
)]
mod echo_ttrpc {
    use super::echo;
    include!(concat!(env!("OUT_DIR"), "/echo_ttrpc.rs"));
}

use echo::{EchoRequest, EchoResponse};
use echo_ttrpc::{EchoService, EchoServiceClient};

struct Echo(Work);

#[async_trait::async_trait]
impl EchoService for Echo {
    async fn echo(&self, _: &TtrpcContext, request: EchoRequest) -> ttrpc::Result<EchoResponse> {
        self.0.run().await;
        let EchoRequest { request_id, message, payload, .. } = request;
        Ok(EchoResponse { request_id, message, payload, ..Default::default() })
    }
}

/// No options of its own.
#[derive(Debug, Args)]
struct Ttrpc {}

#[derive(Clone)]
struct Connection {
    client: EchoServiceClient,
    payload: Payload,
}

impl Caller for Connection {
    async fn echo(&mut self, request: &Request) -> Result<Verified, Failure> {
        let bytes = self.payload == Payload::Bytes;
        let mut message = EchoRequest { request_id: request.id(), ..Default::default() };
        match bytes {
            false => message.message = request.text().to_owned(),
            true => message.payload = request.text().as_bytes().to_owned(),
        }
        let reply = self.client.echo(context::with_duration(DEADLINE), &message).await;
        let reply = reply.map_err(Failure::of)?;
        match bytes {
            false => request.check(reply.request_id, reply.message.as_bytes()),
            true => request.check(reply.request_id, &reply.payload),
        }
    }
}

/// As tarpc has it when it is not told.
const DEADLINE: std::time::Duration = std::time::Duration::from_secs(10);

async fn connect(address: &Address, payload: Payload) -> Result<Connection, Failure> {
    let stream = Stream::connect(address).await.map_err(Failure::of)?;
    let client = EchoServiceClient::new(Client::new(Socket::new(stream)));
    Ok(Connection { client, payload })
}

impl Contestant for Ttrpc {
    type Caller = Lane<Connection>;

    async fn serve(&self, address: &Address, work: Work, ready: Ready) -> io::Result<()> {
        let listener = Listener::bind(address).await?;
        let bound = listener.address()?;
        let incoming = stream::unfold(listener, |listener| async {
            let stream = listener.accept().await;
            Some((stream, listener))
        });
        let mut server = Server::new()
            .add_listener(TtrpcListener::new(incoming))
            .register_service(echo_ttrpc::create_echo_service(Arc::new(Echo(work))));
        server.start().await.map_err(io::Error::other)?;
        ready.listening(&bound);
        std::future::pending().await
    }

    async fn connect(&self, address: &Address) -> Result<Self::Caller, Failure> {
        connect(address, Payload::String).await.map(Lane::Direct)
    }

    async fn connect_all(&self, options: &ClientOptions) -> Result<Callers<Self::Caller>, Failure> {
        peer_shapes::open(options, || connect(&options.connect, options.payload)).await
    }
}

fn main() -> ExitCode {
    stubwire_bench_load::main::<Ttrpc>()
}
