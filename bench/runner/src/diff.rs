//! Two records against each other, joined by the key of the cell and the contestant, never by the
//! line. A change counts only beyond what the rounds of the two records differ by themselves, and
//! only where enough of them were clean.

use crate::cell::Metric;
use crate::ratio::{METRICS, median, value};
use crate::record::{CellRecord, RoundRecord};
use std::collections::BTreeMap;
use std::fmt;

/// What is compared between records, and how far a figure may move unseen. The rounds of a quiet
/// run agree by chance to less than that.
const LEAST_NOISE: f64 = 0.02;

/// What a figure is of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The cell's key.
    pub cell: String,
    /// The contestant.
    pub contestant: String,
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.contestant, self.cell)
    }
}

/// One figure in both records.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// What it is of.
    pub key: Key,
    /// Which figure.
    pub metric: Metric,
    /// The medians.
    pub before: f64,
    /// Of the second record.
    pub after: f64,
    /// How far apart, as a share of the median, chance may put them.
    pub noise: f64,
    /// Too few rounds of one record were clean, so that spoiled ones are in its median.
    pub spoiled: bool,
}

/// What a change means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Within the noise.
    Same,
    /// Beyond it, for the better.
    Better,
    /// Beyond it, for the worse.
    Worse,
    /// Beyond it, but the machine had others to serve.
    Unsure,
}

impl Change {
    /// After as a share of before.
    pub fn ratio(&self) -> f64 {
        self.after / self.before
    }

    /// What it means.
    pub fn verdict(&self) -> Verdict {
        let ratio = self.ratio();
        if (ratio - 1.0).abs() <= self.noise {
            Verdict::Same
        } else if self.spoiled {
            Verdict::Unsure
        } else if (ratio > 1.0) == self.metric.more_is_better() {
            Verdict::Better
        } else {
            Verdict::Worse
        }
    }
}

/// Two records compared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diff {
    /// What both have.
    pub changes: Vec<Change>,
    /// What only the first has.
    pub only_before: Vec<Key>,
    /// What only the second has.
    pub only_after: Vec<Key>,
    /// In what the two environments differ.
    pub environments: Vec<String>,
}

/// Compares two records. When a record has a cell several times, all of its rounds count.
pub fn diff(before: &[CellRecord], after: &[CellRecord], metrics: &[Metric]) -> Diff {
    let (old, new) = (rounds(before), rounds(after));
    let mut diff = Diff { environments: environments(before, after), ..Default::default() };
    for (key, old) in &old {
        let Some(new) = new.get(key) else {
            diff.only_before.push(key.clone());
            continue;
        };
        for metric in METRICS.into_iter().filter(|metric| metrics.contains(metric)) {
            diff.changes.extend(change(key, metric, old, new));
        }
    }
    diff.only_after = new.into_keys().filter(|key| !old.contains_key(key)).collect();
    diff
}

fn rounds(records: &[CellRecord]) -> BTreeMap<Key, Vec<&RoundRecord>> {
    let mut rounds = BTreeMap::<_, Vec<_>>::new();
    for record in records {
        for contestant in record.contestants.iter().filter(|one| !one.rounds.is_empty()) {
            let key = Key { cell: record.cell.key(), contestant: contestant.name.clone() };
            rounds.entry(key).or_default().extend(contestant.counted());
        }
    }
    rounds
}

fn change(key: &Key, metric: Metric, old: &[&RoundRecord], new: &[&RoundRecord]) -> Option<Change> {
    let values = |rounds: &[&RoundRecord]| -> Vec<f64> {
        rounds.iter().filter_map(|round| value(metric, round)).collect()
    };
    let spoiled = old.iter().chain(new).any(|round| round.spoiled.is_some());
    let (old, new) = (values(old), values(new));
    let (before, after) = (median(&old)?, median(&new)?);
    // Each side may be off by half of what its rounds are apart.
    let noise = (spread(&old, before) + spread(&new, after)).max(LEAST_NOISE);
    let key = key.clone();
    (before > 0.0).then_some(Change { key, metric, before, after, noise, spoiled })
}

/// Half of the range, as a share of the median.
fn spread(values: &[f64], median: f64) -> f64 {
    let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let min = values.iter().copied().fold(f64::INFINITY, f64::min);
    if median > 0.0 { (max - min) / median / 2.0 } else { 0.0 }
}

fn environments(before: &[CellRecord], after: &[CellRecord]) -> Vec<String> {
    let (Some(before), Some(after)) = (before.last(), after.last()) else { return Vec::new() };
    let (before, after) = (&before.environment, &after.environment);
    let mut differences = Vec::new();
    for (what, old, new) in [
        ("commit", &before.commit, &after.commit),
        ("kernel", &before.kernel, &after.kernel),
        ("processor", &before.cpu, &after.cpu),
        ("congestion control", &before.congestion_control, &after.congestion_control),
        ("compiler", &before.rustc, &after.rustc),
    ] {
        if old != new {
            differences.push(format!("{what}: {old} -> {new}"));
        }
    }
    for (name, new) in &after.versions {
        if let Some(old) = before.versions.get(name).filter(|old| *old != new) {
            differences.push(format!("{name}: {old} -> {new}"));
        }
    }
    differences
}

impl Diff {
    /// Whether any figure became worse beyond its noise.
    pub fn is_worse(&self) -> bool {
        self.changes.iter().any(|change| change.verdict() == Verdict::Worse)
    }
}

impl fmt::Display for Diff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for difference in &self.environments {
            writeln!(f, "{difference}")?;
        }
        for change in &self.changes {
            let word = match change.verdict() {
                Verdict::Same => "same",
                Verdict::Better => "BETTER",
                Verdict::Worse => "WORSE",
                Verdict::Unsure => "unsure",
            };
            writeln!(
                f,
                "{word:<6} {:>+7.1} % (noise {:.1} %)  {:<8} {:.0} -> {:.0}  {}",
                (change.ratio() - 1.0) * 100.0,
                change.noise * 100.0,
                change.metric.name(),
                change.before,
                change.after,
                change.key,
            )?;
        }
        let unsure =
            self.changes.iter().filter(|change| change.verdict() == Verdict::Unsure).count();
        if unsure > 0 {
            writeln!(f, "{unsure} changes rest on spoiled rounds and decide nothing: run again")?;
        }
        for (keys, which) in [(&self.only_before, "first"), (&self.only_after, "second")] {
            for key in keys {
                writeln!(f, "only in the {which}: {key}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{contestant, record, record_of};

    const SPEED: &[Metric] = &[Metric::CallsPerSecond];

    #[test]
    fn cells_are_joined_by_their_key_whatever_their_order_and_name() {
        let before = [record("a", &[100.0, 101.0]), record("bb", &[200.0, 201.0])];
        let mut after = [record("bb", &[202.0, 203.0]), record("a", &[50.0, 51.0])];
        after[1].cell.name = "of another name".to_owned();
        let diff = diff(&before, &after, SPEED);
        let verdicts: Vec<_> =
            diff.changes.iter().map(|change| (change.before, change.verdict())).collect();
        assert_eq!(verdicts, [(100.5, Verdict::Worse), (200.5, Verdict::Same)]);
        assert!(diff.is_worse());
        assert!(diff.only_before.is_empty() && diff.only_after.is_empty());
    }

    #[test]
    fn what_one_record_lacks_is_told() {
        let two = vec![contestant("stubwire-prpc", &[1.0]), contestant("tarpc", &[1.0])];
        let before = [record_of("a", two), record("bb", &[1.0])];
        let after = [record("a", &[1.0]), record("ccc", &[1.0])];
        let diff = diff(&before, &after, SPEED);
        let shown =
            |keys: &[Key]| keys.iter().map(|key| key.contestant.clone()).collect::<Vec<_>>();
        assert_eq!(shown(&diff.only_before), ["tarpc", "stubwire-prpc"]);
        assert_eq!(shown(&diff.only_after), ["stubwire-prpc"]);
        assert!(!diff.is_worse());
        assert!(diff.to_string().contains("only in the second: stubwire-prpc shared(1) x1 3B"));
    }

    /// The same ten percent are a change between quiet rounds and none between noisy ones.
    #[test]
    fn the_noise_comes_from_the_rounds() {
        let quiet = diff(&[record("a", &[100.0, 101.0])], &[record("a", &[90.0, 91.0])], SPEED);
        assert_eq!(quiet.changes[0].verdict(), Verdict::Worse);
        let noisy = diff(&[record("a", &[90.0, 110.0])], &[record("a", &[80.0, 100.0])], SPEED);
        assert_eq!(noisy.changes[0].verdict(), Verdict::Same);
        let still = diff(&[record("a", &[100.0])], &[record("a", &[99.0])], SPEED);
        assert_eq!(still.changes[0].verdict(), Verdict::Same);
    }

    #[test]
    fn spoiled_rounds_decide_nothing() {
        let mut after = [record("a", &[50.0, 51.0, 52.0])];
        after[0].contestants[0].rounds[0].spoiled = Some("others".to_owned());
        let before = [record("a", &[100.0, 101.0])];
        let worse = diff(&before, &after, SPEED);
        assert_eq!(worse.changes[0].verdict(), Verdict::Worse, "two clean rounds are enough");
        after[0].contestants[0].rounds[1].spoiled = Some("others".to_owned());
        let unsure = diff(&before, &after, SPEED);
        assert_eq!(unsure.changes[0].verdict(), Verdict::Unsure);
        assert!(!unsure.is_worse());
        assert!(unsure.to_string().contains("1 changes rest on spoiled rounds"), "{unsure}");
    }

    #[test]
    fn slower_is_worse_for_latency_as_well() {
        let (fast, slow) = ([record("a", &[200.0])], [record("a", &[100.0])]);
        let worse = diff(&fast, &slow, &[Metric::P99, Metric::CpuPerCall]);
        assert_eq!(worse.changes.len(), 2);
        assert!(worse.changes.iter().all(|change| change.verdict() == Verdict::Worse));
        assert!(worse.changes.iter().all(|change| change.after > change.before));
        assert!(!diff(&slow, &fast, &[Metric::P99]).is_worse());
    }
}
