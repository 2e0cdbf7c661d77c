//! The page as a whole: its bytes for a small record, what hostile texts become, and that no figures
//! whatever leave a plot.

use super::fixture;
use super::html;
use crate::cell::{Bound, Metric, Requirement};
use crate::contestant::{OURS, PEERS};
use crate::ratio::{METRICS, Ratio};
use crate::record::CellRecord;
use crate::store;
use crate::testing::{contestant, record_of};
use proptest::prelude::*;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/report/golden").join(name)
}

/// A look at the page is worth more than a look at this difference; bless it with `STUBWIRE_BLESS=1`.
#[test]
fn a_small_record_gives_these_bytes() {
    let page = html(&store::read(&golden("small.jsonl")).expect("a record"));
    let path = golden("small.html");
    if env::var_os("STUBWIRE_BLESS").is_some_and(|value| value == "1") {
        fs::write(&path, &page).expect("written");
    }
    let expected = fs::read_to_string(&path).expect("a golden page");
    let first = expected.lines().zip(page.lines()).position(|(one, other)| one != other);
    assert!(
        expected == page,
        "line {:?} of {} differs",
        first.map(|line| line + 1),
        path.display()
    );
}

/// To look at the page with everything in it: `cargo test -p stubwire-bench everything_to_look_at --
/// --ignored` and open what it names, or give its record to `stubwire-bench report`.
#[test]
#[ignore = "writes a page for people to look at"]
fn everything_to_look_at() {
    let folder = env::temp_dir().join("stubwire-bench-report");
    fs::create_dir_all(&folder).expect("a folder");
    let record = folder.join("everything.jsonl");
    if record.exists() {
        fs::remove_file(&record).expect("removed");
    }
    let records = fixture::record();
    records.iter().for_each(|line| store::append(&record, line).expect("written"));
    let page = folder.join("everything.html");
    fs::write(&page, html(&records)).expect("written");
    assert_eq!(store::read(&record).expect("a record").len(), records.len());
    println!("{}", page.display());
}

#[test]
fn the_page_holds_everything_and_asks_nothing_from_elsewhere() {
    let page = html(&fixture::record());
    for part in [
        "Plan <code>table</code>",
        "Plan <code>matrix</code>",
        "6.1.0",
        "prost 0.14.6",
        "Of 12 requirements:",
        "not reached",
        "not measured",
        "Ratio of calls/s",
        "Ratio of p99",
        "Latency by percentile",
        "CPU time a call",
        "Against concurrency",
        "Against the size of messages",
        "round spoiled",
        "spoiled rounds 2 (others used 0.42 cores); left out of medians and ratios",
        "no program &lt;connectrpc&gt;",
        "refused &amp; closed 3",
        "the client fell behind in round 3",
        "prefers-color-scheme",
    ] {
        assert!(page.contains(part), "no `{part}`");
    }
    for elsewhere in ["<script", "http:", "https:", "<link", "@import", "url(", "src="] {
        assert!(!page.contains(elsewhere), "`{elsewhere}`");
    }
    for link in page.split("href=\"#").skip(1) {
        let id = link.split('"').next().expect("an end");
        assert_eq!(page.matches(&format!("id=\"{id}\"")).count(), 1, "{id}");
    }
}

#[test]
fn texts_of_a_record_stay_texts() {
    let hostile = "</code><script>alert(1)</script>\" onload='x' &amp;";
    let mut record = record_of(hostile, vec![contestant(hostile, &[100.0, 200.0])]);
    record.plan = hostile.to_owned();
    record.run = hostile.to_owned();
    let environment = &mut record.environment;
    for text in [
        &mut environment.commit,
        &mut environment.kernel,
        &mut environment.cpu,
        &mut environment.congestion_control,
        &mut environment.rustc,
    ] {
        *text = hostile.to_owned();
    }
    environment.versions.insert(hostile.to_owned(), hostile.to_owned());
    record.contestants[0].rounds[0].spoiled = Some(hostile.to_owned());
    record.contestants[0].rounds[0].failed.insert(hostile.to_owned(), 1);
    record.contestants.push(contestant("stubwire-prpc", &[100.0]));
    record.contestants[1].absent = Some(hostile.to_owned());
    record.contestants[1].latency.0 = hostile.to_owned();
    record.requirements.push(Requirement {
        metric: Metric::CallsPerSecond,
        bound: Bound::AtLeast(1.0),
        against: Some(hostile.to_owned()),
    });
    record.ratios = vec![ratio("stubwire-prpc", hostile, Metric::CallsPerSecond, [1.0, 1.0, 1.0])];
    let page = html(&[record]);
    assert!(page.matches("&lt;script&gt;").count() > 10);
    for broken in ["<script", "</script", "' &", "\" onload"] {
        assert!(!page.contains(broken), "`{broken}`");
    }
    coordinates(&page);
}

#[test]
fn an_empty_record_is_a_page() {
    assert!(html(&[]).contains("holds no line"));
    let nobody = html(&[record_of("nobody", Vec::new())]);
    assert!(nobody.contains("nobody"));
    coordinates(&nobody);
}

fn ratio(of: &str, to: &str, metric: Metric, [min, median, max]: [f64; 3]) -> Ratio {
    let (of, to) = (of.to_owned(), to.to_owned());
    let (rounds, won, worst, left_out) = (1, 0, (1, min), 1);
    Ratio { of, to, metric, median, min, max, rounds, won, worst, left_out }
}

/// Reads every coordinate of every plot: a number, and inside. Gives their count.
fn coordinates(page: &str) -> usize {
    let mut count = 0;
    for svg in page.split("<svg").skip(1) {
        let svg = svg.split("</svg>").next().expect("an end");
        let view = attribute(svg, "viewBox").expect("bounds");
        let view: Vec<f64> =
            view.split(' ').map(|number| number.parse().expect("a number")).collect();
        let (width, height) = (view[2], view[3]);
        assert!(width > 0.0 && height > 0.0 && height < 1e5, "{view:?}");
        for element in svg.lines().skip(1) {
            let numbers = |names: &[&str]| -> Vec<f64> {
                let values = names.iter().filter_map(|name| attribute(element, name));
                values
                    .flat_map(|value| value.split(' '))
                    .map(|n| n.parse().expect(element))
                    .collect()
            };
            let points = attribute(element, "points").map(|points| points.replace(',', " "));
            let points = points.iter().flat_map(|points| points.split(' '));
            let points: Vec<f64> = points.map(|n| n.parse().expect(element)).collect();
            let even = |odd: usize| points.iter().skip(odd).step_by(2).copied();
            let across = numbers(&["x", "x1", "x2", "cx"]).into_iter().chain(even(0));
            let down = numbers(&["y", "y1", "y2", "cy"]).into_iter().chain(even(1));
            for (places, end) in [(across.collect::<Vec<_>>(), width), (down.collect(), height)] {
                count += places.len();
                assert!(places.iter().all(|place| (0.0..=end).contains(place)), "{element}");
            }
            assert!(
                numbers(&["width", "height", "r"]).iter().all(|n| (0.0..1e5).contains(n)),
                "{element}"
            );
        }
    }
    count
}

fn attribute<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = element.split_once(&format!(" {name}=\""))?;
    rest.split('"').next()
}

#[test]
fn the_fixture_is_drawn_inside_of_its_plots() {
    assert!(coordinates(&html(&fixture::record())) > 1000);
}

prop_compose! {
    fn any_record()(
        calls in prop::collection::vec(prop::collection::vec(any::<u64>(), 0..4), 1..13),
        elapsed in prop_oneof![Just(0), Just(1), Just(u64::MAX), any::<u64>()],
        nanos in any::<[u64; 6]>(),
        ratios in prop::collection::vec((0_usize..5, any::<[f64; 3]>()), 0..8),
        bound in any::<f64>(),
        concurrency in any::<usize>(),
        size in any::<usize>(),
    ) -> CellRecord {
        let names = [&OURS[..], &PEERS[..]].concat();
        let contestants = calls.iter().enumerate().map(|(index, calls)| {
            let calls: Vec<f64> = calls.iter().map(|calls| *calls as f64).collect();
            let name = names.get(index).copied().unwrap_or("another with quite a long name");
            let mut one = contestant(name, &calls);
            for round in &mut one.rounds {
                round.elapsed_ns = elapsed;
                round.latency.p50 = nanos[0];
                round.latency.p99 = nanos[1];
                round.client.cpu_ns = nanos[2];
                if let Some(server) = &mut round.server {
                    server.cpu_ns = nanos[3];
                }
                round.warmup_failed = nanos[4];
                round.unfinished = nanos[5];
            }
            one
        });
        let mut record = record_of("odd", contestants.collect());
        record.cell.concurrency = concurrency;
        record.cell.size = size;
        for (metric, values) in ratios {
            record.ratios.push(ratio("stubwire-prpc", "floor", METRICS[metric], values));
        }
        let against = [None, Some("floor".to_owned())];
        record.requirements = against.map(|against| Requirement {
            metric: Metric::CallsPerSecond, bound: Bound::AtLeast(bound), against,
        }).into();
        record
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..Default::default() })]
    #[test]
    fn no_figures_leave_their_plot(records in prop::collection::vec(any_record(), 1..5)) {
        let page = html(&records);
        coordinates(&page);
        for odd in ["=\"NaN", "=\"inf", "=\"-inf"] {
            prop_assert!(!page.contains(odd));
        }
    }
}
