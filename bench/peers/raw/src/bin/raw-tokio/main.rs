//! The floor on tokio: what its sockets allow with twelve bytes of header and nothing else.
//!
//! The server parses in place and writes the replies to what one read brought as one write; it has no
//! object and no task a call, so the handlers of a connection follow each other on one thread. Callers
//! that share a connection have a slot each; one task writes for all of them, after it has given those
//! that are about to call their turn. A caller with a connection to itself has no task at all.

mod lone;
mod mux;
mod queue;
mod serve;

use lone::Lone;
use mux::Mux;
use peer_shapes::{Lane, one_in_flight};
use std::io;
use std::process::ExitCode;
use std::sync::Arc;
use stubwire_bench_load::{
    Address, Caller, Callers, ClientOptions, Contestant, Failure, Listener, Ready, Request,
    Verified, Work,
};

/// No options of its own.
#[derive(Debug, clap::Args)]
struct RawTokio {}

/// A connection with one caller, or with many.
#[derive(Clone)]
enum Connection {
    Lone(Lone),
    Shared(Arc<Mux>),
}

impl Caller for Connection {
    async fn echo(&mut self, request: &Request) -> Result<Verified, Failure> {
        match self {
            Self::Lone(connection) => connection.echo(request).await,
            Self::Shared(connection) => connection.echo(request).await,
        }
    }
}

impl Contestant for RawTokio {
    type Caller = Lane<Connection>;

    async fn serve(&self, address: &Address, work: Work, ready: Ready) -> io::Result<()> {
        let listener = Listener::bind(address).await?;
        ready.listening(&listener.address()?);
        loop {
            let stream = listener.accept().await?;
            // A connection that breaks ends alone.
            tokio::spawn(async move { serve::serve(stream, work).await.ok() });
        }
    }

    async fn connect(&self, address: &Address) -> Result<Self::Caller, Failure> {
        let connection = Mux::connect(address).await.map_err(Failure::of)?;
        Ok(Lane::Direct(Connection::Shared(connection)))
    }

    async fn connect_all(&self, options: &ClientOptions) -> Result<Callers<Self::Caller>, Failure> {
        let (address, lone) = (&options.connect, one_in_flight(options));
        peer_shapes::open(options, || async move {
            match lone {
                true => Lone::connect(address).await.map(Connection::Lone),
                false => Mux::connect(address).await.map(Connection::Shared),
            }
            .map_err(Failure::of)
        })
        .await
    }
}

fn main() -> ExitCode {
    stubwire_bench_load::main::<RawTokio>()
}
