//! tarpc as a user sets it up: its macro, serde over bincode in length-delimited frames, one client a
//! connection, a task a request, and its deadline of ten seconds a call.

use bytes::Bytes;
use clap::Args;
use futures::{StreamExt, future};
use peer_shapes::Lane;
use serde::{Deserialize, Serialize};
use std::io;
use std::process::ExitCode;
use stubwire_bench_load::{
    Address, Caller, Callers, ClientOptions, Contestant, Failure, Listener, Payload, Ready,
    Request, Stream, Verified, Work,
};
use tarpc::server::{BaseChannel, Channel};
use tarpc::tokio_serde::formats::Bincode;
use tarpc::tokio_util::codec::LengthDelimitedCodec;
use tarpc::{client, context, serde_transport};

/// The fields that all contestants with a schema have.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Message {
    request_id: u64,
    message: String,
    payload: Bytes,
}

/// Sends back what it gets.
#[tarpc::service]
pub trait Echo {
    /// Does it.
    async fn echo(message: Message) -> Message;
}

#[derive(Clone)]
struct EchoServer(Work);

impl Echo for EchoServer {
    async fn echo(self, _: context::Context, message: Message) -> Message {
        self.0.run().await;
        message
    }
}

/// No options of its own.
#[derive(Debug, Args)]
struct Tarpc {}

#[derive(Clone)]
struct Connection {
    client: EchoClient,
    payload: Payload,
}

impl Caller for Connection {
    async fn echo(&mut self, request: &Request) -> Result<Verified, Failure> {
        let bytes = self.payload == Payload::Bytes;
        let (message, payload) = match bytes {
            false => (request.text().to_owned(), Bytes::new()),
            true => (String::new(), request.bytes()),
        };
        let message = Message { request_id: request.id(), message, payload };
        let reply = self.client.echo(context::current(), message).await.map_err(Failure::of)?;
        match bytes {
            false => request.check(reply.request_id, reply.message.as_bytes()),
            true => request.check(reply.request_id, &reply.payload),
        }
    }
}

/// The default of 8 MB is enough for bodies of 1 MB; the default of 100 calls in flight is not enough
/// for 400 callers.
const IN_FLIGHT: usize = 8192;

async fn connect(address: &Address, payload: Payload) -> Result<Connection, Failure> {
    let stream = Stream::connect(address).await.map_err(Failure::of)?;
    let frames = LengthDelimitedCodec::builder().new_framed(stream);
    let mut config = client::Config::default();
    config.max_in_flight_requests = IN_FLIGHT;
    config.pending_request_buffer = IN_FLIGHT;
    let transport = serde_transport::new(frames, Bincode::default());
    Ok(Connection { client: EchoClient::new(config, transport).spawn(), payload })
}

impl Contestant for Tarpc {
    type Caller = Lane<Connection>;

    async fn serve(&self, address: &Address, work: Work, ready: Ready) -> io::Result<()> {
        let listener = Listener::bind(address).await?;
        ready.listening(&listener.address()?);
        loop {
            let stream = listener.accept().await?;
            let frames = LengthDelimitedCodec::builder().new_framed(stream);
            let channel =
                BaseChannel::with_defaults(serde_transport::new(frames, Bincode::default()));
            let requests = channel.execute(EchoServer(work).serve());
            tokio::spawn(requests.for_each(|request| {
                tokio::spawn(request);
                future::ready(())
            }));
        }
    }

    async fn connect(&self, address: &Address) -> Result<Self::Caller, Failure> {
        connect(address, Payload::String).await.map(Lane::Direct)
    }

    async fn connect_all(&self, options: &ClientOptions) -> Result<Callers<Self::Caller>, Failure> {
        peer_shapes::open(options, || connect(&options.connect, options.payload)).await
    }
}

fn main() -> ExitCode {
    stubwire_bench_load::main::<Tarpc>()
}
