//! The FlatBuffers services: requests are read where they were received, replies built in presized builders.

use crate::bench_fb::{self, EchoRequest, EchoResponse, EchoResponseArgs};
use crate::benchmark_fb::{
    BenchmarkRequest, BenchmarkResponse, BenchmarkResponseArgs, BenchmarkService,
};
use std::time::Duration;
use stubwire::{Call, Code, Flat, Status, flat};

pub(crate) struct Benchmark;

impl BenchmarkService for Benchmark {
    async fn echo(
        &self,
        call: &mut Call,
        request: BenchmarkRequest<'_>,
    ) -> Result<Flat<BenchmarkResponse<'static>>, Status> {
        let attachment = call.take_attachment();
        let attachment_size = attachment.len() as u64;
        call.attach(attachment);
        Ok(call.build(|b| {
            let message = request.message().map(|message| b.create_string(message));
            let request_id = request.request_id();
            let reply = BenchmarkResponseArgs { request_id, message, attachment_size };
            BenchmarkResponse::create(b, &reply)
        }))
    }

    async fn fail(
        &self,
        _: &mut Call,
        _: BenchmarkRequest<'_>,
    ) -> Result<Flat<BenchmarkResponse<'static>>, Status> {
        Err(Status::new(Code::EINTERNAL, "this method always fails"))
    }
}

pub(crate) struct FlatEcho;

impl bench_fb::EchoService for FlatEcho {
    async fn echo(
        &self,
        call: &mut Call,
        request: EchoRequest<'_>,
    ) -> Result<Flat<EchoResponse<'static>>, Status> {
        let attachment = call.take_attachment();
        call.attach(attachment);
        Ok(call.build(|b| {
            let message = request.message().map(|message| b.create_string(message));
            let payload = request.payload().map(|payload| flat::bytes(b, payload.bytes()));
            EchoResponse::create(b, &EchoResponseArgs { message, payload })
        }))
    }

    async fn fail(
        &self,
        _: &mut Call,
        request: EchoRequest<'_>,
    ) -> Result<Flat<EchoResponse<'static>>, Status> {
        Err(Status::new(request.code(), request.message().unwrap_or_default().to_owned()))
    }

    async fn slow(
        &self,
        call: &mut Call,
        request: EchoRequest<'_>,
    ) -> Result<Flat<EchoResponse<'static>>, Status> {
        let sleep_us = u64::try_from(request.sleep_us()).unwrap_or(0);
        tokio::time::sleep(Duration::from_micros(sleep_us)).await;
        Ok(call.build(|b| {
            let message = Some(b.create_string("slept"));
            EchoResponse::create(b, &EchoResponseArgs { message, payload: None })
        }))
    }
}
