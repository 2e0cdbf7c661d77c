//! The figures behind the plots of a row, for those who want them as numbers.

use super::escape::escape;
use super::{middle, rate, words};
use crate::cell::Metric;
use crate::ratio::value;
use crate::record::ContestantRecord;

const COLUMNS: [&str; 8] =
    ["Contestant", "Calls/s", "Slowest–fastest", "p50", "p99", "p99.9", "CPU a call", "Rounds"];

pub(super) fn figures(out: &mut String, order: &[&ContestantRecord]) {
    if order.is_empty() {
        return;
    }
    out.push_str("<details class=\"figures\"><summary>Figures</summary>\n<div class=\"scroll\"><table>\n<thead><tr>");
    COLUMNS.iter().for_each(|column| out.push_str(&format!("<th>{column}</th>")));
    out.push_str("</tr></thead>\n<tbody>\n");
    for one in order {
        let time = |metric: Metric| {
            middle(one, |round| value(metric, round)).map_or("–".to_owned(), words::duration)
        };
        let rates = one.counted().into_iter().map(|round| round.calls_per_second());
        let (min, max) =
            rates.fold((f64::INFINITY, 0.0_f64), |(min, max), rate| (min.min(rate), max.max(rate)));
        let spoiled = one.rounds.iter().filter(|round| round.spoiled.is_some()).count();
        let rounds = match spoiled {
            0 => one.rounds.len().to_string(),
            _ => format!("{}, {spoiled} spoiled", one.rounds.len()),
        };
        let cells = [
            words::amount(rate(one).unwrap_or(0.0)),
            format!("{}–{}", words::amount(min), words::amount(max)),
            time(Metric::P50),
            time(Metric::P99),
            time(Metric::P999),
            time(Metric::CpuPerCall),
            rounds,
        ];
        out.push_str(&format!("<tr><th>{}</th>", escape(&one.name)));
        cells.iter().for_each(|cell| out.push_str(&format!("<td>{cell}</td>")));
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table></div></details>\n");
}
