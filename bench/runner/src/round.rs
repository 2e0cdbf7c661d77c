//! One round: a server and a client of one contestant, started, measured, ended.

use crate::cell::{Cell, Host, Pace, Socket, Timing};
use crate::contestant::Contestant;
use crate::process::{Launch, Server, Started, client};
use crate::procfs::{MachineSample, ProcessSample};
use crate::record::{
    ConnectionsRecord, MachineLoad, OpenLoopRecord, Percentiles, ProcessCost, RoundRecord,
};
use crate::sockets::connections_to;
use hdrhistogram::Histogram;
use std::io;
use std::process;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use stubwire_bench_load::{Address, ClientReport, Event};

/// Everything about a round but the contestant.
#[derive(Clone, Debug)]
pub struct Setting<'a> {
    /// What is measured.
    pub cell: &'a Cell,
    /// For how long.
    pub timing: Timing,
    /// Calls a second of an open loop.
    pub rate: Option<f64>,
    /// Cores of server and client, where the cell is pinned.
    pub pins: Option<(&'a str, &'a str)>,
    /// A server on another host, or one that was started by hand.
    pub remote: Option<&'a Address>,
    /// Put before server and client; empty for a measurement.
    pub under: [Vec<String>; 2],
    /// Cores that others may use, on average, before the round counts as spoiled.
    pub spoiled_above: f64,
}

/// What came of a round.
pub enum Played {
    /// It was measured.
    Measured(Box<Measured>),
    /// The contestant does not do this.
    Refused(String),
}

/// A measured round.
pub struct Measured {
    /// Its figures; number and turn are the caller's to fill in.
    pub record: RoundRecord,
    /// Its latencies.
    pub latency: Histogram<u64>,
}

impl Setting<'_> {
    /// Plays a round.
    ///
    /// # Errors
    /// Programs that do not start, stay silent or end early.
    pub fn play(&self, contestant: &Contestant) -> io::Result<Played> {
        let server = match self.remote {
            Some(_) => None,
            None => match Server::start(&self.server(contestant)?)? {
                Started::Listening(server) => Some(server),
                Started::Refused(why) => return Ok(Played::Refused(why)),
            },
        };
        let address = match (&server, self.remote) {
            (Some(server), _) => &server.address,
            (None, Some(address)) => address,
            (None, None) => return Err(io::Error::other("no server")),
        };
        let mut samples = Samples::default();
        let launch = self.client(contestant, address);
        let server_pid = server.as_ref().map(|server| server.pid);
        let patience = self.timing.warmup + self.timing.seconds + Duration::from_secs(60);
        let last = client(&launch, patience, |event| match event {
            Event::Begin { pid } => {
                samples.begin = Some(Sample::take(server_pid, *pid)?);
                samples.connections = connections_to(address);
                Ok(())
            }
            Event::End { pid } => {
                samples.end = Some(Sample::take(server_pid, *pid)?);
                Ok(())
            }
            _ => Ok(()),
        });
        let stopped = server.map_or(Ok(()), Server::stop);
        match last? {
            Event::Refused { reason } => Ok(Played::Refused(reason)),
            Event::Report(report) => {
                stopped?;
                let measured = self.measured(&report, samples)?;
                Ok(Played::Measured(Box::new(measured)))
            }
            _ => Err(io::Error::other("the client ended without a report")),
        }
    }

    fn server(&self, contestant: &Contestant) -> io::Result<Launch> {
        let mut arguments = words("server --listen");
        arguments.push(match self.cell.socket {
            Socket::Tcp => "127.0.0.1:0".to_owned(),
            Socket::Unix => {
                let file = format!("stubwire-bench-{}.sock", process::id());
                let path = std::env::temp_dir().join(file);
                format!("unix:{}", path.display())
            }
        });
        let pin = self.pins.map(|(server, _)| server);
        host(&mut arguments, contestant.host.unwrap_or(self.cell.server), pin);
        for (option, micros) in
            [("--busy-us", self.cell.busy_us), ("--sleep-us", self.cell.sleep_us)]
        {
            arguments.extend([option.to_owned(), micros.to_string()]);
        }
        arguments.extend(contestant.arguments.iter().cloned());
        let under = self.under[0].clone();
        Ok(Launch { binary: contestant.binary.clone(), under, arguments })
    }

    fn client(&self, contestant: &Contestant, address: &Address) -> Launch {
        let cell = self.cell;
        let mut arguments = words("client --connect");
        arguments.push(address.to_string());
        let pin = self.pins.map(|(_, client)| client);
        host(&mut arguments, contestant.host.unwrap_or(cell.client), pin);
        for (option, value) in [
            ("--shape", cell.shape.to_string()),
            ("--connections", cell.connections.to_string()),
            ("--concurrency", cell.concurrency.to_string()),
            ("--size", cell.size.to_string()),
            ("--payload", cell.payload.to_string()),
            ("--warmup", self.timing.warmup.as_secs_f64().to_string()),
            ("--seconds", self.timing.seconds.as_secs_f64().to_string()),
        ] {
            arguments.extend([option.to_owned(), value]);
        }
        if let Some(rate) = self.rate {
            arguments.extend(["--rate".to_owned(), rate.to_string()]);
        }
        arguments.extend(contestant.arguments.iter().cloned());
        let under = self.under[1].clone();
        Launch { binary: contestant.binary.clone(), under, arguments }
    }

    fn measured(&self, report: &ClientReport, samples: Samples) -> io::Result<Measured> {
        let (Some(begin), Some(end)) = (samples.begin, samples.end) else {
            return Err(io::Error::other("the client reported without a begin and an end"));
        };
        let latency = report.latency.read().map_err(io::Error::other)?;
        let open_loop = match &report.open_loop {
            None => None,
            Some(open_loop) => Some(OpenLoopRecord {
                rate: open_loop.rate,
                lag: percentiles(&open_loop.lag.read().map_err(io::Error::other)?),
                peak_in_flight: open_loop.peak_in_flight,
                fell_behind: open_loop.fell_behind,
            }),
        };
        let (server, client, machine) = end.since(&begin);
        let record = RoundRecord {
            number: 0,
            turn: 0,
            began: begin.time,
            elapsed_ns: report.elapsed_ns,
            attempted: report.attempted,
            succeeded: report.succeeded,
            failed: report.failed.clone(),
            warmup_failed: report.warmup_failed,
            unfinished: report.unfinished,
            latency: percentiles(&latency),
            open_loop,
            connections: ConnectionsRecord {
                planned: report.connections.planned,
                opened: report.connections.opened,
                seen: samples.connections,
            },
            server,
            client,
            machine,
            spoiled: spoiled(machine, self.spoiled_above),
        };
        Ok(Measured { record, latency })
    }
}

impl Cell {
    /// The fixed rate of an open loop, where it has one.
    pub fn fixed_rate(&self) -> Option<f64> {
        match self.pace {
            Pace::Rate(rate) => Some(rate),
            Pace::Closed | Pace::ShareOfPeak(_) => None,
        }
    }
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn host(arguments: &mut Vec<String>, host: Host, pin: Option<&str>) {
    arguments.extend(["--runtime".to_owned(), host.runtime.to_string()]);
    arguments.extend(["--workers".to_owned(), host.workers.to_string()]);
    if let Some(pin) = pin {
        arguments.extend(["--pin".to_owned(), pin.to_owned()]);
    }
}

/// What is read of a histogram.
pub fn percentiles(histogram: &Histogram<u64>) -> Percentiles {
    let at = |quantile| histogram.value_at_quantile(quantile);
    Percentiles {
        mean: histogram.mean(),
        p50: at(0.5),
        p90: at(0.9),
        p99: at(0.99),
        p999: at(0.999),
        max: histogram.max(),
    }
}

fn spoiled(machine: MachineLoad, above: f64) -> Option<String> {
    if machine.steal_cores + machine.others_cores <= above {
        return None;
    }
    let MachineLoad { steal_cores, others_cores } = machine;
    Some(format!("{steal_cores:.2} cores stolen, {others_cores:.2} used by others"))
}

#[derive(Default)]
struct Samples {
    begin: Option<Sample>,
    end: Option<Sample>,
    connections: Option<usize>,
}

/// What everybody used until one moment.
struct Sample {
    time: f64,
    server: Option<ProcessSample>,
    client: ProcessSample,
    runner: ProcessSample,
    machine: MachineSample,
}

impl Sample {
    fn take(server: Option<u32>, client: u32) -> io::Result<Self> {
        let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Ok(Self {
            time: time.as_secs_f64(),
            server: server.map(ProcessSample::of).transpose()?,
            client: ProcessSample::of(client)?,
            runner: ProcessSample::of(process::id())?,
            machine: MachineSample::now()?,
        })
    }

    fn since(self, before: &Self) -> (Option<ProcessCost>, ProcessCost, MachineLoad) {
        let server = self.server.as_ref().zip(before.server.as_ref());
        let server_cost = server.map(|(after, before)| after.cost_since(before));
        let client_cost = self.client.cost_since(&before.client);
        let mut own =
            vec![(before.client.clone(), self.client), (before.runner.clone(), self.runner)];
        own.extend(before.server.clone().zip(self.server));
        let machine = self.machine.load_since(&before.machine, &own);
        (server_cost, client_cost, machine)
    }
}
