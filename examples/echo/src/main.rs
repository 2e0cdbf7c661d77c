//! Services written in `schema/`, in Protobuf and in FlatBuffers, served on one port and called over brpc's own
//! protocols.
//!
//! ```text
//! echo                                   serve and call in one process, over a socket
//! echo --listen 127.0.0.1:8000           serve until Ctrl-C
//! echo --connect prpc://127.0.0.1:8000   call the Protobuf service of a server, this one or a brpc
//! echo --connect frpc://127.0.0.1:8000   call the FlatBuffers services
//! echo --help                            and more
//! ```

stubwire::include_tree!();

mod call;
mod call_flat;
mod options;
#[cfg(test)]
mod pinned;
mod serve;
mod serve_flat;
mod show;

use options::{Command, Options};
use std::error::Error;
use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    let (command, options) = match options::parse(std::env::args().skip(1)) {
        Ok(parsed) => parsed,
        Err(error) => {
            eprintln!("echo: {error}\n{}", options::USAGE);
            return ExitCode::from(2);
        }
    };
    let outcome = match command {
        Command::Both => both(&options).await,
        Command::Listen(address) => serve::listen(&address, &options).await,
        Command::Connect(target) => call(&target, &options).await,
        Command::Help => {
            println!("{}", options::USAGE);
            Ok(())
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

async fn call(target: &str, options: &Options) -> Result<(), Box<dyn Error>> {
    println!("calling {target}");
    if target.starts_with("frpc") {
        return Ok(call_flat::all(target, options.order).await?);
    }
    if target.contains("://") || target.starts_with("prpc+unix:") {
        return Ok(call::all(target).await?);
    }
    Ok(call::all(&format!("prpc://{target}")).await?)
}

/// Serves on a free port of the loopback, calls that with both protocols, and shows what went over the wire.
async fn both(options: &Options) -> Result<(), Box<dyn Error>> {
    let registry = serve::registry(options)?;
    let server = serve::server(&registry, options).bind("127.0.0.1:0").await?;
    let address = server.local_addr()?;
    let handle = server.handle();
    let calls = async {
        let outcome = async {
            call(&format!("prpc://{address}"), options).await?;
            call(&format!("frpc://{address}"), options).await?;
            show::frames(address).await
        };
        let outcome = outcome.await;
        handle.stop();
        outcome
    };
    let (served, called) = tokio::join!(server.serve(), calls);
    served?;
    called?;
    show::status(&registry);
    Ok(())
}
