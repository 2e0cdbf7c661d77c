//! The server side.

use crate::bench::{EchoRequest, EchoResponse, EchoService, EchoServiceServer};
use crate::bench_fb::EchoServiceServer as FlatEchoServiceServer;
use crate::benchmark_fb::BenchmarkServiceServer;
use crate::options::Options;
use crate::serve_flat::{Benchmark, FlatEcho};
use crate::show;
use std::error::Error;
use std::time::Duration;
use stubwire::{Call, Compression, MethodDescriptor, Registry, Server, Status};

struct Echo {
    compression: Compression,
}

impl EchoService for Echo {
    async fn echo(&self, call: &mut Call, request: EchoRequest) -> Result<EchoResponse, Status> {
        let attachment = call.take_attachment();
        call.attach(attachment);
        call.compress_reply(self.compression);
        Ok(EchoResponse { message: request.message, payload: request.payload })
    }

    async fn fail(&self, _: &mut Call, request: EchoRequest) -> Result<EchoResponse, Status> {
        // brpc's number for an error without a code.
        let code = if request.code() == 0 { -1 } else { request.code() };
        Err(Status::new(code, request.message().to_owned()))
    }

    async fn slow(&self, call: &mut Call, request: EchoRequest) -> Result<EchoResponse, Status> {
        let sleep_us = u64::try_from(request.sleep_us()).unwrap_or(0);
        tokio::time::sleep(Duration::from_micros(sleep_us)).await;
        let timeout_ms = call.timeout().map_or(-1, |timeout| timeout.as_millis() as i64);
        let message = format!("timeout_ms={timeout_ms} deadline_us=-1");
        Ok(EchoResponse { message: Some(message), ..Default::default() })
    }
}

/// All services in one registry.
pub(crate) fn registry(options: &Options) -> Result<Registry, Box<dyn Error>> {
    let registry = Registry::new();
    registry.register(EchoServiceServer::new(Echo { compression: options.compression }))?;
    registry.register(FlatEchoServiceServer::new(FlatEcho))?;
    registry.register(BenchmarkServiceServer::new(Benchmark))?;
    registry.method("bench.EchoService/Slow")?.max_concurrency(options.slow_concurrency);
    Ok(registry)
}

/// A server for it, faults told on stderr.
pub(crate) fn server(registry: &Registry, options: &Options) -> Server {
    let rejected = options.reject.clone();
    Server::new(registry.clone())
        .max_concurrency(options.max_concurrency)
        .interceptor(move |_: &mut Call, method: &MethodDescriptor| {
            if rejected.as_deref() == Some(method.full_name()) {
                return Err(Status::permission_denied("this method is not for you"));
            }
            Ok(())
        })
        .on_event(|event| eprintln!("{event}"))
}

/// Serves until Ctrl-C, then finishes the calls it accepted; a second Ctrl-C ends at once.
pub(crate) async fn listen(address: &str, options: &Options) -> Result<(), Box<dyn Error>> {
    let registry = registry(options)?;
    let server = server(&registry, options).bind(address).await?;
    let address = server.local_addr()?;
    println!("serving on prpc://{address} and frpc://{address}");
    let handle = server.handle();
    tokio::spawn(async move {
        while tokio::signal::ctrl_c().await.is_ok() {
            handle.stop();
        }
    });
    server.serve().await?;
    show::status(&registry);
    Ok(())
}
