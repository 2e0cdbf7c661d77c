//! Calls a second: a bar to the median, a whisker from the slowest to the fastest round that counts,
//! and every round as a dot.

use super::bars::{Frame, widest};
use super::scale::Scale;
use super::{Figure, colour, rate, words};
use crate::cell::{Bound, Metric};
use crate::record::{CellRecord, ContestantRecord};

const LINE: f64 = 24.0;

pub(super) fn plot(record: &CellRecord, order: &[&ContestantRecord]) -> Figure {
    let figures: Vec<String> =
        order.iter().map(|one| words::amount(rate(one).unwrap_or(0.0))).collect();
    let names = order.iter().map(|one| &*one.name);
    let frame = Frame::new(names, widest(&figures), LINE * order.len() as f64);
    let rounds = order.iter().flat_map(|one| &one.rounds).map(|round| round.calls_per_second());
    let absolute = required(record);
    let scale = Scale::from_zero(rounds.chain(absolute), frame.left, frame.right);
    let mut svg = frame.svg();
    frame.axis(&mut svg, &scale, words::amount_tick);
    for (index, (contestant, figure)) in order.iter().zip(&figures).enumerate() {
        let y = frame.top + LINE * (index as f64 + 0.5);
        frame.name(&mut svg, y, &contestant.name);
        frame.figure(&mut svg, y, figure);
        let class = colour::class(&contestant.name);
        let says = format!("{}: {figure} calls/s", contestant.name);
        let end = scale.place(rate(contestant).unwrap_or(0.0));
        svg.bar(&format!("bar {class}"), (frame.left, y - 8.0), (end, y + 8.0), &says);
        let counted = contestant.counted().into_iter().map(|round| round.calls_per_second());
        let (min, max) = counted
            .fold((f64::INFINITY, 0.0_f64), |(min, max), rate| (min.min(rate), max.max(rate)));
        svg.line("whisker", (scale.place(min), y), (scale.place(max), y));
        for end in [min, max] {
            svg.line("whisker", (scale.place(end), y - 4.0), (scale.place(end), y + 4.0));
        }
        for round in &contestant.rounds {
            let rate = round.calls_per_second();
            let kind = if round.spoiled.is_some() { "round spoiled" } else { "round" };
            let why =
                round.spoiled.as_deref().map_or(String::new(), |why| format!(", spoiled: {why}"));
            let says = format!("round {}: {} calls/s{why}", round.number, words::amount(rate));
            svg.dot(kind, (scale.place(rate), y), 2.4, &says);
        }
    }
    if let Some(least) = absolute {
        let x = scale.place(least);
        svg.line("required", (x, frame.top), (x, frame.bottom));
    }
    let spoiled = order.iter().flat_map(|one| &one.rounds).any(|round| round.spoiled.is_some());
    let mut caption = "median, slowest to fastest round, every round a dot".to_owned();
    if spoiled {
        caption.push_str(", spoiled ones hollow");
    }
    if absolute.is_some() {
        caption.push_str("; dashed: what is required");
    }
    Figure {
        title: "Calls a second".to_owned(),
        caption,
        legend: Vec::new(),
        svg: svg.finish(&format!("calls a second in {}", record.cell.name)),
    }
}

/// Calls a second that are required whoever else takes part.
fn required(record: &CellRecord) -> Option<f64> {
    record.requirements.iter().find_map(|required| match (required.bound, &required.against) {
        (Bound::AtLeast(least), None) if required.metric == Metric::CallsPerSecond => Some(least),
        _ => None,
    })
}
