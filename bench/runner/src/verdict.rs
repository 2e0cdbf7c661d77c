//! What a cell's requirements came to.

use crate::cell::{Metric, Requirement};
use crate::ratio::{BEST_PEER, PRODUCT, best_peak, median, value};
use crate::record::{CellRecord, ContestantRecord, RoundRecord};

/// One requirement for one contestant of the product.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict<'a> {
    /// The contestant.
    pub contestant: &'a str,
    /// What is required of it.
    pub requirement: &'a Requirement,
    /// The median of the rounds, as a ratio or absolute, but of failures the sum; none where it was not measured.
    pub reached: Option<f64>,
}

impl Verdict<'_> {
    /// Whether it holds; none where it was not measured.
    pub fn holds(&self) -> Option<bool> {
        self.reached.map(|reached| self.requirement.bound.holds(reached))
    }
}

/// The requirements of a cell, for each contestant of the product that took part.
pub fn verdicts(record: &CellRecord) -> Vec<Verdict<'_>> {
    let ours = record.contestants.iter().filter(|one| one.name.starts_with(PRODUCT));
    ours.flat_map(|contestant| {
        record.requirements.iter().map(|requirement| Verdict {
            contestant: &contestant.name,
            requirement,
            reached: reached(record, contestant, requirement),
        })
    })
    .collect()
}

fn reached(
    record: &CellRecord,
    contestant: &ContestantRecord,
    requirement: &Requirement,
) -> Option<f64> {
    let metric = requirement.metric;
    let middle = || {
        let rounds = contestant.counted();
        let values: Vec<f64> = rounds.iter().filter_map(|round| value(metric, round)).collect();
        median(&values)
    };
    match &requirement.against {
        Some(against) if against == BEST_PEER => {
            let (_, peak) = best_peak(&record.contestants)?;
            Some(middle()? / peak.latency.p50.max(1) as f64)
        }
        Some(against) => {
            let mut ratios = record.ratios.iter();
            let ratio = ratios.find(|ratio| {
                ratio.of == contestant.name && ratio.to == *against && ratio.metric == metric
            });
            ratio.map(|ratio| ratio.median)
        }
        // A call that failed in one round of five failed, and so it did in a spoiled one.
        None if metric == Metric::Failures => {
            let rounds = contestant.rounds.iter();
            let sum =
                rounds.map(RoundRecord::failures).reduce(|sum, some| sum.saturating_add(some));
            sum.map(|failures| failures as f64)
        }
        None => middle(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::Bound;
    use crate::testing::{contestant, record_of};

    #[test]
    fn requirements_are_judged_by_paired_ratios_or_absolutely() {
        let mut record = record_of(
            "a",
            vec![contestant("stubwire-prpc", &[100.0, 120.0]), contestant("tarpc", &[50.0, 40.0])],
        );
        let requirement = |bound, against: Option<&str>| Requirement {
            metric: Metric::CallsPerSecond,
            bound,
            against: against.map(str::to_owned),
        };
        record.requirements = vec![
            requirement(Bound::AtLeast(2.5), Some("tarpc")),
            requirement(Bound::AtLeast(3.0), Some("tarpc")),
            requirement(Bound::AtLeast(110.0), None),
            requirement(Bound::AtLeast(0.9), Some("floor")),
        ];
        let verdicts = verdicts(&record);
        let holds: Vec<_> = verdicts.iter().map(Verdict::holds).collect();
        assert_eq!(holds, [Some(true), Some(false), Some(true), None]);
        assert_eq!(verdicts[0].reached, Some(2.5));
    }

    /// The best peer is the fastest one, in its closed loop, even one that does not do the open loop.
    #[test]
    fn an_open_loop_is_judged_by_the_closed_loop_of_the_best_peer() {
        let ours = contestant("stubwire-prpc", &[100.0, 100.0, 50.0]);
        let mut record = record_of("a", vec![ours]);
        let (metric, bound) = (Metric::P999, Bound::AtMost(3.0));
        let against = Some(BEST_PEER.to_owned());
        record.requirements = vec![Requirement { metric, bound, against }];
        assert_eq!(verdicts(&record)[0].holds(), None);
        for (name, closed) in [("tonic", 20.0), ("tarpc", 200.0), ("raw-epoll", 1000.0)] {
            let peak = contestant(name, &[closed]).rounds.pop();
            record.contestants.push(ContestantRecord { peak, ..contestant(name, &[]) });
        }
        // A hundredth of a second against a two hundredth.
        let verdict = &verdicts(&record)[0];
        assert_eq!((verdict.reached, verdict.holds()), (Some(2.0), Some(true)));
        record.contestants.retain(|one| one.name != "tarpc");
        assert_eq!(verdicts(&record)[0].reached, Some(0.2));
    }

    #[test]
    fn a_failure_in_any_round_counts() {
        let mut record = record_of("a", vec![contestant("stubwire-prpc", &[100.0; 5])]);
        let none =
            Requirement { metric: Metric::Failures, bound: Bound::AtMost(0.0), against: None };
        record.requirements = vec![none];
        assert_eq!(verdicts(&record)[0].holds(), Some(true));
        let round = &mut record.contestants[0].rounds[3];
        round.spoiled = Some("others".to_owned());
        round.failed.insert("refused".to_owned(), 2);
        assert_eq!(verdicts(&record)[0].reached, Some(2.0));
        record.contestants[0].rounds.clear();
        assert_eq!(verdicts(&record)[0].holds(), None);
    }
}
