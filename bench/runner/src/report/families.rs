//! Cells that differ in one number alone: the same load with more callers, or with larger messages.
//! Their figures say more in one plot than in as many.

use super::latency::beside;
use super::scale::Scale;
use super::svg::{Anchor, Svg, WIDTH, width_of};
use super::{Figure, colour, escape::escape, escape::shortened, middle, rate, words};
use crate::cell::Cell;
use crate::record::{CellRecord, ContestantRecord};
use stubwire_bench_load::Shape;

/// What the cells of a family differ in.
#[derive(Clone, Copy, PartialEq)]
enum Along {
    Concurrency,
    Size,
}

/// Some cells, by what they differ in.
pub(super) struct Family<'a> {
    along: Along,
    /// The key of its cells, without that.
    key: String,
    members: Vec<(usize, &'a CellRecord)>,
}

/// Of two points a line would say more than is known.
const FEWEST: usize = 3;

impl Family<'_> {
    /// Whether the cell of this index is shown by it.
    pub(super) fn holds(&self, index: usize) -> bool {
        self.members.iter().any(|(member, _)| *member == index)
    }
}

/// All families of a run.
pub(super) fn families(run: &[CellRecord]) -> Vec<Family<'_>> {
    let mut families: Vec<Family<'_>> = Vec::new();
    for along in [Along::Concurrency, Along::Size] {
        for (index, record) in run.iter().enumerate() {
            let key = key_without(&record.cell, along);
            match families.iter_mut().find(|family| family.along == along && family.key == key) {
                Some(family) => family.members.push((index, record)),
                None => families.push(Family { along, key, members: vec![(index, record)] }),
            }
        }
    }
    for family in &mut families {
        family.members.sort_by_key(|(_, record)| value(&record.cell, family.along));
        let along = family.along;
        family.members.dedup_by_key(|(_, record)| value(&record.cell, along));
    }
    families.retain(|family| family.members.len() >= FEWEST);
    families
}

fn value(cell: &Cell, along: Along) -> usize {
    match along {
        Along::Concurrency => cell.concurrency,
        Along::Size => cell.size,
    }
}

fn key_without(cell: &Cell, along: Along) -> String {
    let mut cell = cell.clone();
    match along {
        Along::Concurrency => {
            // A connection for each caller: their number follows.
            if cell.shape != Shape::Shared && cell.connections == cell.concurrency {
                cell.connections = 0;
            }
            cell.concurrency = 0;
        }
        Along::Size => cell.size = 0,
    }
    cell.key()
}

/// A part of the page for each direction.
pub(super) fn sections(out: &mut String, families: &[Family<'_>]) {
    for (along, title) in
        [(Along::Concurrency, "Against concurrency"), (Along::Size, "Against the size of messages")]
    {
        let some: Vec<_> = families.iter().filter(|family| family.along == along).collect();
        if some.is_empty() {
            continue;
        }
        out.push_str(&format!("<h3>{title}</h3>\n"));
        for family in some {
            let title = title_of(family);
            out.push_str(&format!("<h4>{}</h4>\n<div class=\"plots\">\n", escape(&title)));
            out.push_str(&plot(family, &THROUGHPUT).html());
            out.push_str(&plot(family, &LATENCY).html());
            out.push_str("</div>\n");
        }
    }
}

/// `shared, 64 B string`.
fn title_of(family: &Family<'_>) -> String {
    let Some((_, record)) = family.members.first() else { return String::new() };
    let Cell { shape, size, concurrency, payload, .. } = &record.cell;
    let more = family.key.split_once('>').and_then(|(_, rest)| rest.split_once(' '));
    let more = more.map_or(String::new(), |(_, more)| format!(", {more}"));
    match family.along {
        Along::Concurrency => format!("{shape}, {} {payload}{more}", words::bytes(*size as f64)),
        Along::Size if *concurrency == 1 => format!("{shape}, {payload}, one caller{more}"),
        Along::Size => format!("{shape}, {payload}, {concurrency} callers{more}"),
    }
}

type Of = fn(&ContestantRecord) -> Option<f64>;

/// What is drawn upwards.
struct Figures {
    title: &'static str,
    caption: &'static str,
    log: bool,
    words: fn(f64) -> String,
    /// The lines of a contestant, with the classes that tell them apart. The first has the name.
    lines: &'static [(&'static str, Of)],
}

const THROUGHPUT: Figures = Figures {
    title: "Calls a second",
    caption: "medians, slowest to fastest round",
    log: false,
    words: words::amount_tick,
    lines: &[("", rate)],
};

const LATENCY: Figures = Figures {
    title: "Latency",
    caption: "p99, and thinner p50; medians of rounds; lower is better",
    log: true,
    words: words::duration_tick,
    lines: &[
        ("", |one| middle(one, |round| (round.succeeded > 0).then_some(round.latency.p99 as f64))),
        (" thin", |one| {
            middle(one, |round| (round.succeeded > 0).then_some(round.latency.p50 as f64))
        }),
    ],
};

const TOP: f64 = 10.0;
const BOTTOM: f64 = 200.0;

/// A line of a contestant: value along, value up.
struct Line<'a> {
    name: &'a str,
    class: String,
    named: bool,
    points: Vec<(f64, f64)>,
    ranges: Vec<(f64, f64, f64)>,
}

fn lines<'a>(family: &Family<'a>, figures: &Figures) -> Vec<Line<'a>> {
    let mut names: Vec<&str> = Vec::new();
    for contestant in family.members.iter().flat_map(|(_, record)| &record.contestants) {
        if !names.contains(&&*contestant.name) {
            names.push(&contestant.name);
        }
    }
    let mut lines = Vec::new();
    for name in names {
        for (index, (class, of)) in figures.lines.iter().enumerate() {
            let mut line = Line {
                name,
                class: format!("line {}{class}", colour::class(name)),
                named: index == 0,
                points: Vec::new(),
                ranges: Vec::new(),
            };
            for (_, record) in &family.members {
                let one = record.contestants.iter().find(|one| one.name == name);
                let Some((one, up)) = one.and_then(|one| Some((one, of(one)?))) else { continue };
                // Zero bytes stand where a byte would, by factors there is no zero.
                let along = value(&record.cell, family.along).max(1) as f64;
                line.points.push((along, up));
                if !figures.log {
                    let rates = one.counted().into_iter().map(|round| round.calls_per_second());
                    let (low, high) =
                        rates.fold((up, up), |(low, high), rate| (low.min(rate), high.max(rate)));
                    line.ranges.push((along, low, high));
                }
            }
            lines.push(line);
        }
    }
    lines.retain(|line| !line.points.is_empty());
    lines
}

fn plot(family: &Family<'_>, figures: &Figures) -> Figure {
    let lines = lines(family, figures);
    let names = lines.iter().map(|line| width_of(&shortened(line.name, 21)));
    let right = WIDTH - names.fold(40.0, f64::max) - 14.0;
    let ups = lines.iter().flat_map(|line| {
        let ends = line.ranges.iter().flat_map(|(_, low, high)| [*low, *high]);
        line.points.iter().map(|(_, up)| *up).chain(ends)
    });
    let y = match figures.log {
        true => Scale::log(ups, 1.15, BOTTOM, TOP),
        false => Scale::from_zero(ups, BOTTOM, TOP),
    };
    let ticks: Vec<_> =
        y.ticks().into_iter().map(|tick| (y.place(tick), (figures.words)(tick))).collect();
    let left = ticks.iter().map(|(_, text)| width_of(text)).fold(30.0, f64::max) + 6.0;
    let along = |record: &CellRecord| value(&record.cell, family.along);
    let values = family.members.iter().map(|(_, record)| along(record).max(1) as f64);
    let x = Scale::log(values, 1.0, left + 8.0, right - 4.0);
    let mut svg = Svg::new(BOTTOM + 24.0);
    for (place, text) in ticks {
        svg.line("grid", (left, place), (right, place));
        svg.text("tick", Anchor::End, (left - 5.0, place + 4.0), &text);
    }
    let mut free = f64::NEG_INFINITY;
    for (_, record) in &family.members {
        let place = x.place(along(record).max(1) as f64);
        let text = match family.along {
            Along::Concurrency => along(record).to_string(),
            Along::Size => words::bytes(along(record) as f64),
        };
        svg.line("grid", (place, TOP), (place, BOTTOM));
        let half = width_of(&text) / 2.0;
        if place - half > free {
            svg.text("tick", Anchor::Middle, (place, BOTTOM + 16.0), &text);
            free = place + half + 4.0;
        }
    }
    draw(&mut svg, right, (&x, &y), &lines);
    let word = match family.along {
        Along::Concurrency => "calls in flight",
        Along::Size => "bytes",
    };
    Figure {
        title: figures.title.to_owned(),
        caption: format!("by {word}; {}", figures.caption),
        legend: Vec::new(),
        svg: svg.finish(&format!("{} by {word}", figures.title)),
    }
}

fn draw(svg: &mut Svg, right: f64, (x, y): (&Scale, &Scale), lines: &[Line<'_>]) {
    let mut names = Vec::new();
    for line in lines {
        for (along, low, high) in &line.ranges {
            svg.line(
                "whisker",
                (x.place(*along), y.place(*low)),
                (x.place(*along), y.place(*high)),
            );
        }
        let points: Vec<_> =
            line.points.iter().map(|(along, up)| (x.place(*along), y.place(*up))).collect();
        svg.path(&line.class, &points, line.name);
        let class = line.class.replacen("line", "point", 1);
        points.iter().for_each(|point| svg.dot(&class, *point, 2.6, ""));
        if line.named {
            names.extend(points.last().map(|end| (*end, line.name)));
        }
    }
    beside(svg, right, (TOP, BOTTOM), names);
}
