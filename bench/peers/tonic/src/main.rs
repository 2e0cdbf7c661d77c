//! tonic as a user sets it up: messages of prost, one channel a connection, its own transport.

use clap::Args;
use peer_shapes::Lane;
use std::io;
use std::process::ExitCode;
use stubwire_bench_load::{
    Address, Caller, Callers, ClientOptions, Contestant, Failure, Listener, Payload, Ready,
    Request, Verified, Work,
};
use tokio_stream::wrappers::UnixListenerStream;
use tonic::transport::server::TcpIncoming;
use tonic::transport::{Channel, Endpoint, Server};
use tonic::{Response, Status};

#[allow(clippy::all, missing_docs, unreachable_pub)]
mod bench {
    tonic::include_proto!("bench");
}

use bench::echo_service_client::EchoServiceClient;
use bench::echo_service_server::{EchoService, EchoServiceServer};
use bench::{EchoRequest, EchoResponse};

struct Echo(Work);

#[tonic::async_trait]
impl EchoService for Echo {
    async fn echo(
        &self,
        request: tonic::Request<EchoRequest>,
    ) -> Result<Response<EchoResponse>, Status> {
        self.0.run().await;
        let EchoRequest { request_id, message, payload } = request.into_inner();
        Ok(Response::new(EchoResponse { request_id, message, payload }))
    }
}

/// No options of its own.
#[derive(Debug, Args)]
struct Tonic {}

#[derive(Clone)]
struct Connection {
    client: EchoServiceClient<Channel>,
    payload: Payload,
}

impl Caller for Connection {
    async fn echo(&mut self, request: &Request) -> Result<Verified, Failure> {
        let bytes = self.payload == Payload::Bytes;
        let mut message = EchoRequest { request_id: request.id(), ..Default::default() };
        match bytes {
            false => message.message = request.text().to_owned(),
            true => message.payload = request.bytes(),
        }
        let reply = self.client.echo(message).await;
        // Its message carries addresses and the like; the code alone can be counted.
        let reply = reply.map_err(|status| Failure::of(status.code()))?.into_inner();
        match bytes {
            false => request.check(reply.request_id, reply.message.as_bytes()),
            true => request.check(reply.request_id, &reply.payload),
        }
    }
}

/// What the server says how many calls a connection may have in flight; without it h2 says 200.
const IN_FLIGHT: u32 = 8192;

async fn connect(address: &Address, payload: Payload) -> Result<Connection, Failure> {
    let target = match address {
        Address::Tcp(address) => format!("http://{address}"),
        Address::Unix(path) => format!("unix:{}", path.display()),
    };
    let endpoint = Endpoint::from_shared(target).map_err(Failure::of)?.tcp_nodelay(true);
    let channel = endpoint.connect().await.map_err(Failure::of)?;
    Ok(Connection { client: EchoServiceClient::new(channel), payload })
}

impl Contestant for Tonic {
    type Caller = Lane<Connection>;

    async fn serve(&self, address: &Address, work: Work, ready: Ready) -> io::Result<()> {
        let listener = Listener::bind(address).await?;
        ready.listening(&listener.address()?);
        let router = Server::builder()
            .max_concurrent_streams(Some(IN_FLIGHT))
            .add_service(EchoServiceServer::new(Echo(work)));
        let served = match listener {
            Listener::Tcp(listener) => {
                let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
                router.serve_with_incoming(incoming).await
            }
            // The file goes when serving ends.
            Listener::Unix(listener, _file) => {
                router.serve_with_incoming(UnixListenerStream::new(listener)).await
            }
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
    stubwire_bench_load::main::<Tonic>()
}
