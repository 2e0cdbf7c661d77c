//! CPU time for a call: the server's, and the client's behind it.

use super::bars::{Frame, widest};
use super::scale::Scale;
use super::{Figure, colour, middle, words};
use crate::record::ContestantRecord;

const LINE: f64 = 24.0;

/// One bar: its contestant, and the two sides in nanoseconds.
struct Bar<'a> {
    name: &'a str,
    /// Not known of a server on another host.
    server: Option<f64>,
    client: f64,
}

impl Bar<'_> {
    fn sum(&self) -> f64 {
        self.server.unwrap_or(0.0) + self.client
    }
}

/// None when nobody's is known.
pub(super) fn plot(order: &[&ContestantRecord]) -> Option<Figure> {
    let mut bars: Vec<Bar<'_>> = order
        .iter()
        .filter_map(|one| {
            let server = middle(one, |round| round.cpu_per_call(round.server.as_ref()?));
            let client = middle(one, |round| round.cpu_per_call(&round.client))?;
            Some(Bar { name: &one.name, server, client })
        })
        .collect();
    if bars.is_empty() {
        return None;
    }
    bars.sort_by(|one, other| one.sum().total_cmp(&other.sum()));
    let figures: Vec<String> = bars.iter().map(|bar| words::duration(bar.sum())).collect();
    let names = bars.iter().map(|bar| bar.name);
    let frame = Frame::new(names, widest(&figures), LINE * bars.len() as f64);
    let scale = Scale::from_zero(bars.iter().map(Bar::sum), frame.left, frame.right);
    let mut svg = frame.svg();
    frame.axis(&mut svg, &scale, words::duration_tick);
    for (index, (bar, figure)) in bars.iter().zip(&figures).enumerate() {
        let y = frame.top + LINE * (index as f64 + 0.5);
        frame.name(&mut svg, y, bar.name);
        frame.figure(&mut svg, y, figure);
        let class = colour::class(bar.name);
        let (middle, end) = (scale.place(bar.server.unwrap_or(0.0)), scale.place(bar.sum()));
        let says =
            |side: &str, nanos: f64| format!("{}, {side}: {}", bar.name, words::duration(nanos));
        if let Some(server) = bar.server {
            let says = says("server", server);
            svg.bar(&format!("bar {class}"), (frame.left, y - 8.0), (middle, y + 8.0), &says);
        }
        let says = says("client", bar.client);
        svg.bar(&format!("bar light {class}"), (middle, y - 8.0), (end, y + 8.0), &says);
    }
    let caption = match bars.iter().any(|bar| bar.server.is_none()) {
        false => "server in full colour, client lighter; medians; less is better",
        true => "the client alone where the server was on another host; less is better",
    };
    Some(Figure {
        title: "CPU time a call".to_owned(),
        caption: caption.to_owned(),
        legend: Vec::new(),
        svg: svg.finish("CPU time a call, server and client"),
    })
}
