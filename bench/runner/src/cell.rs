//! What is measured in one place of a table: the load, not who is under it.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;
use stubwire_bench_load::{Payload, RuntimeKind, Shape};

/// A cell. Its [`key`](Cell::key) names it across runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// What it is called in its plan; not a part of the key.
    pub name: String,
    /// How connections are used.
    pub shape: Shape,
    /// Connections.
    pub connections: usize,
    /// Calls in flight of the closed loop.
    pub concurrency: usize,
    /// Bytes of the message.
    pub size: usize,
    /// What carries them.
    pub payload: Payload,
    /// The socket.
    pub socket: Socket,
    /// The server's runtime.
    pub server: Host,
    /// The client's runtime.
    pub client: Host,
    /// Whether the two sides are kept on a core each.
    pub pinned: bool,
    /// How long a handler keeps its core busy.
    pub busy_us: u64,
    /// How long a handler sleeps.
    pub sleep_us: u64,
    /// Closed or open loop.
    pub pace: Pace,
}

/// A runtime and its threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// The tokio runtime.
    pub runtime: RuntimeKind,
    /// Worker threads of a multi-thread runtime.
    pub workers: u16,
}

impl Host {
    /// One thread.
    pub const CURRENT: Self = Self { runtime: RuntimeKind::Current, workers: 1 };

    /// Several.
    pub const fn multi(workers: u16) -> Self {
        Self { runtime: RuntimeKind::Multi, workers }
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.runtime {
            RuntimeKind::Current => f.write_str("current"),
            RuntimeKind::Multi => write!(f, "multi{}", self.workers),
        }
    }
}

/// A kind of socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Socket {
    /// TCP over the loopback.
    Tcp,
    /// A Unix socket.
    Unix,
}

/// When calls are sent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pace {
    /// When the one before has ended.
    Closed,
    /// So many a second.
    Rate(f64),
    /// A share of what the contestant reached in a closed loop of the same cell just before.
    ShareOfPeak(f64),
}

impl Default for Cell {
    /// 64 B, one caller, one connection, everything on one thread a side.
    fn default() -> Self {
        Self {
            name: String::new(),
            shape: Shape::Shared,
            connections: 1,
            concurrency: 1,
            size: 64,
            payload: Payload::String,
            socket: Socket::Tcp,
            server: Host::CURRENT,
            client: Host::CURRENT,
            pinned: true,
            busy_us: 0,
            sleep_us: 0,
            pace: Pace::Closed,
        }
    }
}

impl Cell {
    /// What the cell is, in one line: the same for the same load, whatever it is called.
    pub fn key(&self) -> String {
        let Self { shape, connections, concurrency, size, payload, .. } = self;
        let mut key = format!("{shape}({connections}) x{concurrency} {size}B {payload}");
        if self.socket == Socket::Unix {
            key.push_str(" unix");
        }
        key.push_str(&format!(" {}>{}", self.client, self.server));
        if !self.pinned {
            key.push_str(" unpinned");
        }
        for (name, micros) in [("busy", self.busy_us), ("sleep", self.sleep_us)] {
            if micros > 0 {
                key.push_str(&format!(" {name}={micros}us"));
            }
        }
        match self.pace {
            Pace::Closed => {}
            Pace::Rate(rate) => key.push_str(&format!(" rate={rate}")),
            Pace::ShareOfPeak(share) => key.push_str(&format!(" peak*{share}")),
        }
        key
    }
}

/// How long rounds are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// Before the measured time.
    pub warmup: Duration,
    /// The measured time.
    pub seconds: Duration,
}

/// Something to be reached in a cell, by both protocols of the product.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Requirement {
    /// Of what.
    pub metric: Metric,
    /// By how much.
    pub bound: Bound,
    /// Of whom, or absolute when of nobody: calls a second, nanoseconds, failures.
    pub against: Option<String>,
}

/// A bound.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// So much, or more.
    AtLeast(f64),
    /// So much, or less.
    AtMost(f64),
}

impl Bound {
    /// Whether a value keeps to it.
    pub fn holds(self, value: f64) -> bool {
        match self {
            Self::AtLeast(least) => value >= least,
            Self::AtMost(most) => value <= most,
        }
    }
}

/// What is compared.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    clap::ValueEnum,
)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// Verified calls a second.
    CallsPerSecond,
    /// The median latency.
    P50,
    /// The latency that 99 % keep to.
    P99,
    /// The latency that 99.9 % keep to.
    P999,
    /// CPU time of client and server for a call.
    CpuPerCall,
    /// Failed calls.
    Failures,
}

impl Metric {
    /// Whether more is better.
    pub fn more_is_better(self) -> bool {
        self == Self::CallsPerSecond
    }

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::CallsPerSecond => "calls/s",
            Self::P50 => "p50",
            Self::P99 => "p99",
            Self::P999 => "p99.9",
            Self::CpuPerCall => "CPU/call",
            Self::Failures => "failures",
        }
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, amount) = match self.bound {
            Bound::AtLeast(amount) => (">=", amount),
            Bound::AtMost(amount) => ("<=", amount),
        };
        write!(f, "{} {sign} {amount}", self.metric.name())?;
        match &self.against {
            Some(against) => write!(f, " x {against}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_tells_all_that_matters_and_no_name() {
        let cell = Cell { name: "a".to_owned(), ..Cell::default() };
        assert_eq!(cell.key(), "shared(1) x1 64B string current>current");
        assert_eq!(cell.key(), Cell { name: "b".to_owned(), ..cell.clone() }.key());
        let other = Cell {
            shape: Shape::Pooled,
            connections: 4,
            concurrency: 9,
            size: 1024,
            payload: Payload::Attachment,
            socket: Socket::Unix,
            server: Host::multi(2),
            client: Host::CURRENT,
            pinned: false,
            busy_us: 25,
            sleep_us: 7,
            pace: Pace::ShareOfPeak(0.7),
            name: String::new(),
        };
        let key = "pooled(4) x9 1024B attachment unix current>multi2 unpinned busy=25us sleep=7us peak*0.7";
        assert_eq!(other.key(), key);
    }

    #[test]
    fn requirements_are_words() {
        let requirement = Requirement {
            metric: Metric::P99,
            bound: Bound::AtMost(0.5),
            against: Some("tarpc".to_owned()),
        };
        assert_eq!(requirement.to_string(), "p99 <= 0.5 x tarpc");
        assert!(requirement.bound.holds(0.5) && !requirement.bound.holds(0.51));
    }
}
