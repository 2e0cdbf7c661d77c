//! Ratios of paired rounds: two contestants in the same round met the same machine, so that their
//! ratio says more than two medians do.

use crate::cell::Metric;
use crate::record::{ContestantRecord, RoundRecord, enough};
use serde::{Deserialize, Serialize};

/// The better of the two floors stands under this name where contestants are compared.
pub const FLOOR: &str = "floor";
/// A loop over sockets with nothing on top, on tokio and on epoll.
pub const FLOORS: [&str; 2] = ["raw-tokio", "raw-epoll"];
/// In a requirement: the median latency that the best of the peers had in the closed loop just before an open one.
/// The best is the one with most calls a second; the floors are no peers.
pub const BEST_PEER: &str = "the best peer's closed-loop p50";
/// What the names of the product's contestants begin with.
pub const PRODUCT: &str = "stubwire-";

/// What is compared round by round.
pub const METRICS: [Metric; 5] =
    [Metric::CallsPerSecond, Metric::P50, Metric::P99, Metric::P999, Metric::CpuPerCall];

/// One contestant against another in one metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ratio {
    /// The one above the line.
    pub of: String,
    /// The one below, or [`FLOOR`].
    pub to: String,
    /// In what.
    pub metric: Metric,
    /// The median of the rounds' ratios.
    pub median: f64,
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
    /// Rounds that were compared.
    pub rounds: usize,
    /// Those in which the first was better.
    pub won: usize,
    /// The number of the round that was worst for the first, and its ratio.
    pub worst: (usize, f64),
    /// Rounds left out because one of the two was spoiled; none when too few would be left.
    pub left_out: usize,
}

/// The value of a metric in a round; none where it was not measured.
pub fn value(metric: Metric, round: &RoundRecord) -> Option<f64> {
    let measured = |nanos: u64| (round.succeeded > 0).then_some(nanos as f64);
    match metric {
        Metric::CallsPerSecond => (round.succeeded > 0).then(|| round.calls_per_second()),
        Metric::P50 => measured(round.latency.p50),
        Metric::P99 => measured(round.latency.p99),
        Metric::P999 => measured(round.latency.p999),
        Metric::CpuPerCall => round.cpu_per_call_of_both(),
        Metric::Failures => Some(round.failures() as f64),
    }
}

/// Whether a contestant is one of the peers: neither the product nor a floor.
pub fn is_peer(name: &str) -> bool {
    !name.starts_with(PRODUCT) && !FLOORS.contains(&name)
}

/// The closed loop of the best peer, just before the open loop.
pub fn best_peak(contestants: &[ContestantRecord]) -> Option<(&str, &RoundRecord)> {
    let peers = contestants.iter().filter(|one| is_peer(&one.name));
    let peaks = peers.filter_map(|one| Some((&*one.name, one.peak.as_ref()?)));
    let measured = peaks.filter(|(_, peak)| peak.succeeded > 0);
    measured.max_by(|one, other| one.1.calls_per_second().total_cmp(&other.1.calls_per_second()))
}

/// All ratios of a cell: every contestant of the product to every other contestant, and to the floor.
/// Two contestants of the product are compared once, in the order of the plan.
pub fn ratios(contestants: &[ContestantRecord]) -> Vec<Ratio> {
    let mut ratios = Vec::new();
    let ours = |record: &ContestantRecord| record.name.starts_with(PRODUCT);
    for (index, of) in contestants.iter().enumerate().filter(|(_, record)| ours(record)) {
        for metric in METRICS {
            for (other, to) in contestants.iter().enumerate() {
                if other == index || (ours(to) && other > index) {
                    continue;
                }
                ratios.extend(ratio(metric, (&of.name, &series(of)), (&to.name, &series(to))));
            }
            let floor = floor(contestants, metric);
            ratios.extend(ratio(metric, (&of.name, &series(of)), (FLOOR, &floor)));
        }
    }
    ratios
}

fn series(record: &ContestantRecord) -> Vec<&RoundRecord> {
    record.rounds.iter().collect()
}

/// In every round the better of the floors.
fn floor(contestants: &[ContestantRecord], metric: Metric) -> Vec<&RoundRecord> {
    let floors = contestants.iter().filter(|record| FLOORS.contains(&&*record.name));
    let mut best: Vec<&RoundRecord> = Vec::new();
    for round in floors.flat_map(|record| &record.rounds) {
        let Some(new) = value(metric, round) else { continue };
        match best.iter_mut().find(|best| best.number == round.number) {
            None => best.push(round),
            Some(best) => {
                let old = value(metric, best).unwrap_or(new);
                if (new > old) == metric.more_is_better() && new != old {
                    *best = round;
                }
            }
        }
    }
    best
}

/// The ratio of the rounds that both have. None when they share none.
fn ratio(
    metric: Metric,
    (of, above): (&str, &[&RoundRecord]),
    (to, below): (&str, &[&RoundRecord]),
) -> Option<Ratio> {
    let pairs: Vec<(usize, f64, bool)> = above
        .iter()
        .filter_map(|one| {
            let other = below.iter().find(|other| other.number == one.number)?;
            let ratio = value(metric, one)? / value(metric, other)?;
            let clean = one.spoiled.is_none() && other.spoiled.is_none();
            ratio.is_finite().then_some((one.number, ratio, clean))
        })
        .collect();
    let clean: Vec<_> = pairs.iter().copied().filter(|(_, _, clean)| *clean).collect();
    let all = pairs.len();
    let counted = if clean.len() >= enough(all) { clean } else { pairs };
    let better = |ratio: f64| (ratio > 1.0) == metric.more_is_better() && ratio != 1.0;
    let values: Vec<f64> = counted.iter().map(|(_, ratio, _)| *ratio).collect();
    let worst = counted.iter().copied().reduce(|worst, next| {
        let is_worse = (next.1 < worst.1) == metric.more_is_better() && next.1 != worst.1;
        if is_worse { next } else { worst }
    })?;
    Some(Ratio {
        of: of.to_owned(),
        to: to.to_owned(),
        metric,
        median: median(&values)?,
        min: values.iter().copied().fold(f64::INFINITY, f64::min),
        max: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        rounds: counted.len(),
        won: values.iter().filter(|ratio| better(**ratio)).count(),
        worst: (worst.0, worst.1),
        left_out: all - counted.len(),
    })
}

/// The middle value, or the mean of the two in the middle.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        odd if odd % 2 == 1 => Some(sorted[middle]),
        _ => Some((sorted[middle - 1] + sorted[middle]) / 2.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::contestant;

    fn find<'a>(ratios: &'a [Ratio], of: &str, to: &str, metric: Metric) -> &'a Ratio {
        let found = ratios.iter().find(|r| r.of == of && r.to == to && r.metric == metric);
        found.unwrap_or_else(|| panic!("{of} to {to} in {metric:?}: {ratios:?}"))
    }

    #[test]
    fn medians() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
    }

    /// The machine is twice as fast from round to round; the ratios do not see it.
    #[test]
    fn ratios_are_taken_round_by_round() {
        let ours = contestant("stubwire-prpc", &[150.0, 300.0, 480.0, 1200.0]);
        let peer = contestant("tarpc", &[100.0, 200.0, 400.0, 2400.0]);
        let ratios = ratios(&[ours, peer]);
        let speed = find(&ratios, "stubwire-prpc", "tarpc", Metric::CallsPerSecond);
        assert!((speed.median - 1.35).abs() < 1e-9, "{speed:?}");
        assert_eq!((speed.min, speed.max), (0.5, 1.5));
        assert_eq!((speed.rounds, speed.won, speed.worst), (4, 3, (4, 0.5)));
    }

    #[test]
    fn of_latency_less_is_better() {
        // The rounds of `testing` have a p99 of a second a call.
        let ours = contestant("stubwire-prpc", &[200.0, 100.0, 100.0]);
        let peer = contestant("tarpc", &[100.0, 100.0, 200.0]);
        let ratios = ratios(&[ours, peer]);
        let tail = find(&ratios, "stubwire-prpc", "tarpc", Metric::P99);
        assert_eq!((tail.won, tail.worst), (1, (3, 2.0)), "{tail:?}");
    }

    #[test]
    fn the_floor_is_the_better_of_two_in_every_round() {
        let ours = contestant("stubwire-frpc", &[90.0, 90.0]);
        let tokio = contestant("raw-tokio", &[100.0, 90.0]);
        let epoll = contestant("raw-epoll", &[90.0, 180.0]);
        let ratios = ratios(&[tokio, ours, epoll]);
        let speed = find(&ratios, "stubwire-frpc", FLOOR, Metric::CallsPerSecond);
        assert_eq!((speed.max, speed.min), (0.9, 0.5));
        let tail = find(&ratios, "stubwire-frpc", FLOOR, Metric::P99);
        // Latencies are whole nanoseconds.
        let near = |ratio: f64, to: f64| (ratio - to).abs() < 1e-6;
        assert!(near(tail.min, 10.0 / 9.0) && near(tail.max, 2.0), "{tail:?}");
    }

    #[test]
    fn a_spoiled_round_of_either_is_left_out_when_enough_are_left() {
        let ours = contestant("stubwire-prpc", &[100.0, 100.0, 100.0]);
        let mut peer = contestant("tarpc", &[1.0, 50.0, 50.0]);
        peer.rounds[0].spoiled = Some("others".to_owned());
        let all = ratios(&[ours.clone(), peer.clone()]);
        let speed = find(&all, "stubwire-prpc", "tarpc", Metric::CallsPerSecond);
        assert_eq!((speed.max, speed.rounds, speed.left_out), (2.0, 2, 1));
        peer.rounds[1].spoiled = Some("others".to_owned());
        let all = ratios(&[ours, peer]);
        let speed = find(&all, "stubwire-prpc", "tarpc", Metric::CallsPerSecond);
        assert_eq!((speed.max, speed.rounds, speed.left_out), (100.0, 3, 0));
    }

    #[test]
    fn who_is_absent_or_never_succeeded_has_no_ratio() {
        let ours = contestant("stubwire-prpc", &[100.0, 0.0]);
        let ratios = ratios(&[ours, contestant("tarpc", &[])]);
        assert_eq!(ratios, []);
    }

    #[test]
    fn the_two_protocols_are_compared_once() {
        let prpc = contestant("stubwire-prpc", &[100.0]);
        let frpc = contestant("stubwire-frpc", &[200.0]);
        let ratios = ratios(&[prpc, frpc]);
        assert_eq!(ratios.len(), METRICS.len());
        assert_eq!(find(&ratios, "stubwire-frpc", "stubwire-prpc", Metric::P50).median, 0.5);
    }
}
