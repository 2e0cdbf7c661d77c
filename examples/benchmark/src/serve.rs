//! The server: the two echo services in one registry.

use crate::bench::{self, EchoServiceServer};
use crate::bench_fb::{self, EchoServiceServer as FlatEchoServiceServer};
use std::io;
use std::time::Duration;
use stubwire::{Call, Flat, Registry, Server, Status, flat};
use stubwire_bench_load::{Address, Ready, Work};

struct Echo(Work);

impl bench::EchoService for Echo {
    async fn echo(
        &self,
        call: &mut Call,
        request: bench::EchoRequest,
    ) -> Result<bench::EchoResponse, Status> {
        self.0.run().await;
        let attachment = call.take_attachment();
        call.attach(attachment);
        let bench::EchoRequest { request_id, message, payload } = request;
        Ok(bench::EchoResponse { request_id, message, payload })
    }
}

struct FlatEcho(Work);

impl bench_fb::EchoService for FlatEcho {
    async fn echo(
        &self,
        call: &mut Call,
        request: bench_fb::EchoRequest<'_>,
    ) -> Result<Flat<bench_fb::EchoResponse<'static>>, Status> {
        self.0.run().await;
        let attachment = call.take_attachment();
        call.attach(attachment);
        Ok(call.build(|b| {
            let message = request.message().map(|message| b.create_string(message));
            let payload = request.payload().map(|payload| flat::bytes(b, payload.bytes()));
            let request_id = request.request_id();
            let reply = bench_fb::EchoResponseArgs { request_id, message, payload };
            bench_fb::EchoResponse::create(b, &reply)
        }))
    }
}

/// Serves both on one address.
pub(crate) async fn serve(
    address: &Address,
    work: Work,
    spin_for: Duration,
    ready: Ready,
) -> io::Result<()> {
    let registry = Registry::new();
    registry.register(EchoServiceServer::new(Echo(work))).map_err(io::Error::other)?;
    registry.register(FlatEchoServiceServer::new(FlatEcho(work))).map_err(io::Error::other)?;
    let server = Server::new(registry)
        .spin_for(spin_for)
        .on_event(|event| eprintln!("{event}"))
        .bind(address.to_string())
        .await?;
    let bound = match address {
        Address::Tcp(_) => Address::Tcp(server.local_addr()?.to_string()),
        Address::Unix(_) => address.clone(),
    };
    ready.listening(&bound);
    server.serve().await
}
