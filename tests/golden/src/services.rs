//! The handlers behind the replies.

use crate::{bench, benchmark_fb};
use stubwire::{Call, Compression, Flat, Registry, Status};

/// Answers in the ways that replies differ in.
struct Answers;

impl bench::EchoService for Answers {
    async fn echo(
        &self,
        call: &mut Call,
        request: bench::EchoRequest,
    ) -> Result<bench::EchoResponse, Status> {
        call.attach(call.attachment().clone());
        Ok(bench::EchoResponse { message: request.message, payload: request.payload })
    }

    async fn fail(
        &self,
        _: &mut Call,
        request: bench::EchoRequest,
    ) -> Result<bench::EchoResponse, Status> {
        Err(Status::new(request.code(), request.message().to_owned()))
    }

    async fn slow(
        &self,
        call: &mut Call,
        request: bench::EchoRequest,
    ) -> Result<bench::EchoResponse, Status> {
        call.compress_reply(Compression::Snappy);
        call.checksum_reply(true);
        call.set_reply_field("served-by", "golden");
        Ok(bench::EchoResponse { message: request.message, payload: None })
    }
}

impl benchmark_fb::BenchmarkService for Answers {
    async fn echo(
        &self,
        call: &mut Call,
        request: benchmark_fb::Request<'_>,
    ) -> Result<Flat<benchmark_fb::Response<'static>>, Status> {
        let attachment = call.take_attachment();
        let attachment_size = attachment.len() as u64;
        call.attach(attachment);
        Ok(call.build(|builder| {
            let message = request.message().map(|text| builder.create_string(text));
            benchmark_fb::Response::create(
                builder,
                &benchmark_fb::ResponseArgs {
                    request_id: request.request_id(),
                    message,
                    attachment_size,
                },
            )
        }))
    }

    async fn fail(
        &self,
        _: &mut Call,
        _: benchmark_fb::Request<'_>,
    ) -> Result<Flat<benchmark_fb::Response<'static>>, Status> {
        Err(Status::new(2001, "on purpose"))
    }

    async fn hold(
        &self,
        _: &mut Call,
        _: benchmark_fb::Request<'_>,
    ) -> Result<Flat<benchmark_fb::Response<'static>>, Status> {
        Err(Status::internal("nothing is held here"))
    }
}

/// Both services.
pub fn registry() -> Registry {
    let registry = Registry::new();
    registry.register(bench::EchoServiceServer::new(Answers)).expect("free");
    registry.register(benchmark_fb::BenchmarkServiceServer::new(Answers)).expect("free");
    registry
}
