//! The command line.

use std::str::FromStr;
use stubwire::Compression;
use stubwire::frame::frpc::ByteOrder;

pub(crate) const USAGE: &str = "\
usage: echo                              serve on a free port and call it
       echo --listen HOST:PORT [OPTIONS] serve until Ctrl-C
       echo --connect TARGET             call a server: prpc://HOST:PORT, frpc://HOST:PORT, or
                                         HOST:PORT, which is prpc

options of --listen:
  --max-concurrency N      calls at once in the whole server
  --slow-concurrency N     calls of bench.EchoService/Slow at once
  --compress KIND          compress Protobuf replies: snappy, gzip or zlib
  --reject METHOD          an interceptor that rejects pkg.Service/Method
options of --connect:
  --little-endian          FRPC metadata as builds before 28 October 2026 write it";

/// What to do.
#[derive(Debug)]
pub(crate) enum Command {
    Both,
    Listen(String),
    Connect(String),
    Help,
}

/// How to do it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    pub(crate) max_concurrency: usize,
    pub(crate) slow_concurrency: usize,
    pub(crate) compression: Compression,
    pub(crate) reject: Option<String>,
    pub(crate) order: ByteOrder,
}

/// Reads the arguments.
///
/// # Errors
/// What is wrong with them.
pub(crate) fn parse(
    mut arguments: impl Iterator<Item = String>,
) -> Result<(Command, Options), String> {
    let (mut command, mut options) = (Command::Both, Options::default());
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match &*argument {
            "--help" | "-h" => command = Command::Help,
            "--listen" => command = Command::Listen(value()?),
            "--connect" => command = Command::Connect(value()?),
            "--max-concurrency" => options.max_concurrency = number(&value()?)?,
            "--slow-concurrency" => options.slow_concurrency = number(&value()?)?,
            "--compress" => options.compression = compression(&value()?)?,
            "--reject" => options.reject = Some(value()?),
            "--little-endian" => options.order = ByteOrder::Little,
            _ => return Err(format!("unknown argument `{argument}`")),
        }
    }
    Ok((command, options))
}

fn number(text: &str) -> Result<usize, String> {
    usize::from_str(text).map_err(|_| format!("`{text}` is not a number"))
}

fn compression(text: &str) -> Result<Compression, String> {
    match text {
        "snappy" => Ok(Compression::Snappy),
        "gzip" => Ok(Compression::Gzip),
        "zlib" => Ok(Compression::Zlib),
        _ => Err(format!("`{text}` is no compression; there are snappy, gzip and zlib")),
    }
}
