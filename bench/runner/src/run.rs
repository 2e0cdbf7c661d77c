//! A run: cell by cell, in every cell the contestants in turn, the order turned round every time.

use crate::cell::{Cell, Pace, Timing};
use crate::contestant::{Contestant, Folders};
use crate::environment::Environment;
use crate::hlog::Log;
use crate::plan::Row;
use crate::progress;
use crate::ratio::ratios;
use crate::record::{CellRecord, ContestantRecord, FORMAT, Writes};
use crate::round::{Measured, Played, Setting, percentiles};
use crate::store::append;
use crate::writes;
use hdrhistogram::Histogram;
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::time::Duration;
use stubwire_bench_load::{Address, LatencyHistogram};

/// How to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The name of the plan, for the record.
    pub plan: String,
    /// The file of the record; the log of latencies lies beside it.
    pub out: PathBuf,
    /// How long rounds are.
    pub timing: Timing,
    /// Where programs are.
    pub folders: Folders,
    /// Cores of server and client; none on a machine with one.
    pub pins: Option<(String, String)>,
    /// Servers that run already, by contestant; the empty name stands for all.
    pub remotes: BTreeMap<String, Address>,
    /// Cores that others may use before a round counts as spoiled.
    pub spoiled_above: f64,
    /// Whether writes are counted in a further round.
    pub count_writes: bool,
}

impl Options {
    /// The server of a contestant that runs already.
    fn remote(&self, name: &str) -> Option<&Address> {
        let base = name.split('+').next().unwrap_or_default();
        self.remotes.get(base).or_else(|| self.remotes.get(""))
    }
}

/// One run.
pub struct Run {
    options: Options,
    environment: Environment,
    log: Log,
    /// Why writes cannot be counted.
    no_writes: Option<String>,
}

/// A contestant in a cell, while the cell runs.
struct Entry {
    record: ContestantRecord,
    contestant: Option<Contestant>,
    latencies: Vec<(usize, Histogram<u64>)>,
    rate: Option<f64>,
}

impl Run {
    /// Begins one.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn new(options: Options) -> io::Result<Self> {
        let no_writes = match (options.count_writes, options.remotes.is_empty()) {
            (true, true) => writes::available().err(),
            (true, false) => Some("the server was not started here".to_owned()),
            (false, _) => Some("not asked for".to_owned()),
        };
        let environment = Environment::now();
        let log = Log::append(&options.out.with_extension("hlog"), &environment)?;
        progress::begin(&environment, &options, no_writes.as_deref());
        Ok(Self { options, environment, log, no_writes })
    }

    /// Measures one row and appends it to the record.
    ///
    /// # Errors
    /// A record that cannot be written. What goes wrong with a contestant is in the record.
    pub fn row(&mut self, row: &Row) -> io::Result<CellRecord> {
        progress::row(row);
        let mut entries: Vec<_> = row.contestants.iter().map(|name| self.entry(name)).collect();
        self.calibrate(&row.cell, &mut entries);
        for number in 1..=row.rounds {
            for (turn, index) in order(number, entries.len()).into_iter().enumerate() {
                self.round(&row.cell, &mut entries[index], number, turn + 1)?;
            }
        }
        for entry in &mut entries {
            entry.record.writes = self.writes(&row.cell, entry);
        }
        let contestants = entries.into_iter().map(finish).collect::<Result<Vec<_>, _>>();
        let contestants = contestants.map_err(io::Error::other)?;
        let record = CellRecord {
            format: FORMAT,
            run: self.environment.date.clone(),
            plan: self.options.plan.clone(),
            cell: row.cell.clone(),
            requirements: row.requirements.clone(),
            environment: self.environment.clone(),
            ratios: ratios(&contestants),
            contestants,
        };
        append(&self.options.out, &record)?;
        Ok(record)
    }

    fn entry(&self, name: &str) -> Entry {
        let mut found = Contestant::find(name, &self.options.folders);
        let remote = self.options.remote(name);
        if remote.is_none() && !self.options.remotes.is_empty() {
            // One that was started here would be measured under other conditions.
            found = Err("no server was named for it".to_owned());
        }
        let remote = remote.map(Address::to_string);
        let mut record = ContestantRecord { name: name.to_owned(), remote, ..Default::default() };
        if let Err(why) = &found {
            progress::absent(name, why);
            record.absent = Some(why.clone());
        }
        Entry { record, contestant: found.ok(), latencies: Vec::new(), rate: None }
    }

    /// What an open loop at a share of the peak takes for the peak: a closed loop just before. It is a record of
    /// its own, since latencies are required against that of the best peer.
    fn calibrate(&self, cell: &Cell, entries: &mut [Entry]) {
        for entry in entries {
            entry.rate = cell.fixed_rate();
            let Pace::ShareOfPeak(share) = cell.pace else { continue };
            if let Some(peak) = self.play(cell, entry, None) {
                progress::peak(&entry.record.name, &peak.record);
                entry.rate = Some((peak.record.calls_per_second() * share).max(1.0));
                entry.record.peak = Some(peak.record);
            }
        }
    }

    fn round(
        &mut self,
        cell: &Cell,
        entry: &mut Entry,
        number: usize,
        turn: usize,
    ) -> io::Result<()> {
        let Some(measured) = self.play(cell, entry, entry.rate) else { return Ok(()) };
        let Measured { mut record, latency } = measured;
        (record.number, record.turn) = (number, turn);
        progress::round(&entry.record.name, &record);
        self.log.interval(&entry.record.name, cell, &record, &latency)?;
        entry.latencies.push((number, latency));
        entry.record.rounds.push(record);
        Ok(())
    }

    /// Plays a round. A contestant that refuses or fails is out for the rest of the cell.
    fn play(&self, cell: &Cell, entry: &mut Entry, rate: Option<f64>) -> Option<Measured> {
        let contestant = entry.contestant.as_ref()?;
        let why = match self.setting(cell, contestant, rate).play(contestant) {
            Ok(Played::Measured(measured)) => return Some(*measured),
            Ok(Played::Refused(why)) => format!("not supported: {why}"),
            Err(error) => format!("failed: {error}"),
        };
        progress::absent(&entry.record.name, &why);
        entry.record.absent = Some(why);
        entry.contestant = None;
        None
    }

    fn setting<'a>(
        &'a self,
        cell: &'a Cell,
        contestant: &Contestant,
        rate: Option<f64>,
    ) -> Setting<'a> {
        let options = &self.options;
        let pins = options.pins.as_ref().filter(|_| cell.pinned);
        Setting {
            cell,
            timing: options.timing,
            rate,
            pins: pins.map(|(server, client)| (&**server, &**client)),
            remote: options.remote(&contestant.name),
            under: Default::default(),
            spoiled_above: options.spoiled_above,
        }
    }

    /// A short round without a warm-up, so that all calls are known.
    fn writes(&self, cell: &Cell, entry: &Entry) -> Writes {
        let absent = |why: &str| Writes { absent: Some(why.to_owned()), ..Default::default() };
        let contestant = match (&self.no_writes, &entry.contestant) {
            (Some(why), _) => return absent(why),
            (None, None) => return absent("no rounds"),
            (None, Some(contestant)) => contestant,
        };
        let files = ["server", "client"].map(|side| {
            let name = format!("stubwire-bench-{}-{side}.strace", std::process::id());
            std::env::temp_dir().join(name)
        });
        let mut setting = self.setting(cell, contestant, entry.rate);
        setting.timing.warmup = Duration::ZERO;
        setting.timing.seconds = setting.timing.seconds.min(Duration::from_millis(500));
        setting.under = [writes::under(&files[0]), writes::under(&files[1])];
        let played = setting.play(contestant);
        let counted = match played {
            Ok(Played::Measured(measured)) => {
                let calls = measured.record.attempted;
                let read = |file| writes::read(file, calls).ok().flatten();
                Writes { server: read(&files[0]), client: read(&files[1]), absent: None }
            }
            Ok(Played::Refused(why)) => absent(&why),
            Err(error) => absent(&error.to_string()),
        };
        for file in files {
            // There is none when the round did not begin.
            let _ = std::fs::remove_file(file);
        }
        counted
    }
}

/// The order of a round: there and back again, so that nobody always follows the same.
fn order(number: usize, contestants: usize) -> Vec<usize> {
    match number % 2 {
        1 => (0..contestants).collect(),
        _ => (0..contestants).rev().collect(),
    }
}

fn finish(entry: Entry) -> Result<ContestantRecord, String> {
    let mut record = entry.record;
    let counted: Vec<usize> = record.counted().iter().map(|round| round.number).collect();
    let mut latencies = entry.latencies.into_iter().filter(|(number, _)| counted.contains(number));
    if let Some((_, mut sum)) = latencies.next() {
        for (_, latency) in latencies {
            sum.add(latency).map_err(|error| format!("latencies of two rounds: {error}"))?;
        }
        progress::latency(&record.name, &percentiles(&sum));
        record.latency = LatencyHistogram::new(&sum)?;
    }
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_turned_round_every_time() {
        assert_eq!(order(1, 3), [0, 1, 2]);
        assert_eq!(order(2, 3), [2, 1, 0]);
        assert_eq!(order(3, 3), [0, 1, 2]);
    }
}
