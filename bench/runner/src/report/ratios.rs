//! Ratios of paired rounds: the product against each of the others, as bars from the line of equals,
//! with the smallest and the largest ratio of the rounds and a mark at what is required.

use super::bars::{Frame, widest};
use super::scale::Scale;
use super::svg::Svg;
use super::{Figure, colour, words};
use crate::cell::{Bound, Metric, Requirement};
use crate::ratio::{BEST_PEER, METRICS, Ratio};
use crate::record::CellRecord;

/// A line for one contestant of the product.
const LINE: f64 = 15.0;
/// Between two of those whom they are compared with.
const GAP: f64 = 9.0;

/// Those of throughput, and of whatever else is required.
pub(super) fn plots(record: &CellRecord) -> Vec<Figure> {
    let required = |metric: Metric| requirements(record, metric).next().is_some();
    let wanted = METRICS.into_iter().filter(|m| *m == Metric::CallsPerSecond || required(*m));
    wanted.filter_map(|metric| plot(record, metric)).collect()
}

/// Those that a ratio of rounds decides.
fn requirements(record: &CellRecord, metric: Metric) -> impl Iterator<Item = &Requirement> {
    let of_rounds = |one: &&Requirement| one.against.as_deref().is_some_and(|to| to != BEST_PEER);
    record.requirements.iter().filter(move |one| one.metric == metric).filter(of_rounds)
}

fn plot(record: &CellRecord, metric: Metric) -> Option<Figure> {
    let ratios: Vec<&Ratio> = record.ratios.iter().filter(|one| one.metric == metric).collect();
    let mut others: Vec<&str> = Vec::new();
    for ratio in &ratios {
        if !others.contains(&&*ratio.to) {
            others.push(&ratio.to);
        }
    }
    if others.is_empty() {
        return None;
    }
    let figures: Vec<String> = ratios.iter().map(|ratio| words::ratio(ratio.median)).collect();
    let height = LINE * ratios.len() as f64 + GAP * others.len() as f64;
    let frame = Frame::new(others.iter().copied(), widest(&figures), height);
    let bounds = requirements(record, metric);
    let ends = ratios.iter().flat_map(|ratio| [ratio.min, ratio.median, ratio.max]);
    let all = ends.chain([1.0]).chain(bounds.map(|one| bound(one.bound)));
    let scale = Scale::log(all, 1.08, frame.left, frame.right);
    let mut svg = frame.svg();
    frame.axis(&mut svg, &scale, words::plain);
    let mut y = frame.top + GAP / 2.0;
    for other in others {
        let top = y;
        for ratio in ratios.iter().filter(|ratio| ratio.to == other) {
            line(&mut svg, &frame, &scale, y + LINE / 2.0, ratio);
            y += LINE;
        }
        frame.name(&mut svg, (top + y) / 2.0, other);
        for required in requirements(record, metric) {
            if required.against.as_deref() == Some(other) {
                let x = scale.place(bound(required.bound));
                svg.line("required", (x, top - 3.0), (x, y + 3.0));
            }
        }
        y += GAP;
    }
    let one = scale.place(1.0);
    svg.line("one", (one, frame.top), (one, frame.bottom));
    Some(figure(record, metric, &ratios, svg))
}

fn bound(bound: Bound) -> f64 {
    match bound {
        Bound::AtLeast(bound) | Bound::AtMost(bound) => bound,
    }
}

fn line(svg: &mut Svg, frame: &Frame, scale: &Scale, y: f64, ratio: &Ratio) {
    let Ratio { of, to, median, min, max, won, rounds, .. } = ratio;
    let figure = words::ratio(*median);
    let says = format!(
        "{of} / {to}: {figure} ({} to {}), better in {won} of {rounds} rounds",
        words::ratio(*min),
        words::ratio(*max)
    );
    let class = colour::class(of);
    let (one, end) = (scale.place(1.0), scale.place(*median));
    svg.bar(&format!("bar {class}"), (one, y - 5.0), (end, y + 5.0), &says);
    svg.line("whisker", (scale.place(*min), y), (scale.place(*max), y));
    for end in [*min, *max] {
        svg.line("whisker", (scale.place(end), y - 3.0), (scale.place(end), y + 3.0));
    }
    frame.figure(svg, y, &figure);
}

fn figure(record: &CellRecord, metric: Metric, ratios: &[&Ratio], svg: Svg) -> Figure {
    let better =
        if metric.more_is_better() { "to the right is better" } else { "to the left is better" };
    let mut caption = format!("divided by the other, round by round; {better}");
    if requirements(record, metric).next().is_some() {
        caption.push_str("; dashed: what is required");
    }
    let mut legend: Vec<String> = Vec::new();
    for ratio in ratios {
        if !legend.contains(&ratio.of) {
            legend.push(ratio.of.clone());
        }
    }
    let left_out = ratios.iter().map(|ratio| ratio.left_out).max().unwrap_or(0);
    if left_out > 0 {
        caption.push_str("; without spoiled rounds");
    }
    Figure {
        title: format!("Ratio of {}", metric.name()),
        caption,
        legend,
        svg: svg.finish(&format!("ratios of {} in {}", metric.name(), record.cell.name)),
    }
}
