//! The elements of a plot. Colours and strokes are the style sheet's, by class; numbers are written
//! with a tenth of a pixel.

use super::escape::escape;
use std::fmt::Write;

/// A plot being drawn. Elements in front are those drawn later.
pub(super) struct Svg {
    width: f64,
    height: f64,
    body: String,
}

/// Which end of a text is at its place.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// The width of all plots, in the style sheet's pixels.
pub(super) const WIDTH: f64 = 460.0;

impl Svg {
    pub(super) fn new(height: f64) -> Self {
        Self { width: WIDTH, height, body: String::new() }
    }

    pub(super) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let (x1, y1, x2, y2) = (short(from.0), short(from.1), short(to.0), short(to.1));
        self.element(format_args!(
            "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>"
        ));
    }

    /// Between two corners, whichever they are.
    pub(super) fn bar(&mut self, class: &str, one: (f64, f64), other: (f64, f64), says: &str) {
        let (x, width) = (one.0.min(other.0), (one.0 - other.0).abs());
        let (y, height) = (one.1.min(other.1), (one.1 - other.1).abs());
        let (x, y, width, height) = (short(x), short(y), short(width), short(height));
        let title = title(says);
        self.element(format_args!(
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\">{title}</rect>"
        ));
    }

    pub(super) fn dot(&mut self, class: &str, (x, y): (f64, f64), radius: f64, says: &str) {
        let (x, y, radius, title) = (short(x), short(y), short(radius), title(says));
        self.element(format_args!(
            "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\">{title}</circle>"
        ));
    }

    pub(super) fn path(&mut self, class: &str, points: &[(f64, f64)], says: &str) {
        let points: Vec<_> =
            points.iter().map(|(x, y)| format!("{},{}", short(*x), short(*y))).collect();
        let (points, title) = (points.join(" "), title(says));
        self.element(format_args!(
            "<polyline class=\"{class}\" points=\"{points}\">{title}</polyline>"
        ));
    }

    pub(super) fn text(&mut self, class: &str, anchor: Anchor, (x, y): (f64, f64), text: &str) {
        let (x, y, text) = (short(x), short(y), escape(text));
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        self.element(format_args!(
            "<text class=\"{class}\"{anchor} x=\"{x}\" y=\"{y}\">{text}</text>"
        ));
    }

    /// The element, with words for those who do not see it.
    pub(super) fn finish(self, says: &str) -> String {
        let Self { width, height, body } = self;
        let (width, height, says) = (short(width), short(height), escape(says));
        format!(
            "<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"{says}\">\n{body}</svg>\n"
        )
    }

    fn element(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        _ = writeln!(self.body, "{element}");
    }
}

/// What is shown under the pointer.
fn title(says: &str) -> String {
    if says.is_empty() { String::new() } else { format!("<title>{}</title>", escape(says)) }
}

/// `12`, `12.5`.
fn short(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// How wide a text is at most, nearly; the font is the reader's.
pub(super) fn width_of(text: &str) -> f64 {
    text.chars().count() as f64 * 7.3
}
