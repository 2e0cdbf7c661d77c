//! stubwire as a contestant of its benchmark: the product's own stubs, registry, limits, timeouts,
//! statistics and verification, all switched on as they are by default.
//!
//! ```text
//! stubwire-benchmark server --listen 127.0.0.1:8000
//! stubwire-benchmark client --connect 127.0.0.1:8000 --protocol frpc --shape shared --connections 4
//! ```
//!
//! One server serves the same fields from `.proto` and from `.fbs` on one port; `--protocol` says
//! which of the two a client calls. The load itself is `stubwire-bench-load`'s.

stubwire::include_tree!();

mod client;
mod serve;

use clap::ValueEnum;
use client::Lane;
use std::io;
use std::process::ExitCode;
use std::time::Duration;
use stubwire_bench_load::{Address, Callers, ClientOptions, Contestant, Failure, Ready, Work};

/// A protocol with the messages that belong to it.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Protocol {
    /// baidu_std with Protobuf.
    Prpc,
    /// FRPC with FlatBuffers.
    Frpc,
}

/// The product.
#[derive(Debug, clap::Args)]
struct Product {
    /// How a client calls; a server answers both.
    #[arg(long, value_enum, default_value_t = Protocol::Prpc)]
    protocol: Protocol,
    /// Look for traffic for so many microseconds after each read before sleeping; 0 sleeps at once, as by default
    /// everywhere.
    #[arg(long, default_value_t = 0)]
    spin_us: u64,
}

impl Product {
    fn spin_for(&self) -> Duration {
        Duration::from_micros(self.spin_us)
    }
}

impl Contestant for Product {
    type Caller = Lane;

    async fn serve(&self, address: &Address, work: Work, ready: Ready) -> io::Result<()> {
        serve::serve(address, work, self.spin_for(), ready).await
    }

    async fn connect(&self, address: &Address) -> Result<Lane, Failure> {
        client::connect(self.protocol, self.spin_for(), address).await
    }

    async fn connect_all(&self, options: &ClientOptions) -> Result<Callers<Lane>, Failure> {
        client::connect_all(self.protocol, self.spin_for(), options).await
    }
}

fn main() -> ExitCode {
    stubwire_bench_load::main::<Product>()
}
