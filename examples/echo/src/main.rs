//! Services written in `schema/`, in Protobuf and in FlatBuffers, served on one port and called over brpc's own
//! protocols.
//!
//! ```text
//! echo                                   serve and call in one process, over a socket
//! echo --listen 127.0.0.1:8000           serve until Ctrl-C
//! echo --connect prpc://127.0.0.1:8000   call the Protobuf service of a server, this one or a brpc
//! echo --connect frpc://127.0.0.1:8000   call the FlatBuffers services
//! echo --little-endian --connect frpc://…   the same with the metadata of builds before 28 October 2026
//! ```

stubwire::include_tree!();

mod call;
mod call_flat;
mod serve;
mod serve_flat;

use std::error::Error;
use std::process::ExitCode;
use stubwire::frame::frpc::ByteOrder;

const USAGE: &str = "usage: echo [--listen HOST:PORT | [--little-endian] --connect prpc://HOST:PORT or frpc://HOST:PORT]";

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments[..] {
        [] => both().await,
        ["--listen", address] => serve::listen(address).await,
        ["--connect", target] => call(target, ByteOrder::Big).await,
        ["--little-endian", "--connect", target] => call(target, ByteOrder::Little).await,
        ["--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("echo: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn call(target: &str, order: ByteOrder) -> Result<(), Box<dyn Error>> {
    if target.starts_with("frpc") {
        return Ok(call_flat::all(target, order).await?);
    }
    Ok(call::all(target).await?)
}

/// Serves on a free port of the loopback and calls that.
async fn both() -> Result<(), Box<dyn Error>> {
    let server = serve::server()?.bind("127.0.0.1:0").await?;
    let address = server.local_addr()?;
    let (prpc, frpc) = (format!("prpc://{address}"), format!("frpc://{address}"));
    let handle = server.handle();
    let calls = async {
        println!("calling {prpc}");
        let mut outcome = call(&prpc, ByteOrder::Big).await;
        if outcome.is_ok() {
            println!("calling {frpc}");
            outcome = call(&frpc, ByteOrder::Big).await;
        }
        handle.stop();
        outcome
    };
    let (served, called) = tokio::join!(server.serve(), calls);
    served?;
    called
}
