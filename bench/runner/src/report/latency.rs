//! Latency by percentile, from the histograms of all rounds that count. The axis is one of nines: as
//! far from 90 % to 99 % as from there to 99.9 %, since that is where contestants part.

use super::scale::Scale;
use super::svg::{Anchor, Svg, WIDTH, width_of};
use super::{Figure, colour, escape::shortened, words};
use crate::record::ContestantRecord;

/// The plot's height without what stands below the axis.
const BOTTOM: f64 = 230.0;
const TOP: f64 = 10.0;
/// Between names at the right.
const LINE: f64 = 14.0;
/// What stands below the axis.
const MARKS: [(f64, &str); 4] = [(0.5, "p50"), (0.9, "p90"), (0.99, "p99"), (0.999, "p99.9")];
/// Points of a line.
const STEPS: u32 = 48;

/// One line.
struct Line<'a> {
    name: &'a str,
    /// Share of calls, and nanoseconds that they keep to.
    points: Vec<(f64, f64)>,
}

/// None when nobody has a histogram.
pub(super) fn plot(order: &[&ContestantRecord]) -> Option<Figure> {
    let lines: Vec<Line<'_>> = order.iter().filter_map(|one| line(one)).collect();
    if lines.is_empty() {
        return None;
    }
    let names = lines.iter().map(|line| width_of(&shortened(line.name, 21)));
    let right = WIDTH - names.fold(40.0, f64::max) - 14.0;
    // More names than lines of text fit make the plot higher.
    let bottom = BOTTOM.max(TOP + LINE * (lines.len() as f64 + 1.0));
    let values = lines.iter().flat_map(|line| line.points.iter().map(|(_, nanos)| *nanos));
    let y = Scale::log(values, 1.15, bottom, TOP);
    let ticks: Vec<(f64, String)> =
        y.ticks().into_iter().map(|tick| (y.place(tick), words::duration_tick(tick))).collect();
    let left = ticks.iter().map(|(_, text)| width_of(text)).fold(30.0, f64::max) + 6.0;
    let x = Scale::log([nines(0.5), nines(0.999)], 1.0, left, right);
    let mut svg = Svg::new(bottom + 24.0);
    for (place, text) in ticks {
        svg.line("grid", (left, place), (right, place));
        svg.text("tick", Anchor::End, (left - 5.0, place + 4.0), &text);
    }
    for (share, text) in MARKS {
        let place = x.place(nines(share));
        svg.line("grid", (place, TOP), (place, bottom));
        svg.text("tick", Anchor::Middle, (place, bottom + 16.0), text);
    }
    let mut names = Vec::new();
    for line in &lines {
        let points: Vec<_> =
            line.points.iter().map(|(share, ns)| (x.place(nines(*share)), y.place(*ns))).collect();
        let class = colour::class(line.name);
        svg.path(&format!("line {class}"), &points, line.name);
        names.extend(points.last().map(|end| (*end, line.name)));
    }
    beside(&mut svg, right, (TOP, bottom), names);
    Some(Figure {
        title: "Latency by percentile".to_owned(),
        caption: "all rounds that count together; lower is better".to_owned(),
        legend: Vec::new(),
        svg: svg.finish("latency by percentile"),
    })
}

/// How rare the slower ones are: 2 at the median, 1000 at 99.9 %.
fn nines(share: f64) -> f64 {
    1.0 / (1.0 - share)
}

fn line(contestant: &ContestantRecord) -> Option<Line<'_>> {
    // One that cannot be read is among the notes.
    let histogram = contestant.latency.read().ok().filter(|histogram| !histogram.is_empty())?;
    let (first, last) = (nines(0.5).ln(), nines(0.999).ln());
    // Of a thousand calls one is the slowest: no more is known of fewer.
    let known = (histogram.len() as f64).ln();
    let points = (0..=STEPS)
        .map(|step| first + (last - first) * f64::from(step) / f64::from(STEPS))
        .filter(|rare| *rare <= known + 1e-9 || *rare == first)
        .map(|rare| 1.0 - (-rare).exp())
        .map(|share| (share, histogram.value_at_quantile(share) as f64))
        .collect();
    Some(Line { name: &contestant.name, points })
}

/// Names at the ends of lines, moved apart so that none covers another, with a thin line to where
/// they belong.
pub(super) fn beside(
    svg: &mut Svg,
    right: f64,
    (top, bottom): (f64, f64),
    mut names: Vec<((f64, f64), &str)>,
) {
    names.sort_by(|one, other| one.0.1.total_cmp(&other.0.1));
    let wanted: Vec<f64> = names.iter().map(|((_, y), _)| *y).collect();
    for (((x, y), name), place) in names.into_iter().zip(spread(&wanted, top, bottom)) {
        svg.line("leader", (x + 4.0, y), (right + 8.0, place));
        let class = format!("name {}", colour::class(name));
        svg.text(&class, Anchor::Start, (right + 11.0, place + 4.0), &shortened(name, 21));
    }
}

/// Places in this order, a line of text apart, within bounds as far as they all fit, and near to
/// where they were wanted.
fn spread(wanted: &[f64], top: f64, bottom: f64) -> Vec<f64> {
    let mut places = wanted.to_vec();
    let mut free = top;
    for place in &mut places {
        *place = place.max(free);
        free = *place + LINE;
    }
    let mut free = bottom;
    for place in places.iter_mut().rev() {
        *place = place.min(free);
        free = *place - LINE;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_cover_each_other() {
        assert_eq!(spread(&[20.0, 100.0], 0.0, 200.0), [20.0, 100.0]);
        assert_eq!(spread(&[20.0, 21.0, 22.0], 0.0, 200.0), [20.0, 34.0, 48.0]);
        assert_eq!(spread(&[198.0, 199.0], 0.0, 200.0), [186.0, 200.0]);
        assert_eq!(spread(&[], 0.0, 200.0), [0.0; 0]);
    }
}
