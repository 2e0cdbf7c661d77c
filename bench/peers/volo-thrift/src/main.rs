//! volo-thrift as a user sets it up: messages and stubs of volo-build, its own transport and pool.
//!
//! Its server is told at the start whether connections are multiplexed, and so is its client. Here the
//! client says so with the first byte of a connection, and the server runs both of volo's.

mod route;

use clap::Args;
use peer_shapes::{Lane, one_in_flight};
use pilota::{Bytes, FastStr};
use route::{Mode, Routes, Tagged};
use std::io;
use std::process::ExitCode;
use std::time::Duration;
use stubwire_bench_load::{
    Address, Caller, Callers, ClientOptions, Contestant, Failure, Listener, Payload, Ready,
    Request, Verified, Work,
};

// What volo generates is not ours to write, unsafe code included.
#[allow(clippy::all, missing_docs, unreachable_pub, rust_2018_idioms, unused, unsafe_code)]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/volo_gen.rs"));
}

use generated::volo_gen::bench::{
    EchoRequest, EchoResponse, EchoService, EchoServiceClient, EchoServiceClientBuilder,
    EchoServiceServer,
};

#[derive(Clone, Copy)]
struct Echo(Work);

impl EchoService for Echo {
    async fn echo(&self, request: EchoRequest) -> Result<EchoResponse, volo_thrift::ServerError> {
        self.0.run().await;
        let EchoRequest { request_id, message, payload } = request;
        Ok(EchoResponse { request_id, message, payload })
    }
}

/// No options of its own.
#[derive(Debug, Args)]
struct VoloThrift {}

#[derive(Clone)]
struct Connection {
    client: EchoServiceClient,
    payload: Payload,
}

impl Caller for Connection {
    async fn echo(&mut self, request: &Request) -> Result<Verified, Failure> {
        let bytes = self.payload == Payload::Bytes;
        let (message, payload) = match bytes {
            false => (FastStr::from_string(request.text().to_owned()), Bytes::new()),
            true => (FastStr::empty(), request.bytes()),
        };
        let message = EchoRequest { request_id: request.id().cast_signed(), message, payload };
        let reply = self.client.echo(message).await.map_err(Failure::of)?;
        let id = reply.request_id.cast_unsigned();
        match bytes {
            false => request.check(id, reply.message.as_bytes()),
            true => request.check(id, &reply.payload),
        }
    }
}

/// As tarpc has it when it is not told; volo's own second is over soon on a machine that is busy.
const DEADLINE: Duration = Duration::from_secs(10);

async fn connect(address: &Address, payload: Payload, mode: Mode) -> Result<Connection, Failure> {
    let address = match address {
        Address::Tcp(address) => {
            let mut found = tokio::net::lookup_host(address).await.map_err(Failure::of)?;
            let none = || Failure::Call("the host has no address".to_owned());
            volo::net::Address::from(found.next().ok_or_else(none)?)
        }
        Address::Unix(path) => {
            let path = std::os::unix::net::SocketAddr::from_pathname(path);
            volo::net::Address::from(path.map_err(Failure::of)?)
        }
    };
    let client = EchoServiceClientBuilder::new("bench")
        .address(address)
        .make_transport(Tagged::new(mode))
        .multiplex(mode == Mode::Multiplexed)
        .rpc_timeout(Some(DEADLINE))
        .build();
    Ok(Connection { client, payload })
}

impl Contestant for VoloThrift {
    type Caller = Lane<Connection>;

    async fn serve(&self, address: &Address, work: Work, ready: Ready) -> io::Result<()> {
        let listener = Listener::bind(address).await?;
        ready.listening(&listener.address()?);
        let (routes, one_by_one, multiplexed) = Routes::new();
        let server = || EchoServiceServer::new(Echo(work));
        let ended = tokio::select! {
            ended = routes.accept(listener) => return ended,
            ended = server().run(one_by_one) => ended,
            ended = server().multiplex(true).run(multiplexed) => ended,
        };
        ended.map_err(io::Error::other)
    }

    async fn connect(&self, address: &Address) -> Result<Self::Caller, Failure> {
        connect(address, Payload::String, Mode::Multiplexed).await.map(Lane::Direct)
    }

    async fn connect_all(&self, options: &ClientOptions) -> Result<Callers<Self::Caller>, Failure> {
        let mode = match one_in_flight(options) {
            true => Mode::OneByOne,
            false => Mode::Multiplexed,
        };
        let callers =
            peer_shapes::open(options, || connect(&options.connect, options.payload, mode)).await?;
        // volo connects when it calls, and may have a further connection in its pool.
        Ok(Callers { opened: Box::new(|| None), ..callers })
    }
}

fn main() -> ExitCode {
    stubwire_bench_load::main::<VoloThrift>()
}
