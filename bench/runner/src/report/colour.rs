//! A contestant has one colour in all plots: a class of the style sheet.

use crate::contestant::{OURS, PEERS};

/// `s s0`; with `v` for a variant of a contestant, which is drawn dashed.
pub(super) fn class(contestant: &str) -> String {
    let (name, variant) = contestant.split_once('+').unwrap_or((contestant, ""));
    let place = OURS.iter().chain(&PEERS).position(|known| *known == name);
    // Those that nobody foresaw share one.
    let number = place.unwrap_or(OURS.len() + PEERS.len());
    format!("s s{number}{}", if variant.is_empty() { "" } else { " v" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_has_a_colour_in_the_style_sheet() {
        let style = include_str!("style.css");
        for name in OURS.iter().chain(&PEERS).chain(&["somebody", ""]) {
            let class = class(name);
            let number = class.strip_prefix("s s").expect("a number");
            assert!(style.contains(&format!(".s{number} {{")), "{name}: {class}");
        }
        assert_eq!(class("stubwire-frpc+multi2"), "s s1 v");
    }
}
