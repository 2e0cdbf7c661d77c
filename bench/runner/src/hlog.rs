//! Latencies as a log of HdrHistogram intervals, which its own tools and plotters read: one interval a
//! round, tagged with the contestant and the cell.

use crate::cell::Cell;
use crate::environment::Environment;
use crate::record::RoundRecord;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::V2DeflateSerializer;
use hdrhistogram::serialization::interval_log::{IntervalLogWriterBuilder, Tag};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

/// A log that is appended to.
pub struct Log {
    file: File,
    run: String,
}

impl Log {
    /// Opens one.
    ///
    /// # Errors
    /// Those of the file.
    pub fn append(path: &Path, environment: &Environment) -> io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Self { file, run: environment.date.clone() })
    }

    /// Adds a round. Times are absolute; the maximum is in milliseconds as such logs have it, the
    /// histogram in nanoseconds.
    ///
    /// # Errors
    /// Those of the file.
    pub fn interval(
        &mut self,
        contestant: &str,
        cell: &Cell,
        round: &RoundRecord,
        latency: &Histogram<u64>,
    ) -> io::Result<()> {
        let bytes = self.line(contestant, cell, round, latency)?;
        self.file.write_all(&bytes)
    }

    fn line(
        &self,
        contestant: &str,
        cell: &Cell,
        round: &RoundRecord,
        latency: &Histogram<u64>,
    ) -> io::Result<Vec<u8>> {
        let other = |error: String| io::Error::other(format!("the log of latencies: {error}"));
        let began = Duration::try_from_secs_f64(round.began).unwrap_or_default();
        let name = format!("{contestant}/{}/{}", tag(&cell.key()), round.number);
        let mut bytes = Vec::new();
        let mut serializer = V2DeflateSerializer::new();
        // Every line stands behind a head of its own, so that any part of the file can be read.
        let mut log = IntervalLogWriterBuilder::new()
            .add_comment(&format!("stubwire-bench {}", self.run))
            .with_base_time(UNIX_EPOCH)
            .with_max_value_divisor(1e6)
            .begin_log_with(&mut bytes, &mut serializer)
            .map_err(|error| other(error.to_string()))?;
        let elapsed = Duration::from_nanos(round.elapsed_ns);
        log.write_histogram(latency, began, elapsed, Tag::new(&name))
            .map_err(|error| other(format!("{error:?}")))?;
        Ok(bytes)
    }
}

/// Tags hold neither commas nor spaces.
fn tag(key: &str) -> String {
    key.replace(' ', "_").replace(',', ";")
}

#[cfg(test)]
mod tests {
    use super::*;
    use hdrhistogram::serialization::interval_log::{IntervalLogIterator, LogEntry};
    use std::fs;

    #[test]
    fn the_log_reads_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.hlog");
        let mut histogram = Histogram::new_with_bounds(1, 100_000_000_000, 3).unwrap();
        histogram.record(2_000_000).unwrap();
        let mut log = Log::append(&path, &Environment::default()).unwrap();
        let round = RoundRecord {
            number: 1,
            began: 1_798_675_200.5,
            elapsed_ns: 2_000_000_000,
            ..Default::default()
        };
        for name in ["stubwire-prpc", "tarpc+multi"] {
            log.interval(name, &Cell::default(), &round, &histogram).unwrap();
        }
        let text = fs::read(&path).unwrap();
        let entries: Vec<_> = IntervalLogIterator::new(&text).map(Result::unwrap).collect();
        let intervals: Vec<_> = entries
            .iter()
            .filter_map(|entry| match entry {
                LogEntry::Interval(interval) => Some(interval),
                _ => None,
            })
            .collect();
        assert_eq!(intervals.len(), 2);
        let tag = intervals[1].tag().unwrap();
        assert_eq!(tag.as_str(), "tarpc+multi/shared(1)_x1_64B_string_current>current/1");
        assert_eq!(intervals[0].duration(), Duration::from_secs(2));
        let max = intervals[0].max();
        assert!((max - 2.0).abs() < 0.01, "milliseconds: {max}");
    }
}
