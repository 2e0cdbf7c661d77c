//! A service written in `schema/echo.proto`, served and called over brpc's own protocol.
//!
//! ```text
//! echo                                   serve and call in one process, over a socket
//! echo --listen 127.0.0.1:8000           serve until Ctrl-C
//! echo --connect prpc://127.0.0.1:8000   call a server, this one or a brpc
//! ```

stubwire::include_tree!();

mod call;
mod serve;

use std::error::Error;
use std::process::ExitCode;

const USAGE: &str = "usage: echo [--listen HOST:PORT | --connect prpc://HOST:PORT]";

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments[..] {
        [] => both().await,
        ["--listen", address] => serve::listen(address).await,
        ["--connect", target] => call::all(target).await.map_err(Into::into),
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

/// Serves on a free port of the loopback and calls that.
async fn both() -> Result<(), Box<dyn Error>> {
    let server = serve::server()?.bind("127.0.0.1:0").await?;
    let target = format!("prpc://{}", server.local_addr()?);
    println!("serving on {target}");
    let handle = server.handle();
    let calls = async {
        let outcome = call::all(&target).await;
        handle.stop();
        outcome
    };
    let (served, called) = tokio::join!(server.serve(), calls);
    served?;
    Ok(called?)
}
