//! The lines of JSON that a contestant prints, and the runner reads.

use crate::address::Address;
use crate::tally::Tally;
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Deserializer, Serializer, V2DeflateSerializer};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

/// One line of standard output.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Event {
    /// The server takes connections.
    Listening {
        /// Where, with the port that was chosen.
        address: String,
        /// The process.
        pid: u32,
    },
    /// The client's measured time begins.
    Begin {
        /// The process.
        pid: u32,
    },
    /// The client's measured time ends; its lanes may have a call in flight each.
    End {
        /// The process.
        pid: u32,
    },
    /// What the client measured. The last line.
    Report(Box<ClientReport>),
    /// The contestant cannot do what was asked. The last line.
    Refused {
        /// In its words.
        reason: String,
    },
}

impl Event {
    /// Prints the line and flushes it.
    ///
    /// # Errors
    /// Those of standard output; nobody listens any more.
    pub fn print(&self) -> io::Result<()> {
        let mut line = serde_json::to_vec(self)?;
        line.push(b'\n');
        let mut out = io::stdout().lock();
        out.write_all(&line)?;
        out.flush()
    }
}

/// What a client measured. Calls of the warm-up are in no figure but `warmup_failed`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClientReport {
    /// Calls that ended in the measured time, one way or another. In an open loop: calls that were
    /// due in it.
    pub attempted: u64,
    /// Calls of these whose reply was verified.
    pub succeeded: u64,
    /// The others, counted by their reason.
    pub failed: BTreeMap<String, u64>,
    /// Calls that failed before the measured time.
    pub warmup_failed: u64,
    /// Calls that had not ended when the patience after the measured time did. In an open loop they
    /// are among the attempted; their latency is unknown.
    pub unfinished: u64,
    /// The measured time.
    pub elapsed_ns: u64,
    /// Latencies of verified calls in nanoseconds: closed loop from the end of the lane's previous
    /// call, open loop from the time at which the call was due.
    pub latency: LatencyHistogram,
    /// What concerns an open loop alone.
    pub open_loop: Option<OpenLoop>,
    /// Connections.
    pub connections: Connections,
}

/// How well the generator of an open loop kept to its plan.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OpenLoop {
    /// Calls due a second.
    pub rate: f64,
    /// How much later than due calls were sent, in nanoseconds. A part of their latency.
    pub lag: LatencyHistogram,
    /// Most calls in flight at once.
    pub peak_in_flight: u64,
    /// The generator was slower than its plan: half of the calls were sent more than a millisecond
    /// late, or one in a hundred was due and not sent. The latencies then tell of the client.
    pub fell_behind: bool,
}

/// Connections planned and opened.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Connections {
    /// By the shape; none where it depends on the course of the calls.
    pub planned: Option<usize>,
    /// As far as the contestant knows.
    pub opened: Option<usize>,
}

/// A histogram as text: HdrHistogram V2, deflated, in base64, as the tools of HdrHistogram read it.
/// Empty text is an empty histogram.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LatencyHistogram(pub String);

impl LatencyHistogram {
    /// Writes a histogram.
    ///
    /// # Errors
    /// A histogram that cannot be written: it would be larger than memory.
    pub fn new(histogram: &Histogram<u64>) -> Result<Self, String> {
        let mut bytes = Vec::new();
        V2DeflateSerializer::new()
            .serialize(histogram, &mut bytes)
            .map_err(|error| format!("cannot write a histogram: {error}"))?;
        Ok(Self(BASE64.encode(&bytes)))
    }

    /// Reads it.
    ///
    /// # Errors
    /// Text that is no histogram.
    pub fn read(&self) -> Result<Histogram<u64>, String> {
        if self.0.is_empty() {
            return Ok(Tally::histogram());
        }
        let bytes = BASE64
            .decode(&self.0)
            .map_err(|error| format!("a histogram is not in base64: {error}"))?;
        Deserializer::new()
            .deserialize(&mut &bytes[..])
            .map_err(|error| format!("cannot read a histogram: {error}"))
    }
}

/// Tells the runner that the server listens.
#[derive(Debug)]
pub struct Ready(());

impl Ready {
    pub(crate) fn new() -> Self {
        Self(())
    }

    /// Prints the line. A server that nobody reads from serves all the same.
    pub fn listening(self, address: &Address) {
        let event = Event::Listening { address: address.to_string(), pid: std::process::id() };
        let _ = event.print();
    }
}

impl ClientReport {
    /// Puts together what was counted.
    pub(crate) fn new(tally: &Tally, elapsed: Duration) -> Result<Self, String> {
        let failed: BTreeMap<String, u64> = tally.failed.clone().into_iter().collect();
        Ok(Self {
            attempted: tally.succeeded + failed.values().sum::<u64>(),
            succeeded: tally.succeeded,
            failed,
            warmup_failed: tally.warmup_failed,
            unfinished: 0,
            elapsed_ns: u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX),
            latency: LatencyHistogram::new(&tally.latency)?,
            open_loop: None,
            connections: Connections::default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histograms_read_back() {
        let mut histogram = Tally::histogram();
        for value in [1, 1_000, 55_555, 10_000_000_000] {
            histogram.record(value).unwrap();
        }
        let text = LatencyHistogram::new(&histogram).unwrap();
        assert!(text.0.starts_with("HISTFAAAA"), "the mark of the format: {}", text.0);
        assert_eq!(text.read().unwrap(), histogram);
        assert_eq!(LatencyHistogram::default().read().unwrap().len(), 0);
        for wrong in ["A", "AAAA", "====", "HISTFAAAA", "ä"] {
            assert!(LatencyHistogram(wrong.to_owned()).read().is_err(), "{wrong}");
        }
    }

    #[test]
    fn events_read_back() {
        let report = ClientReport { attempted: 7, ..ClientReport::default() };
        let line = serde_json::to_string(&Event::Report(Box::new(report.clone()))).unwrap();
        assert!(line.starts_with(r#"{"event":"report","attempted":7,"#), "{line}");
        let Ok(Event::Report(back)) = serde_json::from_str(&line) else { panic!("a report") };
        assert_eq!(*back, report);
        let listening = r#"{"event":"listening","address":"127.0.0.1:1","pid":2}"#;
        let Ok(Event::Listening { pid: 2, .. }) = serde_json::from_str(listening) else {
            panic!("an address")
        };
    }
}
