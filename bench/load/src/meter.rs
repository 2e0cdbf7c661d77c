//! The closed loop's counting for a contestant that has a loop of its own and no async runtime.

use crate::command::ClientOptions;
use crate::report::{ClientReport, Connections, Event, Ready};
use crate::request::{Failure, RequestSource, Verified};
use crate::tally::Tally;
use std::io::{self, Read};
use std::process;
use std::time::{Duration, Instant};

/// Counts calls of one thread, and tells when the time is over.
///
/// ```no_run
/// # fn run(options: &stubwire_bench_load::ClientOptions) -> std::io::Result<()> {
/// use std::time::Instant;
/// use stubwire_bench_load::Meter;
///
/// let mut meter = Meter::new(options)?;
/// let mut begin = Instant::now();
/// for id in 0.. {
///     let request = meter.source().request(id);
///     let outcome = request.check(id, request.text().as_bytes()); // over the wire and back
///     let end = Instant::now();
///     if meter.record(begin, end, outcome)? {
///         break;
///     }
///     begin = end;
/// }
/// meter.finish(Some(1))
/// # }
/// ```
pub struct Meter {
    source: RequestSource,
    tally: Tally,
    planned: Option<usize>,
    warmup: Duration,
    seconds: Duration,
    started: Instant,
    /// When the measured time began and ended.
    begun: Option<Instant>,
    ended: Option<Instant>,
}

impl Meter {
    /// Starts the warm-up.
    ///
    /// # Errors
    /// An open loop, which such a contestant has none of: tells the runner, and ends with
    /// `Unsupported`. A contestant that does not know the shape or the runtime does the same
    /// through [`refuse`].
    pub fn new(options: &ClientOptions) -> io::Result<Self> {
        if options.rate.is_some() {
            return Err(refuse("an open loop"));
        }
        Ok(Self {
            source: RequestSource::new(options.size, options.payload),
            tally: Tally::new(),
            planned: options.planned_connections(),
            warmup: options.warmup,
            seconds: options.seconds,
            started: Instant::now(),
            begun: None,
            ended: None,
        })
    }

    /// What to send.
    pub fn source(&self) -> &RequestSource {
        &self.source
    }

    /// Counts a call that ended now. True when the time is over.
    ///
    /// # Errors
    /// Those of standard output.
    pub fn record(
        &mut self,
        begin: Instant,
        now: Instant,
        outcome: Result<Verified, Failure>,
    ) -> io::Result<bool> {
        let Some(begun) = self.begun else {
            self.tally.warmup_failed += u64::from(outcome.is_err());
            if now - self.started >= self.warmup {
                Event::Begin { pid: process::id() }.print()?;
                self.begun = Some(now);
            }
            return Ok(false);
        };
        if self.ended.is_none() && now - begun >= self.seconds {
            self.ended = Some(now);
            Event::End { pid: process::id() }.print()?;
        }
        if self.ended.is_none() {
            self.tally.record(now - begin, outcome);
        }
        Ok(self.ended.is_some())
    }

    /// Prints the report.
    ///
    /// # Errors
    /// Those of standard output; a time that was not over.
    pub fn finish(self, opened: Option<usize>) -> io::Result<()> {
        let (Some(begun), Some(ended)) = (self.begun, self.ended) else {
            return Err(io::Error::other("the calls ended before the measured time did"));
        };
        let mut report = ClientReport::new(&self.tally, ended - begun).map_err(io::Error::other)?;
        report.connections = Connections { planned: self.planned, opened };
        Event::Report(Box::new(report)).print()
    }
}

/// Tells the runner what a contestant does not do, so that its cell stays empty and says why. Gives
/// the error to end with.
pub fn refuse(what: &str) -> io::Error {
    // Without a runner there is the error alone.
    let _ = Event::Refused { reason: what.to_owned() }.print();
    io::Error::new(io::ErrorKind::Unsupported, what.to_owned())
}

impl Ready {
    /// For a server with a loop of its own: ends the process when standard input ends, and gives
    /// what reports the address.
    pub fn ending_with_stdin() -> Self {
        std::thread::spawn(|| {
            let mut sink = [0; 512];
            while matches!(io::stdin().read(&mut sink), Ok(count) if count > 0) {}
            process::exit(0);
        });
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::{Command, Role};
    use clap::Parser;

    #[derive(clap::Args)]
    struct Nothing {}

    fn options(more: &str) -> ClientOptions {
        let line = format!("x client --connect a:1 --warmup 1 --seconds 2 {more}");
        let command = Command::<Nothing>::try_parse_from(line.split_whitespace());
        match command.expect("options").role {
            Role::Client { options, .. } => options,
            Role::Server { .. } => panic!("a client"),
        }
    }

    #[test]
    fn calls_of_the_measured_time_are_counted() {
        let mut meter = Meter::new(&options("")).unwrap();
        let (start, tenth) = (meter.started, Duration::from_millis(100));
        let mut calls = 0;
        loop {
            let request = meter.source().request(calls);
            let outcome = match calls % 5 {
                0 => request.check(calls + 1, b""),
                _ => request.check(calls, request.text().as_bytes()),
            };
            let begin = start + tenth * calls as u32;
            calls += 1;
            if meter.record(begin, begin + tenth, outcome).unwrap() {
                break;
            }
        }
        // Ten calls of the warm-up, twenty that are measured, the last of which ends too late.
        assert_eq!((calls, meter.tally.warmup_failed), (30, 2));
        assert_eq!((meter.tally.succeeded, meter.tally.failed.values().sum::<u64>()), (15, 4));
        assert_eq!(meter.tally.latency.len(), 15);
    }

    #[test]
    fn an_open_loop_is_refused_and_an_early_end_is_no_report() {
        let refused = Meter::new(&options("--rate 10")).err().map(|error| error.kind());
        assert_eq!(refused, Some(io::ErrorKind::Unsupported));
        assert!(Meter::new(&options("")).unwrap().finish(None).is_err());
    }
}
