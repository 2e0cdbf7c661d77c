//! Whether a method's handlers compute for long, from samples.

use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};
use std::time::Duration;

/// A poll that takes this long holds up others by more than handing it to another core costs.
const SLOW_FROM: Duration = Duration::from_micros(10);

/// Of calls whose pace is known, one in this many is timed.
const SAMPLED: u32 = 16;

/// How many samples more of the other kind change a verdict: one poll that was interrupted says nothing.
const SWAY: u8 = 3;

/// The pace of one method.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    /// From 0, all fast, to twice `SWAY`, all slow.
    score: AtomicU8,
    /// 1 while the method counts as slow.
    slow: AtomicU8,
    turn: AtomicU32,
}

impl Pace {
    /// True when its handlers should not run in place.
    #[inline]
    pub(crate) fn is_slow(&self) -> bool {
        self.slow.load(Ordering::Relaxed) == 1
    }

    /// Whether the next poll should be timed: all of them while the verdict may change, else some.
    #[inline]
    pub(crate) fn samples(&self) -> bool {
        let score = self.score.load(Ordering::Relaxed);
        let settled = score == if self.is_slow() { 2 * SWAY } else { 0 };
        // A turn that two threads take at once is no loss, so no thread waits for another here.
        let turn = self.turn.load(Ordering::Relaxed).wrapping_add(1);
        self.turn.store(turn, Ordering::Relaxed);
        !settled || turn % SAMPLED == 1
    }

    /// Notes how long a poll took.
    pub(crate) fn note(&self, poll: Duration) {
        let score = self.score.load(Ordering::Relaxed);
        let (score, verdict) = if poll >= SLOW_FROM {
            let score = (score + 1).min(2 * SWAY);
            (score, (score >= SWAY && !self.is_slow()).then_some(1))
        } else {
            let score = score.saturating_sub(1);
            (score, (score <= SWAY && self.is_slow()).then_some(0))
        };
        match verdict {
            None => self.score.store(score, Ordering::Relaxed),
            Some(slow) => {
                self.slow.store(slow, Ordering::Relaxed);
                self.score.store(if slow == 1 { 2 * SWAY } else { 0 }, Ordering::Relaxed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAST: Duration = Duration::from_micros(1);

    fn note_many(pace: &Pace, poll: Duration, times: u32) {
        (0..times).for_each(|_| pace.note(poll));
    }

    #[test]
    fn three_slow_polls_in_a_row_hand_off_and_three_fast_ones_take_back() {
        let pace = Pace::default();
        note_many(&pace, SLOW_FROM, 2);
        assert!(!pace.is_slow());
        pace.note(SLOW_FROM);
        assert!(pace.is_slow());
        note_many(&pace, FAST, 2);
        assert!(pace.is_slow());
        pace.note(FAST);
        assert!(!pace.is_slow());
    }

    #[test]
    fn one_interrupted_poll_among_fast_ones_changes_nothing() {
        let pace = Pace::default();
        for _ in 0..100 {
            pace.note(Duration::from_millis(3));
            note_many(&pace, FAST, 2);
            assert!(!pace.is_slow());
        }
    }

    #[test]
    fn a_settled_pace_is_sampled_now_and_then_and_an_open_one_always() {
        let pace = Pace::default();
        let sampled = (0..160).filter(|_| pace.samples()).count();
        assert_eq!(sampled, 10);
        pace.note(SLOW_FROM);
        assert!((0..20).all(|_| pace.samples()));
        note_many(&pace, SLOW_FROM, 2);
        assert_eq!((0..160).filter(|_| pace.samples()).count(), 10);
    }
}
