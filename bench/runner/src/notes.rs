//! What is to be known about the figures of a row before they are believed: who refused it or failed,
//! spoiled rounds, failed calls, a client that fell behind. For the tables and for the page.

use crate::ratio::best_peak;
use crate::record::{CellRecord, ContestantRecord, RoundRecord, enough};
use crate::report::words;

/// A sentence each, contestant by contestant.
pub fn notes(record: &CellRecord) -> Vec<String> {
    let mut notes: Vec<String> = record.contestants.iter().flat_map(of).collect();
    if let Some((name, peak)) = best_peak(&record.contestants) {
        let p50 = words::duration(peak.latency.p50 as f64);
        let rate = words::amount(peak.calls_per_second());
        let spoiled = match &peak.spoiled {
            Some(why) => format!(", spoiled ({why})"),
            None => String::new(),
        };
        notes.push(format!("the best peer's closed loop: {name}, {rate}/s, p50 {p50}{spoiled}"));
    }
    notes
}

fn of(contestant: &ContestantRecord) -> Vec<String> {
    let mut notes = Vec::new();
    let name = &contestant.name;
    let rounds = &contestant.rounds;
    if let Some(why) = &contestant.absent {
        notes.push(match rounds.last() {
            None => format!("{name}: not measured, {why}"),
            Some(last) => format!("{name}: out after round {}, {why}", last.number),
        });
    }
    if let (Some(address), false) = (&contestant.remote, rounds.is_empty()) {
        notes.push(format!(
            "{name}: its server ran at {address} already, on a runtime and with the work that it was started with"
        ));
    }
    let spoiled: Vec<_> = rounds.iter().filter(|round| round.spoiled.is_some()).collect();
    if !spoiled.is_empty() {
        let list: Vec<_> = spoiled
            .iter()
            .map(|round| format!("{} ({})", round.number, round.spoiled.as_deref().unwrap_or("")))
            .collect();
        let counted = rounds.len() - spoiled.len() < enough(rounds.len());
        let verdict = match counted {
            true => "too few others, so all rounds count",
            false => "left out of medians and ratios",
        };
        notes.push(format!("{name}: spoiled rounds {}; {verdict}", list.join(", ")));
    }
    let failures: u64 =
        rounds.iter().map(RoundRecord::failures).fold(0, |sum, some| sum.saturating_add(some));
    if failures > 0 {
        notes.push(format!("{name}: {failures} calls failed, {}", reasons(rounds)));
    }
    if let Some(round) = rounds.iter().find(|round| !round.connections.as_planned()) {
        let count = |number: Option<usize>| number.map_or("?".to_owned(), |n| n.to_string());
        notes.push(format!(
            "{name}: {} connections seen in round {}, {} planned",
            count(round.connections.seen),
            round.number,
            count(round.connections.planned)
        ));
    }
    for round in rounds {
        if let Some(open) = round.open_loop.filter(|open| open.fell_behind) {
            notes.push(format!(
                "{name}: the client fell behind in round {}, calls were sent {} late at the median; its latencies tell of the client",
                round.number,
                words::duration(open.lag.p50 as f64)
            ));
        }
    }
    notes
}

/// `refused 3, unfinished 1`.
fn reasons(rounds: &[RoundRecord]) -> String {
    let mut sums: std::collections::BTreeMap<&str, u64> = std::collections::BTreeMap::new();
    let mut add = |reason, count: u64| {
        let sum = sums.entry(reason).or_default();
        *sum = sum.saturating_add(count);
    };
    for round in rounds {
        round.failed.iter().for_each(|(reason, count)| add(reason.as_str(), *count));
        add("during the warm-up", round.warmup_failed);
        add("unfinished", round.unfinished);
    }
    sums.retain(|_, count| *count > 0);
    let words: Vec<_> = sums.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{contestant, record_of};

    #[test]
    fn who_refuses_is_named_with_its_words() {
        let mut record =
            record_of("a", vec![contestant("capnp", &[]), contestant("tarpc", &[1.0, 2.0])]);
        assert_eq!(notes(&record), [] as [&str; 0]);
        record.contestants[0].absent = Some("not supported: more than one thread".to_owned());
        record.contestants[1].absent = Some("failed: ended before it was done".to_owned());
        let expected = [
            "capnp: not measured, not supported: more than one thread",
            "tarpc: out after round 2, failed: ended before it was done",
        ];
        assert_eq!(notes(&record), expected);
        record.contestants.remove(0);
        record.contestants[0].remote = Some("10.0.0.1:8000".to_owned());
        assert!(notes(&record)[1].starts_with("tarpc: its server ran at 10.0.0.1:8000 already"));
    }
}
