//! connectrpc as a user sets it up: messages of buffa, read through views, gRPC on one HTTP/2
//! connection a client.

use clap::Args;
use connectrpc::client::{ClientConfig, Http2Connection, SharedHttp2Connection};
use connectrpc::{
    Protocol, RequestContext, Response, Router, Server, ServiceRequest, ServiceResult,
};
use http::Uri;
use peer_shapes::Lane;
use std::io;
use std::process::ExitCode;
use std::sync::Arc;
use stubwire_bench_load::{
    Address, Caller, Callers, ClientOptions, Contestant, Failure, Listener, Payload, Ready,
    Request, Verified, Work,
};

#[allow(clippy::all, missing_docs, unreachable_pub, dead_code, rust_2018_idioms, unused)]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/connectrpc.rs"));
}

use generated::bench::{EchoRequest, EchoResponse, EchoService, EchoServiceClient};

struct Echo(Work);

impl EchoService for Echo {
    // The trait lets the reply be anything that encodes as one; it is one.
    #[allow(refining_impl_trait)]
    async fn echo(
        &self,
        _: RequestContext,
        request: ServiceRequest<'_, EchoRequest>,
    ) -> ServiceResult<EchoResponse> {
        self.0.run().await;
        let EchoRequest { request_id, message, payload, .. } = request.to_owned_message();
        Response::ok(EchoResponse { request_id, message, payload, ..Default::default() })
    }
}

/// No options of its own.
#[derive(Debug, Args)]
struct ConnectRpc {}

#[derive(Clone)]
struct Connection {
    client: EchoServiceClient<SharedHttp2Connection>,
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
        let reply = self.client.echo(message).await;
        // Its message carries addresses and the like; the code alone can be counted.
        let reply = reply.map_err(|error| Failure::Call(format!("{:?}", error.code)))?;
        let reply = reply.view();
        match bytes {
            false => request.check(reply.request_id, reply.message.as_bytes()),
            true => request.check(reply.request_id, reply.payload),
        }
    }
}

/// What a connection may have in flight; without it h2 says 200.
const IN_FLIGHT: u32 = 8192;

/// The server's windows, as hyper has them for servers. connectrpc lets them grow from 64 KB, and h2
/// closes a connection on which half of its window is taken up by what small frames weigh: that are
/// some hundred calls at once.
const WINDOW: u32 = 1 << 20;

async fn connect(address: &Address, payload: Payload) -> Result<Connection, Failure> {
    let (uri, connection) = match address {
        Address::Tcp(address) => {
            let uri: Uri = format!("http://{address}").parse().map_err(Failure::of)?;
            (uri.clone(), Http2Connection::connect_plaintext(uri).await)
        }
        Address::Unix(path) => {
            let uri = Uri::from_static("http://localhost");
            (uri.clone(), Http2Connection::connect_unix(path, uri).await)
        }
    };
    let connection = connection.map_err(Failure::of)?.shared(IN_FLIGHT as usize);
    let config = ClientConfig::new(uri).with_protocol(Protocol::Grpc);
    Ok(Connection { client: EchoServiceClient::new(connection, config), payload })
}

impl Contestant for ConnectRpc {
    type Caller = Lane<Connection>;

    async fn serve(&self, address: &Address, work: Work, ready: Ready) -> io::Result<()> {
        let listener = match Listener::bind(address).await? {
            Listener::Tcp(listener) => listener,
            Listener::Unix(..) => {
                return Err(io::Error::new(
                    io::ErrorKind::Unsupported,
                    "connectrpc serves no Unix sockets",
                ));
            }
        };
        ready.listening(&Address::Tcp(listener.local_addr()?.to_string()));
        let router = Router::new().add_service(Arc::new(Echo(work)));
        let server = Server::from_listener(listener)
            .with_max_concurrent_streams(IN_FLIGHT)
            .with_http2_initial_stream_window_size(WINDOW)
            .with_http2_initial_connection_window_size(WINDOW);
        server.serve(router).await.map_err(io::Error::other)
    }

    async fn connect(&self, address: &Address) -> Result<Self::Caller, Failure> {
        connect(address, Payload::String).await.map(Lane::Direct)
    }

    async fn connect_all(&self, options: &ClientOptions) -> Result<Callers<Self::Caller>, Failure> {
        peer_shapes::open(options, || connect(&options.connect, options.payload)).await
    }
}

fn main() -> ExitCode {
    stubwire_bench_load::main::<ConnectRpc>()
}
