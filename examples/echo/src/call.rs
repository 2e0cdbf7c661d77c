//! The client side.

use crate::bench::{EchoRequest, EchoServiceClient};
use bytes::Bytes;
use std::time::Duration;
use stubwire::{Compression, Status};

fn request(message: &str) -> EchoRequest {
    EchoRequest { message: Some(message.to_owned()), ..Default::default() }
}

/// Calls every method, plainly and with options.
pub(crate) async fn all(target: &str) -> Result<(), Status> {
    let echo = EchoServiceClient::connect(target).await?;

    let reply = echo.echo(request("hello")).await?;
    println!("Echo answered `{}`", reply.message());

    let attachment = Bytes::from_static(b"raw bytes beside the message");
    let reply = echo
        .echo(request(&"compressed ".repeat(100)))
        .attach(attachment)
        .compress(Compression::Gzip)
        .checksum()
        .log_id(7)
        .user_field("tenant", "a1")
        .await?;
    println!(
        "Echo answered {} bytes and an attachment of {}",
        reply.message().len(),
        reply.attachment().len()
    );

    let patient = Duration::from_secs(2);
    let slow = EchoRequest { sleep_us: Some(20_000), ..Default::default() };
    println!("Slow answered `{}`", echo.slow(slow.clone()).timeout(patient).await?.message());

    let refused = EchoRequest { code: Some(1234), ..request("boom") };
    report("Fail", echo.fail(refused).await.err());
    let impatient = Duration::from_millis(5);
    report("Slow, called with a timeout of 5 ms,", echo.slow(slow).timeout(impatient).await.err());
    Ok(())
}

/// Errors that are asked for here are part of the show.
fn report(what: &str, error: Option<Status>) {
    match error {
        Some(status) => println!("{what} answered {status}"),
        None => println!("{what} answered without the error it was to answer with"),
    }
}
