//! Figures as words: three digits, which is what a median of some rounds is worth.

/// `865`, `12.3 k`, `1.05 M`.
pub(crate) fn amount(number: f64) -> String {
    shown(number, three, &[(1e9, " G"), (1e6, " M"), (1e3, " k"), (1.0, "")])
}

/// `650 ns`, `54.2 µs`, `1.20 ms`.
pub(crate) fn duration(nanos: f64) -> String {
    shown(nanos, three, &TIMES)
}

/// A number at a tick: no digit more than it needs.
pub(super) fn amount_tick(number: f64) -> String {
    shown(number, trimmed, &[(1e9, " G"), (1e6, " M"), (1e3, " k"), (1.0, "")])
}

/// A time at a tick.
pub(super) fn duration_tick(nanos: f64) -> String {
    shown(nanos, trimmed, &TIMES)
}

/// A ratio at a tick, or a bound.
pub(super) fn plain(number: f64) -> String {
    trimmed(number)
}

/// A size at a tick.
pub(super) fn bytes(number: f64) -> String {
    let units = [(1_073_741_824.0, " GB"), (1_048_576.0, " MB"), (1024.0, " KB"), (1.0, " B")];
    shown(number, trimmed, &units)
}

/// `2.86`, `0.75`, `12.3`.
pub(super) fn ratio(number: f64) -> String {
    three(number)
}

const TIMES: [(f64, &str); 4] = [(1e9, " s"), (1e6, " ms"), (1e3, " µs"), (1.0, " ns")];

/// In the largest unit that leaves a whole number, or else in the smallest.
fn shown(number: f64, digits: fn(f64) -> String, units: &[(f64, &str)]) -> String {
    // 999.6 in a unit would be 1000 of it.
    let fits = units.iter().find(|(unit, _)| number >= unit * 0.9995);
    let (unit, name) = fits.or(units.last()).copied().unwrap_or((1.0, ""));
    // Calls, nanoseconds and bytes have no parts.
    let number = if unit == 1.0 { number.round() } else { number / unit };
    match unit == 1.0 {
        true => format!("{}{name}", trimmed(number)),
        false => format!("{}{name}", digits(number)),
    }
}

fn three(number: f64) -> String {
    match number.abs() {
        0.0 => "0".to_owned(),
        ..9.995 => format!("{number:.2}"),
        ..99.95 => format!("{number:.1}"),
        ..1e6 => format!("{number:.0}"),
        _ => format!("{number:.2e}"),
    }
}

fn trimmed(number: f64) -> String {
    let text = match number.abs() {
        ..1e6 => format!("{number:.3}"),
        _ => return format!("{number:.2e}"),
    };
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits() {
        let amounts = [0.0, 999.0, 999.7, 12_345.0, 217_000.0, 999_800.0, 1_050_000.0].map(amount);
        assert_eq!(amounts, ["0", "999", "1.00 k", "12.3 k", "217 k", "1.00 M", "1.05 M"]);
        let times = [650.0, 54_200.0, 265_000.0, 1_200_000.0, 3.0e9].map(duration);
        assert_eq!(times, ["650 ns", "54.2 µs", "265 µs", "1.20 ms", "3.00 s"]);
        assert_eq!([0.7534, 2.861, 12.34, 123.4].map(ratio), ["0.75", "2.86", "12.3", "123"]);
    }

    #[test]
    fn ticks_have_no_digit_more_than_they_need() {
        assert_eq!([0.0, 2e5, 2.5e6, 1e3].map(amount_tick), ["0", "200 k", "2.5 M", "1 k"]);
        assert_eq!([500.0, 2e4, 1e7].map(duration_tick), ["500 ns", "20 µs", "10 ms"]);
        assert_eq!([0.0, 64.0, 4096.0, 1_048_576.0].map(bytes), ["0 B", "64 B", "4 KB", "1 MB"]);
        assert_eq!([0.75, 1.0, 1.05].map(plain), ["0.75", "1", "1.05"]);
    }
}
