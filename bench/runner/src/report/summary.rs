//! The first table: every row of the plan, who was how fast, and whether what is required was reached.

use super::escape::escape;
use super::{anchor, middle, rate, words};
use crate::cell::{Bound, Metric, Requirement};
use crate::contestant::OURS;
use crate::ratio::{FLOORS, PRODUCT, is_peer, value};
use crate::record::{CellRecord, ContestantRecord};
use crate::verdict::{Verdict, verdicts};

pub(super) fn summary(out: &mut String, number: usize, run: &[CellRecord]) {
    count(out, run);
    let columns: Vec<&Column> = COLUMNS.iter().filter(|column| column.is_filled(run)).collect();
    let required = run.iter().any(|record| !record.requirements.is_empty());
    out.push_str("<table class=\"summary\">\n<thead><tr><th>Row</th>");
    columns.iter().for_each(|column| out.push_str(&format!("<th>{}</th>", column.title)));
    out.push_str(if required { "<th>Required</th></tr></thead>\n" } else { "</tr></thead>\n" });
    out.push_str("<tbody>\n");
    for (index, record) in run.iter().enumerate() {
        let name = escape(&record.cell.name);
        let anchor = anchor(number, index);
        out.push_str(&format!("<tr><th><a href=\"#{anchor}\">{name}</a></th>"));
        columns.iter().for_each(|column| column.cell(out, record));
        if required {
            let marks = verdict_marks(record);
            out.push_str(&format!("<td class=\"required\" data-label=\"Required\">{marks}</td>"));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n");
}

/// The best of some contestants.
struct Column {
    title: &'static str,
    picks: fn(&str) -> bool,
    /// Whether it has to be said who that is.
    named: bool,
}

const COLUMNS: [Column; 4] = [
    Column { title: "Floor", picks: is_floor, named: true },
    Column { title: "Best peer", picks: is_peer, named: true },
    Column { title: OURS[0], picks: |name| name == OURS[0], named: false },
    Column { title: OURS[1], picks: |name| name == OURS[1], named: false },
];

fn is_floor(name: &str) -> bool {
    FLOORS.contains(&name)
}

impl Column {
    fn is_filled(&self, run: &[CellRecord]) -> bool {
        run.iter().any(|record| self.best(record).is_some())
    }

    fn best<'a>(&self, record: &'a CellRecord) -> Option<&'a ContestantRecord> {
        let of = record.contestants.iter().filter(|one| (self.picks)(&one.name));
        let measured = of.filter_map(|one| Some((one, rate(one)?)));
        measured.max_by(|one, other| one.1.total_cmp(&other.1)).map(|(one, _)| one)
    }

    fn cell(&self, out: &mut String, record: &CellRecord) {
        let label = self.title;
        let Some(one) = self.best(record) else {
            out.push_str(&format!("<td class=\"empty\" data-label=\"{label}\">–</td>"));
            return;
        };
        let p99 = middle(one, |round| value(Metric::P99, round));
        let p99 = p99.map_or("–".to_owned(), words::duration);
        let rate = words::amount(rate(one).unwrap_or(0.0));
        let name = match self.named {
            true => format!("<i>{}</i> ", escape(&one.name)),
            false => String::new(),
        };
        out.push_str(&format!(
            "<td data-label=\"{label}\">{name}<b>{rate}/s</b> <small>p99 {p99}</small></td>"
        ));
    }
}

/// How many requirements were reached, before anything else.
fn count(out: &mut String, run: &[CellRecord]) {
    let all: Vec<_> = run.iter().flat_map(verdicts).map(|verdict| verdict.holds()).collect();
    if all.is_empty() {
        return;
    }
    let of = |wanted: Option<bool>| all.iter().filter(|holds| **holds == wanted).count();
    let mut parts = vec![format!("<b class=\"yes\">✓ {} reached</b>", of(Some(true)))];
    if of(Some(false)) > 0 {
        parts.push(format!("<b class=\"no\">✗ {} not reached</b>", of(Some(false))));
    }
    if of(None) > 0 {
        parts.push(format!("<b class=\"unknown\">? {} not measured</b>", of(None)));
    }
    out.push_str(&format!(
        "<p class=\"count\">Of {} requirements: {}.</p>\n",
        all.len(),
        parts.join(", ")
    ));
}

/// A line for a requirement: a mark and what was reached, for each protocol.
fn verdict_marks(record: &CellRecord) -> String {
    let verdicts = verdicts(record);
    let mut lines = Vec::new();
    for required in &record.requirements {
        let of: Vec<_> =
            verdicts.iter().filter(|one| std::ptr::eq(one.requirement, required)).collect();
        let marks: Vec<_> = of.iter().map(|verdict| mark(verdict)).collect();
        lines.push(format!("<div><span>{}</span> {}</div>", wanted(required), marks.join(" ")));
    }
    lines.join("")
}

/// `calls/s ≥ 2.5 × tarpc`.
fn wanted(required: &Requirement) -> String {
    let name = required.metric.name();
    let (sign, bound) = match required.bound {
        Bound::AtLeast(bound) => ('≥', bound),
        Bound::AtMost(bound) => ('≤', bound),
    };
    match &required.against {
        Some(against) => format!("{name} {sign} {} × {}", words::plain(bound), escape(against)),
        None => format!("{name} {sign} {}", figure(required, bound)),
    }
}

/// A ratio, or a figure of the metric's own kind.
fn figure(required: &Requirement, value: f64) -> String {
    match (&required.against, required.metric) {
        (Some(_), _) => words::ratio(value),
        (None, Metric::CallsPerSecond | Metric::Failures) => words::amount(value),
        (None, _) => words::duration(value),
    }
}

fn mark(verdict: &Verdict<'_>) -> String {
    let short = verdict.contestant.strip_prefix(PRODUCT).unwrap_or(verdict.contestant);
    let reached = verdict.reached.map(|value| format!(" {}", figure(verdict.requirement, value)));
    let reached = reached.unwrap_or_default();
    let (class, sign) = match verdict.holds() {
        Some(true) => ("yes", "✓"),
        Some(false) => ("no", "✗"),
        None => ("unknown", "?"),
    };
    format!("<b class=\"mark {class}\">{sign} {}{reached}</b>", escape(short))
}
