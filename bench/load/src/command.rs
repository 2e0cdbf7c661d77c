//! The command line that all contestants share.

use crate::address::Address;
use clap::{Args, Parser, Subcommand, ValueEnum};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// The whole command line of a contestant `C`.
#[derive(Debug, Parser)]
#[command(about = "A contestant of the benchmark: serves an echo, or calls one")]
pub struct Command<C: Args> {
    /// What to do.
    #[command(subcommand)]
    pub role: Role<C>,
}

/// One of the two sides.
#[derive(Debug, Subcommand)]
pub enum Role<C: Args> {
    /// Serve until standard input ends; one JSON line tells the address.
    Server {
        /// The shared options.
        #[command(flatten)]
        options: ServerOptions,
        /// Those of the contestant.
        #[command(flatten)]
        contestant: C,
    },
    /// Put a server under load; one JSON line at the beginning and the end of the measured
    /// time, then the report.
    Client {
        /// The shared options.
        #[command(flatten)]
        options: ClientOptions,
        /// Those of the contestant.
        #[command(flatten)]
        contestant: C,
    },
}

/// Where a side runs.
#[derive(Args, Clone, Debug)]
pub struct HostOptions {
    /// The tokio runtime.
    #[arg(long, value_enum, default_value_t = RuntimeKind::Current)]
    pub runtime: RuntimeKind,
    /// Worker threads of the multi-thread runtime.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub workers: u16,
    /// Cores to stay on, as in `0` or `0,2-3`; anywhere when not given.
    #[arg(long)]
    pub pin: Option<String>,
}

/// Options of the serving side.
#[derive(Args, Clone, Debug)]
pub struct ServerOptions {
    /// `host:port` (port 0 for any) or `unix:/path`.
    #[arg(long)]
    pub listen: Address,
    /// Where it runs.
    #[command(flatten)]
    pub host: HostOptions,
    /// How long a handler keeps its core busy, in microseconds.
    #[arg(long, default_value_t = 0)]
    pub busy_us: u64,
    /// How long a handler sleeps, in microseconds, without keeping its thread.
    #[arg(long, default_value_t = 0)]
    pub sleep_us: u64,
}

/// Options of the calling side.
#[derive(Args, Clone, Debug)]
pub struct ClientOptions {
    /// `host:port` or `unix:/path`.
    #[arg(long)]
    pub connect: Address,
    /// Where it runs.
    #[command(flatten)]
    pub host: HostOptions,
    /// How connections are used.
    #[arg(long, value_enum, default_value_t = Shape::Shared)]
    pub shape: Shape,
    /// Connections; for `pooled` at most so many.
    #[arg(long, default_value_t = 1, value_parser = positive)]
    pub connections: usize,
    /// Lanes of the closed loop: each has one call in flight.
    #[arg(long, default_value_t = 1, value_parser = positive)]
    pub concurrency: usize,
    /// Bytes of the message.
    #[arg(long, default_value_t = 64)]
    pub size: usize,
    /// What carries these bytes.
    #[arg(long, value_enum, default_value_t = Payload::String)]
    pub payload: Payload,
    /// Seconds before the measured time.
    #[arg(long, default_value = "0.5", value_parser = seconds)]
    pub warmup: Duration,
    /// Seconds of the measured time.
    #[arg(long, default_value = "2", value_parser = seconds)]
    pub seconds: Duration,
    /// Open loop: so many calls a second are due, whatever becomes of them.
    #[arg(long, value_parser = rate)]
    pub rate: Option<f64>,
}

/// A tokio runtime.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, ValueEnum, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum RuntimeKind {
    /// `current_thread`.
    Current,
    /// `multi_thread`, with `--workers` threads.
    Multi,
}

/// How connections are used.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, ValueEnum, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// As many connections as asked for; a lane stays on its own.
    Separate,
    /// All lanes call over the same connections.
    Shared,
    /// Every call in flight has a connection to itself, taken from a pool and given back.
    Pooled,
    /// Every call opens a connection and closes it.
    Short,
}

/// What carries the bytes of a call.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, ValueEnum, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Payload {
    /// A text field of the message.
    String,
    /// A field of bytes.
    Bytes,
    /// An attachment behind an otherwise empty message.
    Attachment,
}

macro_rules! shown_as_spelled {
    ($($kind:ty),*) => {$(
        impl fmt::Display for $kind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let value = self.to_possible_value();
                f.write_str(value.as_ref().map_or("", |value| value.get_name()))
            }
        }
    )*};
}
shown_as_spelled!(RuntimeKind, Shape, Payload);

impl ClientOptions {
    /// How many connections the shape is to have open while calls run; none where that depends.
    pub fn planned_connections(&self) -> Option<usize> {
        match self.shape {
            Shape::Separate | Shape::Shared => Some(self.connections),
            Shape::Pooled if self.rate.is_none() => Some(self.connections.min(self.concurrency)),
            Shape::Pooled | Shape::Short => None,
        }
    }
}

fn positive(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number) if (1..=100_000).contains(&number) => Ok(number),
        _ => Err("not a number from 1 to 100000".to_owned()),
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.0..=86_400.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or("not a number of seconds up to a day".to_owned())
}

fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse::<f64>().ok().filter(|rate| (0.001..=1e8).contains(rate));
    rate.ok_or("not a number of calls a second".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Args)]
    struct Nothing {}

    fn parse(line: &str) -> Result<Command<Nothing>, clap::Error> {
        Command::try_parse_from(line.split_whitespace())
    }

    #[test]
    fn both_roles_read_their_options() {
        let server = parse("x server --listen unix:/a --runtime multi --workers 2 --busy-us 25");
        let Role::Server { options, .. } = server.unwrap().role else { panic!("a server") };
        assert_eq!(options.listen.to_string(), "unix:/a");
        assert_eq!((options.host.workers, options.busy_us), (2, 25));

        let client = "x client --connect 127.0.0.1:1 --shape pooled --connections 4 --concurrency 9 \
                      --payload attachment --warmup 0.2 --seconds 1 --rate 1000 --pin 1";
        let Role::Client { options, .. } = parse(client).unwrap().role else { panic!("a client") };
        assert_eq!((options.shape, options.payload), (Shape::Pooled, Payload::Attachment));
        assert_eq!(options.warmup, Duration::from_millis(200));
        assert_eq!(options.rate, Some(1000.0));
        assert_eq!(options.planned_connections(), None);
        assert_eq!(options.shape.to_string(), "pooled");
    }

    #[test]
    fn options_that_make_no_load_are_refused() {
        for wrong in [
            "--concurrency 0",
            "--connections 0",
            "--seconds -1",
            "--seconds NaN",
            "--rate 0",
            "--rate inf",
            "--workers 0",
            "--size -1",
            "--shape round",
        ] {
            assert!(parse(&format!("x client --connect a:1 {wrong}")).is_err(), "{wrong}");
        }
        assert!(parse("x client").is_err());
        assert!(parse("x server --listen nowhere").is_err());
    }
}
