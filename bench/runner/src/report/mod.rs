//! A record as a page to look at: one HTML file with its plots as SVG inside, no scripts, nothing
//! from elsewhere.
//!
//! ```text
//!  html ──► heading, summary ──► families (cells that differ in one number alone)
//!             └─► row ──► throughput, ratios, latency, cpu ──► svg, scale
//!                   └─► notes, figures
//! ```
//!
//! The bytes are a function of the record. Every text that comes out of a record goes through
//! `escape`, since records are handed around; every coordinate through
//! `scale`, so that no figure, however odd, breaks a plot.

mod bars;
mod colour;
mod cpu;
mod escape;
mod families;
mod figures;
#[cfg(test)]
mod fixture;
mod heading;
mod latency;
mod notes;
mod ratios;
mod scale;
mod summary;
mod svg;
#[cfg(test)]
mod tests;
mod throughput;
pub(crate) mod words;

use crate::cell::Pace;
use crate::ratio::median;
use crate::record::{CellRecord, ContestantRecord, RoundRecord};
use escape::escape;

/// The page.
pub fn html(records: &[CellRecord]) -> String {
    let mut body = String::new();
    let runs = records.chunk_by(|one, other| one.run == other.run && one.plan == other.plan);
    for (number, run) in runs.enumerate() {
        section(&mut body, number + 1, run);
    }
    if records.is_empty() {
        body.push_str("<p>The record holds no line.</p>\n");
    }
    let style = include_str!("style.css");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n\
         <style>\n{style}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n",
        escape(&title(records))
    )
}

fn title(records: &[CellRecord]) -> String {
    let first = records.first();
    first.map_or("stubwire benchmark".to_owned(), |record| {
        format!("stubwire benchmark: {}, {}", record.plan, record.run)
    })
}

/// A run: `number` keeps the anchors of several apart.
fn section(out: &mut String, number: usize, run: &[CellRecord]) {
    out.push_str("<section>\n");
    heading::heading(out, &run[0]);
    summary::summary(out, number, run);
    let families = families::families(run);
    families::sections(out, &families);
    for (index, record) in run.iter().enumerate() {
        // Where a plot shows the same figures beside their like, a row is there to be opened.
        let folded = families.iter().any(|family| family.holds(index));
        row(out, &anchor(number, index), record, folded);
    }
    out.push_str("</section>\n");
}

/// What a link to a row names.
fn anchor(run: usize, index: usize) -> String {
    format!("row-{run}-{}", index + 1)
}

fn row(out: &mut String, anchor: &str, record: &CellRecord, folded: bool) {
    let (name, key) = (escape(&record.cell.name), escape(&record.cell.key()));
    match folded {
        true => out.push_str(&format!(
            "<details class=\"row\" id=\"{anchor}\">\n<summary>{name} <code>{key}</code></summary>\n"
        )),
        false => out.push_str(&format!(
            "<article class=\"row\" id=\"{anchor}\">\n<h3>{name}</h3>\n<p class=\"key\"><code>{key}</code></p>\n"
        )),
    }
    let order = order(record);
    let mut plots = vec![throughput::plot(record, &order)];
    plots.extend(latency::plot(&order));
    plots.extend(ratios::plots(record));
    plots.extend(cpu::plot(&order));
    out.push_str("<div class=\"plots\">\n");
    plots.iter().for_each(|figure| out.push_str(&figure.html()));
    out.push_str("</div>\n");
    notes::notes(out, record);
    figures::figures(out, &order);
    out.push_str(if folded { "</details>\n" } else { "</article>\n" });
}

/// A plot with what stands above it.
struct Figure {
    title: String,
    /// How to read it; plain text.
    caption: String,
    /// Contestants whose colours have to be told, because no line bears their names.
    legend: Vec<String>,
    /// `<svg …>`.
    svg: String,
}

impl Figure {
    fn html(&self) -> String {
        let (title, caption) = (escape(&self.title), escape(&self.caption));
        let legend: String = self
            .legend
            .iter()
            .map(|name| format!("<i class=\"{}\">{}</i> ", colour::class(name), escape(name)))
            .collect();
        format!(
            "<figure>\n<figcaption><b>{title}</b> <span>{legend}{caption}</span></figcaption>\n{}</figure>\n",
            self.svg
        )
    }
}

/// Who has rounds, the fastest first; in an open loop, where all are as fast as they are asked to be,
/// as in the plan.
fn order(record: &CellRecord) -> Vec<&ContestantRecord> {
    let there = record.contestants.iter().filter(|one| rate(one).is_some());
    let mut order: Vec<_> = there.collect();
    if record.cell.pace == Pace::Closed {
        order.sort_by(|one, other| rate(other).unwrap_or(0.0).total_cmp(&rate(one).unwrap_or(0.0)));
    }
    order
}

/// The median calls a second.
fn rate(contestant: &ContestantRecord) -> Option<f64> {
    middle(contestant, |round| (round.succeeded > 0).then(|| round.calls_per_second()))
}

/// The median of the rounds that count.
fn middle(contestant: &ContestantRecord, of: impl Fn(&RoundRecord) -> Option<f64>) -> Option<f64> {
    let values: Vec<f64> = contestant.counted().into_iter().filter_map(of).collect();
    median(&values)
}
