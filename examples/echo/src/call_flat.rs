//! The client side of the FlatBuffers services.

use crate::bench_fb::{EchoRequest, EchoRequestArgs, EchoServiceClient};
use crate::benchmark_fb::{BenchmarkRequest, BenchmarkRequestArgs, BenchmarkServiceClient};
use bytes::Bytes;
use stubwire::frame::frpc::ByteOrder;
use stubwire::{Channel, ChannelOptions, Status, flat};

/// Calls both services.
pub(crate) async fn all(target: &str, order: ByteOrder) -> Result<(), Status> {
    let mut options = ChannelOptions::default();
    options.frpc_byte_order = order;
    let channel = Channel::connect_with(target, options).await?;

    let benchmark = BenchmarkServiceClient::new(channel.clone());
    let reply = benchmark
        .echo(|b| {
            let message = Some(b.create_string("hello"));
            BenchmarkRequest::create(b, &BenchmarkRequestArgs { request_id: 7, message })
        })
        .attach(Bytes::from_static(b"raw bytes"))
        .await?;
    let response = reply.root();
    println!(
        "Echo answered `{}` to request {} and counted {} attached bytes",
        response.message().unwrap_or_default(),
        response.request_id(),
        response.attachment_size(),
    );
    let failed =
        benchmark.fail(|b| BenchmarkRequest::create(b, &BenchmarkRequestArgs::default())).await;
    match failed {
        Err(status) => println!("Fail answered {status}"),
        Ok(_) => println!("Fail answered without the error it was to answer with"),
    }

    let echo = EchoServiceClient::new(channel);
    let payload = vec![7; 1 << 20];
    let reply = echo
        .echo(|b| {
            let payload = Some(flat::bytes(b, &payload));
            EchoRequest::create(b, &EchoRequestArgs { payload, ..Default::default() })
        })
        .await?;
    let returned = reply.root().payload().map_or(0, |payload| payload.len());
    println!("Echo answered a payload of {returned} bytes");
    Ok(())
}
