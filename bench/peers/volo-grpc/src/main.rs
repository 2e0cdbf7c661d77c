//! volo-grpc as a user sets it up: messages and stubs of volo-build, one client a connection.

use clap::Args;
use peer_shapes::Lane;
use pilota::{Bytes, FastStr};
use std::io;
use std::process::ExitCode;
use std::time::Duration;
use stubwire_bench_load::{
    Address, Caller, Callers, ClientOptions, Contestant, Failure, Listener, Payload, Ready,
    Request, Verified, Work,
};
use volo::net::incoming::DefaultIncoming;
use volo_grpc::server::{Server, ServiceBuilder};
use volo_grpc::{Response, Status};

#[allow(clippy::all, missing_docs, unreachable_pub, dead_code, rust_2018_idioms, unused)]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/volo_gen.rs"));
}

use generated::volo_gen::bench::{
    EchoRequest, EchoResponse, EchoService, EchoServiceClient, EchoServiceClientBuilder,
    EchoServiceServer,
};

struct Echo(Work);

impl EchoService for Echo {
    async fn echo(
        &self,
        request: volo_grpc::Request<EchoRequest>,
    ) -> Result<Response<EchoResponse>, Status> {
        self.0.run().await;
        let EchoRequest { request_id, message, payload } = request.into_inner();
        Ok(Response::new(EchoResponse { request_id, message, payload }))
    }
}

/// No options of its own.
#[derive(Debug, Args)]
struct VoloGrpc {}

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
        let request_id = request.id();
        let message = EchoRequest { request_id, message, payload };
        let reply = self.client.echo(message).await;
        // Its message carries addresses and the like; the code alone can be counted.
        let failed = |status: Status| Failure::Call(format!("{:?}", status.code()));
        let reply = reply.map_err(failed)?.into_inner();
        match bytes {
            false => request.check(reply.request_id, reply.message.as_bytes()),
            true => request.check(reply.request_id, &reply.payload),
        }
    }
}

/// What the server says how many calls a connection may have in flight; without it h2 says 200.
const IN_FLIGHT: u32 = 8192;

/// As tarpc has it when it is not told.
const DEADLINE: Duration = Duration::from_secs(10);

async fn connect(address: &Address, payload: Payload) -> Result<Connection, Failure> {
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
    let client =
        EchoServiceClientBuilder::new("bench").address(address).rpc_timeout(Some(DEADLINE)).build();
    Ok(Connection { client, payload })
}

impl Contestant for VoloGrpc {
    type Caller = Lane<Connection>;

    async fn serve(&self, address: &Address, work: Work, ready: Ready) -> io::Result<()> {
        let listener = Listener::bind(address).await?;
        ready.listening(&listener.address()?);
        let service = ServiceBuilder::new(EchoServiceServer::new(Echo(work))).build();
        let server = Server::new().http2_max_concurrent_streams(IN_FLIGHT).add_service(service);
        let served = match listener {
            Listener::Tcp(listener) => server.run(DefaultIncoming::from(listener)).await,
            // The file goes when serving ends.
            Listener::Unix(listener, _file) => server.run(DefaultIncoming::from(listener)).await,
        };
        served.map_err(io::Error::other)
    }

    async fn connect(&self, address: &Address) -> Result<Self::Caller, Failure> {
        connect(address, Payload::String).await.map(Lane::Direct)
    }

    async fn connect_all(&self, options: &ClientOptions) -> Result<Callers<Self::Caller>, Failure> {
        peer_shapes::open(options, || connect(&options.connect, options.payload)).await
    }
}

fn main() -> ExitCode {
    stubwire_bench_load::main::<VoloGrpc>()
}
