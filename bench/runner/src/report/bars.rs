//! What plots of horizontal bars have in common: names at the left, figures at the right, an axis
//! below.

use super::escape::shortened;
use super::scale::Scale;
use super::svg::{Anchor, Svg, WIDTH, width_of};

/// Where the parts of such a plot are.
pub(super) struct Frame {
    /// The left end of bars.
    pub(super) left: f64,
    /// Their right end.
    pub(super) right: f64,
    /// The top of the first line.
    pub(super) top: f64,
    /// The axis.
    pub(super) bottom: f64,
}

/// Longer names are cut.
const LONGEST_NAME: usize = 21;

impl Frame {
    /// For lines of these names and figures, so high each.
    pub(super) fn new<'a>(
        names: impl IntoIterator<Item = &'a str>,
        widest_figure: f64,
        height: f64,
    ) -> Self {
        let longest = names.into_iter().map(|name| width_of(&shortened(name, LONGEST_NAME)));
        let left = longest.fold(40.0, f64::max) + 10.0;
        Self { left, right: WIDTH - widest_figure - 8.0, top: 6.0, bottom: 6.0 + height }
    }

    /// The plot, with room for the axis.
    pub(super) fn svg(&self) -> Svg {
        Svg::new(self.bottom + 24.0)
    }

    /// Grid lines and what stands below them. Figures that would touch the one before are left out.
    pub(super) fn axis(&self, svg: &mut Svg, scale: &Scale, words: fn(f64) -> String) {
        let mut free = f64::NEG_INFINITY;
        for tick in scale.ticks() {
            let (x, text) = (scale.place(tick), words(tick));
            svg.line("grid", (x, self.top), (x, self.bottom));
            let half = width_of(&text) / 2.0;
            if x - half > free {
                svg.text("tick", Anchor::Middle, (x, self.bottom + 16.0), &text);
                free = x + half + 6.0;
            }
        }
    }

    /// The name of a line whose middle is at `y`.
    pub(super) fn name(&self, svg: &mut Svg, y: f64, name: &str) {
        let name = shortened(name, LONGEST_NAME);
        svg.text("name", Anchor::End, (self.left - 8.0, y + 4.0), &name);
    }

    /// The figure of a line.
    pub(super) fn figure(&self, svg: &mut Svg, y: f64, text: &str) {
        svg.text("figure", Anchor::End, (WIDTH - 2.0, y + 4.0), text);
    }
}

/// The widest of some figures.
pub(super) fn widest<'a>(figures: impl IntoIterator<Item = &'a String>) -> f64 {
    figures.into_iter().map(|figure| width_of(figure)).fold(20.0, f64::max)
}
