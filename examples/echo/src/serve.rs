//! The server side.

use crate::bench::{EchoRequest, EchoResponse, EchoService, EchoServiceServer};
use crate::bench_fb::EchoServiceServer as FlatEchoServiceServer;
use crate::benchmark_fb::BenchmarkServiceServer;
use crate::serve_flat::{Benchmark, FlatEcho};
use std::error::Error;
use std::time::Duration;
use stubwire::{Call, Registry, Server, Status};

struct Echo;

impl EchoService for Echo {
    async fn echo(&self, call: &mut Call, request: EchoRequest) -> Result<EchoResponse, Status> {
        let attachment = call.take_attachment();
        call.attach(attachment);
        Ok(EchoResponse { message: request.message, payload: request.payload })
    }

    async fn fail(&self, _: &mut Call, request: EchoRequest) -> Result<EchoResponse, Status> {
        Err(Status::new(request.code(), request.message().to_owned()))
    }

    async fn slow(&self, call: &mut Call, request: EchoRequest) -> Result<EchoResponse, Status> {
        let sleep_us = u64::try_from(request.sleep_us()).unwrap_or(0);
        tokio::time::sleep(Duration::from_micros(sleep_us)).await;
        let timeout_ms = call.timeout().map_or(-1, |timeout| timeout.as_millis() as i64);
        let message = format!("timeout_ms={timeout_ms} deadline_us=-1");
        Ok(EchoResponse { message: Some(message), ..Default::default() })
    }
}

/// A server with all services in one registry, faults told on stderr.
pub(crate) fn server() -> Result<Server, Box<dyn Error>> {
    let registry = Registry::new();
    registry.register(EchoServiceServer::new(Echo))?;
    registry.register(FlatEchoServiceServer::new(FlatEcho))?;
    registry.register(BenchmarkServiceServer::new(Benchmark))?;
    registry.method("bench.EchoService/Slow")?.max_concurrency(64);
    Ok(Server::new(registry).on_event(|event| eprintln!("{event}")))
}

/// Serves until Ctrl-C, then finishes the calls it accepted; a second Ctrl-C ends at once.
pub(crate) async fn listen(address: &str) -> Result<(), Box<dyn Error>> {
    let server = server()?.bind(address).await?;
    let address = server.local_addr()?;
    println!("serving on prpc://{address} and frpc://{address}");
    let handle = server.handle();
    tokio::spawn(async move {
        while tokio::signal::ctrl_c().await.is_ok() {
            handle.stop();
        }
    });
    Ok(server.serve().await?)
}
