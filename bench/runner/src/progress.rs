//! What is told while a run goes on, on standard error.

use crate::environment::Environment;
use crate::plan::Row;
use crate::record::{Percentiles, RoundRecord};
use crate::run::Options;

pub(crate) fn begin(environment: &Environment, options: &Options, no_writes: Option<&str>) {
    let Environment { date, commit, kernel, cpu, cores, congestion_control, rustc, .. } =
        environment;
    eprintln!("{date}, commit {commit}, {rustc}");
    eprintln!("{cpu}, {cores} cores, Linux {kernel}, congestion control {congestion_control}");
    match &options.pins {
        Some((server, client)) => eprintln!("pinned cells: server on {server}, client on {client}"),
        None => eprintln!("no cell is pinned"),
    }
    if let Some(why) = no_writes {
        eprintln!("write calls are not counted: {why}");
    }
}

pub(crate) fn row(row: &Row) {
    eprintln!("\n{}: {}", row.cell.name, row.cell.key());
}

pub(crate) fn absent(name: &str, why: &str) {
    eprintln!("  {name:<22} MISSING: {why}");
}

pub(crate) fn round(name: &str, round: &RoundRecord) {
    let micros = |nanos: f64| nanos / 1e3;
    let cpu = |cost| round.cpu_per_call(cost).map_or("-".to_owned(), |n| format!("{:.2}", n / 1e3));
    let mut line = format!(
        "  {name:<22} #{:<2} {:>10.0}/s  p50 {:>8.1}  p99 {:>8.1} us  CPU {} + {} us",
        round.number,
        round.calls_per_second(),
        micros(round.latency.p50 as f64),
        micros(round.latency.p99 as f64),
        round.server.as_ref().map_or("-".to_owned(), cpu),
        cpu(&round.client),
    );
    let machine = &round.machine;
    line.push_str(&format!(
        "  steal {:.2} others {:.2}",
        machine.steal_cores, machine.others_cores
    ));
    if round.failures() > 0 {
        line.push_str(&format!("  {} FAILED {:?}", round.failures(), round.failed));
    }
    if !round.connections.as_planned() {
        line.push_str(&format!("  CONNECTIONS {:?}", round.connections));
    }
    if let Some(open_loop) = &round.open_loop {
        let lag = micros(open_loop.lag.p50 as f64);
        line.push_str(&format!("  due {:.0}/s, sent {lag:.1} us late", open_loop.rate));
        if open_loop.fell_behind {
            line.push_str(", CLIENT FELL BEHIND");
        }
    }
    if round.spoiled.is_some() {
        line.push_str("  SPOILED");
    }
    eprintln!("{line}");
}

pub(crate) fn peak(name: &str, peak: &RoundRecord) {
    let p50 = peak.latency.p50 as f64 / 1e3;
    eprintln!("  {name:<22} closed loop {:>10.0}/s  p50 {p50:>8.1} us", peak.calls_per_second());
}

pub(crate) fn latency(name: &str, latency: &Percentiles) {
    let Percentiles { p50, p99, p999, max, .. } = latency;
    let [p50, p99, p999, max] = [p50, p99, p999, max].map(|nanos| *nanos as f64 / 1e3);
    eprintln!("  {name:<22} all p50 {p50:.1}  p99 {p99:.1}  p99.9 {p999:.1}  max {max:.1} us");
}
