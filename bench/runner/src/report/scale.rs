//! From figures to places on a plot, and back to round figures for its ticks. The only way by which a
//! figure becomes a coordinate: what is out of bounds, or no number, stays at the edge.

/// An axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    start: f64,
    end: f64,
    /// Between ticks, where they are as far from each other.
    step: f64,
    log: bool,
}

/// Figures beyond these are drawn there; so far apart that no measurement reaches them, and near
/// enough to each other for arithmetic.
const SMALLEST: f64 = 1e-12;
const LARGEST: f64 = 1e30;

impl Scale {
    /// From zero to a little more than the largest, between two places on the plot.
    pub(super) fn from_zero(values: impl IntoIterator<Item = f64>, start: f64, end: f64) -> Self {
        let largest = positive(values).fold(0.0, f64::max);
        let largest = if largest > 0.0 { largest } else { 1.0 };
        let high = largest * 1.03;
        Self { low: 0.0, high, start, end, step: round_step(high / 5.0), log: false }
    }

    /// By factors. `margin` is a factor to leave on both sides.
    pub(super) fn log(
        values: impl IntoIterator<Item = f64>,
        margin: f64,
        start: f64,
        end: f64,
    ) -> Self {
        let (low, high) = positive(values)
            .fold((f64::INFINITY, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
        let (low, high) = if low <= high { (low, high) } else { (1.0, 1.0) };
        // Of a single figure there would be no axis.
        let margin = if high > low { margin } else { margin.max(1.5) };
        let (low, high) = (low / margin, high * margin);
        Self { low, high, start, end, step: round_step((high - low) / 5.0), log: true }
    }

    /// Where a figure is drawn.
    pub(super) fn place(&self, value: f64) -> f64 {
        let Self { low, high, start, end, .. } = *self;
        let value = if value.is_nan() { low } else { value.clamp(low, high) };
        let share = match self.log {
            true => (value / low).ln() / (high / low).ln(),
            false => (value - low) / (high - low),
        };
        start + share.clamp(0.0, 1.0) * (end - start)
    }

    /// Round figures along the axis, five or so.
    pub(super) fn ticks(&self) -> Vec<f64> {
        // Within a few times the same, powers would be too few.
        match self.log && self.high / self.low >= 5.0 {
            false => multiples(self.low, self.high, self.step),
            true => self.powers(),
        }
    }

    fn powers(&self) -> Vec<f64> {
        let decades = (self.high / self.low).log10();
        let factors: &[f64] = match decades {
            ..1.2 => &[1.0, 2.0, 3.0, 5.0],
            ..2.2 => &[1.0, 3.0],
            _ => &[1.0],
        };
        let every = (decades / 5.0).ceil().max(1.0) as i32;
        let first = self.low.log10().floor() as i32;
        let last = self.high.log10().ceil() as i32;
        (first..=last)
            .filter(|power| power.rem_euclid(every) == 0)
            .flat_map(|power| factors.iter().map(move |factor| factor * 10_f64.powi(power)))
            .filter(|tick| (self.low..=self.high).contains(tick))
            .collect()
    }
}

fn positive(values: impl IntoIterator<Item = f64>) -> impl Iterator<Item = f64> {
    let some = values.into_iter().filter(|value| *value > 0.0);
    some.map(|value| value.clamp(SMALLEST, LARGEST))
}

/// 1, 2 or 5 of a power of ten, not below.
fn round_step(step: f64) -> f64 {
    let power = 10_f64.powf(step.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= step * 0.999);
    factor.unwrap_or(10.0) * power
}

fn multiples(low: f64, high: f64, step: f64) -> Vec<f64> {
    let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
    let count = (last - first).clamp(0.0, 20.0) as u32;
    (0..=count).map(|index| (first + f64::from(index)) * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linear_axes_begin_at_zero_and_have_round_ticks() {
        let scale = Scale::from_zero([3.0, 755e3], 0.0, 100.0);
        assert_eq!(scale.ticks(), [0.0, 2e5, 4e5, 6e5]);
        assert_eq!((scale.place(0.0), scale.place(755e3 * 1.03)), (0.0, 100.0));
        assert_eq!(Scale::from_zero([], 0.0, 1.0).ticks().last(), Some(&1.0));
    }

    #[test]
    fn ratios_have_ticks_near_one_and_far_from_it() {
        let ticks = |values: [f64; 2]| Scale::log(values, 1.0, 0.0, 1.0).ticks();
        let near = ticks([0.72, 1.13]);
        assert!(near.len() >= 3 && near.iter().any(|tick| (tick - 1.0).abs() < 1e-9), "{near:?}");
        assert_eq!(ticks([0.5, 11.0]), [1.0, 3.0, 10.0]);
        assert_eq!(ticks([1e3, 1e9]), [1e4, 1e6, 1e8]);
    }

    #[test]
    fn no_figure_leaves_the_plot() {
        let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 0.0, 1e300, 1e-300, 5.0];
        for scale in [
            Scale::from_zero(odd, 10.0, 110.0),
            Scale::log(odd, 1.1, 10.0, 110.0),
            Scale::log([7.0], 1.0, 10.0, 110.0),
            Scale::log([], 2.0, 10.0, 110.0),
        ] {
            for value in odd.into_iter().chain(scale.ticks()) {
                let place = scale.place(value);
                assert!((10.0..=110.0).contains(&place), "{value} at {place} of {scale:?}");
            }
            assert!(scale.ticks().len() <= 21, "{scale:?}");
        }
    }
}
