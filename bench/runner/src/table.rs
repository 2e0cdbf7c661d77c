//! A record as Markdown: who reached what, the ratios of paired rounds, and what was required.

use crate::cell::Metric;
use crate::notes::notes;
use crate::ratio::{FLOOR, FLOORS, PRODUCT, Ratio, is_peer, median, value};
use crate::record::{CellRecord, ContestantRecord, ProcessCost, RoundRecord};
use crate::verdict::verdicts;
use std::fmt::Write;

/// The whole record, run by run.
pub fn markdown(records: &[CellRecord]) -> String {
    let mut out = String::new();
    for run in records.chunk_by(|one, other| one.run == other.run && one.plan == other.plan) {
        head(&mut out, &run[0]);
        results(&mut out, run);
        required(&mut out, run);
        details(&mut out, run);
    }
    out
}

macro_rules! line {
    ($out:expr, $($format:tt)*) => {
        // Writing to a string cannot fail.
        _ = writeln!($out, $($format)*)
    };
}

fn head(out: &mut String, record: &CellRecord) {
    let environment = &record.environment;
    let versions: Vec<_> =
        environment.versions.iter().map(|(name, version)| format!("{name} {version}")).collect();
    line!(out, "Plan `{}`, {}, commit {}.", record.plan, record.run, environment.commit);
    line!(
        out,
        "{}, {} cores, Linux {}, congestion control {}, {}; {}.\n",
        environment.cpu,
        environment.cores,
        environment.kernel,
        environment.congestion_control,
        environment.rustc,
        versions.join(", ")
    );
}

/// One line a row: the floor, the best of the peers, and the product.
fn results(out: &mut String, run: &[CellRecord]) {
    line!(out, "| shape | floor | best peer | stubwire prpc | stubwire frpc |");
    line!(out, "|---|---:|---:|---:|---:|");
    for record in run {
        let column = |pick: &dyn Fn(&ContestantRecord) -> bool| -> String {
            let of = record.contestants.iter().filter(|one| pick(one));
            let best = of.filter_map(|one| Some((one, rate(one)?)));
            let best = best.max_by(|one, other| one.1.total_cmp(&other.1));
            best.map_or("-".to_owned(), |(one, _)| summary(one))
        };
        let ours = |name: &'static str| column(&move |one| one.name == name);
        line!(
            out,
            "| {} | {} | {} | {} | {} |",
            record.cell.name,
            column(&|one| FLOORS.contains(&&*one.name)),
            column(&|one| is_peer(&one.name)),
            ours("stubwire-prpc"),
            ours("stubwire-frpc"),
        );
    }
    line!(out, "");
}

fn rate(contestant: &ContestantRecord) -> Option<f64> {
    middle(&contestant.counted(), |round| value(Metric::CallsPerSecond, round))
}

fn middle(rounds: &[&RoundRecord], of: impl Fn(&RoundRecord) -> Option<f64>) -> Option<f64> {
    median(&rounds.iter().filter_map(|round| of(round)).collect::<Vec<_>>())
}

/// `tarpc 280 k/s, p99 265 us`.
fn summary(contestant: &ContestantRecord) -> String {
    let rounds = contestant.counted();
    let p99 = middle(&rounds, |round| value(Metric::P99, round));
    let Some((rate, p99)) = rate(contestant).zip(p99) else { return "-".to_owned() };
    let name = match contestant.name.starts_with(PRODUCT) {
        true => String::new(),
        false => format!("{} ", contestant.name),
    };
    format!("{name}{}/s, p99 {}", thousands(rate), duration(p99))
}

fn required(out: &mut String, run: &[CellRecord]) {
    if run.iter().all(|record| record.requirements.is_empty()) {
        return;
    }
    line!(out, "| shape | required | contestant | reached | |");
    line!(out, "|---|---|---|---:|---|");
    for record in run {
        for verdict in verdicts(record) {
            let reached = verdict.reached.map_or("-".to_owned(), |value| format!("{value:.2}"));
            let holds = match verdict.holds() {
                None => "not measured",
                Some(true) => "yes",
                Some(false) => "**no**",
            };
            let (name, contestant) = (&record.cell.name, verdict.contestant);
            line!(out, "| {name} | {} | {contestant} | {reached} | {holds} |", verdict.requirement);
        }
    }
    line!(out, "");
}

fn details(out: &mut String, run: &[CellRecord]) {
    for record in run {
        line!(out, "### {}\n\n`{}`\n", record.cell.name, record.cell.key());
        line!(
            out,
            "| contestant | calls/s (min–max) | p50 | p99 | p99.9 | CPU/call server + client | \
             busy cores (in the two busiest threads) | switches/call | sends/call | failed | rounds |"
        );
        line!(out, "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
        for contestant in &record.contestants {
            detail(out, contestant);
        }
        let ratios: Vec<_> = record.ratios.iter().filter(|ratio| shown(ratio)).collect();
        if !ratios.is_empty() {
            line!(out, "\n| ratio of paired rounds | | median (min–max) | won | worst round |");
            line!(out, "|---|---|---:|---:|---:|");
            for ratio in ratios {
                line!(out, "{}", row_of(ratio));
            }
        }
        let notes = notes(record);
        if !notes.is_empty() {
            line!(out, "");
            notes.iter().for_each(|note| line!(out, "- {note}"));
        }
        line!(out, "");
    }
}

/// The other metrics stand in the record.
fn shown(ratio: &Ratio) -> bool {
    matches!(ratio.metric, Metric::CallsPerSecond | Metric::P99)
        || (ratio.metric == Metric::CpuPerCall && ratio.to == FLOOR)
}

fn row_of(ratio: &Ratio) -> String {
    let Ratio { of, to, median, min, max, won, rounds, worst, .. } = ratio;
    let metric = ratio.metric.name();
    format!(
        "| {of} / {to} | {metric} | {median:.2} ({min:.2}–{max:.2}) | {won} of {rounds} | #{}: {:.2} |",
        worst.0, worst.1
    )
}

fn detail(out: &mut String, contestant: &ContestantRecord) {
    let name = &contestant.name;
    let rounds = contestant.counted();
    let rates: Vec<f64> =
        rounds.iter().filter_map(|round| value(Metric::CallsPerSecond, round)).collect();
    let Some(rate) = median(&rates) else {
        let why = contestant.absent.as_deref().unwrap_or("no call succeeded");
        line!(out, "| {name} | {why} | | | | | | | | | |");
        return;
    };
    let min = rates.iter().copied().fold(f64::INFINITY, f64::min);
    let max = rates.iter().copied().fold(0.0, f64::max);
    let time = |of: &dyn Fn(&RoundRecord) -> Option<f64>| {
        middle(&rounds, of).map_or("-".to_owned(), duration)
    };
    let switches = |round: &RoundRecord| {
        let both = round.server.as_ref()?.switches() + round.client.switches();
        Some(both as f64 / round.succeeded.max(1) as f64)
    };
    let sends = match (contestant.writes.server, contestant.writes.client) {
        (Some(server), Some(client)) => format!("{:.2} + {:.2}", server.sends, client.sends),
        _ => "-".to_owned(),
    };
    let all = &contestant.rounds;
    line!(
        out,
        "| {name} | {} ({}–{}) | {} | {} | {} | {} + {} | {} + {} | {} | {sends} | {} | {} |",
        thousands(rate),
        thousands(min),
        thousands(max),
        time(&|round| value(Metric::P50, round)),
        time(&|round| value(Metric::P99, round)),
        time(&|round| value(Metric::P999, round)),
        time(&|round| round.cpu_per_call(round.server.as_ref()?)),
        time(&|round| round.cpu_per_call(&round.client)),
        cores(&rounds, |round| round.server.as_ref()),
        cores(&rounds, |round| Some(&round.client)),
        middle(&rounds, switches).map_or("-".to_owned(), |count| format!("{count:.2}")),
        all.iter().map(RoundRecord::failures).sum::<u64>(),
        match all.iter().filter(|round| round.spoiled.is_some()).count() {
            0 => all.len().to_string(),
            spoiled => format!("{}, {spoiled} spoiled", all.len()),
        },
    );
}

/// `1.85 (96 %)`.
fn cores(rounds: &[&RoundRecord], side: fn(&RoundRecord) -> Option<&ProcessCost>) -> String {
    let busy = middle(rounds, |round| Some(round.cores(side(round)?)));
    let two = middle(rounds, |round| Some(side(round)?.share_of_two_busiest() * 100.0));
    busy.zip(two).map_or("-".to_owned(), |(busy, two)| format!("{busy:.2} ({two:.0} %)"))
}

/// `865`, `12.3 k`, `1.05 M`.
fn thousands(number: f64) -> String {
    match number {
        ..1e3 => format!("{number:.0}"),
        ..1e5 => format!("{:.1} k", number / 1e3),
        ..1e6 => format!("{:.0} k", number / 1e3),
        _ => format!("{:.2} M", number / 1e6),
    }
}

/// `650 ns`, `54.2 us`, `1.20 ms`.
fn duration(nanos: f64) -> String {
    match nanos {
        ..1e3 => format!("{nanos:.0} ns"),
        ..1e6 => format!("{:.1} us", nanos / 1e3),
        _ => format!("{:.2} ms", nanos / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::{Bound, Requirement};
    use crate::testing::{contestant, record_of};

    #[test]
    fn numbers_are_short() {
        let shown: Vec<_> = [0.0, 999.0, 12_345.0, 217_000.0, 1_050_000.0].map(thousands).into();
        assert_eq!(shown, ["0", "999", "12.3 k", "217 k", "1.05 M"]);
        let shown: Vec<_> = [650.0, 54_200.0, 1_200_000.0].map(duration).into();
        assert_eq!(shown, ["650 ns", "54.2 us", "1.20 ms"]);
    }

    #[test]
    fn the_tables_show_everybody() {
        let mut record = record_of(
            "a row",
            vec![
                contestant("stubwire-prpc", &[750_000.0, 760_000.0]),
                contestant("tarpc", &[280_000.0, 250_000.0]),
                contestant("tonic", &[80_000.0, 80_000.0]),
                contestant("raw-epoll", &[1_000_000.0, 1_000_000.0]),
                contestant("ttrpc", &[]),
            ],
        );
        record.contestants[4].absent = Some("no program".to_owned());
        record.requirements.push(Requirement {
            metric: Metric::CallsPerSecond,
            bound: Bound::AtLeast(2.5),
            against: Some("tarpc".to_owned()),
        });
        let text = markdown(&[record]);
        for expected in [
            "| a row | raw-epoll 1.00 M/s, p99 1.0 us | tarpc 265 k/s, p99 3.8 us | 755 k/s, p99 1.3 us | - |",
            "| a row | calls/s >= 2.5 x tarpc | stubwire-prpc | 2.86 | yes |",
            "| ttrpc | no program | | | | | | | | | |",
            "| stubwire-prpc / floor | calls/s | 0.76 (0.75–0.76) | 0 of 2 | #1: 0.75 |",
            "\n- ttrpc: not measured, no program\n",
        ] {
            assert!(text.contains(expected), "{expected}\nis not in\n{text}");
        }
    }
}
